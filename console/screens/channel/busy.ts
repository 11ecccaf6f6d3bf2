// What is under way with single channels. Cells look here by themselves, so that a row is drawn anew only
// where something happens to it.

import { useSyncExternalStore } from 'react'

type Deed = 'test' | 'balance'

const busy = new Map<string, number>()
const listeners = new Set<() => void>()

export function begin(deed: Deed, id: number): void {
  change(`${deed} ${id}`, 1)
}

export function end(deed: Deed, id: number): void {
  change(`${deed} ${id}`, -1)
}

export function useBusy(deed: Deed, id: number): boolean {
  return useSyncExternalStore(subscribe, () => (busy.get(`${deed} ${id}`) ?? 0) > 0)
}

function change(name: string, by: number): void {
  busy.set(name, (busy.get(name) ?? 0) + by)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
