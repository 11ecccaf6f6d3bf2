/** What a key press means. `pending` is true just after `g`. */
export type KeyCommand =
  | { readonly kind: 'palette' }
  | { readonly kind: 'keys' }
  | { readonly kind: 'search' }
  | { readonly kind: 'jump-begins' }
  | { readonly kind: 'jump'; readonly letter: string }

export interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  /** Someone is writing: single letters are theirs. */
  readonly typing: boolean
}

export function readKey(press: KeyPress, pending: boolean): KeyCommand | undefined {
  const key = press.key.toLowerCase()
  if ((press.metaKey || press.ctrlKey) && !press.altKey && key === 'k') return { kind: 'palette' }
  if (press.typing || press.metaKey || press.ctrlKey || press.altKey) return undefined
  if (pending && /^[a-z]$/.test(key)) return { kind: 'jump', letter: key }
  if (key === '?') return { kind: 'keys' }
  if (key === '/') return { kind: 'search' }
  return key === 'g' ? { kind: 'jump-begins' } : undefined
}
