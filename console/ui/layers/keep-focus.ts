/**
 * A button that waits for an answer is disabled, and what is disabled loses the focus: whoever pressed it by key
 * would begin again at the top. When it can be pressed again and nothing else took the focus, it has it back.
 */
export function keepFocus(): void {
  const waiting = new MutationObserver(([change]) => {
    const button = change?.target
    if (!(button instanceof HTMLButtonElement) || button.disabled) return
    if (document.activeElement === document.body) button.focus({ preventScroll: true })
  })
  addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('button')
    waiting.disconnect()
    if (button) waiting.observe(button, { attributeFilter: ['disabled'] })
  })
}
