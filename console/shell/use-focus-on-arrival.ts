import { useEffect, useRef } from 'react'

/** Whoever arrives at another screen by keyboard or screen reader begins at its content, as after a page load. */
export function useFocusOnArrival(pathname: string): void {
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    const content = document.getElementById('content')
    if (!content?.contains(document.activeElement)) content?.focus({ preventScroll: true })
  }, [pathname])
}
