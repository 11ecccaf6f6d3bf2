import { useSyncExternalStore } from 'react'

/** Where the styles make cards of rows. */
const narrow = matchMedia('(max-width: 47.99em)')

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches)
}

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}
