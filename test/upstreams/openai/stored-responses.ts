import { asText, type Json, type JsonObject } from '../../../server/dialects/json.ts'
import type { Signatures } from '../signatures.ts'
import { NO_TALLY } from '../tally.ts'
import { type Call, Refusal, type Rendered, type Route } from '../upstream.ts'
import { cancelRoute, tellEvents, tellJob } from './background-jobs.ts'
import { openaiError } from './fail.ts'

interface Stored {
  /** Answers that can be gone on from, with the calls they wait for. */
  readonly responses: Map<string, readonly string[]>
  /** What is told of them, and of what they were made from. */
  readonly wholes: Map<string, { response: JsonObject; readonly input: Json[] }>
  /** What can be named instead of sent; of a call the id that its result needs. */
  readonly items: Map<string, string | undefined>
}
const stores = new WeakMap<Signatures, Stored>()

/** One store per set of signatures. */
export function storeOf(signatures: Signatures): Stored {
  const store = stores.get(signatures) ?? { responses: new Map(), wholes: new Map(), items: new Map() }
  stores.set(signatures, store)
  return store
}

export function storeResponse(
  { signatures, body }: Call,
  response: JsonObject,
  items: readonly JsonObject[],
): void {
  const store = storeOf(signatures)
  const id = String(response.id)
  const input = Array.isArray(body.input)
    ? body.input
    : [{ type: 'message', role: 'user', content: body.input ?? '' }]
  store.wholes.set(id, { response, input })
  store.responses.set(
    id,
    items.flatMap(item => asText(item.call_id) ?? []),
  )
  for (const item of items) store.items.set(asText(item.id) ?? '', asText(item.call_id))
}

/** What is stored, looked at and deleted. */
export function storedRoutes(prefix: string): Route[] {
  const at = (rest: string): RegExp => new RegExp(`^${prefix}/responses/(?<id>resp_\\w+)${rest}$`)
  return [
    cancelRoute(prefix),
    {
      method: 'GET',
      path: at(''),
      query: ['include', 'include[]', 'include_obfuscation', 'stream', 'starting_after'],
      takes: 'nothing',
      answer: call => {
        const { response } = wholeOf(call)
        return call.seen.query.stream === 'true' ? tellEvents(call) : tell(tellJob(call, response))
      },
    },
    {
      method: 'GET',
      path: at('/input_items'),
      query: ['after', 'include', 'include[]', 'limit', 'order'],
      takes: 'nothing',
      answer: call => tell({ object: 'list', data: wholeOf(call).input, has_more: false }),
    },
    {
      method: 'DELETE',
      path: at(''),
      takes: 'nothing',
      answer: call => {
        const { id } = wholeOf(call).response
        storeOf(call.signatures).wholes.delete(String(id))
        return tell({ id: id ?? null, object: 'response', deleted: true })
      },
    },
  ]
}

export function wholeOf({ params: { id = '' }, signatures }: Call) {
  const whole = storeOf(signatures).wholes.get(id)
  if (whole) return whole
  const message = `Response with id '${id}' not found.`
  throw new Refusal(message, openaiError(404, { message, type: 'invalid_request_error' }))
}

function tell(body: JsonObject): Rendered {
  return { contentType: 'application/json', body: JSON.stringify(body), tally: NO_TALLY }
}
