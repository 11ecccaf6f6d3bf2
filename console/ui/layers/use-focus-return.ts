import { useEffect, useRef } from 'react'
import { focusPage } from '../page/focus-page.ts'

/** Overlays here go away by being unmounted, and Mantine gives the focus back only to those that are closed. */
export function useFocusReturn(opened: boolean): void {
  const before = useRef(document.activeElement)
  const isOpen = useRef(opened)
  useEffect(() => {
    isOpen.current = opened
  }, [opened])
  useEffect(
    () => () => {
      const element = before.current
      if (!isOpen.current) return
      if (element instanceof HTMLElement && element.isConnected) element.focus({ preventScroll: true })
      else focusPage()
    },
    [],
  )
}
