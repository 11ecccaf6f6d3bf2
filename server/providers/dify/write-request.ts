import type { JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { Message, NeutralRequest, Part } from '../../dialects/spec.ts'
import type { Destination } from '../define.ts'
import { type PlainMessage, plainMessages } from '../kit/edits/plain-messages.ts'
import { readApp } from './read-app.ts'

/** It has to be told who asks, and tells people apart by that only. */
const SOMEBODY = 'user'

/** The app decides on model, sampling and length; what was said before goes along with the question. */
export function writeRequest(request: NeutralRequest, to: Destination): JsonObject {
  if (request.format) refuseNamed('response_format')
  const { kind, variable } = readApp(to)
  const files = request.messages.flatMap(({ parts }) => parts.flatMap(writeFile))
  const texts = { ...request, messages: request.messages.map(withoutFiles) }
  const query = joinTurns(plainMessages(texts))
  return {
    ...(kind === 'chat'
      ? { inputs: {}, query, auto_generate_name: false }
      : { inputs: { [variable]: query } }),
    response_mode: to.stream ? 'streaming' : 'blocking',
    user: request.user || SOMEBODY,
    ...(files.length > 0 && { files }),
  }
}

const names = { system: 'System', user: 'User', assistant: 'Assistant' } as const

function joinTurns(messages: readonly PlainMessage[]): string {
  const [first] = messages
  if (first && messages.length === 1) return first.content
  return messages.map(({ role, content }) => `${names[role]}: ${content}`).join('\n\n')
}

/** Only what has an address can be named; anything else would have to be uploaded first. */
function writeFile(part: Part): JsonObject[] {
  if (part.type !== 'image' || !('url' in part.source)) return []
  return [{ type: 'image', transfer_method: 'remote_url', url: part.source.url }]
}

function withoutFiles(message: Message): Message {
  return { ...message, parts: message.parts.filter(part => writeFile(part).length === 0) }
}
