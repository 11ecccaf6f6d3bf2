/** What stands between two pairs of braces, in any script; whatever else is there is text. */
const place = /\{\{\s*([\p{L}_][\p{L}\p{N}_.-]{0,63})\s*\}\}/gu

/** A text in pieces: what stands in it as it is, and the names of what is put in, in turns. The first is text. */
export function splitAtPlaces(text: string): string[] {
  return text.split(place)
}

/** What has to be given for texts, each once, in the order in which they are met. */
export function variablesIn(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap(text => splitAtPlaces(text).filter((_, at) => at % 2 === 1)))]
}
