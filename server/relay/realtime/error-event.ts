import { asObject, asText, type JsonObject } from '../../dialects/json.ts'
import type { Problem } from '../../dialects/spec.ts'

/** An error in the shape of the realtime dialect. */
export function writeErrorEvent(problem: Problem, eventId: string | null = null): string {
  const { message, type = 'server_error', code = null, param = null } = problem
  return JSON.stringify({
    type: 'error',
    event_id: `event_${Bun.randomUUIDv7('hex')}`,
    error: { type, code, message, param, event_id: eventId },
  })
}

/** An upstream's error with its words cleaned. Undefined: it holds none, or there is nothing to hide. */
export function scrubEvent(event: JsonObject, clean: (text: string) => string): string | undefined {
  const details = asObject(asObject(event.response)?.status_details)
  const error = asObject(event.type === 'error' ? event.error : details?.error)
  const message = asText(error?.message)
  if (!error || message === undefined) return undefined
  const cleaned = clean(message)
  if (cleaned === message) return undefined
  error.message = cleaned
  return JSON.stringify(event)
}
