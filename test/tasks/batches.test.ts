import { afterAll, beforeAll, expect, test } from 'bun:test'
import OpenAI, { toFile } from 'openai'
import { audit } from '../../server/ledger/audit.ts'
import {
  type FakeBatch,
  type FakeBatches,
  startOpenaiBatches,
} from '../upstreams/openai-batches/start-openai-batches.ts'
import { openTaskHouse, type TaskHouse } from './house.ts'

let upstream: FakeBatches
let house: TaskHouse
let client: OpenAI
let stranger: OpenAI
/** 100 tokens, 20 from a cache at half and 30 of output at three times the price; half of that in a batch. */
const EACH = (100 + 20 / 2 + 30 * 3) / 2
const chat = '/v1/chat/completions'

beforeAll(async () => {
  upstream = startOpenaiBatches()
  house = await openTaskHouse(async rig => {
    const groups = ['default', 'vip', 'gratis']
    const models = ['b-chat', 'b-other', 'b-embed', 'b-call', 'b-free-of-price']
    const place = { type: 1, baseUrl: upstream.url, key: upstream.key, groups }
    await rig.addChannel({ ...place, models, setting: { cost_ratio: 0.25 } })
    await rig.addChannel({ ...place, models: ['b-mapped'], mapping: { 'b-mapped': 'b-chat' } })
    const prompted = { ...place, models: ['b-changed'], setting: { system_prompt: 'Be brief.' } }
    await rig.addChannel(prompted)
    await rig.addChannel({ ...place, type: 14, models: ['b-elsewhere'] })
    const ratios = {
      'b-chat': 1,
      'b-other': 1,
      'b-embed': 0.1,
      'b-mapped': 2,
      'b-changed': 1,
      'b-elsewhere': 1,
    }
    await rig.setOption('ModelRatio', JSON.stringify(ratios))
    await rig.setOption('CompletionRatio', '{"b-chat":3,"b-other":3,"b-mapped":3}')
    await rig.setOption('CacheRatio', '{"b-chat":0.5,"b-other":0.5,"b-mapped":0.5}')
    await rig.setOption('ModelPrice', '{"b-call":0.01}')
    await rig.setOption('GroupRatio', '{"default":1,"vip":3,"gratis":0}')
    await rig.setOption('UserUsableGroups', '{"default":"a","vip":"b","gratis":"c"}')
  })
  client = clientOf(house.payer.key)
  stranger = clientOf(house.stranger.key)
})
afterAll(async () => {
  expect(upstream.complaints.filter(text => !/No such File|No batch found/.test(text))).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
  await upstream.stop()
})

function clientOf(apiKey: string): OpenAI {
  const defaultHeaders = { 'accept-language': 'en' }
  return new OpenAI({ baseURL: `${house.url}/v1`, maxRetries: 0, apiKey, defaultHeaders })
}

const line = (at: number, body: object = {}, url = chat, more: object = {}): string =>
  JSON.stringify({
    custom_id: `r${at}`,
    method: 'POST',
    url,
    body: { model: 'b-chat', messages: [{ role: 'user', content: `say ${at}` }], max_tokens: 50, ...body },
    ...more,
  })
const lines = (count: number, body: object = {}): string[] =>
  Array.from({ length: count }, (_, at) => line(at, body))

async function upload(text: string | readonly string[], by = client): Promise<OpenAI.FileObject> {
  const bytes = Buffer.from(typeof text === 'string' ? text : text.join('\n'))
  return by.files.create({ file: await toFile(bytes, 'in.jsonl'), purpose: 'batch' })
}

const begin = (input_file_id: string, by = client, more: Partial<OpenAI.BatchCreateParams> = {}) =>
  by.batches.create({ input_file_id, endpoint: chat, completion_window: '24h', ...more })

async function atUpstream(id: string): Promise<FakeBatch> {
  const { upstream_id } = await rowOf(id)
  const batch = upstream.batches.get(upstream_id)
  if (!batch) throw new Error(`the upstream has no ${id}`)
  return batch
}

