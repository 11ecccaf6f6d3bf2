import type { JsonObject } from '../../dialects/json.ts'
import { refusePart } from '../../dialects/refuse.ts'
import type { Message, NeutralRequest, Part, ToolResultPart } from '../../dialects/spec.ts'
import { joinTexts } from '../kit/edits/plain-messages.ts'

export function writeMessages(request: NeutralRequest): JsonObject[] {
  const system = joinTexts(request.system)
  const turns = request.messages.flatMap(writeMessage)
  return system === '' ? turns : [{ role: 'system', content: system }, ...turns]
}

function writeMessage({ role, parts }: Message): JsonObject[] {
  if (role === 'assistant') return writeAssistant(parts)
  const results = parts.flatMap(part => (part.type === 'tool-result' ? [writeResult(part)] : []))
  const said = parts.filter(part => part.type !== 'tool-result')
  if (said.length === 0 && results.length > 0) return results
  return [...results, { role, content: writeContent(said) }]
}

/** What it says before it calls is its plan. Thoughts are not sent back: only the last ones would count. */
function writeAssistant(parts: readonly Part[]): JsonObject[] {
  const calls = parts.flatMap(writeCall)
  const text = parts.flatMap(part => (part.type === 'text' ? part.text : [])).join('')
  if (calls.length === 0) return text === '' ? [] : [{ role: 'assistant', content: text }]
  return [{ role: 'assistant', ...(text !== '' && { tool_plan: text }), tool_calls: calls }]
}

function writeCall(part: Part): JsonObject[] {
  if (part.type !== 'tool-call') return []
  const { id, name, input } = part
  return [{ id, type: 'function', function: { name, arguments: input || '{}' } }]
}

function writeResult({ callId, content }: ToolResultPart): JsonObject {
  const texts = content.map(part => {
    if (part.type !== 'text') refusePart(part.type)
    return part.text
  })
  return { role: 'tool', tool_call_id: callId, content: texts.join('\n') }
}

function writeContent(parts: readonly Part[]): string | JsonObject[] {
  const written = parts.flatMap(writePart)
  const [first] = written
  return written.length === 1 && typeof first?.text === 'string' ? first.text : written
}

function writePart(part: Part): JsonObject[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  if (part.type === 'thinking') return []
  if (part.type !== 'image' || 'fileId' in part.source) refusePart(part.type)
  const { source, detail } = part
  const url = 'data' in source ? `data:${source.mediaType};base64,${source.data}` : source.url
  return [{ type: 'image_url', image_url: detail === undefined ? { url } : { url, detail } }]
}
