/**
 * A short name for a text, by which it is known again: a map of prices is long, and is not to travel twice. It tells
 * apart what people edit, and nothing that somebody would forge.
 */
export function markOf(text: string): string {
  let one = 0x811c9dc5
  let other = 0x9747b28c
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ code, 0x5bd1e995) ^ (other >>> 15)
  }
  return [one, other].map(half => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
