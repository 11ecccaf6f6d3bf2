/**
 * The first key that stands twice in one object of a JSON text, which JSON.parse would silently merge. The text
 * is known to be valid JSON.
 */
export function duplicateKey(text: string): string | undefined {
  /** The keys of what is open; an array has none. */
  const open: Set<string>[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{' || character === '[') open.push(new Set())
    else if (character === '}' || character === ']') open.pop()
    else if (character === '"') {
      const end = endOfString(text, at)
      if (/^\s*:/.test(text.slice(end, end + 64))) {
        const key = JSON.parse(text.slice(at, end)) as string
        const seen = open.at(-1)
        if (seen?.has(key)) return key
        seen?.add(key)
      }
      at = end - 1
    }
  }
  return undefined
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}
