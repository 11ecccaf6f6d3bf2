// Whether this browser still leads a new installation's first administrator through their first call.

import { useSyncExternalStore } from 'react'
import { readStored, store } from './storage.ts'

const KEY = 'first-run'
export type FirstRun = 'open' | 'skipped' | 'done'

const listeners = new Set<() => void>()

/** Null where nobody was set up in this browser. */
export function readFirstRun(): FirstRun | null {
  const stored = readStored(KEY)
  return stored === 'open' || stored === 'skipped' || stored === 'done' ? stored : null
}

export function storeFirstRun(state: FirstRun): void {
  store(KEY, state)
  for (const listener of listeners) listener()
}

export function useFirstRun(): FirstRun | null {
  return useSyncExternalStore(listener => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, readFirstRun)
}
