import {
  asArray,
  asNumber,
  asObject,
  asText,
  type Json,
  type JsonObject,
  parseObject,
} from '../../../server/dialects/json.ts'
import { readDataUrl } from '../read-media.ts'
import { EMPTY_TURN, type Image, type Turn } from '../reply.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import type { Call } from '../upstream.ts'
import { refuseCohere } from './fail.ts'

const CHAT: Shape = {
  ...fields('model stream strict_tools documents citation_options safety_mode max_tokens stop_sequences'),
  ...fields('temperature seed frequency_penalty presence_penalty k p logprobs tool_choice priority'),
  messages: [
    {
      ...fields('role content tool_plan citations tool_call_id'),
      tool_calls: [{ ...fields('id type'), function: fields('name arguments') }],
    },
  ],
  tools: [{ type: true, function: fields('name description parameters') }],
  response_format: fields('type json_schema'),
  thinking: fields('type token_budget'),
}
/** The ends are in. */
const RANGES: Record<string, readonly [number, number]> = {
  p: [0.01, 0.99],
  k: [0, 500],
  frequency_penalty: [0, 1],
  presence_penalty: [0, 1],
}

export function checkChat({ body }: Call): void {
  const unknown = findUnknown(body, CHAT)
  if (unknown !== undefined)
    refuseCohere(`unknown field: parameter '${unknown.join('.')}' is not a valid field`)
  if (typeof body.model !== 'string') refuseCohere('model is required')
  for (const [name, [least, most]] of Object.entries(RANGES)) {
    const value = body[name]
    if (value !== undefined && !(typeof value === 'number' && value >= least && value <= most))
      refuseCohere(`invalid request: ${name} must be between ${least} and ${most} inclusive.`)
  }
  if (body.thinking !== undefined && !body.model.includes('reasoning'))
    refuseCohere(`invalid request: thinking is not supported by ${body.model}`)
  if (body.tool_choice !== undefined && !['REQUIRED', 'NONE'].includes(String(body.tool_choice)))
    refuseCohere('invalid tool_choice')
  if (asArray(body.stop_sequences).length > 5) refuseCohere('too many stop sequences')
  checkMessages(asArray(body.messages).map(one => asObject(one) ?? {}))
}

function checkMessages(messages: readonly JsonObject[]): void {
  if (messages.length === 0) refuseCohere('messages are required')
  let open: string[] = []
  for (const message of messages) {
    if (message.role === 'tool') {
      const id = asText(message.tool_call_id) ?? ''
      if (!open.includes(id)) refuseCohere(`tool call id not found in previous tool calls: ${id}`)
      open = open.filter(one => one !== id)
      continue
    }
    if (open.length > 0) refuseCohere('a call without its result')
    if (!['system', 'user', 'assistant'].includes(String(message.role))) refuseCohere('invalid role')
    open = asArray(message.tool_calls).map(call => {
      const { id, type, function: called } = asObject(call) ?? {}
      if (type !== 'function' || !parseObject(asText(asObject(called)?.arguments) ?? ''))
        refuseCohere('arguments must be a JSON string')
      return asText(id) ?? ''
    })
    if (open.length === 0) checkContent(message.content)
  }
}

function checkContent(content: Json | undefined): void {
  if (typeof content === 'string') return
  if (!Array.isArray(content) || content.length === 0) refuseCohere('content is required')
  const unknown = findUnknown(content, [{ ...fields('type text thinking'), image_url: fields('url detail') }])
  if (unknown !== undefined) refuseCohere(`unknown field ${unknown.join('.')}`)
}

export function readCohereTurn(body: JsonObject): Turn {
  const messages = asArray(body.messages).map(one => asObject(one) ?? {})
  const tools = asArray(body.tools).map(tool => asObject(asObject(tool)?.function) ?? {})
  const lastUser = messages.findLast(({ role }) => role === 'user')
  const lastAssistant = messages.findLastIndex(({ role }) => role === 'assistant')
  const format = asObject(body.response_format)
  const schema = asObject(format?.json_schema)
  return {
    ...EMPTY_TURN,
    model: asText(body.model) ?? '',
    stream: body.stream === true,
    text: [...messages.map(textOf), ...tools.map(({ name, description }) => `${name}${description}`)].join(
      '',
    ),
    media: messages.flatMap(imagesOf).length,
    lastText: lastUser ? textOf(lastUser) : '',
    lastImages: lastUser ? imagesOf(lastUser) : [],
    results: messages.slice(lastAssistant + 1).flatMap(one => (one.role === 'tool' ? textOf(one) : [])),
    tools: tools.map(({ name, parameters }) => ({ name: asText(name) ?? '', schema: asObject(parameters) })),
    choice: body.tool_choice === 'REQUIRED' ? 'required' : body.tool_choice === 'NONE' ? 'none' : 'auto',
    think: asObject(body.thinking)?.type === 'enabled',
    format: schema ? { schema } : format ? 'json' : 'text',
    maxTokens: asNumber(body.max_tokens),
    stop: asArray(body.stop_sequences).map(String),
  }
}

function textOf({ content, tool_plan, tool_calls }: JsonObject): string {
  const said = typeof content === 'string' ? content : asArray(content).map(textOfPart).join('')
  const calls = asArray(tool_calls).map(call => JSON.stringify(asObject(call)?.function))
  return `${said}${asText(tool_plan) ?? ''}${calls.join('')}`
}

function textOfPart(part: Json): string {
  return asText(asObject(part)?.text) ?? ''
}

function imagesOf({ content }: JsonObject): Image[] {
  return asArray(content).flatMap(part => {
    const url = asText(asObject(asObject(part)?.image_url)?.url)
    return url === undefined ? [] : readDataUrl(url)
  })
}
