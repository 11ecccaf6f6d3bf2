// Saved views: what a list is filtered by, how it is sorted and which columns it has, under a name of one's own.
// They stay in this browser, for each account and each list apart.

import { useMemo, useSyncExternalStore } from 'react'
import { readStored, store } from '../storage.ts'

/** Filters as the address has them; the page of a list is none of them. */
export type ViewSearch = Readonly<Record<string, string | number | boolean>>

/** What a view brings back. */
export interface ListState {
  readonly search: ViewSearch
  /** The columns that are left out. */
  readonly hidden: readonly string[]
  /** Where the list can be sorted otherwise than by its address. */
  readonly sort: string
}

export interface View extends ListState {
  /** No two of a list are called the same. */
  readonly name: string
  /** Stands above the table. */
  readonly pinned: boolean
}

export interface Views {
  readonly all: readonly View[]
  /** Under a name that is taken it replaces what was there. */
  save(name: string, state: ListState): void
  rename(view: View, name: string): void
  pin(view: View, pinned: boolean): void
  remove(view: View): void
  /** Brings back one that was removed. */
  restore(view: View): void
}

const listeners = new Set<() => void>()

export function useViews(key: string): Views {
  const text = useSyncExternalStore(subscribe, () => readStored(key))
  return useMemo(() => {
    const all = parseViews(text)
    // Another window may have changed them meanwhile.
    const change = (next: (before: readonly View[]) => readonly View[]) => {
      store(key, JSON.stringify(next(parseViews(readStored(key)))))
      for (const listener of listeners) listener()
    }
    const replace = (view: View, next: View) =>
      change(before => before.map(one => (one.name === view.name ? next : one)))
    return {
      all,
      save: (name, state) => change(before => putView(before, { ...state, name, pinned: true })),
      rename: (view, name) => replace(view, { ...view, name }),
      pin: (view, pinned) => replace(view, { ...view, pinned }),
      remove: view => change(before => before.filter(({ name }) => name !== view.name)),
      restore: view =>
        change(before => (before.some(({ name }) => name === view.name) ? before : [...before, view])),
    }
  }, [key, text])
}

export function putView(views: readonly View[], view: View): View[] {
  const at = views.findIndex(({ name }) => name === view.name)
  return at < 0 ? [...views, view] : views.with(at, view)
}

/** What can be read of what is stored; the rest is left out. */
export function parseViews(text: string | null): readonly View[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored) ? stored.flatMap(readView) : []
  } catch {
    return []
  }
}

function readView(stored: Partial<View> | null): View[] {
  if (typeof stored?.name !== 'string' || typeof stored.search !== 'object') return []
  const { name, search, hidden, sort, pinned } = stored
  return [
    {
      name,
      search: searchOf(search),
      hidden: Array.isArray(hidden) ? hidden.map(String) : [],
      sort: String(sort ?? ''),
      pinned: pinned === true,
    },
  ]
}

/** Of an address what filters its list. */
export function searchOf(search: object | null): ViewSearch {
  const values = Object.entries(search ?? {}).filter(
    ([name, value]) => name !== 'p' && ['string', 'number', 'boolean'].includes(typeof value),
  )
  return Object.fromEntries(values)
}

export function isSameSearch(one: ViewSearch, other: ViewSearch): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every(name => one[name] === other[name])
}

export function isSameState(one: ListState, other: ListState): boolean {
  const hidden = new Set(one.hidden)
  return (
    isSameSearch(one.search, other.search) &&
    one.sort === other.sort &&
    hidden.size === new Set(other.hidden).size &&
    other.hidden.every(id => hidden.has(id))
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
