/** Models that moderate judge long texts less well than short ones. */
const LONGEST_PIECE = 2000
/** A piece begins with the end of the one before: nothing is missed for lying across. */
const OVERLAP = 100

/** A text in pieces that a model can judge; between words, where there is a gap near the end. */
export function cutText(text: string): string[] {
  const pieces: string[] = []
  let start = 0
  while (text.length - start > LONGEST_PIECE) {
    const end = endBefore(text, start + LONGEST_PIECE)
    pieces.push(text.slice(start, end))
    start = endBefore(text, end - OVERLAP)
  }
  pieces.push(text.slice(start))
  return pieces.filter(piece => piece.trim() !== '')
}

/** The last gap in the 100 letters before; where there is none, a place that cuts no sign in two. */
function endBefore(text: string, most: number): number {
  for (let at = most; at > most - OVERLAP; at--) if (/\s/.test(text.charAt(at - 1))) return at
  return /[\uDC00-\uDFFF]/.test(text.charAt(most)) ? most - 1 : most
}
