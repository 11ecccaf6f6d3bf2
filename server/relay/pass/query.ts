/** One pair of a query or of a form, as it was sent. */
export type Pair = string

/** No more of them than `most`. */
export function pairsOf(query: string, most?: number): Pair[] {
  return query === '' ? [] : query.split('&', most)
}

/** As servers read it; what nobody can decode is taken as it is. */
export function readPair(pair: Pair): { readonly name: string; readonly value: string } {
  const [[name, value] = ['', '']] = new URLSearchParams(pair)
  return { name, value }
}

export function writePair(name: string, value: string): Pair {
  return new URLSearchParams([[name, value]]).toString()
}
