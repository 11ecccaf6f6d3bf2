import { asObject, asText, type JsonObject } from './json.ts'

/** The answer that a request goes on from: its vendor has the conversation, and the request only names it. */
export function previousAnswer({ previous_response_id, thread }: JsonObject): string | undefined {
  return asText(previous_response_id) || asText(asObject(thread)?.previous_message_id) || undefined
}
