import { useSyncExternalStore } from 'react'

/** Where the styles make cards of rows. */
export const useNarrow = watchWindow('(max-width: 47.99em)')

/** Where a list is short of room beside the sidebar. */
export const useTight = watchWindow('(max-width: 63.99em)')

/** Where a list of the usual columns has room to spare. */
export const useSpacious = watchWindow('(min-width: 100em)')

function watchWindow(query: string): () => boolean {
  const match = matchMedia(query)
  const subscribe = (listener: () => void) => {
    match.addEventListener('change', listener)
    return () => match.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => match.matches)
}
