import type { Dialect } from '../../dialects/dialect.ts'
import { asArray, asObject, asText, type JsonObject, parseObject } from '../../dialects/json.ts'
import type { TokenUsage } from '../../dialects/spec.ts'
import type { Provider } from '../../providers/define.ts'
import { editTopLevel } from '../../providers/kit/edits/edit-json.ts'
import { scrubProblem } from '../upstream/scrub.ts'
import type { Attempt } from '../upstream/try-channels.ts'
import { UpstreamFailure } from '../upstream/upstream-failure.ts'
import { type ComposedPlain, WORDS } from './compose-plain.ts'
import { mendEncoding, readVectors, writeEmbedAnswer } from './convert-embeddings.ts'
import { countOccurrences, peekAnswer } from './peek-answer.ts'
import { isTranscript, makesPictures, type PlainCall } from './plain-call.ts'
import { readPlainUsage } from './read-usage.ts'
import { noteAnswer, nothingSeen, type Seen } from './seen.ts'
import { wrapSamples } from './wrap-samples.ts'

/** What was asked, of whom. */
export interface Asked {
  readonly call: PlainCall
  readonly attempt: Attempt
  readonly provider: Provider
  readonly composed: ComposedPlain
  readonly dialect: Dialect
}

export interface WholeAnswer {
  readonly kind: 'whole'
  readonly type: string
  readonly seen: Seen
  /** The body for the client, once it is known what was used. */
  readonly write: (usage: TokenUsage) => string | Uint8Array<ArrayBuffer>
}

/** Parsing more would hold up everyone else. */
const LARGEST_PARSED = 4 * 1024 * 1024
const END = 64 * 1024
const FAILED = 502
const JSON_TYPE = 'application/json'

/** Formats of a transcript that are no JSON. */
const textFormats = new Set<unknown>([WORDS, 'srt', 'vtt'])

/** A whole answer, if it is one; else the channel has failed. */
export function readWhole(asked: Asked, bytes: Buffer<ArrayBuffer>): WholeAnswer {
  const { call, composed } = asked
  const { convert: form, editAnswer } = composed.endpoint
  const isText = isTranscript(call.capability) && textFormats.has(call.fields.response_format)
  if (isText && !form) return readTranscript(asked, bytes)
  const isEdited = editAnswer !== undefined || form !== undefined || !composed.same || isSingle(call)
  if (bytes.length > LARGEST_PARSED && !isEdited) return readLarge(asked, bytes)
  const text = bytes.toString('utf8')
  const json = parseObject(text)
  if (!json) throw new UpstreamFailure({ without: 'empty' })
  refuseFailure(asked, json)
  if (form?.readSound) return readSound(asked, json)
  const read = form?.readAnswer ? form.readAnswer(json, call.fields) : json
  if (!read) throw emptyOr(asked, json)
  if (isText) return readTranscript(asked, Buffer.from(asText(read.text) ?? ''))
  if (!composed.same) return convert(asked, read)
  return read === json ? pass(asked, bytes, text, json) : pass(asked, ...written(read))
}

/** An answer that was put into OpenAI's words. */
function written(read: JsonObject): [Buffer<ArrayBuffer>, string, JsonObject] {
  const text = JSON.stringify(read)
  return [Buffer.from(text), text, read]
}

function readSound(asked: Asked, json: JsonObject): WholeAnswer {
  const read = asked.composed.endpoint.convert?.readSound?.(json, asked.call.fields)
  if (!read || read.bytes.length === 0) throw emptyOr(asked, json)
  const sound = wrapSamples(read, asked.call.fields.response_format)
  const { characters } = read
  const seen = { ...nothingSeen(), bytes: sound.bytes.length, characters, usage: readPlainUsage(json) }
  return { kind: 'whole', type: sound.type, seen, write: () => sound.bytes }
}

