import { useSyncExternalStore } from 'react'
import { readStored, store } from '../../storage.ts'

/** Pixels of a row, as the styles have them. */
export const rowHeights = { compact: 32, normal: 40, touch: 56 } as const
export type Density = keyof typeof rowHeights
export const densities = Object.keys(rowHeights) as Density[]

const key = 'density'
const listeners = new Set<() => void>()

let current: Density | undefined

/** Asked for whenever a table is drawn, that is while it is scrolled. */
function readDensity(): Density {
  current ??= storedDensity()
  return current
}

/** Fingers get high rows until someone has chosen others; phones have cards. */
function storedDensity(): Density {
  const stored = readStored(key)
  const usual = matchMedia('(pointer: coarse) and (min-width: 48em)').matches ? 'touch' : 'normal'
  return densities.find(one => one === stored) ?? usual
}

/** How high the rows of tables are: one choice for all tables, remembered. */
export function useDensity(): [Density, (density: Density) => void] {
  return [useSyncExternalStore(subscribe, readDensity), setDensity]
}

function setDensity(density: Density): void {
  current = density
  store(key, density)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
