import { asObject, asText, type JsonObject } from './json.ts'
import { refuseField } from './refuse.ts'

/** The answer that a request goes on from: its vendor has the conversation, and the request only names it. */
export function previousAnswer({
  previous_response_id,
  previous_interaction_id,
  thread,
}: JsonObject): string | undefined {
  const response = asText(previous_response_id)
  const interaction = asText(previous_interaction_id)
  const message = asText(asObject(thread)?.previous_message_id)
  // Of two that are named, nobody knows from which its vendor goes on: each would have to be the caller's.
  if (interaction && (response || message))
    refuseField('previous_interaction_id', 'field.twice', {
      other: response ? 'previous_response_id' : 'thread.previous_message_id',
    })
  if (message && response)
    refuseField('previous_response_id', 'field.twice', { other: 'thread.previous_message_id' })
  return response || interaction || message || undefined
}

/** Whether it goes on from what its vendor has, of which all is read again. */
export function goesOn(body: JsonObject): boolean {
  const { conversation } = body
  return previousAnswer(body) !== undefined || (conversation !== undefined && conversation !== null)
}
