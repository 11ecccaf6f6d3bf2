import { gptVersion } from '../families/openai-names.ts'

const order = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** The nearest that one of OpenAI's own models takes; it refuses any other. */
export function openaiEffort(effort: string, name: string): string {
  const known = effortsOf(name)
  const wanted = order.indexOf(effort)
  if (!known || wanted < 0 || known.includes(effort)) return effort
  const below = known.findLast(one => order.indexOf(one) < wanted)
  return below ?? known[0] ?? effort
}

/** From the least to the most; undefined when nobody knows. */
function effortsOf(name: string): readonly string[] | undefined {
  if (/^o\d/.test(name)) return ['low', 'medium', 'high']
  const version = gptVersion(name)
  if (version === undefined || version < 500) return undefined
  const isCodex = name.includes('-codex')
  if (name.startsWith('gpt-5-pro')) return ['high']
  if (version === 500) return [...(isCodex ? [] : ['minimal']), 'low', 'medium', 'high']
  const most =
    version >= 506 ? ['xhigh', 'max'] : version > 501 || name.includes('codex-max') ? ['xhigh'] : []
  if (name.includes('-pro')) return ['medium', 'high', ...most]
  const least = isCodex || name.includes('-astra') ? [] : ['none']
  return [...least, 'low', 'medium', 'high', ...most]
}
