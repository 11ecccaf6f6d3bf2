// Who is logged in, as far as this browser knows. The cookie is the truth; this is for drawing the page.

import { useSyncExternalStore } from 'react'
import type { UserView } from '../contract/users.ts'
import { forget, readStored, store } from './storage.ts'

let storedText: string | null | undefined
let user: UserView | null = null
const listeners = new Set<() => void>()

export function readUser(): UserView | null {
  const text = readStored('user')
  if (text !== storedText) {
    storedText = text
    user = parseUser(text)
  }
  return user
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

function announce(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab logging in or out changes this one too.
  const onStorage = (event: StorageEvent) => {
    if (event.key === 'user' || event.key === null) listener()
  }
  addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', onStorage)
  }
}
