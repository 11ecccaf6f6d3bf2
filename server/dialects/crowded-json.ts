/** Objects, lists and texts, names of fields among them: more than any request has, few enough to be read at once. */
export const MOST_VALUES = 500_000
/** Values of any kind, numbers among them: as many as the vectors of a whole batch, for each takes eight bytes at least. */
export const MOST_NUMBERS = 8_000_000
/** What a refusal tells. */
export const crowd = { most: MOST_VALUES, numbers: MOST_NUMBERS }
/** What is shorter has no room for so many: each takes two signs at least. */
const ROOMY = 2 * MOST_VALUES

const QUOTE = 34
const COMMA = 44
const LIST = 91
const ESCAPE = 92
const OBJECT = 123

/**
 * Whether a text would become more values than are to be kept. To read them takes many times the text's memory, and
 * seconds in which nobody else is served; packed, all of it is a few kilobytes.
 */
export function isCrowded(text: string): boolean {
  if (text.length <= ROOMY) return false
  let values = 0
  // Wherever there is more than one value a comma is between two: numbers have no sign of their own.
  let commas = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === COMMA) {
      if (++commas >= MOST_NUMBERS) return true
      continue
    }
    if (sign === QUOTE) at = endOfText(text, at)
    else if (sign !== OBJECT && sign !== LIST) continue
    if (++values > MOST_VALUES) return true
  }
  return false
}

/** Where the text that begins there ends; the end of everything when it does not. */
function endOfText(json: string, begin: number): number {
  for (let at = json.indexOf('"', begin + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let before = at - 1
    while (json.charCodeAt(before) === ESCAPE) before--
    // An even number of them stands for themselves.
    if ((at - before) % 2 === 1) return at
  }
  return json.length
}
