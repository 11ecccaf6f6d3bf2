import { afterAll, beforeAll, expect, test } from 'bun:test'
import { atRest } from '../at-rest.ts'
import { looksWhenTold } from './house.ts'
import {
  EACH,
  type MessageBatchHouse,
  MODEL,
  openMessageBatchHouse,
  request,
  requests,
  TWICE,
} from './message-batch-house.ts'

let house: MessageBatchHouse

beforeAll(async () => {
  house = await openMessageBatchHouse(looksWhenTold)
})
afterAll(async () => {
  expect(house.upstream.complaints.filter(text => !/x-api-key/.test(text))).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
})

/** Refused in the vendor's form, and nothing has come of it anywhere. */
async function refused(all: unknown, by = house.payer.key) {
  const before = house.upstream.batches.size
  const body = typeof all === 'string' ? all : JSON.stringify(all)
  const response = await fetch(`${house.url}/v1/messages/batches`, {
    method: 'POST',
    headers: { 'x-api-key': by, 'content-type': 'application/json', 'accept-language': 'en' },
    body,
  })
  const { type, error } = (await response.json()) as {
    type: string
    error: { type: string; message: string }
  }
  expect([type, house.upstream.batches.size]).toEqual(['error', before])
  const rows = house.store.db.selectFrom('batches').select('id').where('state', '=', 'submitting')
  expect(await rows.execute()).toEqual([])
  return { status: response.status, type: error.type, message: error.message }
}

const bad: [string, unknown, string][] = [
  ['no body', '', 'JSON'],
  ['no requests', {}, 'requests: must be an array'],
  ['no list of them', { requests: 'all' }, 'requests: must be an array'],
  ['none of them', { requests: [] }, 'requests: must be a non-empty array'],
  ['two lists', `{"requests":[${JSON.stringify(request(0))}],"requests":[]}`, 'JSON'],
  ['what does not end', `{"requests":[${JSON.stringify(request(0))}`, 'JSON'],
  ['what goes on', `{"requests":[${JSON.stringify(request(0))},]}`, 'JSON'],
  ['what stands beside', { requests: requests(1), model: MODEL }, 'model'],
  ['no object', { requests: [1] }, 'requests.0: '],
  ['no name', { requests: [{ params: request(0).params }] }, 'requests.0: custom_id'],
  ['an odd name', { requests: [{ ...request(0), custom_id: 'a b' }] }, 'requests.0: custom_id'],
  ['a long name', { requests: [{ ...request(0), custom_id: 'a'.repeat(65) }] }, 'requests.0: custom_id'],
  ['the same name', { requests: [request(0), request(1), request(0)] }, 'requests.2: custom_id'],
  ['no params', { requests: [{ custom_id: 'a' }] }, 'requests.0: params'],
  ['another field', { requests: [{ ...request(0), url: '/v1/messages' }] }, 'requests.0: '],
  ['a stream', { requests: [request(0), request(1, { stream: true })] }, 'requests.1: '],
  ['no model', { requests: [request(0, { model: undefined })] }, 'requests.0: '],
  [
    'a model that is elsewhere',
    { requests: [request(0), request(1, { model: TWICE })] },
    `${MODEL}, ${TWICE}`,
  ],
  ['no limit', { requests: [request(0, { max_tokens: undefined })] }, 'requests.0: max_tokens'],
  ['a search', { requests: [request(0, { tools: [{ type: 'web_search_20250305' }] })] }, 'web_search'],
  ['a fetch', { requests: [request(0, { tools: [{ type: 'web_fetch_20250910' }] })] }, 'web_fetch'],
  ['code', { requests: [request(0, { tools: [{ type: 'code_execution_20250825' }] })] }, 'code_execution'],
  ['a container', { requests: [request(0, { container: 'container_1' })] }, 'container'],
  ['a place', { requests: [request(0, { inference_geo: 'us' })] }, 'inference_geo'],
]
test.each(bad)('refused: %s', async (_what, all, message) => {
  const failure = await refused(all)
  expect(failure).toMatchObject({ status: 400, type: 'invalid_request_error' })
  expect(failure.message).toContain(message)
})

test('a model that nobody has, that the token may not ask for, or whose channels take no batches', async () => {
  const unknown = await refused({ requests: requests(1, { model: 'claude-nobody' }) })
  expect(unknown).toMatchObject({ type: 'not_found_error' })
  const { key } = await house.addToken({ userId: house.payer.userId, models: ['other'] })
  expect(await refused({ requests: requests(1) }, key)).toMatchObject({ type: 'permission_error' })
  for (const model of ['claude-elsewhere', 'claude-changed']) {
    const failure = await refused({ requests: requests(1, { model }) })
    expect(failure).toMatchObject({ status: 400, type: 'invalid_request_error' })
    expect(failure.message).toContain(`No channel takes batches of ${model}`)
  }
  expect(await refused({ requests: requests(1) }, 'sk-nobody')).toMatchObject({
    type: 'authentication_error',
  })
})

