import type { Asked } from '../dialect.ts'
import { freeformNames, unwrapText } from '../freeform-tools.ts'
import type { JsonObject } from '../json.ts'
import { listLogprobs, writeLogprobs } from '../logprobs.ts'
import type { CitationPart, MediaOutPart, NeutralAnswer, ToolCallPart } from '../spec.ts'
import { joinDataUrl } from './data-url.ts'
import { writeGoogleSignature } from './google-signature.ts'
import { prefixChatId } from './make-ids.ts'
import { writeFinishReason } from './map-finish-reason.ts'
import { writeDetails } from './reasoning-details.ts'
import { writeUsage } from './write-usage.ts'

export function writeAnswer(answer: NeutralAnswer, asked: Asked): JsonObject {
  const tokens = listLogprobs(answer.parts)
  const oldCalls = asked.request.oldCalls === true
  const refusal = answer.parts.map(part => (part.type === 'text' && part.refusal ? part.text : '')).join('')
  return {
    id: prefixChatId(answer.id),
    object: 'chat.completion',
    created: answer.created,
    model: asked.model,
    choices: [
      {
        index: 0,
        message: writeMessage(answer, refusal || answer.finish.explanation || null, asked),
        logprobs: tokens.length > 0 ? { content: writeLogprobs(tokens), refusal: null } : null,
        finish_reason: writeFinishReason(answer.finish.reason, refusal !== '', oldCalls),
      },
    ],
    ...(answer.usage === undefined ? {} : { usage: writeUsage(answer.usage) }),
  }
}

function writeMessage(answer: NeutralAnswer, refusal: string | null, { request }: Asked): JsonObject {
  const { parts } = answer
  const thinking = parts.filter(part => part.type === 'thinking')
  const thought = thinking.map(part => part.text).join('')
  const details = writeDetails(thinking)
  const freeform = freeformNames(request)
  const calls = parts
    .filter(part => part.type === 'tool-call')
    .map(call => writeCall(call, freeform.has(call.name)))
  const { text, annotations, signature } = writeSaid(answer)
  return {
    role: 'assistant',
    content: text === '' && (calls.length > 0 || refusal !== null) ? null : text,
    ...(thought === '' ? {} : { reasoning_content: thought }),
    ...(details === undefined ? {} : { reasoning_details: details }),
    refusal,
    ...(annotations.length === 0 ? {} : { annotations }),
    ...writeMedia(parts.filter(part => part.type === 'media')),
    ...(calls.length === 0
      ? {}
      : request.oldCalls
        ? { function_call: calls[0]?.function }
        : { tool_calls: calls }),
    ...(signature === undefined ? {} : { extra_content: writeGoogleSignature(signature) }),
  }
}

/** A citation that does not say which text it is for is for the part before it. */
function writeSaid(answer: NeutralAnswer) {
  const annotations: JsonObject[] = []
  let text = ''
  let start = 0
  let signature: string | undefined
  for (const part of answer.parts) {
    if (part.type === 'citation') annotations.push(writeCitation(part, start, text.length))
    else if (part.type === 'text' && !part.refusal) {
      start = text.length
      text += part.text
      signature = part.signature ?? signature
    }
  }
  return { text, annotations, signature }
}

export function writeCitation(citation: CitationPart, start: number, end: number): JsonObject {
  return {
    type: 'url_citation',
    url_citation: {
      start_index: citation.start ?? start,
      end_index: citation.end ?? end,
      url: citation.url,
      title: citation.title ?? citation.url,
    },
  }
}

function writeCall(call: ToolCallPart, isFreeform: boolean): JsonObject {
  const { id, name, input } = call
  return {
    id,
    ...(isFreeform
      ? { type: 'custom', custom: { name, input: unwrapText(input) } }
      : { type: 'function', function: { name, arguments: input || '{}' } }),
    ...(call.signature?.by === 'gemini' ? { extra_content: writeGoogleSignature(call.signature.value) } : {}),
  }
}

/** Images in the form that clients of image models know; sound in the vendor's own, which has room for one. */
export function writeMedia(media: readonly MediaOutPart[]): JsonObject {
  const sound = media.find(part => part.mediaType.startsWith('audio/'))
  const images = media
    .filter(part => !part.mediaType.startsWith('audio/'))
    .map((part, index) => ({
      type: 'image_url',
      image_url: { url: joinDataUrl(part.mediaType, part.data) },
      index,
    }))
  return {
    ...(images.length === 0 ? {} : { images }),
    ...(sound === undefined ? {} : { audio: { data: sound.data, transcript: '' } }),
  }
}
