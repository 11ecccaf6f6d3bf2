import { asText, isObject, type JsonObject } from '../json.ts'
import { refuseField } from '../refuse.ts'

/** The conversation that a request is a turn of; undefined for most. */
export function namedConversation({ conversation }: JsonObject): string | undefined {
  if (conversation === undefined || conversation === null) return undefined
  const id = isObject(conversation) ? asText(conversation.id) : asText(conversation)
  if (!id) refuseField('conversation', 'field.conversation')
  return id
}
