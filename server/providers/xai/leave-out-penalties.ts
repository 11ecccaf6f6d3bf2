import type { JsonObject } from '../../dialects/json.ts'
import type { Destination, Edits } from '../define.ts'

const penalties = ['presence_penalty', 'frequency_penalty'] as const

/** Newer models refuse them, be they zero, and many clients always send them. */
export function leaveOutPenalties(body: JsonObject, { model }: Destination): Edits | undefined {
  if (/^grok-(beta|2|3(?!-mini))/.test(model)) return undefined
  const edits: Edits = {}
  for (const name of penalties) if (body[name] !== undefined) edits[name] = undefined
  return Object.keys(edits).length > 0 ? edits : undefined
}