const rowOf = (id: string) =>
  house.store.db.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function end(id: string, status: string, answered: number, failed = 0): Promise<OpenAI.Batch> {
  upstream.end(await atUpstream(id), status, answered, failed)
  await house.poll()
  return client.batches.retrieve(id)
}

async function failureOf(asked: Promise<unknown>) {
  try {
    await asked
  } catch (error) {
    const { status, message, code, type } = error as InstanceType<typeof OpenAI.APIError>
    return { status: status ?? 0, message, code, type }
  }
  throw new Error('it did not fail')
}

test('from the upload to the answers: what was held is seen at once, what was used is paid at its end', async () => {
  await house.spent()
  const file = await upload(lines(3))
  expect(file).toMatchObject({ object: 'file', purpose: 'batch', filename: 'in.jsonl', status: 'processed' })
  expect(file.bytes).toBe(lines(3).join('\n').length)
  expect(file.id).toMatch(/^file-[0-9a-f]{32}$/)
  expect(await house.spent()).toBe(0)
  const batch = await begin(file.id, client, { metadata: { job: 'night' } })
  expect(batch).toMatchObject({
    object: 'batch',
    endpoint: chat,
    status: 'validating',
    input_file_id: file.id,
    output_file_id: null,
    metadata: { job: 'night' },
    completion_window: '24h',
  })
  const held = await house.spent()
  expect(held).toBeGreaterThan(3 * EACH)
  expect((await audit(house.store.db)).differences).toEqual([])
  const there = await atUpstream(batch.id)
  upstream.advance(there, 'in_progress')
  await house.poll()
  expect(await client.batches.retrieve(batch.id)).toMatchObject({
    status: 'in_progress',
    request_counts: { total: 3, completed: 0, failed: 0 },
  })
  expect(await house.spent()).toBe(0)
  const ended = await end(batch.id, 'completed', 2, 1)
  expect(ended).toMatchObject({
    status: 'completed',
    completed_at: 1_760_000_100,
    request_counts: { total: 3, completed: 2, failed: 1 },
    metadata: { job: 'night' },
  })
  expect(await house.spent()).toBe(2 * EACH - held)
  const text = await (await client.files.content(ended.output_file_id ?? '')).text()
  const answers = text
    .trim()
    .split('\n')
    .map(one => JSON.parse(one))
  expect(answers.map(one => [one.custom_id, one.response.status_code, one.error])).toEqual([
    ['r0', 200, null],
    ['r1', 200, null],
  ])
  const errors = await (await client.files.content(ended.error_file_id ?? '')).text()
  expect(JSON.parse(errors)).toMatchObject({ custom_id: 'r2', response: { status_code: 400 } })
  const { request_id } = await rowOf(batch.id)
  expect(await house.chargeOf(request_id)).toBe(2 * EACH)
  const row = await house.logOf(request_id)
  expect(row).toMatchObject({ type: 2, model_name: 'b-chat', prompt_tokens: 240, completion_tokens: 60 })
  expect(row).toMatchObject({ quota: 2 * EACH, cost: (2 * EACH) / 4, group: 'default' })
  expect(row.details).toMatchObject({
    model_ratio: 1,
    batch_ratio: 0.5,
    batch_requests: 2,
    batch_id: batch.id,
  })
  const task = await house.store.db.selectFrom('tasks').selectAll().where('task_id', '=', batch.id).execute()
  expect(task).toMatchObject([{ status: 'SUCCESS', quota: 2 * EACH, user_id: house.payer.userId }])
})

