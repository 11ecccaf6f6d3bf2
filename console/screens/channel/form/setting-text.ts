// The extra settings of a channel are a JSON object in text. Some of it has fields of its own; the rest is
// written by hand, and neither takes from the other.

type Setting = Readonly<Record<string, unknown>>

/** Undefined when the text is no JSON object; blank is an empty one. */
export function readJsonObject(text: string): Setting | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The text with one of its members set, or without it. Text that cannot be read stays as it is. */
export function withMember(text: string, name: string, value: unknown): string {
  const setting = readJsonObject(text)
  if (!setting) return text
  const { [name]: _, ...others } = setting
  const next = value === undefined || value === '' || value === false ? others : { ...setting, [name]: value }
  return Object.keys(next).length === 0 ? '' : JSON.stringify(next, null, 2)
}

export function proxyIn(text: string): string {
  const proxy = readJsonObject(text)?.proxy
  return typeof proxy === 'string' ? proxy : ''
}
