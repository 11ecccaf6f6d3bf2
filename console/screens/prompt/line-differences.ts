import type { PromptRole, PromptVersion } from '../../../contract/prompts.ts'

export interface Line {
  readonly text: string
  /** `gone` from the one, `new` in the other, `same` in both. */
  readonly kind: 'same' | 'gone' | 'new'
}

/** More would take seconds to compare: then the one is shown gone and the other new. */
const MOST_PAIRS = 4_000_000

/** What a version says, as lines to be read beside another's. */
export function linesOf(
  { messages }: Pick<PromptVersion, 'messages'>,
  roles: (role: PromptRole) => string,
): string[] {
  return messages.flatMap(({ role, content }) => [`[${roles(role)}]`, ...content.split('\n')])
}

export interface Changed {
  readonly name: string
  /** Undefined where the version does not say. */
  readonly one: string | undefined
  readonly other: string | undefined
}

/** Model and parameters that either version names. */
export function compareSettings(one: Settings, other: Settings): Changed[] {
  const [before, after] = [settingsOf(one), settingsOf(other)]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.map(name => ({ name, one: before[name], other: after[name] }))
}

type Settings = Pick<PromptVersion, 'model' | 'parameters'>

function settingsOf({ model, parameters }: Settings): Partial<Record<string, string>> {
  const said = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'object' ? value.map(text => JSON.stringify(text)).join(', ') : String(value),
  ])
  return { ...(model !== '' && { model }), ...Object.fromEntries(said) }
}

/** What makes of the one text the other, with as much as can be left as it is. */
export function compareLines(one: readonly string[], other: readonly string[]): Line[] {
  if (one.length * other.length > MOST_PAIRS)
    return [
      ...one.map(text => ({ text, kind: 'gone' }) as const),
      ...other.map(text => ({ text, kind: 'new' }) as const),
    ]
  const common = countCommon(one, other)
  const lines: Line[] = []
  let [at, to] = [0, 0]
  while (at < one.length || to < other.length) {
    const [before, after] = [one[at], other[to]]
    if (before !== undefined && before === after) {
      lines.push({ text: before, kind: 'same' })
      at++
      to++
    } else if (before !== undefined && (after === undefined || common(at + 1, to) >= common(at, to + 1))) {
      lines.push({ text: before, kind: 'gone' })
      at++
    } else {
      lines.push({ text: after ?? '', kind: 'new' })
      to++
    }
  }
  return lines
}

/** How many lines the ends of both have in common, in their order, from any two places on. */
function countCommon(one: readonly string[], other: readonly string[]): (at: number, to: number) => number {
  const width = other.length + 1
  const counts = new Uint32Array((one.length + 1) * width)
  for (let at = one.length - 1; at >= 0; at--)
    for (let to = other.length - 1; to >= 0; to--) {
      const below = counts[(at + 1) * width + to] ?? 0
      const beside = counts[at * width + to + 1] ?? 0
      const isSame = one[at] === other[to]
      counts[at * width + to] = isSame
        ? (counts[(at + 1) * width + to + 1] ?? 0) + 1
        : Math.max(below, beside)
    }
  return (at, to) => counts[at * width + to] ?? 0
}