test('lists show one’s own, in pages', async () => {
  const me = await house.addUser()
  const own = clientOf((await house.addToken({ userId: me })).key)
  const files = []
  for (let at = 0; at < 3; at++) files.push(await upload(lines(1), own))
  const ids = files.map(({ id }) => id).reverse()
  expect((await own.files.list({ limit: 2 })).data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  expect((await own.files.list({ after: ids[1] ?? '' })).data.map(({ id }) => id)).toEqual(ids.slice(2))
  expect((await own.files.list({ order: 'asc' })).data.map(({ id }) => id)).toEqual(ids.toReversed())
  expect((await own.files.list({ purpose: 'batch_output' })).data).toEqual([])
  const begun = []
  for (const { id } of files) begun.push((await begin(id, own)).id)
  const seen = []
  for await (const { id } of own.batches.list({ limit: 2 })) seen.push(id)
  expect(seen).toEqual(begun.toReversed())
  for (const id of begun) {
    upstream.end(await atUpstream(id), 'completed', 1)
  }
  await house.poll()
  expect((await own.files.list({ purpose: 'batch_output' })).data).toHaveLength(3)
  expect(await own.files.delete(ids[0] ?? '')).toEqual({ id: ids[0] ?? '', object: 'file', deleted: true })
  expect((await failureOf(own.files.retrieve(ids[0] ?? ''))).status).toBe(404)
  expect(await house.balance(me)).toBe(50_000_000 - 3 * EACH)
})

test('what belongs to somebody else is as unknown as what never was', async () => {
  const file = await upload(lines(1))
  const batch = await begin(file.id)
  const ended = await end(batch.id, 'completed', 1)
  const none = (text: string) => text.replace(/[0-9a-f]{32}/, '0'.repeat(32))
  const ways = [
    [file.id, (id: string) => stranger.files.retrieve(id)],
    [file.id, (id: string) => stranger.files.content(id)],
    [file.id, (id: string) => stranger.files.delete(id)],
    [file.id, (id: string) => begin(id, stranger)],
    [ended.output_file_id ?? '', (id: string) => stranger.files.content(id)],
    [batch.id, (id: string) => stranger.batches.retrieve(id)],
    [batch.id, (id: string) => stranger.batches.cancel(id)],
  ] as const
  for (const [id, ask] of ways) {
    const [real, missing] = await Promise.all([failureOf(ask(id)), failureOf(ask(none(id)))])
    const plain = (text: string) => text.replace(/[0-9a-f]{32}/g, '').replace(/request id: [^)]*/, '')
    expect([real.status, real.type, plain(real.message)]).toEqual([404, missing.type, plain(missing.message)])
    expect(real.type).toBe('invalid_request_error')
  }
  expect((await stranger.files.list()).data).toEqual([])
  expect((await stranger.batches.list()).data).toEqual([])
  expect((await client.files.retrieve(file.id)).id).toBe(file.id)
})

const broken: [string, string | string[], RegExp][] = [
  ['no JSON', [line(0), '{"custom_id":'], /Line 2/],
  [
    'no id',
    [JSON.stringify({ method: 'POST', url: chat, body: { model: 'b-chat' } })],
    /Line 1: .*custom_id/,
  ],
  ['another method', [line(0, {}, chat, { method: 'GET' })], /method/],
  ['another address', [line(0), line(1, {}, '/v1/images/generations')], /Line 2: .*url/],
  ['two addresses', [line(0), line(1, { input: 'x' }, '/v1/embeddings')], /Line 2: .*url/],
  ['two models', [line(0), line(1), line(2, { model: 'b-other' })], /Line 3: .*model.*b-chat/],
  ['no model', [line(0, { model: undefined })], /Line 1/],
  ['a stream', [line(0, { stream: true })], /stream/],
  ['a limit that is none', [line(0, { max_tokens: -5 })], /max_tokens/],
  ['a model under another spelling', [line(0, { Model: 'b-other' })], /Model/],
  ['a search', [line(0, { web_search_options: {} })], /web_search/],
  [
    'a response of somebody’s',
    [line(0, { input: 'x', previous_response_id: 'resp_1' }, '/v1/responses')],
    /previous/,
  ],
  ['nothing', '', /no line/],
  ['blank lines', '\n\n', /no line/],
]

test.each(broken)('a file with %s is refused, and the upstream never had it', async (_, text, message) => {
  const before = upstream.files.size
  const { status, message: said, type } = await failureOf(upload(text))
  expect([status, type]).toEqual([400, expect.any(String)])
  expect(said).toMatch(message)
  expect(upstream.files.size).toBe(before)
})

