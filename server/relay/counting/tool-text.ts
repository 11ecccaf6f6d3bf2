import { asArray, asObject, asText, type JsonObject, parseObject } from '../../dialects/json.ts'
import type { DialectName } from '../../dialects/spec.ts'

/** Where a call of such a tool has what the model wrote; pictures that were made stand elsewhere. */
const WRITTEN = ['input', 'arguments', 'code', 'action', 'operation'] as const
const pieces = /^response\.(?!function_call_)\w+_call_\w+\.delta$/
const DONE = 'response.output_item.done'

/**
 * What models write for tools that only their vendor's own words know: texts for custom tools, commands, patches, code. It
 * is output like any other, and no part of the form between the dialects, in which it is not to be said.
 */
export class ToolText {
  readonly #read: ((data: string) => string) | undefined
  /** Calls whose pieces have come; of Anthropic, the numbers of those that run at the vendor's. */
  readonly #told = new Set<unknown>()

  constructor(dialect: DialectName) {
    if (dialect === 'openai-chat') this.#read = customIn
    if (dialect === 'openai-responses') this.#read = data => this.#callIn(data)
    if (dialect === 'anthropic') this.#read = data => this.#blockIn(data)
    if (dialect === 'gemini') this.#read = codeIn
  }

  read(data: string): string {
    return this.#read?.(data) ?? ''
  }

  #callIn(data: string): string {
    if (!data.includes('_call')) return ''
    const event = parseObject(data)
    const type = asText(event?.type) ?? ''
    if (event && pieces.test(type)) {
      this.#told.add(event.item_id)
      return writtenIn(event, ['delta'])
    }
    const item = type === DONE ? asObject(event?.item) : undefined
    // Those that come in one piece.
    return item && isOwnCall(item) && !this.#told.has(item.id) ? writtenIn(item, WRITTEN) : ''
  }

  #blockIn(data: string): string {
    const begins = data.includes('"content_block_start"')
    if (!begins && (this.#told.size === 0 || !data.includes('"input_json_delta"'))) return ''
    const frame = parseObject(data)
    if (begins && vendorsOwn.has(asObject(frame?.content_block)?.type)) this.#told.add(frame?.index)
    else if (begins) this.#told.delete(frame?.index)
    return this.#told.has(frame?.index) ? (asText(asObject(frame?.delta)?.partial_json) ?? '') : ''
  }
}

const vendorsOwn: ReadonlySet<unknown> = new Set(['server_tool_use', 'mcp_tool_use'])

function isOwnCall({ type }: JsonObject): boolean {
  return typeof type === 'string' && type.endsWith('_call') && type !== 'function_call'
}

function writtenIn(holder: JsonObject, names: readonly string[]): string {
  return names
    .map(name => holder[name])
    .map(value => (typeof value === 'string' ? value : asObject(value) ? JSON.stringify(value) : ''))
    .join('')
}

function customIn(data: string): string {
  if (!data.includes('"custom"')) return ''
  let text = ''
  for (const choice of asArray(parseObject(data)?.choices))
    for (const call of asArray(asObject(asObject(choice)?.delta)?.tool_calls)) {
      const { name, input } = asObject(asObject(call)?.custom) ?? {}
      text += (asText(name) ?? '') + (asText(input) ?? '')
    }
  return text
}

function codeIn(data: string): string {
  if (!data.includes('"executableCode"')) return ''
  let text = ''
  for (const candidate of asArray(parseObject(data)?.candidates))
    for (const part of asArray(asObject(asObject(candidate)?.content)?.parts))
      text += asText(asObject(asObject(part)?.executableCode)?.code) ?? ''
  return text
}
