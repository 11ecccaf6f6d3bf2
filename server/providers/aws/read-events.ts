import { asObject, asText, parseObject } from '../../dialects/json.ts'
import { type EventMessage, eventStream } from '../kit/event-stream.ts'

/** In Anthropic's words, which is what the stream carries. */
const errorTypes: Readonly<Record<string, string>> = {
  validationException: 'invalid_request_error',
  throttlingException: 'rate_limit_error',
  serviceUnavailableException: 'overloaded_error',
  modelTimeoutException: 'timeout_error',
}
const METRICS = 'amazon-bedrock-invocationMetrics'
const PACKED = '{"bytes":"'
const NAMED = '{"type":"'

/** Each message holds one of Anthropic's events, or tells of a failure. */
export const bedrockEvents = eventStream(({ headers, payload }) => {
  if (headers.get(':message-type') !== 'event') return readFailure(headers, payload)
  const message = payload.toString('utf8')
  const bytes = firstValue(message, PACKED) ?? asText(parseObject(message)?.bytes)
  if (bytes === undefined) return undefined
  const text = unpack(bytes)
  const name = firstValue(text, NAMED)
  if (name !== undefined && !text.includes(METRICS)) return [name, text]
  const event = parseObject(text)
  if (!event) return undefined
  const type = asText(event.type) ?? ''
  if (!Object.hasOwn(event, METRICS)) return [type, text]
  const { [METRICS]: _, ...rest } = event
  return [type, JSON.stringify(rest)]
})

/** Most events are short: room that is used again costs less than a buffer for each. */
const room = Buffer.allocUnsafeSlow(16 * 1024)

function unpack(base64: string): string {
  if (base64.length > room.length) return Buffer.from(base64, 'base64').toString('utf8')
  return room.toString('utf8', 0, room.write(base64, 'base64'))
}

/** What stands first in an object, where that is `key`: whoever reads the event parses it, and once is enough. */
function firstValue(text: string, key: string): string | undefined {
  if (!text.startsWith(key)) return undefined
  const end = text.indexOf('"', key.length)
  const value = text.slice(key.length, Math.max(end, key.length))
  return end < 0 || value.includes('\\') ? undefined : value
}

function readFailure(headers: EventMessage['headers'], payload: Buffer): [string, string] {
  const name = headers.get(':exception-type') ?? headers.get(':error-code') ?? ''
  const body = asObject(parseObject(payload.toString('utf8')))
  const message = asText(body?.message) ?? headers.get(':error-message') ?? name
  const type = (Object.hasOwn(errorTypes, name) ? errorTypes[name] : undefined) ?? 'api_error'
  return ['error', JSON.stringify({ type: 'error', error: { type, message } })]
}