test('what is wrong far into a large file breaks the upload off', async () => {
  const before = upstream.files.size
  const long = lines(6000, { messages: [{ role: 'user', content: 'word '.repeat(100) }] })
  const { status, message } = await failureOf(upload([...long, 'oops']))
  expect([status, message]).toEqual([400, expect.stringContaining('Line 6001')])
  expect(upstream.files.size).toBe(before)
  const whole = await upload(long)
  expect(upstream.files.size).toBe(before + 1)
  expect(whole.bytes).toBe(long.join('\n').length)
})

test('a form that is none, and other purposes, are refused', async () => {
  const file = await toFile(Buffer.from(line(0)), 'in.jsonl')
  expect(await failureOf(client.files.create({ file, purpose: 'assistants' }))).toMatchObject({ status: 400 })
  expect(await failureOf(client.files.create({ purpose: 'user_data', file }))).toMatchObject({ status: 400 })
  const twice = new FormData()
  twice.append('purpose', 'batch')
  for (let at = 0; at < 2; at++) twice.append('file', new Blob([line(at)]), 'in.jsonl')
  const none = new FormData()
  none.append('purpose', 'batch')
  const headers = { authorization: `Bearer ${house.payer.key}` }
  const before = upstream.files.size
  for (const body of [twice, none, 'purpose=batch', undefined]) {
    const answer = await fetch(`${house.url}/v1/files`, { method: 'POST', headers, body })
    expect(answer.status).toBe(400)
  }
  expect(upstream.files.size).toBe(before)
})

test('only what the token may ask for, and what has a price, somewhere that takes files', async () => {
  const { userId } = house.payer
  const narrow = clientOf((await house.addToken({ userId, models: ['b-other'] })).key)
  expect(await failureOf(upload(lines(1), narrow))).toMatchObject({ status: 403 })
  const file = await upload(lines(1))
  expect(await failureOf(begin(file.id, narrow))).toMatchObject({ status: 403 })
  expect((await failureOf(upload(lines(1, { model: 'b-free-of-price' })))).code).toBe('model_price_error')
  for (const model of ['b-nobody', 'b-changed', 'b-elsewhere'])
    expect((await failureOf(upload(lines(1, { model })))).code).toBe('model_not_found')
  const wrong = await failureOf(begin(file.id, client, { endpoint: '/v1/embeddings' }))
  expect([wrong.status, wrong.message]).toEqual([400, expect.stringContaining(chat)])
  await house.setOption('ModelRatio', '{"b-embed":0.1}')
  expect((await failureOf(begin(file.id))).code).toBe('model_price_error')
  await house.setOption('ModelRatio', '{"b-chat":1,"b-other":1,"b-embed":0.1,"b-mapped":2}')
})

test('what cannot be afforded is not begun', async () => {
  const poor = await house.addUser({ quota: 100 })
  const own = clientOf((await house.addToken({ userId: poor })).key)
  const file = await upload(lines(2), own)
  const refused = await failureOf(begin(file.id, own))
  expect(refused).toMatchObject({ status: 403, code: 'insufficient_user_quota' })
  const limited = clientOf((await house.addToken({ userId: house.payer.userId, budget: 50 })).key)
  const other = await upload(lines(2), limited)
  expect(await failureOf(begin(other.id, limited))).toMatchObject({ code: 'pre_consume_token_quota_failed' })
  expect(await house.balance(poor)).toBe(100)
  expect(upstream.batches.size).toBe([...upstream.batches.values()].filter(({ status }) => status).length)
  const open = house.store.db.selectFrom('batches').select('id').where('user_id', '=', poor)
  expect(await open.execute()).toEqual([])
})

