import { asArray, asNumber, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { EMPTY_TURN, type Turn } from '../reply.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import type { Call } from '../upstream.ts'
import { refuseBaidu } from './fail.ts'

const CHAT: Shape = {
  ...fields(`temperature top_p penalty_score stream system stop disable_search enable_citation
    max_output_tokens response_format user_id`),
  messages: [fields('role content')],
}

export function checkChat({ body }: Call): void {
  const unknown = findUnknown(body, CHAT)
  if (unknown !== undefined) refuseBaidu(`Invalid parameter: ${unknown.join('.')}`)
  const messages = asArray(body.messages).map(one => asObject(one) ?? {})
  if (messages.length % 2 === 0) refuseBaidu('the length of messages must be an odd number')
  for (const [at, { role, content }] of messages.entries()) {
    if (role !== (at % 2 === 0 ? 'user' : 'assistant'))
      refuseBaidu(`the role of message with ${at % 2 === 0 ? 'odd' : 'even'} index must be ${role}`)
    if (typeof content !== 'string' || content === '') refuseBaidu('message content can not be empty')
  }
  const { temperature, max_output_tokens: limit, stop } = body
  if (temperature !== undefined && !(Number(temperature) > 0 && Number(temperature) <= 1))
    refuseBaidu('temperature must be in (0, 1.0]')
  if (limit !== undefined && !(Number(limit) >= 2)) refuseBaidu('max_output_tokens must be in [2, 2048]')
  if (stop !== undefined && !Array.isArray(stop)) refuseBaidu('stop must be a list')
}

export function readBaiduTurn(body: JsonObject, model: string): Turn {
  const texts = asArray(body.messages).map(one => asText(asObject(one)?.content) ?? '')
  return {
    ...EMPTY_TURN,
    model,
    stream: body.stream === true,
    text: [asText(body.system) ?? '', ...texts].join(''),
    lastText: texts.at(-1) ?? '',
    format: body.response_format === 'json_object' ? 'json' : 'text',
    maxTokens: asNumber(body.max_output_tokens),
    stop: asArray(body.stop).map(String),
  }
}
