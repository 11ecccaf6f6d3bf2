/** Names that stand for every model there is. */
const everything = new Set(['*', 'all-proxy-models'])

/** The models that all of these lists allow; undefined where none of them says anything. Stars stay what they are. */
export function allowedModels(lists: readonly (readonly string[])[]): string[] | undefined {
  const said = lists.filter(list => list.length > 0 && !list.some(name => everything.has(name)))
  if (said.length === 0) return undefined
  const names = new Set(said.flat())
  return [...names].filter(name => said.every(list => list.some(allowed => isOf(name, allowed))))
}

/** Each star replaced by the models that are served here and that it stands for. */
export function withoutStars(names: readonly string[], served: ReadonlySet<string>): string[] {
  const meant = names.flatMap(name =>
    name.includes('*') ? [...served].filter(model => isOf(model, name)) : [name],
  )
  return [...new Set(meant)]
}

/** A list in a row, of the text that is in it. */
export function namesIn(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  const names = value.map(name => (typeof name === 'string' ? name.toWellFormed().trim() : ''))
  return [...new Set(names.filter(name => name !== ''))]
}

function isOf(name: string, allowed: string): boolean {
  if (name === allowed) return true
  const star = allowed.indexOf('*')
  if (star < 0) return false
  const [before, after] = [allowed.slice(0, star), allowed.slice(star + 1)]
  return name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after)
}
