import { afterAll, beforeAll, expect, test } from 'bun:test'
import { audit } from '../../server/ledger/audit.ts'
import { until } from '../program.ts'
import {
  EACH,
  failureOf,
  MAPPED,
  type MessageBatchHouse,
  MODEL,
  openMessageBatchHouse,
  request,
  requests,
} from './message-batch-house.ts'

let house: MessageBatchHouse

beforeAll(async () => {
  house = await openMessageBatchHouse()
})
afterAll(async () => {
  expect(house.upstream.complaints).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
})

test('from its requests to the results: what was held is seen at once, what was used is paid at its end', async () => {
  await house.spent()
  const batch = await house.begin(requests(4))
  expect(batch).toMatchObject({
    type: 'message_batch',
    processing_status: 'in_progress',
    request_counts: { processing: 4, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
    results_url: null,
    ended_at: null,
    cancel_initiated_at: null,
    archived_at: null,
  })
  expect(batch.id).toMatch(/^msgbatch_[0-9a-f]{32}$/)
  expect(Date.parse(batch.expires_at) - Date.parse(batch.created_at)).toBe(86_400_000)
  const held = await house.spent()
  expect(held).toBeGreaterThan(4 * EACH)
  expect((await audit(house.store.db)).differences).toEqual([])
  await house.poll()
  expect(await house.spent()).toBe(0)
  const ended = await house.end(batch.id, { succeeded: 2, errored: 1, expired: 1 })
  expect(ended).toMatchObject({
    processing_status: 'ended',
    request_counts: { processing: 0, succeeded: 2, errored: 1, canceled: 0, expired: 1 },
    results_url: `${house.url}/v1/messages/batches/${batch.id}/results`,
  })
  expect(ended.ended_at).toBeString()
  expect(await house.spent()).toBe(2 * EACH - held)
  const results = await house.resultsOf(batch.id)
  expect(results.map(({ custom_id, result }) => [custom_id, result.type])).toEqual([
    ['r3', 'expired'],
    ['r2', 'errored'],
    ['r1', 'succeeded'],
    ['r0', 'succeeded'],
  ])
  expect(results[3]?.result).toMatchObject({
    message: { content: [{ text: 'answer 0' }], usage: { input_tokens: 80, output_tokens: 30 } },
  })
  const { request_id } = await house.rowOf(batch.id)
  expect(await house.chargeOf(request_id)).toBe(2 * EACH)
  const row = await house.logOf(request_id)
  expect(row).toMatchObject({ type: 2, model_name: MODEL, prompt_tokens: 224, completion_tokens: 60 })
  expect(row).toMatchObject({ quota: 2 * EACH, cost: Math.round((2 * EACH) / 4), group: 'default' })
  expect(row.details).toMatchObject({ batch_ratio: 0.5, batch_requests: 2, batch_id: batch.id })
  const task = await house.store.db.selectFrom('tasks').selectAll().where('task_id', '=', batch.id).execute()
  expect(task).toMatchObject([
    { status: 'SUCCESS', quota: 2 * EACH, platform: 'anthropic-batches', action: 'BATCH' },
  ])
})

test('cancelled: what was answered until then is paid, the rest is not; then it can be deleted', async () => {
  await house.spent()
  const batch = await house.begin(requests(3))
  const early = await failureOf(house.client.messages.batches.delete(batch.id))
  expect(early).toMatchObject({ status: 400, type: 'invalid_request_error' })
  const canceling = await house.client.messages.batches.cancel(batch.id)
  expect(canceling).toMatchObject({ id: batch.id, processing_status: 'canceling', results_url: null })
  expect(canceling.cancel_initiated_at).toBeString()
  expect(await failureOf(rawResults(batch.id))).toMatchObject({ status: 400 })
  const ended = await house.end(batch.id, { succeeded: 1, canceled: 2 })
  expect(ended.request_counts).toMatchObject({ succeeded: 1, canceled: 2 })
  expect(await house.spent()).toBe(EACH)
  expect(await failureOf(house.client.messages.batches.cancel(batch.id))).toMatchObject({ status: 400 })
  const there = await house.atUpstream(batch.id)
  expect(await house.client.messages.batches.delete(batch.id)).toEqual({
    id: batch.id,
    type: 'message_batch_deleted',
  })
  expect(house.upstream.batches.has(there.id)).toBe(false)
  expect(await failureOf(house.client.messages.batches.retrieve(batch.id))).toMatchObject({ status: 404 })
  expect(await house.spent()).toBe(0)
})

const rawResults = (id: string) => house.client.get(`/v1/messages/batches/${id}/results`)

test('nothing was answered: nothing is paid', async () => {
  await house.spent()
  const batch = await house.begin(requests(2))
  await house.end(batch.id, { errored: 2 })
  expect(await house.spent()).toBe(0)
  expect((await house.resultsOf(batch.id)).map(({ result }) => result.type)).toEqual(['errored', 'errored'])
})

test('what is somebody else’s is not there, in all ways of asking for it', async () => {
  const { id } = await house.begin(requests(1))
  const { batches } = house.visitor.messages
  const asked = [
    () => batches.retrieve(id),
    () => batches.cancel(id),
    () => batches.delete(id),
    () => house.visitor.get(`/v1/messages/batches/${id}/results`),
  ]
  for (const ask of asked) {
    const failure = await failureOf(ask())
    expect(failure).toMatchObject({ status: 404, type: 'not_found_error' })
    expect(failure.message).toContain(id)
  }
  expect((await batches.list()).data).toEqual([])
  // Neither is it OpenAI's.
  expect((await house.call('GET', `/v1/batches/${id}`)).status).toBe(404)
  expect((await house.call('GET', '/v1/batches')).json.data).toEqual([])
  expect((await house.atUpstream(id)).processing_status).toBe('in_progress')
  await house.end(id, { succeeded: 1 })
})

test('lists go on from either side', async () => {
  const own = house.clientOf((await house.addToken({ userId: await house.addUser({ quota: 1e7 }) })).key)
  const ids: string[] = []
  for (let at = 0; at < 5; at++) ids.unshift((await house.begin(requests(1), own)).id)
  const all: string[] = []
  for await (const { id } of own.messages.batches.list({ limit: 2 })) all.push(id)
  expect(all).toEqual(ids)
  const back: string[] = []
  for await (const { id } of own.messages.batches.list({ limit: 2, before_id: ids[4] as string }))
    back.push(id)
  // Each page has its newest first.
  expect(back).toEqual([ids[2], ids[3], ids[0], ids[1]].map(String))
  const page = await own.messages.batches.list({ limit: 2, after_id: ids[0] as string })
  expect([page.has_more, page.first_id, page.last_id]).toEqual([true, ids[1] ?? '', ids[2] ?? ''])
  for (const query of ['limit=0', 'limit=1001', 'after_id=a&before_id=b', 'after_id=%00'])
    expect(await failureOf(own.get(`/v1/messages/batches?${query}`))).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
    })
  for (const id of ids) house.upstream.end(await house.atUpstream(id), { succeeded: 1 })
  await house.poll()
})

