import { asArray, asObject, asText, type Json, type JsonObject } from '../../../server/dialects/json.ts'
import { bracketPath, fields, findUnknown, type Shape } from '../shape.ts'
import type { Call } from '../upstream.ts'
import { checkChatOrder } from './check-chat-order.ts'
import {
  checkModel,
  checkName,
  checkRange,
  checkStrictSchema,
  checkTypes,
  isReasoningModel,
} from './check-fields.ts'
import { refuseOpenai } from './fail.ts'

const TOP = fields(`messages model audio frequency_penalty function_call functions logit_bias logprobs
  max_completion_tokens max_tokens metadata modalities n parallel_tool_calls prediction presence_penalty
  prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort response_format
  safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools
  top_logprobs top_p user verbosity web_search_options`)

const PARTS: Record<string, Shape> = {
  text: fields('type text prompt_cache_breakpoint'),
  image_url: { ...fields('type prompt_cache_breakpoint'), image_url: fields('url detail') },
  input_audio: { type: true, input_audio: fields('data format') },
  file: { ...fields('type prompt_cache_breakpoint'), file: fields('file_data filename file_id') },
  refusal: fields('type refusal'),
}
const CONTENT: Shape = [part => ({ shape: PARTS[asText(part.type) ?? ''] ?? true })]
const MESSAGES: Record<string, Shape> = {
  system: { ...fields('role name'), content: CONTENT },
  developer: { ...fields('role name'), content: CONTENT },
  user: { ...fields('role name'), content: CONTENT },
  assistant: {
    ...fields('role name refusal audio function_call annotations'),
    content: CONTENT,
    tool_calls: [{ ...fields('id type custom'), function: fields('name arguments') }],
  },
  // LangChain and OpenAI's own examples name the tool here too.
  tool: { ...fields('role tool_call_id name'), content: CONTENT },
  function: fields('role name content'),
}
const KNOWN: Record<string, Shape> = {
  messages: [message => ({ shape: MESSAGES[asText(message.role) ?? ''] ?? true })],
  tools: [{ ...fields('type custom'), function: fields('name description parameters strict') }],
  stream_options: fields('include_usage include_obfuscation'),
}

const ALLOWED_PARTS: Record<string, readonly string[]> = {
  system: ['text'],
  developer: ['text'],
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
  tool: ['text'],
}

const REASONING_FREE = [
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'logprobs',
  'top_logprobs',
  'logit_bias',
]

/** OpenAI's own models, whose rules those that speak its dialect do not all share. */
const OWN = /^(gpt-\d|chatgpt-|o\d)/

export function checkChat(call: Call): void {
  const { body } = call
  const accepted = call.options.accept ?? []
  const unknown = Object.keys(body).find(name => !(name in TOP) && !accepted.includes(name))
  if (unknown !== undefined) refuseOpenai(`Unrecognized request argument supplied: ${unknown}`)
  const model = checkModel(call)
  if (OWN.test(model) && /-pro$|-codex/.test(model))
    refuseOpenai('This model is only supported in v1/responses and not in v1/chat/completions.', 'model')
  checkMessages(body)
  const deep = Object.fromEntries(Object.entries(body).filter(([name]) => name in KNOWN))
  const stray = findUnknown(deep, KNOWN)
  if (stray !== undefined && !accepted.includes(String(stray.at(-1))))
    refuseOpenai(`Unknown parameter: '${bracketPath(stray)}'.`, bracketPath(stray), 'unknown_parameter')
  checkChatTypes(body)
  if (body.web_search_options !== undefined && OWN.test(model) && !model.includes('-search-'))
    refuseOpenai('Web search options not supported with this model.', 'web_search_options')
  checkOptions(body)
  if (isReasoningModel(model)) checkReasoningModel(model, body)
  else if (body.reasoning_effort && OWN.test(model))
    refuseOpenai(
      'Unrecognized request argument supplied: reasoning_effort',
      'reasoning_effort',
      'unsupported_parameter',
    )
  if (OWN.test(model)) checkUser(body)
  checkChatOrder(asArray(body.messages))
}

function checkMessages(body: JsonObject): void {
  if (!Array.isArray(body.messages))
    refuseOpenai("Missing required parameter: 'messages'.", 'messages', 'missing_required_parameter')
  if (body.messages.length === 0)
    refuseOpenai(
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      'messages',
      'empty_array',
    )
  for (const [at, one] of body.messages.entries()) {
    const message = asObject(one)
    const role = asText(message?.role) ?? ''
    if (message === undefined || !(role in MESSAGES))
      refuseOpenai(
        `Invalid value: '${role}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.`,
        `messages[${at}].role`,
        'invalid_value',
      )
    checkContent(message, role, at)
  }
}

function checkContent(message: JsonObject, role: string, at: number): void {
  const { content } = message
  const where = `messages[${at}].content`
  const mayLack =
    role === 'assistant' && (message.tool_calls || message.function_call || message.refusal || message.audio)
  if ((content === undefined || content === null) && !mayLack)
    refuseOpenai(`Invalid value for 'content': expected a string, got null.`, where)
  for (const [index, one] of asArray(content).entries()) {
    const type = asText(asObject(one)?.type) ?? ''
    const allowed = ALLOWED_PARTS[role] ?? []
    if (!allowed.includes(type)) {
      const list = allowed.map(name => `'${name}'`).join(', ')
      refuseOpenai(
        `Invalid value: '${type}'. Supported values are: ${list}.`,
        `${where}[${index}].type`,
        'invalid_value',
      )
    }
  }
}

