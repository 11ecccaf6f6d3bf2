import { type RefObject, useEffect, useEffectEvent } from 'react'

/** Less is no reading of older rows. */
const NEAR = 8
/** The page's own header covers this much. */
const HEADER = 40

/** Tells whether someone has scrolled away from the first row, of the table or of the page. */
export function useScrolledAway(
  box: RefObject<HTMLElement | null>,
  onChange: (isAway: boolean) => void,
): void {
  const look = useEffectEvent(() => {
    if (!box.current) return
    const scroller = box.current.querySelector('[data-virtual]')
    onChange((scroller?.scrollTop ?? 0) > NEAR || box.current.getBoundingClientRect().top < HEADER)
  })
  useEffect(() => {
    const onScroll = () => look()
    // Scrolling does not bubble, but it can be caught on its way.
    addEventListener('scroll', onScroll, { capture: true, passive: true })
    return () => removeEventListener('scroll', onScroll, { capture: true })
  }, [])
}

/** Whoever listens for scrolling hears of it when it has happened. */
export function scrollToFirst(box: HTMLElement | null): void {
  box?.querySelector('[data-virtual]')?.scrollTo({ top: 0 })
  scrollTo({ top: 0 })
}
