import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * Whether an element, while it is shown, is at least so many pixels wide. Known before anything is painted; what is
 * assumed until then is not drawn twice where it is so.
 */
export function useRoom(
  element: RefObject<HTMLElement | null>,
  isShown: boolean,
  pixels: number,
  assumed: boolean,
): boolean {
  const [hasRoom, setRoom] = useState(assumed)
  useLayoutEffect(() => {
    const { current } = element
    if (!isShown || !current) return
    const look = () => setRoom(current.clientWidth >= pixels)
    look()
    const observer = new ResizeObserver(look)
    observer.observe(current)
    return () => observer.disconnect()
  }, [element, isShown, pixels])
  return hasRoom
}
