import type { Json, JsonObject } from '../../dialects/json.ts'
import { isOwnId } from '../../dialects/openai-responses/item-ids.ts'
import type { KeptTurn } from './kept-turns.ts'

/** The fields that are this socket's business and no model's. */
interface Envelope {
  readonly settings: JsonObject
  readonly input: Json | undefined
}

/** A turn as the body of an ordinary request. */
export interface ComposedTurn {
  readonly body: string
  /** Where the conversation stands before its answer; undefined when that cannot be said, and will be refused. */
  readonly before: Omit<KeptTurn, 'isOurs'> | undefined
}

export function openEnvelope(message: JsonObject): Envelope {
  const { type, stream_id, generate, stream, previous_response_id, input, ...settings } = message
  return { settings, input }
}

/** Answers are always streamed here; `former` is what the turn goes on from. */
export function composeTurn(message: JsonObject, former: Omit<KeptTurn, 'isOurs'> | undefined): ComposedTurn {
  const { settings, input } = openEnvelope(message)
  const said = itemsOf(input)
  const head = JSON.stringify({ ...settings, stream: true, previous_response_id: former?.base })
  const before = said === undefined ? undefined : { base: former?.base, items: join(former?.items, said) }
  // What follows nothing goes out as it came.
  if (before === undefined || former === undefined)
    return { body: input === undefined ? head : withInput(head, JSON.stringify(input)), before }
  return { body: withInput(head, `[${before.items}]`), before }
}

function withInput(head: string, input: string): string {
  return `${head.slice(0, -1)},"input":${input}}`
}

/** Items of a list without its brackets; undefined where it is no input at all. */
function itemsOf(input: Json | undefined): string | undefined {
  if (input === undefined || input === null) return ''
  if (typeof input === 'string') return JSON.stringify({ type: 'message', role: 'user', content: input })
  return Array.isArray(input) ? JSON.stringify(input).slice(1, -1) : undefined
}

function join(before = '', after = ''): string {
  return before === '' || after === '' ? before + after : `${before},${after}`
}

/** Where a conversation stands after an answer. */
export function addAnswer(
  before: Omit<KeptTurn, 'isOurs'>,
  output: readonly JsonObject[],
): Omit<KeptTurn, 'isOurs'> {
  const said = output.flatMap(asInput)
  return { base: before.base, items: join(before.items, JSON.stringify(said).slice(1, -1)) }
}

const namedForNothing: ReadonlySet<unknown> = new Set(['message', 'function_call', 'custom_tool_call'])

/** What nobody stores cannot be named: a vendor's thought without its seal is only a name, and so are most ids. */
function asInput(item: JsonObject): JsonObject | [] {
  if (item.type === 'reasoning' && !item.encrypted_content && !isOwnId(String(item.id))) return []
  if (!namedForNothing.has(item.type)) return item
  const { id, ...rest } = item
  return rest
}
