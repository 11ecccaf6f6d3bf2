import { asObject, asText, isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import type { Edits } from '../define.ts'
import { mapChanged } from '../kit/edits/map-changed.ts'

/** What OpenAI's clients send as a file is a document here; one that was put up before is named by its id alone. */
export function nameFiles(body: JsonObject): Edits | undefined {
  const messages = mapChanged(body.messages, message => {
    if (!isObject(message)) return message
    const content = mapChanged(message.content, nameFile)
    return content ? { ...message, content } : message
  })
  return messages && { messages }
}

function nameFile(part: Json): Json {
  const file = isObject(part) && part.type === 'file' ? asObject(part.file) : undefined
  if (!file) return part
  const data = asText(file.file_data)
  const name = asText(file.filename)
  if (data) return { type: 'document_url', document_url: data, ...(name && { document_name: name }) }
  return { type: 'file', file_id: file.file_id }
}
