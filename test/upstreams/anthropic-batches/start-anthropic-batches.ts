import { type Asked, type FakeServer, onlyFields, serveFake, Wrong } from '../../tasks/fake-server.ts'
import { checkMessages } from '../anthropic/check-request.ts'
import { Signatures } from '../signatures.ts'
import { Refusal } from '../upstream.ts'

interface FakeRequest {
  custom_id: string
  params: { model: string; messages: unknown; max_tokens: number } & Record<string, unknown>
}

export interface FakeMessageBatch {
  id: string
  type: 'message_batch'
  processing_status: 'in_progress' | 'canceling' | 'ended'
  request_counts: {
    processing: number
    succeeded: number
    errored: number
    canceled: number
    expired: number
  }
  created_at: string
  expires_at: string
  ended_at: string | null
  cancel_initiated_at: string | null
  archived_at: string | null
  results_url: string | null
}

/** How many of its requests came to what, in this order. */
export interface Outcome {
  readonly succeeded?: number
  readonly errored?: number
  readonly canceled?: number
  readonly expired?: number
}

export interface FakeMessageBatches extends FakeServer {
  readonly key: string
  readonly batches: Map<string, FakeMessageBatch>
  /** Creates the next batch and says nothing of it. */
  silent: boolean
  /** Says at once that it does not want any. */
  refusing: { readonly status: number; readonly type: string } | undefined
  requestsOf(batch: FakeMessageBatch): FakeRequest[]
  /** Over; what is told of no request was processed. The last comes first: results have no order. */
  end(batch: FakeMessageBatch, outcome: Outcome): void
  /** What is answered gives them back. */
  loseResults(batch: FakeMessageBatch): () => void
  /** They end early, and nothing says so. What is answered gives back the rest. */
  cutResults(batch: FakeMessageBatch, where: 'in its last line' | 'before its last line'): () => void
  /** As another program of the same account would begin one. */
  addForeign(batch: FakeMessageBatch, id: string): FakeMessageBatch
}

const VERSIONS = ['2023-06-01', '2026-10-21']
const MOST_REQUESTS = 100_000
const customIds = /^[a-zA-Z0-9_-]{1,64}$/
let made = 0

/** What the fake says that a request of a batch used; the input is without what a cache gave or took. */
export const USED = { input: 80, read: 20, minutes: 8, hour: 4, output: 30 }

