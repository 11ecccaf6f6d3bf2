import { asNumber, asObject, asText, type JsonObject, parseObject } from '../../dialects/json.ts'
import type { TokenUsage } from '../../dialects/spec.ts'
import type { Amounts } from '../../ledger/price/price-snapshot.ts'
import { secondsToSay } from '../plain/measure-audio.ts'

const TRANSCRIBED = 'conversation.item.input_audio_transcription.completed'
/** Where an event says what it is; behind that comes its content, which may be long. */
const HEAD = 300
/** Speech of a user counts one token for each tenth of a second. */
const TOKENS_PER_HEARD_SECOND = 10

export type EventKind = 'report' | 'created' | 'delta' | 'error'

/** What an upstream's frame may be, from a look at its text; a parser has the last word. */
export function sortEvent(text: string): EventKind | undefined {
  if (text.includes('"response.done"') || text.includes(`"${TRANSCRIBED}"`)) return 'report'
  const head = text.slice(0, HEAD)
  if (head.includes('.delta"')) return 'delta'
  if (head.includes('"response.created"')) return 'created'
  return head.includes('"error"') ? 'error' : undefined
}

/** An event that ends something that costs. */
export interface Report {
  readonly of: 'response' | 'transcription'
  /** Undefined when the upstream does not say. */
  readonly usage: TokenUsage | undefined
  /** Of the response. */
  readonly id?: string | undefined
}

export function readReport(event: JsonObject): Report | undefined {
  if (event.type === 'response.done') {
    const response = asObject(event.response)
    return { of: 'response', usage: readUsage(response?.usage), id: asText(response?.id) }
  }
  if (event.type !== TRANSCRIBED) return undefined
  const usage = readUsage(event.usage)
  const isTold = usage !== undefined && usage.input + usage.output > 0
  return { of: 'transcription', usage: isTold ? usage : measureTranscript(event) }
}

/** Of what nobody counts it is known how long it takes to say. */
function measureTranscript({ transcript }: JsonObject): TokenUsage {
  const heard = Math.ceil(secondsToSay(asText(transcript) ?? '') * TOKENS_PER_HEARD_SECOND)
  return { input: heard, output: 0, audioInput: heard }
}

function readUsage(value: unknown): TokenUsage | undefined {
  const usage = asObject(value)
  if (!usage) return undefined
  if (usage.type === 'duration') return readDuration(usage)
  const inputDetails = asObject(usage.input_token_details) ?? {}
  const outputDetails = asObject(usage.output_token_details) ?? {}
  const cached = asObject(inputDetails.cached_tokens_details) ?? {}
  const input = asNumber(usage.input_tokens) ?? sum(inputDetails)
  const output = asNumber(usage.output_tokens) ?? sum(outputDetails)
  return {
    input,
    output,
    cacheRead: count(inputDetails.cached_tokens ?? sum(cached)),
    audioInput: count(inputDetails.audio_tokens) - count(cached.audio_tokens),
    imageInput: count(inputDetails.image_tokens) - count(cached.image_tokens),
    audioOutput: count(outputDetails.audio_tokens),
  }
}

function readDuration(usage: JsonObject): TokenUsage {
  const heard = count(Math.ceil((asNumber(usage.seconds) ?? 0) * TOKENS_PER_HEARD_SECOND))
  return { input: heard, output: 0, audioInput: heard }
}

function sum(details: JsonObject): number {
  return count(details.text_tokens) + count(details.audio_tokens) + count(details.image_tokens)
}

function count(value: unknown): number {
  return Math.max(0, Math.trunc(asNumber(value) ?? 0))
}

/** Ten tokens are a second of sound, in base64 as it is usually sent; letters of text; and what a picture comes to. */
export const TOKENS_A_SECOND = 10
const SOUND_PER_TOKEN = 6400
/** What an event is without its sound, of which clients send fifty pieces a second. */
const AROUND_SOUND = 80
const TEXT_PER_TOKEN = 4
const TOKENS_PER_PICTURE = 3000

/** What a client's frame gives the model to read, in tokens, as near as a look at it tells; of sound also parts of one. */
export function measureSaid(frame: string | Buffer): Required<Pick<Amounts, 'input' | 'audioInput'>> {
  const { length } = frame
  if (frame.includes('"input_image"')) return { input: TOKENS_PER_PICTURE, audioInput: 0 }
  if (frame.includes('"input_audio'))
    return { input: 0, audioInput: Math.max(0, length - AROUND_SOUND) / SOUND_PER_TOKEN }
  return { input: Math.ceil(length / TEXT_PER_TOKEN), audioInput: 0 }
}

/** Which response has begun, where that is told. */
export function readCreated(frame: string): string | undefined {
  return asText(asObject(parseObject(frame)?.response)?.id)
}

/** Which response a piece is of. */
export function responseOf(frame: string): string | undefined {
  return /"response_id"\s*:\s*"([^"\\]{1,200})"/.exec(frame.slice(0, HEAD))?.[1]
}

/** A piece of an answer: its text, or how many bytes of sound it holds. */
export type Delta = { readonly text: string } | { readonly audioBytes: number }

export function readDelta(frame: string): Delta | undefined {
  if (frame.slice(0, HEAD).includes('audio.delta"')) return { audioBytes: measureAudio(frame) }
  const event = parseObject(frame)
  const text = asText(event?.delta)
  return text === undefined || !asText(event?.type)?.startsWith('response.') ? undefined : { text }
}

/** The sound is not decoded, only measured. */
function measureAudio(frame: string): number {
  const name = frame.indexOf('"delta"')
  const open = name < 0 ? -1 : frame.indexOf('"', name + '"delta"'.length)
  const close = open < 0 ? -1 : frame.indexOf('"', open + 1)
  return close < 0 ? 0 : Math.floor(((close - open - 1) * 3) / 4)
}
