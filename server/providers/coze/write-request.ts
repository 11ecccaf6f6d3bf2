import type { JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { Message, NeutralRequest } from '../../dialects/spec.ts'
import type { Destination } from '../define.ts'
import { type PlainMessage, plainMessages } from '../kit/edits/plain-messages.ts'

/** It has to be told who asks, and tells people apart by that only. */
const SOMEBODY = 'user'

/** The bot decides on model, sampling and length. Nothing is kept there: who goes on sends what was said. */
export function writeRequest(request: NeutralRequest, { model, stream, other }: Destination): JsonObject {
  if (request.format) refuseNamed('response_format')
  const texts = { ...request, messages: request.messages.map(withoutImages) }
  const turns = plainMessages(texts)
  const before = turns.length - request.messages.length
  return {
    // Several bots in one channel are told apart by the names of models.
    bot_id: other.trim() || model,
    user_id: request.user || SOMEBODY,
    stream,
    auto_save_history: false,
    additional_messages: turns.map((turn, at) => writeTurn(turn, addressesIn(request.messages[at - before]))),
  }
}

/** System texts are said by the user: a bot's own instructions are its builder's. */
function writeTurn({ role, content }: PlainMessage, images: readonly string[]): JsonObject {
  const said = role === 'assistant' ? { role, type: 'answer' } : { role: 'user', type: 'question' }
  if (images.length === 0) return { ...said, content, content_type: 'text' }
  const objects = [
    ...(content === '' ? [] : [{ type: 'text', text: content }]),
    ...images.map(file_url => ({ type: 'image', file_url })),
  ]
  return { ...said, content: JSON.stringify(objects), content_type: 'object_string' }
}

/** Only what has an address can be named; anything else would have to be uploaded first. */
function addressesIn(message: Message | undefined): readonly string[] {
  return (message?.parts ?? []).flatMap(part =>
    part.type === 'image' && 'url' in part.source ? part.source.url : [],
  )
}

function withoutImages(message: Message): Message {
  return {
    ...message,
    parts: message.parts.filter(part => part.type !== 'image' || !('url' in part.source)),
  }
}
