// Which of the shell's overlays is open. Their code is loaded when first asked for.

import { useSyncExternalStore } from 'react'
import { keepTyped, stopKeeping } from './typed-ahead.ts'

type Overlay = 'palette' | 'keys'

let open: Overlay | null = null
const listeners = new Set<() => void>()

function show(next: Overlay | null): void {
  open = next
  for (const listener of listeners) listener()
}

export function openPalette(): void {
  keepTyped(closeOverlay)
  show('palette')
}

export const openKeys = () => show('keys')

export function closeOverlay(): void {
  stopKeeping()
  show(null)
}

export function useOverlay(): Overlay | null {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => open,
  )
}