test('its channel’s name for the model, a group’s ratio, a price by the call, and what is free', async () => {
  const { userId } = house.payer
  await house.spent()
  const mapped = await house.begin(requests(2, { model: MAPPED }))
  expect(house.upstream.requestsOf(await house.atUpstream(mapped.id))).toMatchObject([
    { custom_id: mapped.id, params: { model: MODEL } },
    { custom_id: 'r1', params: { model: MODEL } },
  ])
  await house.end(mapped.id, { succeeded: 2 })
  expect(await house.spent()).toBe(2 * EACH * 2)
  const { id: tokenId, key } = await house.addToken({ userId, budget: 100_000, group: 'vip' })
  const vip = await house.begin(requests(2), house.clientOf(key))
  await house.end(vip.id, { succeeded: 2 })
  expect(await house.spent()).toBe(2 * EACH * 3)
  const token = house.store.db.selectFrom('tokens').select('used_quota').where('id', '=', tokenId)
  expect(await token.executeTakeFirst()).toEqual({ used_quota: 2 * EACH * 3 })
  const called = await house.begin(requests(3, { model: 'claude-call' }))
  await house.end(called.id, { succeeded: 2, errored: 1 })
  expect(await house.spent()).toBe((2 * 0.01 * 500_000) / 2)
  const free = await house.begin(
    requests(2),
    house.clientOf((await house.addToken({ userId, group: 'gratis' })).key),
  )
  await house.end(free.id, { succeeded: 2 })
  expect(await house.spent()).toBe(0)
})

