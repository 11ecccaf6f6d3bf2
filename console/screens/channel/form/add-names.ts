/** The names in a text, separated by commas or a line for each; undefined when one of them is there already, or comes twice. */
export function readCustomNames(text: string, present: readonly string[]): string[] | undefined {
  const names = text.split(/[,，\r\n]/).flatMap(name => name.trim() || [])
  const seen = new Set(present)
  for (const name of names) {
    if (seen.has(name)) return undefined
    seen.add(name)
  }
  return names
}

/** Those that are there, and behind them those that are new. */
export function addNames(present: readonly string[], added: readonly string[]): string[] {
  return [...new Set([...present, ...added])]
}

/** Those that the upstream does not have, neither under their own name nor under the one they are sent on as. */
export function namesWithout(
  present: readonly string[],
  upstream: readonly string[],
  mapping: Readonly<Record<string, unknown>>,
): string[] {
  const known = new Set<unknown>(upstream)
  return present.filter(name => !known.has(name) && !known.has(mapping[name]))
}