test('a word that is not allowed, and switched off', async () => {
  await house.setOption('SensitiveWords', 'forbidden')
  const said = { messages: [{ role: 'user', content: 'the Forbidden fruit' }] }
  const failure = await refused({ requests: [request(0), request(1, said)] })
  expect(failure.message).toContain('requests.1: ')
  expect(failure.message).toContain('forbidden')
  await house.setOption('SensitiveWords', '')
  await house.setOption('TaskEnabled', 'false')
  expect(await refused({ requests: requests(1) })).toMatchObject({ status: 403, type: 'permission_error' })
  await house.setOption('TaskEnabled', 'true')
})

test('what is longer than is kept goes on while it comes, to the last request', async () => {
  const count = 3000
  const text = `${'ä"\\{[,]}'.repeat(300)} `
  const all = Array.from({ length: count }, (_, at) =>
    request(at, { max_tokens: 1, messages: [{ role: 'user', content: `${text}${at}` }] }),
  )
  await house.spent()
  const batch = await house.begin(all)
  const held = await house.spent()
  const there = house.upstream.requestsOf(await house.atUpstream(batch.id))
  expect(there.map(({ custom_id }) => custom_id)).toEqual(
    all.map(({ custom_id }, at) => (at === 0 ? batch.id : custom_id)),
  )
  expect(there.map(({ params }) => params)).toEqual(all.map(({ params }) => params) as never)
  await house.end(batch.id, { succeeded: count })
  expect(await house.spent()).toBe(count * EACH - held)
  const results = await house.resultsOf(batch.id)
  expect(results.map(({ custom_id }) => custom_id)).toEqual(all.map(({ custom_id }) => custom_id).reverse())
  // The last of them is wrong: the upstream has heard nearly all, and begun nothing.
  const failure = await refused({ requests: [...all, request(0)] })
  expect(failure.message).toContain(`requests.${count}: custom_id`)
  expect(await house.spent()).toBe(0)
})

test('a channel that does not want it makes way for the next, and the one that took it is asked later', async () => {
  await house.setOption('RetryTimes', '2')
  await house.spent()
  const tried = house.upstream.requests.length
  const batch = await house.begin(requests(2, { model: TWICE }))
  expect(house.upstream.requests.slice(tried).map(({ headers }) => headers.get('x-api-key'))).toEqual([
    'sk-wrong',
    house.upstream.key,
  ])
  const [first, second] = await house.store.db
    .selectFrom('channels')
    .select(['id', 'priority'])
    .where('models', '=', TWICE)
    .orderBy('id')
    .execute()
  expect((await house.rowOf(batch.id)).channel_id).toBe(second?.id ?? 0)
  expect(first?.id).toBeDefined()
  await house.end(batch.id, { errored: 2 })
  expect(await house.spent()).toBe(0)
})

test('where every channel refuses, it is told so, and nothing is held', async () => {
  await house.spent()
  house.upstream.refusing = { status: 400, type: 'invalid_request_error' }
  expect(await refused({ requests: requests(2) })).toMatchObject({ status: 400 })
  house.upstream.refusing = undefined
  expect(await house.spent()).toBe(0)
})

test('who leaves before all has come has begun nothing', async () => {
  await house.spent()
  const before = house.upstream.batches.size
  const gone = new AbortController()
  const some = requests(20).map(one => JSON.stringify(one))
  const body = new ReadableStream<Uint8Array>({
    start: controller => controller.enqueue(Buffer.from(`{"requests":[${some.join(',')}`)),
  })
  const headers = { 'x-api-key': house.payer.key, 'content-type': 'application/json' }
  const path = `${house.url}/v1/messages/batches`
  const sending = fetch(path, { method: 'POST', headers, body, signal: gone.signal })
  await atRest()
  gone.abort()
  expect(await sending.catch(error => (error as Error).name)).toBe('AbortError')
  await atRest()
  expect([house.upstream.batches.size, await house.spent()]).toEqual([before, 0])
  const rows = house.store.db.selectFrom('batches').select('id').where('state', '=', 'submitting')
  expect(await rows.execute()).toEqual([])
})

test('labels of the call are those of what it costs', async () => {
  const batch = await house.client.messages.batches.create(
    { requests: requests(1) },
    { headers: { 'x-tollgate-labels': 'job:night' } },
  )
  await house.end(batch.id, { succeeded: 1 })
  const { request_id } = await house.rowOf(batch.id)
  const row = house.store.db
    .selectFrom('logs')
    .select(['labels', 'quota'])
    .where('request_id', '=', request_id)
  expect(await row.execute()).toEqual([{ labels: 'job:night', quota: EACH }])
})
