/**
 * The first key that stands twice at the top level of a JSON object text, which JSON.parse would silently
 * merge. The text is known to be valid JSON.
 */
export function duplicateKey(text: string): string | undefined {
  const seen = new Set<string>()
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    else if (character === '"') {
      const end = endOfString(text, at)
      if (depth === 1 && /^\s*:/.test(text.slice(end, end + 64))) {
        const key = JSON.parse(text.slice(at, end)) as string
        if (seen.has(key)) return key
        seen.add(key)
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
