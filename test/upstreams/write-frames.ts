import type { Json, JsonObject } from '../../server/dialects/json.ts'
import type { Answer } from './script.ts'

/** When everything was made: the same bytes come back every time. */
export const CREATED = 1_763_000_000

export function dataFrame(data: JsonObject): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

export function namedFrame(data: JsonObject): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

/** What the script makes of the usage; undefined leaves it out. */
export function editUsage(usage: JsonObject, answer: Answer): Json | undefined {
  if (answer.usage === 'none') return undefined
  return answer.usage === undefined ? usage : answer.usage(usage)
}