/** As strict as the vendor: its headers, its fields, names of requests, the life of a batch, and ids that only it knows. */
export function startAnthropicBatches(key = 'sk-ant-batches-7c21'): FakeMessageBatches {
  const batches = new Map<string, FakeMessageBatch>()
  const requests = new Map<string, FakeRequest[]>()
  const results = new Map<string, string>()
  const place: Pick<FakeMessageBatches, 'silent' | 'refusing'> = { silent: false, refusing: undefined }
  const server = serveFake(asked => {
    if (asked.headers.get('x-api-key') !== key) throw wrong('invalid x-api-key', 401, 'authentication_error')
    if (!VERSIONS.includes(asked.headers.get('anthropic-version') ?? ''))
      throw wrong('anthropic-version: header is required')
    const [, , , , id, verb] = asked.path.split('/')
    if (!/^\/v1\/messages\/batches(\/|$)/.test(asked.path)) throw wrong('Not found', 404, 'not_found_error')
    switch (`${asked.method}${id ? ' id' : ''}${verb ? ` ${verb}` : ''}`) {
      case 'POST':
        return create(asked)
      case 'GET':
        return list(asked)
      case 'GET id':
        return Response.json(batchOf(id))
      case 'DELETE id':
        return remove(batchOf(id))
      case 'POST id cancel':
        return cancel(batchOf(id))
      case 'GET id results':
        return tellResults(batchOf(id))
      default:
        throw wrong('Not found', 404, 'not_found_error')
    }
  })

  function batchOf(id = ''): FakeMessageBatch {
    const batch = batches.get(id)
    if (!batch) throw wrong(`Message Batch ${id} not found.`, 404, 'not_found_error')
    return batch
  }

  function create(asked: Asked): Response {
    if (place.refusing) {
      const { status, type } = place.refusing
      return Response.json({ type: 'error', error: { type, message: 'not now' } }, { status })
    }
    onlyFields(asked, ['requests'], wrong)
    const given = checkRequests(asked)
    const now = Date.now()
    const batch: FakeMessageBatch = {
      id: `msgbatch_up_${String(++made).padStart(6, '0')}`,
      type: 'message_batch',
      processing_status: 'in_progress',
      request_counts: { processing: given.length, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
      created_at: new Date(now).toISOString(),
      expires_at: new Date(now + 86_400_000).toISOString(),
      ended_at: null,
      cancel_initiated_at: null,
      archived_at: null,
      results_url: null,
    }
    batches.set(batch.id, batch)
    requests.set(batch.id, given)
    if (!place.silent) return Response.json(batch)
    place.silent = false
    return Response.json({ type: 'error', error: { type: 'api_error', message: 'bad' } }, { status: 502 })
  }

  function list({ query }: Asked): Response {
    const limit = Number(query.get('limit') ?? 20)
    if (!(limit >= 1 && limit <= 1000)) throw wrong('limit: Input should be between 1 and 1000')
    const all = [...batches.values()].reverse()
    const after = query.get('after_id')
    const from = after === null ? 0 : all.indexOf(batchOf(after)) + 1
    const data = all.slice(from, from + limit)
    const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
    return Response.json({ data, ...ends, has_more: all.length > from + limit })
  }

  function remove(batch: FakeMessageBatch): Response {
    if (batch.processing_status !== 'ended') throw wrong('Batch is still processing; cancel it first.')
    batches.delete(batch.id)
    return Response.json({ id: batch.id, type: 'message_batch_deleted' })
  }

  function cancel(batch: FakeMessageBatch): Response {
    if (batch.processing_status === 'ended') throw wrong('Cannot cancel a batch that has ended.')
    batch.processing_status = 'canceling'
    batch.cancel_initiated_at ??= new Date().toISOString()
    return Response.json(batch)
  }

  function tellResults({ id }: FakeMessageBatch): Response {
    const text = results.get(id)
    if (text === undefined) throw wrong(`Results of ${id} are not available.`, 404, 'not_found_error')
    // Without a length, as the vendor's come.
    const body = new Blob([text]).stream()
    return new Response(body, { headers: { 'content-type': 'application/x-jsonl' } })
  }

  const requestsOf = ({ id }: FakeMessageBatch): FakeRequest[] => requests.get(id) ?? []

  return Object.assign(place, server, {
    key,
    batches,
    requestsOf,
    end(batch: FakeMessageBatch, outcome: Outcome) {
      if (batch.processing_status === 'ended') throw new Error(`${batch.id} is over`)
      const { succeeded = 0, errored = 0, canceled = 0, expired = 0 } = outcome
      const kinds = [
        ...Array<string>(succeeded).fill('succeeded'),
        ...Array<string>(errored).fill('errored'),
        ...Array<string>(canceled).fill('canceled'),
        ...Array<string>(expired).fill('expired'),
      ]
      const all = requestsOf(batch)
      if (kinds.length !== all.length) throw new Error(`${batch.id} has ${all.length} requests`)
      const written = all.map((one, at) => JSON.stringify(resultOf(one, kinds[at] ?? '', at)))
      results.set(batch.id, `${written.reverse().join('\n')}\n`)
      batch.processing_status = 'ended'
      batch.ended_at = new Date().toISOString()
      batch.request_counts = { processing: 0, succeeded, errored, canceled, expired }
      batch.results_url = `${server.url}/v1/messages/batches/${batch.id}/results`
    },
    loseResults({ id }: FakeMessageBatch) {
      const lost = results.get(id) ?? ''
      results.delete(id)
      return () => results.set(id, lost)
    },
    cutResults({ id }: FakeMessageBatch, where: 'in its last line' | 'before its last line') {
      const whole = results.get(id) ?? ''
      const end = where === 'in its last line' ? -2 : whole.trimEnd().lastIndexOf('\n') + 1
      results.set(id, whole.slice(0, end))
      return () => results.set(id, whole)
    },
    addForeign(batch: FakeMessageBatch, id: string) {
      const foreign = { ...batch, id, request_counts: { ...batch.request_counts } }
      batches.set(id, foreign)
      requests.set(
        id,
        requestsOf(batch).map((one, at) => ({ ...one, custom_id: `foreign-${at}` })),
      )
      return foreign
    },
  })
}

function checkRequests({ json, headers }: Asked): FakeRequest[] {
  const given = json.requests
  if (!Array.isArray(given) || given.length === 0 || given.length > MOST_REQUESTS)
    throw wrong(`requests: List should have between 1 and ${MOST_REQUESTS} items`)
  const seen = new Set<string>()
  const signatures = new Signatures()
  for (const [at, { custom_id, params, ...rest }] of (given as FakeRequest[]).entries()) {
    if (!customIds.test(custom_id)) throw wrong(`requests.${at}.custom_id: String should match pattern`)
    if (seen.has(custom_id)) throw wrong(`requests: duplicate custom_id ${custom_id}`)
    seen.add(custom_id)
    if (Object.keys(rest).length > 0) throw wrong(`requests.${at}: Extra inputs are not permitted`)
    if ('stream' in params && params.stream) throw wrong(`requests.${at}.params.stream: not supported`)
    try {
      checkMessages({
        seen: { headers: Object.fromEntries(headers) } as never,
        body: params as never,
        params: {},
        options: {},
        signatures,
        newId: prefix => prefix,
      })
    } catch (error) {
      throw error instanceof Refusal ? wrong(`requests.${at}.params.${error.message}`) : error
    }
  }
  return given as FakeRequest[]
}

function resultOf({ custom_id, params }: FakeRequest, type: string, at: number) {
  if (type === 'succeeded') return { custom_id, result: { type, message: messageOf(params.model, at) } }
  if (type !== 'errored') return { custom_id, result: { type } }
  const error = { type: 'invalid_request_error', message: 'prompt is too long' }
  return { custom_id, result: { type, error: { type: 'error', error, request_id: null } } }
}

function messageOf(model: string, at: number) {
  const { input, read, minutes, hour, output } = USED
  return {
    id: `msg_${at}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text: `answer ${at}` }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: input,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: minutes + hour,
      cache_creation: { ephemeral_5m_input_tokens: minutes, ephemeral_1h_input_tokens: hour },
      output_tokens: output,
      service_tier: 'batch',
    },
  }
}

function wrong(message: string, status = 400, type = 'invalid_request_error'): Wrong {
  return new Wrong(status, { type: 'error', error: { type, message } }, message)
}
