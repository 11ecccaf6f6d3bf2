import {
  asArray,
  asNumber,
  asObject,
  asText,
  type Json,
  type JsonObject,
} from '../../../server/dialects/json.ts'
import { checkChatOrder } from '../openai/check-chat-order.ts'
import { readChatTurn } from '../openai/read-chat-turn.ts'
import type { Turn } from '../reply.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import type { Call } from '../upstream.ts'
import { checkTopP } from './check-compatible.ts'
import { refuseNative } from './fail.ts'

const CALLS: Shape = [{ ...fields('id type index'), function: fields('name arguments') }]
const MESSAGE: Shape = { ...fields('role content name tool_call_id reasoning_content'), tool_calls: CALLS }
const BODY: Shape = {
  model: true,
  input: { messages: [MESSAGE] },
  parameters: {
    ...fields(`result_format incremental_output temperature top_p top_k seed stop max_tokens
      presence_penalty repetition_penalty enable_thinking thinking_budget reasoning_effort enable_search
      search_options tool_choice parallel_tool_calls response_format n`),
    tools: [{ type: true, function: fields('name description parameters strict') }],
  },
}

export function isMultimodalPath({ seen }: Call): boolean {
  return seen.path.includes('/multimodal-generation/')
}

export function checkNative(call: Call): void {
  const { body, seen, options } = call
  const unknown = findUnknown(body, BODY)
  if (unknown !== undefined) refuseNative(`Unknown field ${unknown.join('.')}`)
  if (typeof body.model !== 'string') refuseNative('Required parameter "model" missing from request.')
  if (options.models !== undefined && !options.models.includes(body.model)) refuseNative('Model not exist.')
  const parameters = asObject(body.parameters) ?? {}
  if (parameters.result_format !== 'message') refuseNative('result_format must be message')
  const streams = seen.headers['x-dashscope-sse'] === 'enable'
  // Without it every event would repeat all that was said.
  if (streams !== (parameters.incremental_output === true)) refuseNative('incremental_output')
  checkTopP(parameters.top_p, refuseNative)
  const { tool_choice } = parameters
  if (typeof tool_choice === 'string' && tool_choice !== 'auto' && tool_choice !== 'none')
    refuseNative('tool_choice is one of auto, none, or an object')
  const messages = asArray(asObject(body.input)?.messages)
  if (messages.length === 0) refuseNative('Either "prompt" or "messages" must exist and cannot both be none')
  for (const message of messages) checkMessage(asObject(message) ?? {}, isMultimodalPath(call))
  checkChatOrder(messages)
}

function checkMessage({ role, content }: JsonObject, multimodal: boolean): void {
  if (!['system', 'user', 'assistant', 'tool'].includes(String(role)))
    refuseNative(`Role must be user or assistant and so on, not ${role}`)
  if (!multimodal && typeof content !== 'string') refuseNative('Input should be a valid string: content')
  if (!multimodal) return
  if (!Array.isArray(content)) refuseNative('content must be a list')
  for (const part of content) {
    const unknown = findUnknown(part, fields('text image'))
    if (unknown !== undefined) refuseNative(`Unknown part ${unknown.join('.')}`)
  }
}

/** The same as OpenAI's body, with what it calls by other names. */
export function readNativeTurn({ body, seen }: Call): Turn {
  const parameters = asObject(body.parameters) ?? {}
  const messages = asArray(asObject(body.input)?.messages).map(one => {
    const message = asObject(one) ?? {}
    return Array.isArray(message.content)
      ? { ...message, content: message.content.map(asOpenaiPart) }
      : message
  })
  const stream = seen.headers['x-dashscope-sse'] === 'enable'
  const same = { ...parameters, model: asText(body.model), stream, messages }
  const turn = readChatTurn(same, () => parameters.enable_thinking === true)
  return { ...turn, maxTokens: asNumber(parameters.max_tokens) }
}

function asOpenaiPart(part: Json): Json {
  const { text, image } = asObject(part) ?? {}
  return image === undefined
    ? { type: 'text', text: text ?? '' }
    : { type: 'image_url', image_url: { url: image } }
}
