import { useSyncExternalStore } from 'react'
import { readStored, store } from './storage.ts'

export const pageSizes = [10, 20, 50, 100] as const
const key = 'page-size'
/** Pixels: so high a window has room for twenty rows and all around them. */
const HIGH = 1000
const usual = (globalThis.innerHeight ?? 0) >= HIGH ? pageSizes[1] : pageSizes[0]
const listeners = new Set<() => void>()

function readPageSize(): number {
  const stored = Number(readStored(key))
  return pageSizes.find(size => size === stored) ?? usual
}

/** How many rows a page of a list has: one choice for all lists, remembered. */
export function usePageSize(): [number, (size: number) => void] {
  const size = useSyncExternalStore(subscribe, readPageSize)
  return [size, setPageSize]
}

function setPageSize(size: number): void {
  store(key, String(size))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
