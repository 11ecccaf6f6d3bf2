// Who is logged in, as far as this browser knows. The cookie is the truth; this is for drawing the page.

import { useSyncExternalStore } from 'react'
import { roles, type UserView } from '../contract/users.ts'
import { type ActingTeam, chosenTeam, subscribe as subscribeToTeam } from './acting.ts'
import { forget, readStored, store } from './storage.ts'

let storedText: string | null | undefined
let known: UserView | null = null
let user: UserView | null = null
let actingFor: ActingTeam | null = null
const listeners = new Set<() => void>()

/** Whoever acts for a team is nobody's administrator meanwhile. */
export function readUser(): UserView | null {
  const text = readStored('user')
  const team = chosenTeam()
  if (text !== storedText || team !== actingFor) {
    if (text !== storedText) known = parseUser(text)
    storedText = text
    actingFor = team
    user = known && team?.userId === known.id ? { ...known, role: Math.min(known.role, roles.user) } : known
  }
  return user
}

/** The team that is acted for, which is the choice of who is logged in and of nobody before them. */
export function readTeam(): ActingTeam | null {
  const team = chosenTeam()
  return team && team.userId === readUser()?.id ? team : null
}

/** For requests that are not made by the client of the API. */
export function teamHeader(): Record<string, string> {
  const team = readTeam()
  return team ? { 'Tollgate-Team': String(team.id) } : {}
}

export function useTeam(): ActingTeam | null {
  return useSyncExternalStore(subscribe, readTeam)
}

function parseUser(text: string | null): UserView | null {
  if (text === null) return null
  try {
    const value: UserView | null = JSON.parse(text)
    return value && Number.isInteger(value.id) && Number.isInteger(value.role) ? value : null
  } catch {
    return null
  }
}

export function storeUser(next: UserView): void {
  store('user', JSON.stringify(next))
  announce()
}

export function forgetUser(): void {
  forget('user')
  announce()
}

export function useUser(): UserView | null {
  return useSyncExternalStore(subscribe, readUser)
}

let finish = async () => {}

/** What is put off has to be done while the account is still there. Set once, by what puts deletes off. */
export function beforeLeaving(act: () => Promise<void>): void {
  finish = act
}

/** For whatever ends the login by someone's own wish, before it does. */
export function prepareToLeave(): Promise<void> {
  return finish()
}

/** What happens when another tab logs out, or in as someone else. */
export function whenAccountChanges(act: () => void): void {
  addEventListener('storage', ({ key, oldValue, newValue }: StorageEvent) => {
    const isOther = key === 'user' && parseUser(oldValue)?.id !== parseUser(newValue)?.id
    if (isOther || key === null) act()
  })
}

function announce(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  const forgetTeam = subscribeToTeam(listener)
  // Another tab logging in or out changes this one too.
  const onStorage = (event: StorageEvent) => {
    if (event.key === 'user' || event.key === null) listener()
  }
  addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    forgetTeam()
    removeEventListener('storage', onStorage)
  }
}
