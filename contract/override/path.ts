/** Where something stands in a request: names of members and numbers of entries; `*` is all of them. */
export type Path = readonly string[]

const LONGEST = 300
const DEEPEST = 24
/** Names that mean something to the language itself. */
const unspeakable = new Set(['__proto__', 'constructor', 'prototype'])

/** `a.0.b`; −1 is the last entry, and a dot that belongs to a name has a backslash before it. */
export function parsePath(text: unknown, allowsAll: boolean): Path | undefined {
  if (typeof text !== 'string' || text === '' || text.length > LONGEST) return undefined
  const parts = text.split(/(?<!\\)\./).map(part => part.replaceAll('\\.', '.'))
  const isGood = parts.every(part => part !== '' && !unspeakable.has(part) && isSpoken(part, allowsAll))
  return isGood && parts.length <= DEEPEST ? parts : undefined
}

/** Other tools have more signs for "some of these"; what they mean is not guessed at. */
function isSpoken(part: string, allowsAll: boolean): boolean {
  return part === '*' ? allowsAll : !/[*#?]/.test(part)
}

/** The number of an entry, from either end. */
export function indexIn(list: readonly unknown[], part: string): number | undefined {
  if (!/^(-?[1-9]\d{0,8}|0)$/.test(part)) return undefined
  const index = Number(part)
  return index < 0 ? list.length + index : index
}
