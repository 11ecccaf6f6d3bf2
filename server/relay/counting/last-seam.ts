/** Prose has a seam every few letters; what has none in so many is counted as it comes. */
const LONGEST_SEAMLESS = 512

/** No word reaches past a letter that something else follows, but for the apostrophe of "don't". */
const seams = /\p{L}(?=[^\p{L}\p{M}'’])/gu

/** Where a text whose end is yet to come can be cut, so that its two parts have as many tokens as the whole. */
export function lastSeam(text: string): number {
  const from = Math.max(0, text.length - LONGEST_SEAMLESS)
  let seam = from === 0 ? 0 : text.length
  for (const { index, 0: letter } of text.slice(from).matchAll(seams)) seam = from + index + letter.length
  return seam
}