function pass(asked: Asked, bytes: Buffer<ArrayBuffer>, text: string, json: JsonObject): WholeAnswer {
  const { call, composed } = asked
  const seen = nothingSeen()
  let edits = composed.endpoint.editAnswer?.(json)
  if (call.capability === 'embeddings' && call.form === 'openai') {
    const mended = mendEncoding(call, json)
    if (mended) edits = { ...edits, ...mended }
  }
  const answer = edits ? { ...json, ...edits } : json
  if (!isAnswer(call, answer)) throw emptyOr(asked, json)
  noteAnswer(seen, answer)
  if (composed.endpoint.convert?.namesInputs) seen.mayBeMore = true
  if (isSingle(call)) {
    const [embedding] = asArray(answer.embeddings)
    return { kind: 'whole', type: JSON_TYPE, seen, write: () => JSON.stringify({ embedding }) }
  }
  return { kind: 'whole', type: JSON_TYPE, seen, write: () => (edits ? editTopLevel(text, edits) : bytes) }
}

/** One embedding in Google's form: it was asked for as a batch of one. */
function isSingle({ form, capability, route }: PlainCall): boolean {
  return form === 'gemini' && capability === 'embeddings' && !route.batch
}

function convert(asked: Asked, json: JsonObject): WholeAnswer {
  const { call, composed } = asked
  const vectors = readVectors(call, composed.endpoint.form, json)
  if (!vectors) throw emptyOr(asked, json)
  const seen = nothingSeen()
  noteAnswer(seen, json)
  const write = (usage: TokenUsage): string => JSON.stringify(writeEmbedAnswer(call, vectors, usage))
  return { kind: 'whole', type: JSON_TYPE, seen, write }
}

function readLarge({ call }: Asked, bytes: Buffer<ArrayBuffer>): WholeAnswer {
  const seen = nothingSeen()
  if (!peekAnswer(seen, bytes.subarray(0, END), bytes.subarray(-END)))
    throw new UpstreamFailure({ without: 'empty' })
  if (makesPictures(call.capability)) seen.pictures = countOccurrences(bytes, '"b64_json"')
  if (call.capability === 'ocr') seen.pages ??= countOccurrences(bytes, '"markdown"')
  return { kind: 'whole', type: JSON_TYPE, seen, write: () => bytes }
}

/** Silence has no words, so an empty transcript is one. Words alone were asked for in JSON, which tells their cost. */
function readTranscript(asked: Asked, bytes: Buffer<ArrayBuffer>): WholeAnswer {
  const text = bytes.toString('utf8')
  const json = text.startsWith('{') ? parseObject(text) : undefined
  if (json) refuseFailure(asked, json)
  const seen = { ...nothingSeen(), text }
  const words = asked.call.fields.response_format === WORDS ? asText(json?.text) : undefined
  if (json && words !== undefined) noteAnswer(seen, json)
  else if (json?.error) throw emptyOr(asked, json)
  return {
    kind: 'whole',
    type: 'text/plain; charset=utf-8',
    seen,
    write: () => (words === undefined ? bytes : `${words}\n`),
  }
}

function refuseFailure({ provider, attempt, composed }: Asked, json: JsonObject): void {
  const failure = provider.readFailure?.(json)
  if (failure) throw new UpstreamFailure({ problem: scrubProblem(failure, attempt.channel, composed.url) })
}

function emptyOr({ dialect, attempt, composed }: Asked, json: JsonObject): UpstreamFailure {
  if (!json.error) return new UpstreamFailure({ without: 'empty' })
  const problem = dialect.readProblem(FAILED, json)
  return new UpstreamFailure({ problem: scrubProblem(problem, attempt.channel, composed.url) })
}

/** Whether what was asked for is there. */
function isAnswer({ capability, form, stream }: PlainCall, body: JsonObject): boolean {
  switch (capability) {
    case 'embeddings':
      return form === 'gemini' ? asObject(asArray(body.embeddings)[0]) !== undefined : holds(body.data)
    case 'images':
    case 'image-edits':
      return holds(body.data)
    case 'rerank':
      return holds(body.results) || holds(body.data)
    case 'moderations':
      return holds(body.results)
    case 'completions':
      return !stream && holds(body.choices)
    case 'transcriptions':
    case 'translations':
      return typeof body.text === 'string'
    case 'search':
      return typeof body.output === 'string'
    case 'web-search':
      return Array.isArray(body.results)
    case 'ocr':
      return holds(body.pages)
    case 'count-tokens':
      return typeof (form === 'gemini' ? body.totalTokens : body.input_tokens) === 'number'
    case 'speech':
      return false
  }
}

function holds(value: unknown): boolean {
  return asArray(value).length > 0
}
