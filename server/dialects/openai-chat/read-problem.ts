import { asArray, asObject, asText, isObject, type Json, type JsonObject, parseObject } from '../json.ts'
import { ownWords, wordsOr } from '../own-words.ts'
import type { Problem } from '../spec.ts'

const LONGEST_MESSAGE = 2000

/** Errors come in as many forms as there are vendors; what is left is a sentence and what names it. */
export function readProblem(status: number, body: unknown): Problem {
  const holder = Array.isArray(body) ? asObject(body[0]) : asObject(body)
  if (holder !== undefined) return readObject(status, holder)
  const text = asText(body)?.trim() ?? ''
  const parsed = text.startsWith('{') ? parseObject(text) : undefined
  if (parsed !== undefined) return readObject(status, parsed)
  return { status, ...wordsOr(clean(text), 'upstream.status', { status }) }
}

function readObject(status: number, body: JsonObject): Problem {
  const error = asObject(body.error) ?? asObject(asArray(body.errors)[0]) ?? body
  const message =
    readMessage(error.message) ??
    readMessage(error.msg) ??
    readMessage(error.detail) ??
    readMessage(body.error) ??
    readMessage(body.errors) ??
    readMessage(body.message) ??
    readMessage(body.detail)
  return {
    status,
    ...wordsOr(message, 'upstream.status', { status }),
    code: readCode(error.code),
    param: asText(error.param) ?? (error.param === null ? null : undefined),
    type: asText(error.type) || undefined,
    details: error.details ?? error.innererror ?? undefined,
  }
}

/** A sentence, or a list of faults each with its place, bare or under `detail`. */
function readMessage(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) {
    const faults = value.map(readFault).filter(fault => fault !== undefined)
    return faults.length === 0 ? undefined : clean(faults.join('; '))
  }
  return isObject(value) ? (readMessage(value.detail) ?? clean(asText(value.message) ?? '')) : undefined
}

function readFault(value: Json): string | undefined {
  const fault = asObject(value)
  if (fault === undefined) return asText(value)
  const words = asText(fault.msg) ?? asText(fault.message) ?? asText(fault.type)
  const place = asArray(fault.loc).filter(step => typeof step === 'string' || typeof step === 'number')
  return words !== undefined && place.length > 0 ? `${place.join('.')}: ${words}` : words
}

function readCode(value: Json | undefined): string | null | undefined {
  if (typeof value === 'number') return String(value)
  return value === null ? null : asText(value) || undefined
}

/** A page of a proxy in between is no message. */
function clean(text: string): string | undefined {
  const words = text.trim()
  if (words === '' || words.startsWith('<')) return undefined
  return words.length > LONGEST_MESSAGE ? `${words.slice(0, LONGEST_MESSAGE)}…` : words
}

/** The error that a chunk of a stream is, or undefined when it is an ordinary one. */
export function readChunkProblem(event: string, chunk: JsonObject): Problem | undefined {
  const { error } = chunk
  const fails = isObject(error) || (typeof error === 'string' && error !== '')
  const isNamed = event === 'error' || chunk.object === 'error' || chunk.type === 'error'
  if (!fails && !isNamed) return undefined
  return readProblem(guessStatus(asObject(error) ?? chunk), chunk)
}

/** The status line was 200 long ago: the error itself has to tell. */
function guessStatus(error: JsonObject): number {
  for (const place of [error.status, error.status_code, error.code]) {
    const status = Number(typeof place === 'string' || typeof place === 'number' ? place : Number.NaN)
    if (Number.isInteger(status) && status >= 400 && status <= 599) return status
  }
  const words = `${asText(error.type) ?? ''} ${asText(error.code) ?? ''}`
  return STATUS_OF_WORDS.find(([said]) => words.includes(said))?.[1] ?? 502
}

/** In this order: what says more stands before the types that say less. */
const STATUS_OF_WORDS: readonly (readonly [string, number])[] = [
  ['rate_limit', 429],
  ['insufficient_quota', 429],
  ['invalid_api_key', 401],
  ['authentication', 401],
  ['model_not_found', 404],
  ['permission', 403],
  ['overloaded', 503],
  ['content_filter', 400],
  ['content_policy', 400],
  ['moderation_blocked', 400],
  ['invalid_prompt', 400],
  ['context_length', 400],
  ['invalid_request', 400],
  ['user_error', 400],
]

/** A vendor that ends its answer with a word that means it failed. */
export function makeFinishProblem(word: string): Problem {
  return { status: 502, ...ownWords('relay.upstream-cut'), code: word, type: 'server_error' }
}
