import { asArray, asNumber, asObject, asText, isObject, type Json, type JsonObject } from '../json.ts'
import { addLogprobs, readLogprobs } from '../logprobs.ts'
import type {
  AnswerPart,
  CitationPart,
  MediaOutPart,
  NeutralAnswer,
  TextPart,
  ToolCallPart,
} from '../spec.ts'
import { splitDataUrl } from './data-url.ts'
import { readGoogleSignature } from './google-signature.ts'
import { makeCallId, makeChatId } from './make-ids.ts'
import { readFinishReason } from './map-finish-reason.ts'
import { readThinkingTexts } from './read-content.ts'
import { readInput } from './read-messages.ts'
import { readUsage } from './read-usage.ts'
import { readThinking } from './reasoning-details.ts'

export function readAnswer(body: JsonObject): NeutralAnswer | undefined {
  const choice = pickChoice(body.choices)
  const message = asObject(choice?.message)
  if (choice === undefined || message === undefined) return undefined
  const likely = choice.logprobs ? readLogprobs(asObject(choice.logprobs)?.content) : undefined
  const parts = likely ? addLogprobs(readMessage(message), likely) : readMessage(message)
  const reason = readFinishReason(choice.finish_reason, {
    tools: parts.some(part => part.type === 'tool-call'),
    refusal: parts.some(part => part.type === 'text' && part.refusal === true),
  })
  if (reason === 'failed') return undefined
  // Nothing said, and no reason given for it.
  if (parts.length === 0 && !asText(choice.finish_reason)) return undefined
  return {
    id: asText(body.id) || makeChatId(),
    model: asText(body.model) ?? '',
    created: asNumber(body.created) ?? Math.floor(Date.now() / 1000),
    parts,
    finish: { reason },
    usage: readUsage(body.usage),
  }
}

/** By the words alone: what else is in the answer is not looked at. */
export function isDoubtful(body: JsonObject): boolean {
  const choices = asArray(body.choices)
  const seen = { tools: false, refusal: false }
  const hasFailed = (choice: Json): boolean =>
    readFinishReason(asObject(choice)?.finish_reason, seen) === 'failed'
  return choices.length === 0 || choices.some(hasFailed)
}

/** Only the first of several answers can be said in other dialects. */
export function pickChoice(choices: Json | undefined): JsonObject | undefined {
  for (const choice of asArray(choices))
    if (isObject(choice) && (choice.index === 0 || typeof choice.index !== 'number')) return choice
  return undefined
}

function readMessage(message: JsonObject): AnswerPart[] {
  const parts: AnswerPart[] = [...readThinking(message), ...readSaid(message)]
  for (const annotation of asArray(message.annotations)) {
    const citation = readCitation(annotation)
    if (citation !== undefined) parts.push(citation)
  }
  for (const image of asArray(message.images)) {
    const media = readImageOut(image)
    if (media !== undefined) parts.push(media)
  }
  const sound = asText(asObject(message.audio)?.data)
  if (sound) parts.push({ type: 'media', data: sound, mediaType: 'audio/wav' })
  for (const call of asArray(message.tool_calls)) {
    const part = readCall(asObject(call))
    if (part !== undefined) parts.push(part)
  }
  const old = readCall(isObject(message.function_call) ? { function: message.function_call } : undefined)
  if (old !== undefined) parts.push(old)
  return parts
}

function readSaid(message: JsonObject): AnswerPart[] {
  const parts: AnswerPart[] = []
  const signature = readGoogleSignature(message)
  const text = asText(message.content) ?? ''
  if (Array.isArray(message.content)) parts.push(...message.content.flatMap(readPart))
  else if (text !== '' || signature !== undefined) parts.push(makeText(text, signature))
  else if (isObject(message.audio)) {
    const transcript = asText(message.audio.transcript)
    if (transcript) parts.push({ type: 'text', text: transcript })
  }
  const refusal = asText(message.refusal)
  if (refusal) parts.push({ type: 'text', text: refusal, refusal: true })
  return parts
}

function makeText(text: string, signature: string | undefined): TextPart {
  return signature === undefined ? { type: 'text', text } : { type: 'text', text, signature }
}

/** Content in pieces, among them thinking, as some vendors send it. */
function readPart(value: Json): AnswerPart[] {
  const part = asObject(value)
  if (part?.type === 'text' && asText(part.text)) return [{ type: 'text', text: asText(part.text) ?? '' }]
  if (part?.type !== 'thinking') return []
  const text = readThinkingTexts(part).join('')
  return text === '' ? [] : [{ type: 'thinking', text }]
}

function readCall(call: JsonObject | undefined): ToolCallPart | undefined {
  const called = asObject(call?.function)
  const name = asText(called?.name)
  if (call === undefined || !called || !name) return undefined
  const value = readGoogleSignature(call)
  return {
    type: 'tool-call',
    id: asText(call.id) || makeCallId(),
    name,
    input: readInput(called.arguments),
    signature: value === undefined ? undefined : { by: 'gemini', value },
  }
}

export function readCitation(value: Json): CitationPart | undefined {
  const cited = asObject(asObject(value)?.url_citation)
  const url = asText(cited?.url)
  if (!cited || !url) return undefined
  return {
    type: 'citation',
    url,
    title: asText(cited.title),
    start: asNumber(cited.start_index),
    end: asNumber(cited.end_index),
  }
}

export function readImageOut(value: Json): MediaOutPart | undefined {
  const holder = asObject(value)?.image_url
  const url = asText(holder) ?? asText(asObject(holder)?.url) ?? ''
  const image = splitDataUrl(url, 'image/png')
  return image && { type: 'media', ...image }
}
