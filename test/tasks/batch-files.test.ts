import { afterAll, beforeAll, expect, test } from 'bun:test'
import { toFile } from 'openai'
import { deleteLeft } from '../../server/tasks/left-behind.ts'
import { type BatchHouse, chat, EACH, failureOf, line, lines, openBatchHouse } from './batch-house.ts'

let house: BatchHouse

beforeAll(async () => {
  house = await openBatchHouse()
})
afterAll(async () => {
  const { complaints } = house.upstream
  expect(complaints.filter(text => !/No such File|No batch found/.test(text))).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
})

test('lists show one’s own, in pages', async () => {
  const me = await house.addUser()
  const own = house.clientOf((await house.addToken({ userId: me })).key)
  const files = []
  for (let at = 0; at < 3; at++) files.push(await house.upload(lines(1), own))
  const ids = files.map(({ id }) => id).reverse()
  expect((await own.files.list({ limit: 2 })).data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  expect((await own.files.list({ after: ids[1] ?? '' })).data.map(({ id }) => id)).toEqual(ids.slice(2))
  expect((await own.files.list({ order: 'asc' })).data.map(({ id }) => id)).toEqual(ids.toReversed())
  expect((await own.files.list({ purpose: 'batch_output' })).data).toEqual([])
  const begun = []
  for (const { id } of files) begun.push((await house.begin(id, own)).id)
  const seen = []
  for await (const { id } of own.batches.list({ limit: 2 })) seen.push(id)
  expect(seen).toEqual(begun.toReversed())
  for (const id of begun) {
    house.upstream.end(await house.atUpstream(id), 'completed', 1)
  }
  await house.poll()
  expect((await own.files.list({ purpose: 'batch_output' })).data).toHaveLength(3)
  expect(await own.files.delete(ids[0] ?? '')).toEqual({ id: ids[0] ?? '', object: 'file', deleted: true })
  expect((await failureOf(own.files.retrieve(ids[0] ?? ''))).status).toBe(404)
  expect(await house.balance(me)).toBe(50_000_000 - 3 * EACH)
})

test('what belongs to somebody else is as unknown as what never was', async () => {
  const file = await house.upload(lines(1))
  const batch = await house.begin(file.id)
  const ended = await house.end(batch.id, 'completed', 1)
  const none = (text: string) => text.replace(/[0-9a-f]{32}/, '0'.repeat(32))
  const ways = [
    [file.id, (id: string) => house.visitor.files.retrieve(id)],
    [file.id, (id: string) => house.visitor.files.content(id)],
    [file.id, (id: string) => house.visitor.files.delete(id)],
    [file.id, (id: string) => house.begin(id, house.visitor)],
    [ended.output_file_id ?? '', (id: string) => house.visitor.files.content(id)],
    [batch.id, (id: string) => house.visitor.batches.retrieve(id)],
    [batch.id, (id: string) => house.visitor.batches.cancel(id)],
  ] as const
  for (const [id, ask] of ways) {
    const [real, missing] = await Promise.all([failureOf(ask(id)), failureOf(ask(none(id)))])
    const plain = (text: string) => text.replace(/[0-9a-f]{32}/g, '').replace(/request id: [^)]*/, '')
    expect([real.status, real.type, plain(real.message)]).toEqual([404, missing.type, plain(missing.message)])
    expect(real.type).toBe('invalid_request_error')
  }
  expect((await house.visitor.files.list()).data).toEqual([])
  expect((await house.visitor.batches.list()).data).toEqual([])
  expect((await house.client.files.retrieve(file.id)).id).toBe(file.id)
})

const broken: [string, string | string[], RegExp][] = [
  ['no JSON', [line(0), '{"custom_id":'], /Line 2/],
  ['too much in a line', [line(0), `{"a":[${'[],'.repeat(600_000)}1]}`], /Line 2: .*more than 500000/],
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
  [
    'somebody’s file',
    [line(0, { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }] })],
    /file_id/,
  ],
  ['nothing', '', /no line/],
  ['blank lines', '\n\n', /no line/],
]

test.each(broken)('a file with %s is refused, and the upstream never had it', async (_, text, message) => {
  const before = house.upstream.files.size
  const { status, message: said, type } = await failureOf(house.upload(text))
  expect([status, type]).toEqual([400, expect.any(String)])
  expect(said).toMatch(message)
  expect(house.upstream.files.size).toBe(before)
})

test('what is wrong far into a large file breaks the upload off', async () => {
  const before = house.upstream.files.size
  const long = lines(6000, { messages: [{ role: 'user', content: 'word '.repeat(100) }] })
  const { status, message } = await failureOf(house.upload([...long, 'oops']))
  expect([status, message]).toEqual([400, expect.stringContaining('Line 6001')])
  expect(house.upstream.files.size).toBe(before)
  const whole = await house.upload(long)
  expect(house.upstream.files.size).toBe(before + 1)
  expect(whole.bytes).toBe(long.join('\n').length)
})

