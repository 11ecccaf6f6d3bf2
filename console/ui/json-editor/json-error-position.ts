interface Position {
  readonly line: number
  readonly column: number
}

/** Where a text stops being JSON, counted from 1; undefined when it is JSON. */
export function jsonErrorPosition(text: string): Position | undefined {
  const end = jsonErrorOffset(text)
  if (end === undefined) return undefined
  const before = text.slice(0, end).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** Engines word their errors differently and not all give a position, so the text is walked here. */
export function jsonErrorOffset(text: string): number | undefined {
  let at = 0
  const space = () => {
    while (/\s/.test(text[at] ?? '')) at++
  }
  const token = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (!found) return false
    at += found[0].length
    return true
  }
  const string = () => token(/"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy)
  const members = (close: string, member: () => boolean): boolean => {
    at++
    space()
    if (text[at] === close) return ++at > 0
    for (;;) {
      if (!member()) return false
      space()
      if (text[at] === close) return ++at > 0
      if (text[at] !== ',') return false
      at++
      space()
    }
  }
  const pair = (): boolean => {
    if (!string()) return false
    space()
    if (text[at] !== ':') return false
    at++
    return value()
  }
  const value = (): boolean => {
    space()
    if (text[at] === '{') return members('}', pair)
    if (text[at] === '[') return members(']', value)
    return string() || token(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y)
  }
  if (!value()) return at
  space()
  return at === text.length ? undefined : at
}
