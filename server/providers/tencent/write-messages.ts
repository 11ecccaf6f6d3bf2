import type { JsonObject } from '../../dialects/json.ts'
import { refuseNamed, refusePart } from '../../dialects/refuse.ts'
import type { Message, NeutralRequest, Part, ToolCallPart, ToolResultPart } from '../../dialects/spec.ts'
import { joinTexts } from '../kit/edits/plain-messages.ts'

/** System first, then users (or results of tools) and assistants in turns. */
export function writeMessages(request: NeutralRequest): JsonObject[] {
  const system = joinTexts(request.system)
  const turns = joinNeighbours(request.messages).flatMap(writeMessage)
  return system === '' ? turns : [{ Role: 'system', Content: system }, ...turns]
}

/** System texts inside the conversation are said by the user. */
function joinNeighbours(messages: readonly Message[]): Message[] {
  const turns: { role: Message['role']; parts: Part[] }[] = []
  for (const { role: given, parts } of messages) {
    const role = given === 'system' ? 'user' : given
    const last = turns.at(-1)
    if (last?.role !== role) turns.push({ role, parts: [...parts] })
    else for (const part of parts) last.parts.push(part)
  }
  return turns
}

function writeMessage({ role, parts }: Message): JsonObject[] {
  const results = parts.flatMap(part => (part.type === 'tool-result' ? [writeResult(part)] : []))
  const said = parts.filter(part => part.type !== 'tool-result' && part.type !== 'thinking')
  if (said.length === 0 && results.length > 0) return results
  const calls = said.flatMap(part => (part.type === 'tool-call' ? [writeCall(part)] : []))
  return [
    ...results,
    {
      Role: role,
      ...writeContent(said.filter(part => part.type !== 'tool-call')),
      ...(calls.length > 0 && { ToolCalls: calls }),
    },
  ]
}

function writeContent(parts: readonly Part[]): JsonObject {
  if (parts.every(part => part.type === 'text')) return { Content: joinTexts(parts) }
  return { Contents: parts.map(writePart) }
}

function writePart(part: Part): JsonObject {
  if (part.type === 'text') return { Type: 'text', Text: part.text }
  if (part.type !== 'image') refusePart(part.type)
  const { source } = part
  if ('fileId' in source) refuseNamed('file_id')
  const Url = 'url' in source ? source.url : `data:${source.mediaType};base64,${source.data}`
  return { Type: 'image_url', ImageUrl: { Url } }
}

function writeCall({ id, name, input }: ToolCallPart): JsonObject {
  return { Id: id, Type: 'function', Function: { Name: name, Arguments: input || '{}' } }
}

function writeResult({ callId, content }: ToolResultPart): JsonObject {
  const texts = content.filter(part => part.type === 'text')
  if (texts.length < content.length) refusePart('image')
  return { Role: 'tool', ToolCallId: callId, Content: joinTexts(texts) }
}
