import { useLayoutEffect } from 'react'

type Mark = 'whole' | 'loading'

const counts: Record<Mark, number> = { whole: 0, loading: 0 }

/**
 * Says something of the whole page for as long as the caller stands. Styles that looked for it in the page
 * themselves (`:has`) would look through all of it at every change.
 */
export function usePageMark(mark: Mark): void {
  useLayoutEffect(() => {
    const count = (change: number) => {
      counts[mark] += change
      document.documentElement.toggleAttribute(`data-page-${mark}`, counts[mark] > 0)
    }
    count(1)
    return () => count(-1)
  }, [mark])
}
