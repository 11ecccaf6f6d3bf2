import { asArray, asObject, asText, type Json, type JsonObject } from '../../../server/dialects/json.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import type { Call } from '../upstream.ts'
import { refuseDetail, refuseMistral } from './fail.ts'

const CALLS: Shape = [{ ...fields('id type index'), function: fields('name arguments') }]
/** What a user may say, by its type. */
const PARTS: Record<string, Shape> = {
  text: fields('type text'),
  image_url: fields('type image_url'),
  input_audio: fields('type input_audio'),
  document_url: fields('type document_url document_name'),
  file: fields('type file_id'),
}
const MESSAGES: Record<string, Shape> = {
  system: fields('role content'),
  user: {
    role: true,
    content: [part => ({ tag: asText(part.type) ?? '', shape: PARTS[asText(part.type) ?? ''] ?? {} })],
  },
  assistant: { ...fields('role content prefix'), tool_calls: CALLS },
  tool: fields('role content tool_call_id name'),
}

const KNOWN: Record<string, Shape> = {
  ...fields(`model temperature top_p max_tokens stream stop random_seed metadata tool_choice presence_penalty
    frequency_penalty n prediction parallel_tool_calls prompt_mode reasoning_effort safe_prompt
    prompt_cache_key guardrails`),
  messages: [
    message => {
      const role = asText(message.role) ?? ''
      return { tag: role, shape: Object.hasOwn(MESSAGES, role) ? (MESSAGES[role] ?? true) : true }
    },
  ],
  response_format: { type: true, json_schema: fields('name description schema strict') },
  tools: [{ type: true, function: fields('name description strict parameters') }],
}

export function checkMistralChat(call: Call): void {
  const { body, options } = call
  if (typeof body.model !== 'string') refuseDetail('missing', ['model'], 'Field required', null)
  if (!Array.isArray(body.messages)) refuseDetail('missing', ['messages'], 'Field required', null)
  const unknown = findUnknown(body, KNOWN)
  if (unknown !== undefined && !options.accept?.includes(String(unknown.at(-1))))
    refuseDetail('extra_forbidden', unknown, 'Extra inputs are not permitted', valueAt(body, unknown))
  if (options.models !== undefined && !options.models.includes(body.model))
    refuseMistral(`Invalid model: ${body.model}`, 'invalid_model', '1500')
  checkFieldValues(body)
  checkMistralOrder(body.messages)
}

/** Tags of roles stand in the path and not in the body. */
function valueAt(body: JsonObject, path: readonly (string | number)[]): Json {
  let at: Json | undefined = body
  for (const step of path) {
    const next: Json | undefined = Array.isArray(at) ? at[Number(step)] : asObject(at)?.[step]
    if (next !== undefined) at = next
  }
  return at ?? null
}

function checkFieldValues(body: JsonObject): void {
  const choice = body.tool_choice
  if (typeof choice === 'string' && !['auto', 'none', 'any', 'required'].includes(choice))
    refuseDetail('enum', ['tool_choice'], "Input should be 'auto', 'none', 'any' or 'required'", choice)
  if (typeof body.temperature === 'number' && (body.temperature < 0 || body.temperature > 1.5))
    refuseDetail(
      'less_than_equal',
      ['temperature'],
      'Input should be less than or equal to 1.5',
      body.temperature,
    )
  const effort = asText(body.reasoning_effort)
  if (effort !== undefined && !/^mistral-(small|medium)-(latest|2603)$/.test(String(body.model)))
    refuseMistral('reasoning_effort is not enabled for this model', 'invalid_request_invalid_args', '3051')
  if (effort !== undefined && effort !== 'none' && effort !== 'high')
    refuseMistral(
      `reasoning_effort='${effort}' is not supported for this model. Must be one of none, high`,
      'invalid_request_invalid_args',
      '3051',
    )
  for (const name of ['max_tokens', 'random_seed'])
    if (body[name] !== undefined && body[name] !== null && !Number.isInteger(body[name]))
      refuseDetail('int_type', [name], 'Input should be a valid integer', body[name] ?? null)
}

const ORDER = 'invalid_request_message_order'

function checkMistralOrder(messages: readonly Json[]): void {
  let open: string[] = []
  for (const [at, one] of messages.entries()) {
    const message = asObject(one) ?? {}
    const role = asText(message.role) ?? ''
    if (!Object.hasOwn(MESSAGES, role))
      refuseDetail(
        'union_tag_invalid',
        ['messages', at],
        `Input tag '${role}' found using 'role' does not match any of the expected tags: 'system', 'user', 'assistant', 'tool'`,
        message,
      )
    if (role === 'tool') {
      const id = asText(message.tool_call_id) ?? ''
      checkToolId(id)
      if (!open.includes(id))
        refuseMistral('Unexpected tool call id in tool results', 'invalid_request_message_order', '3232')
      open = open.filter(known => known !== id)
      continue
    }
    if (open.length > 0) refuseMistral('Not the same number of function calls and responses', ORDER, '3230')
    const calls = asArray(message.tool_calls)
    open = calls.map(value => checkToolId(asText(asObject(value)?.id) ?? ''))
    if (role === 'assistant' && calls.length === 0 && !message.content)
      refuseMistral(
        'Assistant message must have either content or tool_calls, but not none.',
        'invalid_request_assistant_message',
        '3240',
      )
  }
  if (open.length > 0) refuseMistral('Not the same number of function calls and responses', ORDER, '3230')
  const last = asObject(messages.at(-1))
  if (last?.role === 'assistant' && last.prefix !== true)
    refuseMistral(
      'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
      ORDER,
      '3230',
    )
}

function checkToolId(id: string): string {
  if (!/^[a-zA-Z0-9]{9}$/.test(id))
    refuseMistral(
      `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`,
      'invalid_function_call',
      '3280',
    )
  return id
}
