import type { JsonObject } from '../../dialects/json.ts'
import type { Destination, Edits } from '../define.ts'

const refused = ['presence_penalty', 'frequency_penalty', 'stop'] as const

/** Newer models refuse them, be they zero, and many clients always send them. Stop strings are met here. */
export function leaveOutRefused(body: JsonObject, { model }: Destination): Edits | undefined {
  if (isOld(model)) return undefined
  const edits: Edits = {}
  for (const name of refused) if (body[name] !== undefined) edits[name] = undefined
  return Object.keys(edits).length > 0 ? edits : undefined
}

export function isOld(model: string): boolean {
  return /^grok-(beta|2|3(?!-mini))/.test(model)
}
