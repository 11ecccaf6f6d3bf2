import { asArray, asObject, asText, type JsonObject, parseObject } from '../../dialects/json.ts'
import type { DialectName } from '../../dialects/spec.ts'

/** Where a call of such a tool has what the model wrote; pictures that were made stand elsewhere. */
const WRITTEN = ['input', 'arguments', 'code', 'action', 'operation'] as const
const pieces = /^response\.(?!function_call_)\w+_call_\w+\.delta$/
const DONE = 'response.output_item.done'

/**
 * What models write for tools that only OpenAI's own words know: texts for custom tools, commands, patches, code. It is
 * output like any other, and no part of the form between the dialects, in which it is not to be said.
 */
export class ToolText {
  readonly #read: ((data: string) => string) | undefined
  /** Calls whose pieces have come. */
  readonly #told = new Set<unknown>()

  constructor(dialect: DialectName) {
    if (dialect === 'openai-chat') this.#read = customIn
    if (dialect === 'openai-responses') this.#read = data => this.#callIn(data)
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
}

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
