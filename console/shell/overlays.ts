// Which of the shell's overlays is open. Their code is loaded when first asked for.

import { useSyncExternalStore } from 'react'

type Overlay = 'palette' | 'keys'

let open: Overlay | null = null
const listeners = new Set<() => void>()

function show(next: Overlay | null): void {
  open = next
  for (const listener of listeners) listener()
}

export const openPalette = () => show('palette')
export const openKeys = () => show('keys')
export const closeOverlay = () => show(null)

export function useOverlay(): Overlay | null {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => open,
  )
}
