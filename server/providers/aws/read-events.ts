import { asText, type JsonObject, parseExactly, parseObject } from '../../dialects/json.ts'
import { decodeBase64 } from '../kit/answers/decode-bytes.ts'
import { eventStream } from '../kit/answers/event-stream.ts'

type OnFrame = (event: string, data: string) => void

/** In Anthropic's words, which is what the stream carries. */
const errorTypes: Readonly<Record<string, string>> = {
  validationException: 'invalid_request_error',
  throttlingException: 'rate_limit_error',
  serviceUnavailableException: 'overloaded_error',
  modelTimeoutException: 'timeout_error',
}
const METRICS = 'amazon-bedrock-invocationMetrics'
const PACKED = '{"bytes":"'
const DELTA = 'content_block_delta'
const DELTA_START = `{"type":"${DELTA}"`

/** Each message holds one of Anthropic's events, or tells of a failure. */
export const bedrockEvents = eventStream(headers =>
  headers.get(':message-type') === 'event'
    ? readEvent
    : (bytes, start, end, onFrame) =>
        onFrame('error', writeFailure(headers, parsePayload(bytes, start, end))),
)

function readEvent(bytes: string, start: number, end: number, onFrame: OnFrame): void {
  const packed = readPacked(bytes, start, end) ?? asText(parsePayload(bytes, start, end)?.bytes)
  const text = packed === undefined ? '' : decodeBase64(packed)
  // Most are of this kind; whoever reads them parses them, and once is enough.
  if (text.startsWith(DELTA_START)) onFrame(DELTA, text)
  else readRare(text, onFrame)
}

function readRare(text: string, onFrame: OnFrame): void {
  const event = parseExactly(text)
  if (!event) return
  const { [METRICS]: metrics, ...rest } = event
  onFrame(asText(event.type) ?? '', metrics === undefined ? text : JSON.stringify(rest))
}

/** What is packed stands first, mostly, and then nothing else has to be read. */
function readPacked(bytes: string, start: number, end: number): string | undefined {
  if (!bytes.startsWith(PACKED, start)) return undefined
  const from = start + PACKED.length
  const to = bytes.indexOf('"', from)
  const packed = bytes.slice(from, to)
  return to < from || to >= end || packed.includes('\\') ? undefined : packed
}

function parsePayload(bytes: string, start: number, end: number): JsonObject | undefined {
  return parseObject(Buffer.from(bytes.slice(start, end), 'latin1').toString('utf8'))
}

function writeFailure(headers: ReadonlyMap<string, string>, body: JsonObject | undefined): string {
  const name = headers.get(':exception-type') ?? headers.get(':error-code') ?? ''
  const message = asText(body?.message) ?? headers.get(':error-message') ?? name
  const type = (Object.hasOwn(errorTypes, name) ? errorTypes[name] : undefined) ?? 'api_error'
  return JSON.stringify({ type: 'error', error: { type, message } })
}
