import { asObject, asText, type JsonObject, parseObject } from '../../server/dialects/json.ts'
import type { TranslatedDialect } from '../../server/dialects/spec.ts'
import { SseReader } from '../../server/dialects/sse.ts'
import { type FakeUpstream, startAnthropic, startGemini, startOpenai } from '../upstreams/index.ts'
import type { UpstreamOptions } from '../upstreams/upstream.ts'

/** How the clients of one dialect call, and what they look for in what comes back. */
export interface Way {
  readonly name: TranslatedDialect
  /** A model that is priced, and the vendor that speaks this dialect. */
  readonly model: string
  readonly channelType: number
  start(options?: UpstreamOptions): Promise<FakeUpstream>
  path(model: string, stream: boolean): string
  body(model: string, text: string, stream: boolean): JsonObject
  /** Why the model stopped; whoever reads it takes the answer for whole. */
  readonly finishMark: RegExp
  /** The last word of a stream that ended well. */
  readonly endMark: RegExp
  /** What tells of a failure inside a stream. */
  readonly failMark: RegExp
  readonly limitField: string
}

const messages = (text: string) => [{ role: 'user', content: text }]
const streamed = (stream: boolean): JsonObject => (stream ? { stream } : {})

export const chat: Way = {
  name: 'openai-chat',
  model: 'gpt-4o',
  channelType: 1,
  start: options => startOpenai(options),
  path: () => '/v1/chat/completions',
  body: (model, text, stream) => ({ model, messages: messages(text), ...streamed(stream) }),
  finishMark: /"finish_reason":"/,
  endMark: /\[DONE\]/,
  failMark: /^data: \{"error":\{"message":"[^\n]+$/m,
  limitField: 'max_tokens',
}

export const responses: Way = {
  name: 'openai-responses',
  model: 'gpt-4o',
  channelType: 1,
  start: options => startOpenai(options),
  path: () => '/v1/responses',
  body: (model, text, stream) => ({ model, input: text, ...streamed(stream) }),
  finishMark: /response\.completed|response\.incomplete/,
  endMark: /response\.completed|response\.incomplete/,
  failMark: /^event: response\.failed$/m,
  limitField: 'max_output_tokens',
}

export const anthropic: Way = {
  name: 'anthropic',
  model: 'claude-sonnet-4-6',
  channelType: 14,
  start: options => startAnthropic(options),
  path: () => '/v1/messages',
  body: (model, text, stream) => ({
    model,
    max_tokens: 1000,
    messages: messages(text),
    ...streamed(stream),
  }),
  finishMark: /"stop_reason":"/,
  endMark: /message_stop/,
  failMark: /^event: error\ndata: \{"type":"error","error":\{"type":"/m,
  limitField: 'max_tokens',
}

export const gemini: Way = {
  name: 'gemini',
  model: 'gemini-2.5-flash',
  channelType: 24,
  start: options => startGemini(options),
  path: (model, stream) =>
    stream
      ? `/v1beta/models/${model}:streamGenerateContent?alt=sse`
      : `/v1beta/models/${model}:generateContent`,
  body: (_model, text) => ({ contents: [{ role: 'user', parts: [{ text }] }] }),
  finishMark: /"finishReason"\s*:\s*"/,
  endMark: /"finishReason"\s*:\s*"/,
  failMark: /^data: \{"error":\{"code":/m,
  limitField: 'generationConfig',
}

export const ways: readonly Way[] = [chat, responses, anthropic, gemini]

/** Of the vendors that a test has started, the one behind a way. */
export function vendorIn<Key>(vendors: ReadonlyMap<Key, FakeUpstream>, key: Key): FakeUpstream {
  const vendor = vendors.get(key)
  if (!vendor) throw new Error('no vendor')
  return vendor
}

export interface Asking {
  readonly key: string
  readonly model?: string
  readonly text?: string
  readonly stream?: boolean
  readonly more?: JsonObject
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
  /** Over a connection that is there already. */
  readonly keepalive?: boolean
  /** In place of the dialect's own. */
  readonly rawBody?: BodyInit
}

/** One call as a client of this dialect makes it, with its key where all of them take it. */
export function ask(url: string, way: Way, asking: Asking): Promise<Response> {
  const { key, model = way.model, text = 'good morning', stream = false, signal, keepalive } = asking
  const body = asking.rawBody ?? JSON.stringify({ ...way.body(model, text, stream), ...asking.more })
  return fetch(url + way.path(encodeURIComponent(model), stream), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...asking.headers },
    body,
    redirect: 'manual',
    ...(signal ? { signal } : {}),
    ...(keepalive ? { keepalive } : {}),
  })
}

export function requestIdOf(response: Response): string {
  return response.headers.get('x-oneapi-request-id') ?? ''
}

/** A failure as the client of a dialect reads it; undefined when it is not in the dialect's form. */
export function problemIn(
  way: Way,
  text: string,
): { message: string; code: unknown; type: unknown } | undefined {
  const body = parseObject(text)
  const error = asObject(body?.error)
  const message = asText(error?.message)
  if (!body || !error || !message) return undefined
  const { code, type } = error
  const inForm =
    way.name === 'anthropic'
      ? body.type === 'error' && typeof type === 'string'
      : way.name === 'gemini'
        ? typeof code === 'number' && typeof error.status === 'string'
        : typeof type === 'string' && 'param' in error && 'code' in error
  return inForm ? { message, code, type } : undefined
}

export interface SaidEvent {
  readonly event: string
  readonly data: string
}

/** All that came of a stream, and whether the connection broke before its end. */
export async function readStream(
  response: Response,
): Promise<{ text: string; events: SaidEvent[]; broke: boolean }> {
  const events: SaidEvent[] = []
  const reader = new SseReader((event, data) => events.push({ event, data }))
  const decoder = new TextDecoder()
  let text = ''
  let broke = false
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      reader.push(chunk)
    }
  } catch {
    broke = true
  }
  reader.end()
  return { text, events, broke }
}

/** Reads on until that has come, and answers all that did; who leaves then has heard it. */
export async function readUntil(
  response: Response,
  heard: string | ((text: string) => boolean),
): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  const isHeard = typeof heard === 'string' ? (text: string) => text.includes(heard) : heard
  let text = ''
  while (!isHeard(text)) {
    const read = await reader?.read()
    if (!read || read.done) throw new Error(`the stream ended before that came: ${text}`)
    text += decoder.decode(read.value, { stream: true })
  }
  return text
}