function checkChatTypes(body: JsonObject): void {
  checkTypes(body, {
    stream: 'boolean',
    temperature: 'number',
    top_p: 'number',
    n: 'integer',
    max_tokens: 'integer',
    max_completion_tokens: 'integer',
    presence_penalty: 'number',
    frequency_penalty: 'number',
    stop: ['string', 'array'],
    tools: 'array',
    tool_choice: ['string', 'object'],
    user: 'string',
    seed: 'integer',
    metadata: 'object',
    response_format: 'object',
    reasoning_effort: 'string',
    parallel_tool_calls: 'boolean',
  })
  checkRange(body, 'temperature', 0, 2)
  checkRange(body, 'top_p', 0, 1)
  checkRange(body, 'n', 1, 128)
  checkRange(body, 'max_tokens', 1, Number.MAX_SAFE_INTEGER)
  checkRange(body, 'max_completion_tokens', 1, Number.MAX_SAFE_INTEGER)
}

function checkOptions(body: JsonObject): void {
  if (body.stream_options !== undefined && body.stream_options !== null && body.stream !== true)
    refuseOpenai("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options')
  const format = asObject(body.response_format)
  if (format?.type === 'json_object' && !/json/i.test(JSON.stringify(body.messages)))
    refuseOpenai(
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      'messages',
    )
  const schema = asObject(format?.json_schema)
  if (format?.type === 'json_schema') {
    checkName(schema?.name, 'response_format.json_schema.name')
    const what = `response_format '${schema?.name}'`
    checkStrictSchema(schema?.schema, schema?.strict, what, 'response_format')
  }
  for (const [at, one] of asArray(body.tools).entries()) {
    const tool = asObject(asObject(one)?.function)
    if (asObject(one)?.type === 'function') checkName(tool?.name, `tools[${at}].function.name`)
    const param = `tools[${at}].function.parameters`
    checkStrictSchema(tool?.parameters, tool?.strict, `function '${tool?.name}'`, param)
  }
  if (body.tool_choice && asArray(body.tools).length === 0)
    refuseOpenai(
      "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
      'tool_choice',
    )
}

function checkUser({ user, safety_identifier }: JsonObject): void {
  for (const [name, value] of Object.entries({ user, safety_identifier }))
    if (typeof value === 'string' && value.length > 64)
      refuseOpenai(
        `Invalid '${name}': string too long. Expected a string with maximum length 64, but got a string with length ${value.length} instead.`,
        name,
        'string_above_max_length',
      )
}

function checkReasoningModel(model: string, body: JsonObject): void {
  if (body.max_tokens !== undefined && body.max_tokens !== null)
    refuseOpenai(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
      'unsupported_parameter',
    )
  if (!/^o1/.test(model) && body.stop)
    refuseOpenai(
      "Unsupported parameter: 'stop' is not supported with this model.",
      'stop',
      'unsupported_parameter',
    )
  checkEffort(model, body.reasoning_effort, 'reasoning_effort')
  checkFunctions(model, body)
  if (body.reasoning_effort !== 'none') checkSampling(body)
}

/** From 5.4 on functions are for the other address while a model thinks, which it does unasked from 5.5 on. */
function checkFunctions(model: string, { tools, functions, reasoning_effort: effort }: JsonObject): void {
  const [, generation, minor = 0] = /^gpt-(\d)(?:\.(\d+))?/.exec(model) ?? []
  const version = Number(generation) * 100 + Number(minor)
  const thinks = typeof effort === 'string' ? effort !== 'none' : version >= 505
  const offers = functions !== undefined || asArray(tools).some(tool => asObject(tool)?.type === 'function')
  if (version >= 504 && thinks && offers)
    refuseOpenai(
      `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
      'reasoning_effort',
    )
}

/** Which words a model takes, by the beginning of its name. */
const EFFORTS: readonly (readonly [RegExp, string])[] = [
  [/^o\d/, 'low medium high'],
  [/^gpt-5(-(mini|nano).*)?$/, 'minimal low medium high'],
  [/^gpt-5\.1$/, 'none low medium high'],
  [/^gpt-5\.[2-5](-mini)?$/, 'none low medium high xhigh'],
  [/^gpt-5\.6/, 'none low medium high xhigh max'],
  [/^gpt-6-astra/, 'low medium high xhigh max'],
]

export function checkEffort(model: string, effort: Json | undefined, name: string): void {
  const words = EFFORTS.find(([models]) => models.test(model))?.[1].split(' ')
  if (!words || typeof effort !== 'string' || words.includes(effort)) return
  refuseOpenai(
    `Unsupported value: '${effort}' is not supported with the '${model}' model. Supported values are: ${words}.`,
    name,
    'unsupported_value',
  )
}

/** What thinks takes no sampling, but for the defaults. */
export function checkSampling(body: JsonObject): void {
  for (const name of REASONING_FREE) {
    const value = body[name]
    if (value === undefined || value === null || value === false) continue
    if (name === 'temperature' && value !== 1)
      refuseOpenai(
        `Unsupported value: 'temperature' does not support ${value} with this model. Only the default (1) value is supported.`,
        name,
        'unsupported_value',
      )
    if (name === 'temperature' || (name === 'top_p' && value === 1) || value === 0) continue
    refuseOpenai(
      `Unsupported parameter: '${name}' is not supported with this model.`,
      name,
      'unsupported_parameter',
    )
  }
}
