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

/** Each message holds one of Anthropic's events, or tells of a failure. */
export const bedrockEvents = eventStream(({ headers, payload }) => {
  if (headers.get(':message-type') !== 'event') return readFailure(headers, payload)
  const bytes = asText(parseObject(payload.toString('utf8'))?.bytes)
  if (bytes === undefined) return undefined
  const text = Buffer.from(bytes, 'base64').toString('utf8')
  const event = parseObject(text)
  if (!event) return undefined
  const type = asText(event.type) ?? ''
  if (!Object.hasOwn(event, METRICS)) return [type, text]
  const { [METRICS]: _, ...rest } = event
  return [type, JSON.stringify(rest)]
})

function readFailure(headers: EventMessage['headers'], payload: Buffer): [string, string] {
  const name = headers.get(':exception-type') ?? headers.get(':error-code') ?? ''
  const body = asObject(parseObject(payload.toString('utf8')))
  const message = asText(body?.message) ?? headers.get(':error-message') ?? name
  const type = (Object.hasOwn(errorTypes, name) ? errorTypes[name] : undefined) ?? 'api_error'
  return ['error', JSON.stringify({ type: 'error', error: { type, message } })]
}