test('a token’s budget, a group’s ratio, and a group that is free', async () => {
  const { userId } = house.payer
  const { id, key } = await house.addToken({ userId, budget: 100_000, group: 'vip' })
  const vip = clientOf(key)
  const batch = await begin((await upload(lines(2), vip)).id, vip)
  await house.spent()
  await end(batch.id, 'completed', 2)
  const token = house.store.db
    .selectFrom('tokens')
    .select(['remain_quota', 'used_quota'])
    .where('id', '=', id)
  const paid = 2 * EACH * 3
  expect(await token.executeTakeFirst()).toEqual({ remain_quota: 100_000 - paid, used_quota: paid })
  const gratis = clientOf((await house.addToken({ userId, group: 'gratis' })).key)
  await house.spent()
  const free = await begin((await upload(lines(2), gratis)).id, gratis)
  await end(free.id, 'completed', 2)
  expect(await house.spent()).toBe(0)
  expect(await house.logOf((await rowOf(free.id)).request_id)).toMatchObject({
    type: 2,
    quota: 0,
    prompt_tokens: 240,
  })
})

test('other endpoints, and models that are paid by the call', async () => {
  const kinds = [
    ['/v1/responses', { model: 'b-chat', input: 'hi', max_output_tokens: 50 }, EACH],
    ['/v1/completions', { model: 'b-chat', prompt: 'hi', max_tokens: 20 }, (120 + 30 * 3) / 2],
    ['/v1/embeddings', { model: 'b-embed', input: 'hi' }, 6],
    [chat, { model: 'b-call', messages: [] }, 2500],
  ] as const
  for (const [url, body, each] of kinds) {
    await house.spent()
    const text = [0, 1].map(at => JSON.stringify({ custom_id: `r${at}`, method: 'POST', url, body }))
    const batch = await begin((await upload(text)).id, client, { endpoint: url })
    await end(batch.id, 'completed', 2)
    expect([url, await house.spent()]).toEqual([url, 2 * each])
  }
})

test('the upstream gets its own name for the model, and what was looked at', async () => {
  const twice = line(0, { model: 'b-other', service_tier: 'priority' }).replace(
    '"messages"',
    '"model":"b-mapped","messages"',
  )
  const batch = await begin((await upload(`${twice}\n`)).id)
  const [sent] = upstream.linesOf(await atUpstream(batch.id))
  expect(sent?.body).toEqual({
    model: 'b-chat',
    messages: [{ role: 'user', content: 'say 0' }],
    max_tokens: 50,
  })
  await house.spent()
  await end(batch.id, 'completed', 1)
  expect(await house.chargeOf((await rowOf(batch.id)).request_id)).toBe(2 * EACH)
})

test('cancelled, expired or failed: only what was answered is paid', async () => {
  await house.spent()
  const cancelled = await begin((await upload(lines(5))).id)
  upstream.advance(await atUpstream(cancelled.id), 'in_progress')
  expect(await client.batches.cancel(cancelled.id)).toMatchObject({
    status: 'cancelling',
    output_file_id: null,
  })
  const over = await end(cancelled.id, 'cancelled', 2)
  expect(over).toMatchObject({ status: 'cancelled', cancelled_at: 1_760_000_100 })
  expect(await house.spent()).toBe(2 * EACH)
  expect((await failureOf(client.batches.cancel(cancelled.id))).status).toBe(400)

  const expired = await begin((await upload(lines(5))).id)
  expect((await end(expired.id, 'expired', 3, 2)).status).toBe('expired')
  expect(await house.spent()).toBe(3 * EACH)

  const failed = await begin((await upload(lines(5))).id)
  const there = await atUpstream(failed.id)
  const message = `${there.input_file_id} is wrong for ${upstream.key}`
  upstream.advance(there, 'failed', [{ code: 'invalid', line: 3, message, param: null }])
  await house.poll()
  const shown = await client.batches.retrieve(failed.id)
  expect(shown).toMatchObject({ status: 'failed', output_file_id: null })
  expect(shown.errors?.data?.[0]?.message).toBe(`${failed.input_file_id} is wrong for ***`)
  expect(await house.spent()).toBe(0)
  expect(await house.chargeOf((await rowOf(failed.id)).request_id)).toBeUndefined()
})

