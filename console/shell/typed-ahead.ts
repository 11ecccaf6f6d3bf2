// What is typed between the palette's shortcut and the arrival of its field: the palette may have to be loaded first.

/** The element's id. */
export const PALETTE_FIELD = 'palette-field'

let typed = ''
let tell: ((text: string) => void) | undefined
let giveUp: (() => void) | undefined

/** Until the palette's field has the focus, or something is pressed elsewhere. */
export function keepTyped(whenGivenUp: () => void): void {
  typed = ''
  giveUp = whenGivenUp
  addEventListener('keydown', keep, true)
  addEventListener('pointerdown', stopKeeping, true)
}

export function stopKeeping(): void {
  removeEventListener('keydown', keep, true)
  removeEventListener('pointerdown', stopKeeping, true)
}

/** The palette has come: it is told what was typed until now, and what still is before its field has the focus. */
export function takeTyped(listener: (text: string) => void): () => void {
  tell = listener
  listener(typed)
  return () => {
    tell = undefined
  }
}

function keep(event: KeyboardEvent): void {
  const { key, target, ctrlKey, metaKey, altKey } = event
  if ((target as Element).id === PALETTE_FIELD) return stopKeeping()
  // Once the palette is there, Escape is its own.
  if (ctrlKey || metaKey || altKey || (tell && key === 'Escape')) return
  if (key === 'Escape') giveUp?.()
  else if (key === 'Backspace') typed = typed.slice(0, -1)
  else if (key.length === 1) typed += key
  else if (key !== 'Enter') return
  // None of it is for whatever has the focus meanwhile.
  event.preventDefault()
  event.stopPropagation()
  tell?.(typed)
}
