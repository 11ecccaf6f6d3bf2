import { asArray, asObject, asText, type Json, type JsonObject } from '../../../server/dialects/json.ts'
import type { Signatures } from '../signatures.ts'
import { NO_TALLY } from '../tally.ts'
import { type Call, Refusal, type Rendered, type Route } from '../upstream.ts'
import { CREATED } from '../write-frames.ts'
import { checkInputItems } from './check-input-items.ts'
import { openaiError, refuseOpenai } from './fail.ts'
import { checkFilesNamed } from './files.ts'
import { storeOf } from './stored-responses.ts'

interface Conversation {
  /** The key that it was made with: no other account knows it. */
  readonly account: string
  metadata: JsonObject
  readonly items: JsonObject[]
}
const houses = new WeakMap<Signatures, Map<string, Conversation>>()

export function conversationsOf({ signatures }: Pick<Call, 'signatures'>): Map<string, Conversation> {
  const known = houses.get(signatures) ?? new Map<string, Conversation>()
  houses.set(signatures, known)
  return known
}

/** As the vendor tells accounts apart. */
export function accountOf({ seen }: Call): string {
  return seen.headers['api-key'] ?? seen.headers.authorization ?? ''
}

/** No two accounts have one of the same name. */
export function newKeptId(call: Call, kind: string): string {
  return call.newId(`${kind}_${Bun.hash(call.seen.headers.host + accountOf(call)).toString(16)}`, 32)
}

/** Made, looked at, changed and deleted, with what is said in them. */
export function conversationRoutes(prefix: string): Route[] {
  const at = (rest = ''): RegExp => new RegExp(`^${prefix}/conversations/(?<id>conv_\\w+)${rest}$`)
  const item = at('/items/(?<item>\\w+)')
  const include = ['include', 'include[]']
  return [
    {
      method: 'POST',
      path: new RegExp(`^${prefix}/conversations$`),
      takes: 'json',
      check: call => {
        refuseOthers(call, ['items', 'metadata'])
        checkItems(call)
        checkFilesNamed(call)
      },
      answer: call => {
        const id = newKeptId(call, 'conv')
        const metadata = asObject(call.body.metadata) ?? {}
        conversationsOf(call).set(id, { account: accountOf(call), metadata, items: named(call) })
        return tell(show(id, metadata))
      },
    },
    { method: 'GET', path: at(), takes: 'nothing', answer: call => tell(shown(call)) },
    {
      method: 'POST',
      path: at(),
      takes: 'json',
      check: call => refuseOthers(call, ['metadata']),
      answer: call => {
        find(call).metadata = asObject(call.body.metadata) ?? {}
        return tell(shown(call))
      },
    },
    {
      method: 'DELETE',
      path: at(),
      takes: 'nothing',
      answer: call => {
        find(call)
        conversationsOf(call).delete(call.params.id ?? '')
        return tell({ id: call.params.id ?? '', object: 'conversation.deleted', deleted: true })
      },
    },
    {
      method: 'POST',
      path: at('/items'),
      query: include,
      takes: 'json',
      check: call => {
        refuseOthers(call, ['items'])
        if (!Array.isArray(call.body.items))
          refuseOpenai("Missing required parameter: 'items'.", 'items', 'missing_required_parameter')
        checkItems(call)
        checkFilesNamed(call)
      },
      answer: call => {
        const added = named(call)
        find(call).items.push(...added)
        return tell(list(added, false))
      },
    },
    {
      method: 'GET',
      path: at('/items'),
      query: [...include, 'after', 'limit', 'order'],
      takes: 'nothing',
      answer: call => {
        const { after, limit = '20', order = 'desc' } = call.seen.query
        const all = order === 'asc' ? find(call).items : find(call).items.toReversed()
        const rest = all.slice(all.findIndex(one => one.id === after) + 1)
        return tell(list(rest.slice(0, Number(limit)), rest.length > Number(limit)))
      },
    },
    { method: 'GET', path: item, query: include, takes: 'nothing', answer: call => tell(findItem(call)) },
    {
      method: 'DELETE',
      path: item,
      takes: 'nothing',
      answer: call => {
        const { items } = find(call)
        items.splice(items.indexOf(findItem(call)), 1)
        return tell(shown(call))
      },
    },
  ]
}

/** The body of a response with all that was said before in its conversation, as the model reads it. */
export function withConversation(call: Call): JsonObject {
  const { conversation, input } = call.body
  if (conversation === undefined || conversation === null) return call.body
  if (call.body.previous_response_id)
    refuseOpenai("'previous_response_id' cannot be used with 'conversation'.", 'previous_response_id')
  const id = asText(conversation) ?? asText(asObject(conversation)?.id) ?? ''
  const { items } = find(call, id)
  return { ...call.body, input: [...items, ...inputItems(input)] }
}

/** What was said and answered is said in the conversation from now on. */
export function goOn(call: Call, response: JsonObject): JsonObject {
  const { conversation, input } = call.body
  if (conversation === undefined || conversation === null) return response
  const id = asText(conversation) ?? asText(asObject(conversation)?.id) ?? ''
  const said = inputItems(input).map(item => ({ ...inParts(item), id: item.id ?? call.newId('msg_', 48) }))
  find(call, id).items.push(...said, ...asArray(response.output).map(one => asObject(one) ?? {}))
  return { ...response, conversation: { id } }
}

function inputItems(input: Json | undefined): JsonObject[] {
  if (Array.isArray(input)) return input.map(one => asObject(one) ?? {})
  return [{ type: 'message', role: 'user', content: input ?? '' }]
}

function find(call: Call, id = call.params.id ?? ''): Conversation {
  const found = conversationsOf(call).get(id)
  if (found?.account === accountOf(call)) return found
  return unknown(`Conversation with id '${id}' not found.`)
}

function findItem(call: Call): JsonObject {
  const { item = '' } = call.params
  return find(call).items.find(one => one.id === item) ?? unknown(`Item with id '${item}' not found.`)
}

function unknown(message: string): never {
  throw new Refusal(message, openaiError(404, { message, type: 'invalid_request_error' }))
}

function checkItems(call: Call): void {
  if (asArray(call.body.items).length > 20)
    refuseOpenai("Invalid 'items': array too long. Expected at most 20.", 'items', 'array_above_max_length')
  checkInputItems({ ...call, body: { input: call.body.items ?? [] } })
}

function refuseOthers({ body }: Call, known: readonly string[]): void {
  const other = Object.keys(body).find(name => !known.includes(name))
  if (other !== undefined) refuseOpenai(`Unknown parameter: '${other}'.`, other, 'unknown_parameter')
}

/** What is only named is there under its own id. */
function named(call: Call): JsonObject[] {
  return asArray(call.body.items).map(one => {
    const item: JsonObject = { type: 'message', status: 'completed', ...asObject(one) }
    const id = asText(item.id) ?? call.newId('msg_', 48)
    storeOf(call.signatures).items.set(id, asText(item.call_id))
    return { ...inParts(item), id }
  })
}

/** What is said is told in parts. */
function inParts(item: JsonObject): JsonObject {
  const { role, content } = item
  if (typeof content !== 'string') return item
  return { ...item, content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text: content }] }
}

function shown(call: Call): JsonObject {
  return show(call.params.id ?? '', find(call).metadata)
}

function show(id: string, metadata: JsonObject): JsonObject {
  return { id, object: 'conversation', created_at: CREATED, metadata }
}

function list(data: JsonObject[], hasMore: boolean): JsonObject {
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  }
}

function tell(body: JsonObject): Rendered {
  return { contentType: 'application/json', body: JSON.stringify(body), tally: NO_TALLY }
}
