import { asArray, asNumber, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { obey } from '../openai/read-chat-turn.ts'
import { countBytes } from '../read-media.ts'
import { EMPTY_TURN, type Turn } from '../reply.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import type { Call } from '../upstream.ts'
import { refuseOllama } from './fail.ts'

const CHAT: Shape = {
  ...fields('model stream format think keep_alive logprobs top_logprobs'),
  messages: [
    {
      ...fields('role content thinking images tool_name tool_call_id'),
      tool_calls: [{ id: true, function: fields('index name arguments') }],
    },
  ],
  tools: [{ type: true, function: fields('name description parameters') }],
  options:
    fields(`num_keep seed num_predict top_k top_p min_p typical_p repeat_last_n temperature repeat_penalty
    presence_penalty frequency_penalty stop num_ctx`),
}

export function checkChat({ body, options }: Call): void {
  const unknown = findUnknown(body, CHAT)
  if (unknown !== undefined) refuseOllama(`unknown field ${unknown.join('.')}`)
  if (typeof body.model !== 'string' || body.model === '') refuseOllama('model is required')
  if (options.models !== undefined && !options.models.includes(body.model))
    refuseOllama(`model '${body.model}' not found`)
  if (typeof body.stream !== 'boolean') refuseOllama('it would stream')
  const { think } = body
  if (think && body.model.startsWith('llama')) refuseOllama(`"${body.model}" does not support thinking`)
  if (think !== undefined && typeof think !== 'boolean') {
    if (!['low', 'medium', 'high', 'max'].includes(String(think)))
      refuseOllama(`invalid think value: ${JSON.stringify(think)} (must be "max", "high", … true, or false)`)
    if (!body.model.startsWith('gpt-oss'))
      refuseOllama(`think value "${think}" is not supported for this model`)
  }
  for (const one of asArray(body.messages)) checkMessage(asObject(one) ?? {})
}

function checkMessage(message: JsonObject): void {
  if (!['system', 'user', 'assistant', 'tool'].includes(String(message.role)))
    refuseOllama(`invalid role: ${message.role}`)
  if (typeof message.content !== 'string') refuseOllama('content must be a string')
  for (const image of asArray(message.images))
    if (typeof image !== 'string' || !/^[A-Za-z0-9+/]+=*$/.test(image)) refuseOllama('illegal base64 data')
  for (const call of asArray(message.tool_calls))
    if (asObject(asObject(asObject(call)?.function)?.arguments) === undefined)
      refuseOllama('cannot unmarshal string into Go struct field ToolCallFunction.arguments')
  if (message.role === 'tool' && !message.tool_name) refuseOllama('a result without the name of its tool')
}

export function checkEmbed({ body }: Call): void {
  const unknown = findUnknown(body, fields('model input truncate options keep_alive dimensions'))
  if (unknown !== undefined) refuseOllama(`unknown field ${unknown.join('.')}`)
  if (typeof body.input !== 'string' && !Array.isArray(body.input)) refuseOllama('invalid input type')
}

export function readOllamaTurn(body: JsonObject): Turn {
  const messages = asArray(body.messages).map(one => asObject(one) ?? {})
  const options = asObject(body.options) ?? {}
  const tools = asArray(body.tools).map(tool => asObject(asObject(tool)?.function) ?? {})
  const lastUser = messages.findLast(({ role }) => role === 'user')
  const lastAssistant = messages.findLastIndex(({ role }) => role === 'assistant')
  const format = asObject(body.format)
  const predict = asNumber(options.num_predict)
  return {
    ...EMPTY_TURN,
    model: asText(body.model) ?? '',
    stream: body.stream === true,
    text: [...messages.map(textOf), ...tools.map(({ name, description }) => `${name}${description}`)].join(
      '',
    ),
    media: messages.flatMap(({ images }) => asArray(images)).length,
    lastText: asText(lastUser?.content) ?? '',
    lastImages: asArray(lastUser?.images).map(image => ({
      mediaType: 'image/png',
      bytes: countBytes(String(image)),
    })),
    results: messages
      .slice(lastAssistant + 1)
      .flatMap(({ role, content }) => (role === 'tool' ? (asText(content) ?? '') : [])),
    tools: tools.map(({ name, parameters }) => ({ name: asText(name) ?? '', schema: asObject(parameters) })),
    choice: obey(messages),
    think: body.think !== undefined && body.think !== false,
    format: format ? { schema: format } : body.format === 'json' ? 'json' : 'text',
    maxTokens: predict,
    stop: asArray(options.stop).map(String),
  }
}

function textOf(message: JsonObject): string {
  const calls = asArray(message.tool_calls).map(call => asObject(asObject(call)?.function))
  const called = calls.map(call => `${call?.name}${JSON.stringify(call?.arguments)}`)
  return `${asText(message.content) ?? ''}${called.join('')}`
}
