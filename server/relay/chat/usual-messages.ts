import { asArray, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'

/** Calls and results that stand in the content of messages, as Anthropic has them, in chat's own words. */
export function usualMessages(messages: Json | undefined): Json | undefined {
  return Array.isArray(messages) ? messages.flatMap(usualMessage) : messages
}

function usualMessage(value: Json): Json[] {
  const message = asObject(value)
  if (!message || !Array.isArray(message.content)) return [value]
  if (message.role === 'assistant') return [usualAnswer(message, message.content)]
  if (message.role !== 'user') return [value]
  const results = message.content.filter(part => typeOf(part) === 'tool_result')
  const said = message.content.filter(part => typeOf(part) !== 'tool_result').map(usualPart)
  if (results.length === 0) return [{ ...message, content: said }]
  return [...results.map(writeResult), ...(said.length > 0 ? [{ ...message, content: said }] : [])]
}

function usualAnswer(message: JsonObject, content: readonly Json[]): JsonObject {
  const calls = content.filter(part => typeOf(part) === 'tool_use').map(writeCall)
  if (calls.length === 0) return message
  const text = content
    .map(part => (typeOf(part) === 'text' ? (asText(asObject(part)?.text) ?? '') : ''))
    .join('')
  return { ...message, content: text || null, tool_calls: [...asArray(message.tool_calls), ...calls] }
}

function writeCall(part: Json): JsonObject {
  const { id = '', name = '', input } = asObject(part) ?? {}
  const given = typeof input === 'string' ? input : JSON.stringify(input ?? {})
  return { id, type: 'function', function: { name, arguments: given } }
}

/** As a text where it is nothing else, which is all that most upstreams take. */
function writeResult(part: Json): JsonObject {
  const { tool_use_id = '', content } = asObject(part) ?? {}
  const told = asArray(content).map(usualPart)
  const texts = told.map(one => asText(asObject(one)?.text))
  const text = Array.isArray(content) ? texts.join('\n') : (asText(content) ?? '')
  return { role: 'tool', tool_call_id: tool_use_id, content: texts.includes(undefined) ? told : text }
}

function usualPart(part: Json): Json {
  const source = typeOf(part) === 'image' ? asObject(asObject(part)?.source) : undefined
  if (!source) return part
  const url = asText(source.url) ?? `data:${source.media_type};base64,${source.data}`
  return { type: 'image_url', image_url: { url } }
}

function typeOf(part: Json): Json | undefined {
  return asObject(part)?.type
}
