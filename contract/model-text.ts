interface ModelText {
  readonly name: string
  readonly by: 'whole' | 'part' | 'beginning' | 'end'
}

/** Scripts of this family say by a `%` before or behind a part where it may stand. More of them are only text. */
const withMarks = /^(%?)([^%]+)(%?)$/s

/**
 * Which models a text means: in quotation marks the one of that name, as `gpt%` those that begin so, as `%mini` those
 * that end so, otherwise all that have it in their names.
 */
export function readModelText(text: string): ModelText {
  if (text.length > 2 && text.startsWith('"') && text.endsWith('"'))
    return { name: text.slice(1, -1), by: 'whole' }
  const [, before = '', name = text, behind = ''] = withMarks.exec(text) ?? []
  return { name, by: before === behind ? 'part' : behind ? 'beginning' : 'end' }
}

/** The text that means this model alone. */
export function wholeModel(name: string): string {
  return `"${name}"`
}

export function meansModel(text: string, model: string): boolean {
  const { name, by } = readModelText(text)
  if (by === 'whole') return model === name
  const [said, asked] = [model.toLowerCase(), name.toLowerCase()]
  if (by === 'part') return said.includes(asked)
  return by === 'beginning' ? said.startsWith(asked) : said.endsWith(asked)
}