test('what cannot be afforded is not begun', async () => {
  const before = house.upstream.batches.size
  const poor = await house.addUser({ quota: 100 })
  const own = house.clientOf((await house.addToken({ userId: poor })).key)
  expect(await failureOf(house.begin(requests(2), own))).toMatchObject({ status: 403 })
  expect(await house.balance(poor)).toBe(100)
  expect(house.upstream.batches.size).toBe(before)
  const open = house.store.db.selectFrom('batches').select('id').where('user_id', '=', poor)
  expect(await open.execute()).toEqual([])
})

test('a used-up token begins nothing, and still looks and fetches', async () => {
  const { userId } = house.payer
  await house.spent()
  const first = await house.begin(requests(1))
  const budget = await house.spent()
  const own = house.clientOf((await house.addToken({ userId, budget })).key)
  const batch = await house.begin(requests(1), own)
  // Whoever has read the token again since says it so.
  await house.store.change('tokens', async () => {})
  await until(async () => (await failureOf(house.begin(requests(1), own))).status === 401)
  expect((await own.messages.batches.retrieve(batch.id)).processing_status).toBe('in_progress')
  await house.end(batch.id, { succeeded: 1 })
  await house.end(first.id, { succeeded: 1 })
  expect(await house.resultsOf(batch.id, own)).toHaveLength(1)
})

test('a model that thinks, pictures, tools and a cache go on as they came', async () => {
  const params = {
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    tools: [{ name: 'look', input_schema: { type: 'object', properties: {} } }],
    metadata: { user_id: 'u1', tags: ['mine'] },
    service_tier: 'auto',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this? 12345678901234567890' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
        ],
      },
    ],
  }
  const batch = await house.begin([request(0, params), request(1)])
  const [sent] = house.upstream.requestsOf(await house.atUpstream(batch.id))
  const { metadata, ...rest } = params
  expect(sent?.params).toMatchObject({ ...rest, metadata: { user_id: 'u1' } })
  expect(JSON.stringify(sent)).not.toContain('mine')
  await house.end(batch.id, { succeeded: 2 })
})

test('what the vendor still tries out is asked for as there, and handed on', async () => {
  const { batches } = house.client.beta.messages
  const betas: ['output-300k-2026-03-24'] = ['output-300k-2026-03-24']
  const batch = await batches.create({ requests: requests(1) as never, betas })
  const sent = house.upstream.requests.findLast(({ method }) => method === 'POST')
  expect(sent?.headers.get('anthropic-beta')).toContain(betas[0])
  await house.end(batch.id, { succeeded: 1 })
  const results: string[] = []
  for await (const { custom_id } of await batches.results(batch.id)) results.push(custom_id)
  expect(results).toEqual(['r0'])
  expect((await batches.list({ limit: 1 })).data).toMatchObject([{ id: batch.id }])
  expect(await batches.delete(batch.id)).toMatchObject({ id: batch.id, type: 'message_batch_deleted' })
})

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