test('nothing is told of its end before it is paid, and it is paid once, whoever looks', async () => {
  await house.spent()
  const batch = await begin((await upload(lines(4))).id)
  upstream.end(await atUpstream(batch.id), 'completed', 4)
  const row = house.store.db.updateTable('batches').where('id', '=', batch.id)
  await row.set({ checked_at: 0 }).execute()
  await Promise.all([...Array.from({ length: 5 }, () => client.batches.retrieve(batch.id)), house.poll(0, 4)])
  await house.poll()
  expect(await house.spent()).toBe(4 * EACH)
  // As if whoever ended it had died between the charge and what its owner is told.
  await row.set({ state: 'running', output_file_id: '', data: '' }).execute()
  expect(await client.batches.retrieve(batch.id)).toMatchObject({
    status: 'validating',
    output_file_id: null,
  })
  await house.poll(0, 3)
  const told = await client.batches.retrieve(batch.id)
  expect(told.status).toBe('completed')
  expect(
    (await (await client.files.content(told.output_file_id ?? '')).text()).trim().split('\n'),
  ).toHaveLength(4)
  expect(await house.spent()).toBe(0)
})

test('one that the upstream took without saying so is found, and paid; one that it never took is not', async () => {
  await house.spent()
  const file = await upload(lines(2))
  upstream.silent = true
  expect((await failureOf(begin(file.id))).status).toBe(502)
  const known = (await client.batches.list()).data.length
  await house.poll(130)
  const [found] = (await client.batches.list()).data
  expect((await client.batches.list()).data).toHaveLength(known + 1)
  await end(found?.id ?? '', 'completed', 2)
  expect(await house.spent()).toBe(2 * EACH)
  upstream.silent = true
  expect((await failureOf(begin(file.id))).status).toBe(502)
  upstream.batches.delete([...upstream.batches.keys()].at(-1) ?? '')
  await house.poll(130)
  expect(await house.spent()).toBeGreaterThan(0)
  await house.poll(400)
  expect((await client.batches.list()).data).toHaveLength(known + 1)
  expect(await house.balance(house.payer.userId)).toBe(await walletOf(house.payer.userId))
})

/** What the books say that it is. */
async function walletOf(userId: number): Promise<number> {
  const entries = house.store.db.selectFrom('ledger_entries').where('user_id', '=', userId)
  const { sum } = await entries.select(one => one.fn.sum('user_amount').as('sum')).executeTakeFirstOrThrow()
  await house.spent()
  return Number(sum)
}

test('an upstream that has lost the output, or the batch, is asked for half an hour', async () => {
  await house.spent()
  const batch = await begin((await upload(lines(4))).id)
  const there = await atUpstream(batch.id)
  upstream.end(there, 'completed', 4)
  upstream.loseFile(there.output_file_id ?? '')
  await house.poll()
  const held = await house.spent()
  expect(held).toBeGreaterThan(4 * EACH)
  await house.poll(1700)
  expect(await house.spent()).toBe(0)
  await house.poll(1900)
  const paid = held + (await house.spent())
  expect(paid).toBeGreaterThan(0)
  expect(paid).toBeLessThan(held)
  expect((await client.batches.retrieve(batch.id)).status).toBe('completed')

  const lost = await begin((await upload(lines(4))).id)
  upstream.batches.delete((await rowOf(lost.id)).upstream_id)
  await house.poll()
  await house.poll(1900)
  expect((await client.batches.retrieve(lost.id)).status).toBe('failed')
  expect(await house.spent()).toBe(0)
})

test('so many at a time', async () => {
  const me = await house.addUser()
  const own = clientOf((await house.addToken({ userId: me })).key)
  const file = await upload(lines(1), own)
  const begun = await Promise.allSettled(Array.from({ length: 104 }, () => begin(file.id, own)))
  const refused = begun.flatMap(one => (one.status === 'rejected' ? [one.reason.status] : []))
  expect(refused).toEqual([429, 429, 429, 429])
  for (const batch of upstream.batches.values())
    if (batch.status === 'validating') upstream.end(batch, 'completed', 1)
  while (
    (await house.store.db.selectFrom('batches').select('id').where('state', '=', 'running').execute())
      .length > 0
  )
    await house.poll()
  expect(await house.balance(me)).toBe(50_000_000 - 100 * EACH)
})
