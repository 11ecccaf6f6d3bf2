import { asArray, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import type { Call } from '../upstream.ts'
import { Refusal } from '../upstream.ts'
import { checkModelRules } from './check-model-rules.ts'
import { checkTurns } from './check-turns.ts'
import { anthropicError, refuseAnthropic } from './fail.ts'
import { checkThread } from './threads.ts'

const CACHE: Shape = {
  cache_control: value => ({ tag: asText(value.type) ?? '', shape: fields('type ttl scope') }),
}
const SOURCE: Shape = source => ({
  tag: asText(source.type) ?? '',
  shape: fields('type media_type data url file_id content'),
})
const BLOCKS: Record<string, Shape> = {
  text: { ...fields('type text citations'), ...CACHE },
  image: { ...fields('type'), source: SOURCE, ...CACHE },
  document: { ...fields('type title context citations'), source: SOURCE, ...CACHE },
  tool_use: { ...fields('type id name input caller'), ...CACHE },
  tool_result: { ...fields('type tool_use_id is_error'), content: [block => tagged(block)], ...CACHE },
  thinking: fields('type thinking signature'),
  redacted_thinking: fields('type data'),
}

function tagged(block: JsonObject): { tag: string; shape: Shape } {
  const tag = asText(block.type) ?? ''
  return { tag, shape: Object.hasOwn(BLOCKS, tag) ? (BLOCKS[tag] ?? true) : true }
}

const KNOWN: Record<string, Shape> = {
  ...fields(`model max_tokens metadata stop_sequences stream temperature top_p top_k service_tier container
    context_management mcp_servers inference_geo`),
  thread: fields('type previous_message_id'),
  ...CACHE,
  messages: [{ role: true, content: [tagged] }],
  system: [tagged],
  tools: [
    tool => ({
      tag: 'custom',
      shape:
        tool.type === undefined || tool.type === 'custom'
          ? {
              ...fields(
                'type name description input_schema strict defer_loading input_examples eager_input_streaming',
              ),
              ...CACHE,
            }
          : true,
    }),
  ],
  tool_choice: choice => ({
    tag: asText(choice.type) ?? '',
    shape: fields('type name disable_parallel_tool_use'),
  }),
  thinking: thinking => ({ tag: asText(thinking.type) ?? '', shape: fields('type budget_tokens display') }),
  output_config: { ...fields('effort task_budget'), format: fields('type schema') },
}

/** Where the vendor of the counting route differs: it takes neither. */
const NOT_COUNTED = [
  'max_tokens',
  'stream',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'metadata',
  'service_tier',
]

export function checkMessages(call: Call): void {
  const { body } = call
  if (!Number.isInteger(body.max_tokens))
    refuseAnthropic(
      body.max_tokens === undefined
        ? 'max_tokens: Field required'
        : 'max_tokens: Input should be a valid integer',
    )
  if (Number(body.max_tokens) < 0) refuseAnthropic('max_tokens: Input should be greater than or equal to 0')
  checkShared(call)
  checkThread(call)
}

export function checkCount(call: Call): void {
  for (const name of NOT_COUNTED)
    if (name in call.body) refuseAnthropic(`${name}: Extra inputs are not permitted`)
  checkShared(call)
}

function checkShared(call: Call): void {
  const { body, options } = call
  checkVersion(call)
  const unknown = findUnknown(body, KNOWN)
  if (unknown !== undefined && !options.accept?.includes(String(unknown.at(-1))))
    refuseAnthropic(`${unknown.join('.')}: Extra inputs are not permitted`)
  if (typeof body.model !== 'string') refuseAnthropic('model: Field required')
  if (options.models !== undefined && !options.models.includes(body.model)) {
    const message = `model: ${body.model}`
    throw new Refusal(message, anthropicError(404, 'not_found_error', message))
  }
  if (!Array.isArray(body.messages)) refuseAnthropic('messages: Field required')
  if (body.messages.length === 0) refuseAnthropic('messages: at least one message is required')
  checkTypes(body)
  checkTools(body)
  checkCacheMarks(body)
  checkModelRules(call, body.model)
  checkTurns(call, body.model)
}

const NEWEST = '2026-10-21'
const VERSIONS = ['2023-06-01', NEWEST]

function checkVersion(call: Call): void {
  const version = call.seen.headers['anthropic-version']
  if (version === undefined) refuseAnthropic('anthropic-version: header is required')
  if (!VERSIONS.includes(version)) refuseAnthropic(`anthropic-version: "${version}" is not a valid version`)
  const sampling = ['temperature', 'top_p', 'top_k']
  const gone = version === NEWEST && sampling.find(name => call.body[name] !== undefined)
  if (gone) refuseAnthropic(`${gone}: not supported in this version`)
  const betas = call.seen.headers['anthropic-beta']?.split(',').map(one => one.trim()) ?? []
  const odd = betas.find(one => !/^[a-z0-9-]+-\d{4}-?\d{2}-?\d{2}$/.test(one))
  if (odd !== undefined) refuseAnthropic(`Unexpected value(s) \`${odd}\` for the \`anthropic-beta\` header.`)
}

function checkTypes(body: JsonObject): void {
  if (body.stream !== undefined && typeof body.stream !== 'boolean')
    refuseAnthropic('stream: Input should be a valid boolean')
  for (const name of ['temperature', 'top_p', 'top_k'])
    if (body[name] !== undefined && typeof body[name] !== 'number')
      refuseAnthropic(`${name}: Input should be a valid number`)
  if (typeof body.temperature === 'number' && (body.temperature < 0 || body.temperature > 1))
    refuseAnthropic('temperature: range: 0..1')
  for (const stop of asArray(body.stop_sequences))
    if (typeof stop !== 'string' || stop.trim() === '')
      refuseAnthropic('stop_sequences: each stop sequence must contain non-whitespace')
  if (body.system !== undefined && typeof body.system !== 'string' && !Array.isArray(body.system))
    refuseAnthropic('system: Input should be a valid list')
  for (const block of asArray(body.system)) {
    if (asObject(block)?.type !== 'text') refuseAnthropic("system.0.type: Input should be 'text'")
    if (asObject(block)?.text === '') refuseAnthropic('system: text content blocks must be non-empty')
  }
}

function checkTools(body: JsonObject): void {
  const names = new Set<string>()
  for (const [at, one] of asArray(body.tools).entries()) {
    const tool = asObject(one) ?? {}
    const name = asText(tool.name) ?? ''
    if (names.has(name)) refuseAnthropic('tools: Tool names must be unique.')
    names.add(name)
    if (tool.type !== undefined && tool.type !== 'custom') continue
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name))
      refuseAnthropic(`tools.${at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`)
    if (tool.input_schema === undefined) refuseAnthropic(`tools.${at}.custom.input_schema: Field required`)
    if (asObject(tool.input_schema)?.type !== 'object')
      refuseAnthropic(`tools.${at}.custom.input_schema.type: Input should be 'object'`)
  }
  const choice = asObject(body.tool_choice)
  if (body.tool_choice === undefined) return
  if (!['auto', 'any', 'tool', 'none'].includes(asText(choice?.type) ?? ''))
    refuseAnthropic(
      `tool_choice: Input tag '${choice?.type}' found using 'type' does not match any of the expected tags: 'auto', 'any', 'tool', 'none'`,
    )
  if (names.size === 0)
    refuseAnthropic('tool_choice: tool_choice may only be specified while providing tools.')
  if (choice?.type === 'tool' && !names.has(asText(choice.name) ?? ''))
    refuseAnthropic(`Tool '${choice.name}' not found in provided tools`)
}

function checkCacheMarks(body: JsonObject): void {
  const marks = JSON.stringify([body.messages, body.system, body.tools]).split('"cache_control":{').length - 1
  if (marks > 4) refuseAnthropic(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`)
}