test('a form that is none, and other purposes, are refused', async () => {
  const file = await toFile(Buffer.from(line(0)), 'in.jsonl')
  expect(await failureOf(house.client.files.create({ file, purpose: 'fine-tune' }))).toMatchObject({
    status: 400,
  })
  expect(await failureOf(house.client.files.create({ purpose: 'evals', file }))).toMatchObject({
    status: 400,
  })
  const twice = new FormData()
  twice.append('purpose', 'batch')
  for (let at = 0; at < 2; at++) twice.append('file', new Blob([line(at)]), 'in.jsonl')
  const none = new FormData()
  none.append('purpose', 'batch')
  const headers = { authorization: `Bearer ${house.payer.key}` }
  const before = house.upstream.files.size
  for (const body of [twice, none, 'purpose=batch', undefined]) {
    const answer = await fetch(`${house.url}/v1/files`, { method: 'POST', headers, body })
    expect(answer.status).toBe(400)
  }
  expect(house.upstream.files.size).toBe(before)
})

test('only what the token may ask for, and what has a price, somewhere that takes files', async () => {
  const { userId } = house.payer
  const narrow = house.clientOf((await house.addToken({ userId, models: ['b-other'] })).key)
  expect(await failureOf(house.upload(lines(1), narrow))).toMatchObject({ status: 403 })
  const file = await house.upload(lines(1))
  expect(await failureOf(house.begin(file.id, narrow))).toMatchObject({ status: 403 })
  expect((await failureOf(house.upload(lines(1, { model: 'b-free-of-price' })))).code).toBe(
    'model_price_error',
  )
  for (const model of ['b-nobody', 'b-changed', 'b-elsewhere'])
    expect((await failureOf(house.upload(lines(1, { model })))).code).toBe('model_not_found')
  const wrong = await failureOf(house.begin(file.id, house.client, { endpoint: '/v1/embeddings' }))
  expect([wrong.status, wrong.message]).toEqual([400, expect.stringContaining(chat)])
  await house.setOption('ModelRatio', '{"b-embed":0.1}')
  expect((await failureOf(house.begin(file.id))).code).toBe('model_price_error')
  await house.setOption('ModelRatio', '{"b-chat":1,"b-other":1,"b-embed":0.1,"b-mapped":2}')
})

test('the upstream gets its own name for the model, and what was looked at', async () => {
  const twice = line(0, { model: 'b-other', service_tier: 'priority' }).replace(
    '"messages"',
    '"model":"b-mapped","messages"',
  )
  const batch = await house.begin((await house.upload(`${twice}\n`)).id)
  const [sent] = house.upstream.linesOf(await house.atUpstream(batch.id))
  expect(sent?.body).toEqual({
    model: 'b-chat',
    messages: [{ role: 'user', content: 'say 0' }],
    max_tokens: 50,
  })
  await house.spent()
  await house.end(batch.id, 'completed', 1)
  expect(await house.chargeOf((await house.rowOf(batch.id)).request_id)).toBe(2 * EACH)
})

test('what its upstream has thrown away is gone when the next comes', async () => {
  const old = await house.upload(lines(1))
  const row = house.store.db.updateTable('files').where('id', '=', old.id)
  await row.set({ expires_at: Math.floor(Date.now() / 1000) - 90_000 }).execute()
  expect((await house.client.files.retrieve(old.id)).id).toBe(old.id)
  const next = await house.upload(lines(1))
  expect((await failureOf(house.client.files.retrieve(old.id))).status).toBe(404)
  expect(next.expires_at).toBeGreaterThan(next.created_at)
})

test('files of a deleted user are deleted at the upstream, but for what a batch that runs is made of', async () => {
  const me = await house.addUser()
  const own = house.clientOf((await house.addToken({ userId: me })).key)
  const [used, unused] = [await house.upload(lines(1), own), await house.upload(lines(1), own)]
  const stays = await house.upload(lines(1))
  const { id } = await house.begin(used.id, own)
  const rows = house.store.db.selectFrom('files').selectAll()
  const theirs = async () => (await rows.where('user_id', '=', me).execute()).map(file => file.id)
  const inAccount = async (): Promise<boolean[]> => [...known].map(name => house.upstream.files.has(name))
  const upstreamOf = async (file: { id: string }) =>
    (await rows.where('id', '=', file.id).executeTakeFirstOrThrow()).upstream_id
  const known = [await upstreamOf(used), await upstreamOf(unused), await upstreamOf(stays)]
  const left = () => house.later(0, deleteLeft)
  await left()
  expect(await inAccount()).toEqual([true, true, true])
  const deleted_at = Math.floor(Date.now() / 1000)
  await house.store.db.updateTable('users').set({ deleted_at }).where('id', '=', me).execute()
  await left()
  expect([await theirs(), await inAccount()]).toEqual([[used.id], [true, false, true]])
  house.upstream.end(await house.atUpstream(id), 'completed', 1)
  await house.poll()
  expect(await theirs()).toHaveLength(2)
  await left()
  expect([await theirs(), await inAccount()]).toEqual([[], [false, false, true]])
  expect(await house.balance(me)).toBe(50_000_000 - EACH)
})
