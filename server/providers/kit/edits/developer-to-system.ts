import { isObject, type Json, type JsonObject } from '../../../dialects/json.ts'
import type { Edits } from '../../define.ts'
import { mapChanged } from './map-changed.ts'

/** Only OpenAI and Azure know the role `developer`. */
export function developerToSystem(body: JsonObject): Edits | undefined {
  const messages = mapChanged(body.messages, renameRole)
  return messages && { messages }
}

function renameRole(message: Json): Json {
  return isObject(message) && message.role === 'developer' ? { ...message, role: 'system' } : message
}
