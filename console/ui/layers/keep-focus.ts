import { focusPage } from '../page/focus-page.ts'

/**
 * A button that waits for an answer is disabled, and what is disabled loses the focus: whoever pressed it by key
 * would begin again at the top. When it can be pressed again and nothing else took the focus, it has it back. One that
 * goes for good, as with the row it deleted, leaves it to the page.
 */
export function keepFocus(): void {
  const waiting = new MutationObserver(([change]) => {
    const button = change?.target
    if (!(button instanceof HTMLButtonElement) || button.disabled) return
    if (document.activeElement === document.body) button.focus({ preventScroll: true })
  })
  let pressed: Element | undefined
  const leaving = new MutationObserver(() => {
    if (!pressed || pressed.isConnected) return
    leaving.disconnect()
    // A dialog or a menu that goes with it gives the focus back first.
    requestAnimationFrame(focusPage)
  })
  addEventListener('click', event => {
    const { target } = event
    const button = target instanceof Element && target.closest('button')
    waiting.disconnect()
    leaving.disconnect()
    if (!button) return
    waiting.observe(button, { attributeFilter: ['disabled'] })
    pressed = button
    // A click that counts as none was made by a key.
    if (event instanceof MouseEvent && event.detail === 0)
      leaving.observe(document.body, { childList: true, subtree: true })
  })
}
