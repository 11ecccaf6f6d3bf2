import { asArray, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { checkChatOrder } from '../openai/check-chat-order.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import type { Call } from '../upstream.ts'
import { refuseMinimax } from './fail.ts'

const PARTS: Shape = [{ ...fields('type text'), image_url: fields('url detail') }]
const MESSAGES: Record<string, Shape> = {
  system: fields('role content name'),
  user: { ...fields('role name'), content: PARTS },
  assistant: {
    ...fields('role content name'),
    tool_calls: [{ ...fields('id type'), function: fields('name arguments') }],
    reasoning_details: [fields('type id format index text')],
  },
  tool: fields('role content tool_call_id'),
}
const BODY: Shape = {
  ...fields('model stream max_completion_tokens temperature top_p stop response_format reasoning_split'),
  stream_options: fields('include_usage'),
  thinking: fields('type'),
  messages: [message => ({ shape: MESSAGES[asText(message.role) ?? ''] ?? {} })],
  tools: [{ type: true, function: fields('name description parameters strict') }],
}

export function thinks(body: JsonObject): boolean {
  return asObject(body.thinking)?.type === 'adaptive'
}

export function checkChat({ body, seen, options }: Call): void {
  const unknown = findUnknown(body, BODY)
  if (unknown !== undefined) refuseMinimax(`invalid params, unknown ${unknown.join('.')}`)
  if (typeof body.model !== 'string') refuseMinimax('invalid params, empty field: model')
  if (options.models !== undefined && !options.models.includes(body.model))
    refuseMinimax(`invalid params, unknown model '${body.model.toLowerCase()}'`)
  const old = /^(abab|MiniMax-(Text|M1))/.test(body.model)
  if (old !== (seen.path === '/v1/text/chatcompletion_v2')) refuseMinimax('invalid params, not here')
  if (old === (body.reasoning_split === true)) refuseMinimax('invalid params, reasoning_split')
  for (const name of ['temperature', 'top_p']) {
    const value = body[name]
    if (value !== undefined && !(typeof value === 'number' && value > 0 && value <= 1))
      refuseMinimax(`invalid params, ${name} must be in (0, 1]`)
  }
  const thinking = asText(asObject(body.thinking)?.type)
  if (thinking !== undefined && thinking !== 'adaptive' && thinking !== 'disabled')
    refuseMinimax('invalid params, thinking.type')
  if (asArray(body.messages).length === 0) refuseMinimax('invalid params, messages is empty')
  checkChatOrder(asArray(body.messages))
}
