import { afterAll, beforeAll, expect, test } from 'bun:test'
import { audit } from '../../server/ledger/audit.ts'
import { until } from '../program.ts'
import { NOW } from '../upstreams/openai-batches/start-openai-batches.ts'
import { type BatchHouse, chat, EACH, failureOf, lines, openBatchHouse } from './batch-house.ts'

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

test('from the upload to the answers: what was held is seen at once, what was used is paid at its end', async () => {
  await house.spent()
  const file = await house.upload(lines(3))
  expect(file).toMatchObject({ object: 'file', purpose: 'batch', filename: 'in.jsonl', status: 'processed' })
  expect(file.bytes).toBe(lines(3).join('\n').length)
  expect(file.id).toMatch(/^file-[0-9a-f]{32}$/)
  expect(await house.spent()).toBe(0)
  const batch = await house.begin(file.id, house.client, { metadata: { job: 'night' } })
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
  const there = await house.atUpstream(batch.id)
  house.upstream.advance(there, 'in_progress')
  await house.poll()
  expect(await house.client.batches.retrieve(batch.id)).toMatchObject({
    status: 'in_progress',
    request_counts: { total: 3, completed: 0, failed: 0 },
  })
  expect(await house.spent()).toBe(0)
  const ended = await house.end(batch.id, 'completed', 2, 1)
  expect(ended).toMatchObject({
    status: 'completed',
    completed_at: NOW + 100,
    request_counts: { total: 3, completed: 2, failed: 1 },
    metadata: { job: 'night' },
  })
  expect(await house.spent()).toBe(2 * EACH - held)
  const text = await (await house.client.files.content(ended.output_file_id ?? '')).text()
  const answers = text
    .trim()
    .split('\n')
    .map(one => JSON.parse(one))
  expect(answers.map(one => [one.custom_id, one.response.status_code, one.error])).toEqual([
    ['r0', 200, null],
    ['r1', 200, null],
  ])
  const errors = await (await house.client.files.content(ended.error_file_id ?? '')).text()
  expect(JSON.parse(errors)).toMatchObject({ custom_id: 'r2', response: { status_code: 400 } })
  const { request_id } = await house.rowOf(batch.id)
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

test('of the sixteen entries that the upstream takes as metadata, one is for our own name', async () => {
  const entries = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']))
  const { id } = await house.upload(lines(1))
  const before = house.upstream.batches.size
  const refused = await failureOf(house.begin(id, house.client, { metadata: entries(16) }))
  expect(refused).toMatchObject({ status: 400, message: expect.stringContaining('15') })
  expect(house.upstream.batches.size).toBe(before)
  const batch = await house.begin(id, house.client, { metadata: entries(15) })
  expect(batch.metadata).toEqual(entries(15))
  const there = house.upstream.batches.get((await house.rowOf(batch.id)).upstream_id)
  expect(there).toMatchObject({ metadata: { ...entries(15), gateway_batch: batch.id } })
  await house.end(batch.id, 'completed', 1)
})

test('where no log is kept it is paid like any other, and its channel has served it', async () => {
  const channel = house.store.db.selectFrom('channels').select('used_quota').orderBy('id').limit(1)
  const usedBy = async (): Promise<number> => (await channel.executeTakeFirstOrThrow()).used_quota
  const batch = await house.begin((await house.upload(lines(2))).id)
  const before = await usedBy()
  await house.setOption('LogConsumeEnabled', 'false')
  await house.end(batch.id, 'completed', 2)
  await house.setOption('LogConsumeEnabled', 'true')
  const { request_id } = await house.rowOf(batch.id)
  expect([await house.chargeOf(request_id), (await usedBy()) - before]).toEqual([2 * EACH, 2 * EACH])
  const logs = house.store.db.selectFrom('logs').select('id').where('request_id', '=', request_id)
  expect(await logs.execute()).toEqual([])
})

test('what cannot be afforded is not begun', async () => {
  const before = house.upstream.batches.size
  const poor = await house.addUser({ quota: 100 })
  const own = house.clientOf((await house.addToken({ userId: poor })).key)
  const file = await house.upload(lines(2), own)
  const refused = await failureOf(house.begin(file.id, own))
  expect(refused).toMatchObject({ status: 403, code: 'insufficient_user_quota' })
  const limited = house.clientOf((await house.addToken({ userId: house.payer.userId, budget: 50 })).key)
  const other = await house.upload(lines(2), limited)
  expect(await failureOf(house.begin(other.id, limited))).toMatchObject({
    code: 'pre_consume_token_quota_failed',
  })
  expect(await house.balance(poor)).toBe(100)
  expect(house.upstream.batches.size).toBe(before)
  const open = house.store.db.selectFrom('batches').select('id').where('user_id', '=', poor)
  expect(await open.execute()).toEqual([])
})

test('a token’s budget, a group’s ratio, and a group that is free', async () => {
  const { userId } = house.payer
  const { id, key } = await house.addToken({ userId, budget: 100_000, group: 'vip' })
  const vip = house.clientOf(key)
  const batch = await house.begin((await house.upload(lines(2), vip)).id, vip)
  await house.spent()
  await house.end(batch.id, 'completed', 2)
  const token = house.store.db
    .selectFrom('tokens')
    .select(['remain_quota', 'used_quota'])
    .where('id', '=', id)
  const paid = 2 * EACH * 3
  expect(await token.executeTakeFirst()).toEqual({ remain_quota: 100_000 - paid, used_quota: paid })
  const gratis = house.clientOf((await house.addToken({ userId, group: 'gratis' })).key)
  await house.spent()
  const free = await house.begin((await house.upload(lines(2), gratis)).id, gratis)
  await house.end(free.id, 'completed', 2)
  expect(await house.spent()).toBe(0)
  expect(await house.logOf((await house.rowOf(free.id)).request_id)).toMatchObject({
    type: 2,
    quota: 0,
    prompt_tokens: 240,
  })
})

test('a token that a batch has used up still gets what it has paid for', async () => {
  const { userId } = house.payer
  await house.spent()
  const whole = await house.begin((await house.upload(lines(2))).id)
  const budget = await house.spent()
  await house.end(whole.id, 'completed', 0)
  const { key } = await house.addToken({ userId, budget })
  const own = house.clientOf(key)
  const file = await house.upload(lines(2), own)
  const batch = await house.begin(file.id, own)
  await house.store.change('tokens', async () => {})
  await until(async () => (await failureOf(house.begin(file.id, own))).code === 'insufficient_quota')
  expect((await own.batches.retrieve(batch.id)).status).toBe('validating')
  expect((await own.batches.list()).data.map(({ id }) => id)).toContain(batch.id)
  expect((await own.batches.cancel(batch.id)).status).toBe('cancelling')
  const there = await house.atUpstream(batch.id)
  house.upstream.end(there, 'cancelled', 2)
  await house.poll()
  const { output_file_id } = await own.batches.retrieve(batch.id)
  expect(await (await own.files.content(output_file_id ?? '')).text()).toContain('"r1"')
  expect(await own.files.delete(output_file_id ?? '')).toMatchObject({ deleted: true })
})

test('of several groups that may serve it, the one that does counts it', async () => {
  await house.setOption('AutoGroups', '["vip"]')
  await house.setOption('UserUsableGroups', '{"default":"a","vip":"b","gratis":"c","auto":"d"}')
  const me = await house.addUser()
  const own = house.clientOf((await house.addToken({ userId: me, group: 'auto' })).key)
  const file = await house.upload(lines(1), own)
  await house.setOption('GroupLimits', '{"vip":{"rpm":1,"tpm":0,"concurrency":0}}')
  const { id } = await house.begin(file.id, own)
  expect(await failureOf(house.begin(file.id, own))).toMatchObject({ status: 429 })
  await house.setOption('GroupLimits', '{}')
  house.upstream.end(await house.atUpstream(id), 'completed', 0)
  await house.poll()
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
    const batch = await house.begin((await house.upload(text)).id, house.client, { endpoint: url })
    await house.end(batch.id, 'completed', 2)
    expect([url, await house.spent()]).toEqual([url, 2 * each])
  }
})

test('cancelled, expired or failed: only what was answered is paid', async () => {
  await house.spent()
  const cancelled = await house.begin((await house.upload(lines(5))).id)
  house.upstream.advance(await house.atUpstream(cancelled.id), 'in_progress')
  expect(await house.client.batches.cancel(cancelled.id)).toMatchObject({
    status: 'cancelling',
    output_file_id: null,
  })
  const over = await house.end(cancelled.id, 'cancelled', 2)
  expect(over).toMatchObject({ status: 'cancelled', cancelled_at: NOW + 100 })
  expect(await house.spent()).toBe(2 * EACH)
  expect((await failureOf(house.client.batches.cancel(cancelled.id))).status).toBe(400)

  const expired = await house.begin((await house.upload(lines(5))).id)
  expect((await house.end(expired.id, 'expired', 3, 2)).status).toBe('expired')
  expect(await house.spent()).toBe(3 * EACH)

  const failed = await house.begin((await house.upload(lines(5))).id)
  const there = await house.atUpstream(failed.id)
  const message = `${there.input_file_id} is wrong for ${house.upstream.key}`
  house.upstream.advance(there, 'failed', [{ code: 'invalid', line: 3, message, param: null }])
  await house.poll()
  const shown = await house.client.batches.retrieve(failed.id)
  expect(shown).toMatchObject({ status: 'failed', output_file_id: null })
  expect(shown.errors?.data?.[0]?.message).toBe(`${failed.input_file_id} is wrong for ***`)
  expect(await house.spent()).toBe(0)
  expect(await house.chargeOf((await house.rowOf(failed.id)).request_id)).toBeUndefined()
})

test('nothing is told of its end before it is paid, and it is paid once, whoever looks', async () => {
  await house.spent()
  const batch = await house.begin((await house.upload(lines(4))).id)
  house.upstream.end(await house.atUpstream(batch.id), 'completed', 4)
  const row = house.store.db.updateTable('batches').where('id', '=', batch.id)
  await row.set({ checked_at: 0 }).execute()
  await Promise.all([
    ...Array.from({ length: 5 }, () => house.client.batches.retrieve(batch.id)),
    house.poll(0, 4),
  ])
  await house.poll()
  expect(await house.spent()).toBe(4 * EACH)
  // As if whoever ended it had died between the charge and what its owner is told: nobody else has looked yet.
  await row.set({ state: 'running', output_file_id: '', data: '', claim: 'dead' }).execute()
  expect(await house.client.batches.retrieve(batch.id)).toMatchObject({
    status: 'validating',
    output_file_id: null,
  })
  await house.poll(0, 3)
  const told = await house.client.batches.retrieve(batch.id)
  expect(told.status).toBe('completed')
  expect(
    (await (await house.client.files.content(told.output_file_id ?? '')).text()).trim().split('\n'),
  ).toHaveLength(4)
  expect(await house.spent()).toBe(0)
})

test('an upstream that has lost the output, or the batch, is asked for half an hour', async () => {
  await house.spent()
  const batch = await house.begin((await house.upload(lines(4))).id)
  const there = await house.atUpstream(batch.id)
  house.upstream.end(there, 'completed', 4)
  house.upstream.loseFile(there.output_file_id ?? '')
  await house.poll()
  const held = await house.spent()
  expect(held).toBeGreaterThan(4 * EACH)
  await house.poll(1700)
  expect(await house.spent()).toBe(0)
  await house.poll(1900)
  const paid = held + (await house.spent())
  expect(paid).toBeGreaterThan(0)
  expect(paid).toBeLessThan(held)
  expect((await house.client.batches.retrieve(batch.id)).status).toBe('completed')

  // Vectors are no output, also where nobody can look at them.
  const words = { model: 'b-embed', input: 'word '.repeat(200) }
  const asked = { custom_id: 'r', method: 'POST', url: '/v1/embeddings', body: words }
  const vectors = await house.upload(JSON.stringify(asked))
  const told = { input_tokens: 201, output_tokens: 0, total_tokens: 201 }
  for (const usage of [undefined, told]) {
    const { id } = await house.begin(vectors.id, house.client, { endpoint: '/v1/embeddings' })
    const made = await house.atUpstream(id)
    house.upstream.end(made, 'completed', 1)
    Object.assign(made, { usage })
    house.upstream.loseFile(made.output_file_id ?? '')
    await house.poll()
    await house.poll(1900)
    const row = await house.logOf((await house.rowOf(id)).request_id)
    expect(row.completion_tokens).toBe(0)
    if (usage) expect(row.prompt_tokens).toBe(201)
    else expect(row.prompt_tokens).toBeWithin(100, 1000)
  }
  await house.spent()

  const lost = await house.begin((await house.upload(lines(4))).id)
  house.upstream.batches.delete((await house.rowOf(lost.id)).upstream_id)
  await house.poll()
  await house.poll(1900)
  expect((await house.client.batches.retrieve(lost.id)).status).toBe('failed')
  expect(await house.spent()).toBe(0)
})

test('no more than a hundred batches of a user are under way at a time', async () => {
  const me = await house.addUser()
  const own = house.clientOf((await house.addToken({ userId: me })).key)
  const file = await house.upload(lines(1), own)
  const begun = await Promise.allSettled(Array.from({ length: 104 }, () => house.begin(file.id, own)))
  const refused = begun.flatMap(one => (one.status === 'rejected' ? [one.reason.status] : []))
  expect(refused).toEqual([429, 429, 429, 429])
  for (const batch of house.upstream.batches.values())
    if (batch.status === 'validating') house.upstream.end(batch, 'completed', 1)
  while (
    (await house.store.db.selectFrom('batches').select('id').where('state', '=', 'running').execute())
      .length > 0
  )
    await house.poll()
  expect(await house.balance(me)).toBe(50_000_000 - 100 * EACH)
})

test.each([
  ['b-long', (2 * (120 + 30)) / 2],
  ['b-not-long', (120 + 30) / 2],
])('%s: each answer is long from where its model says so, however many there are', async (model, each) => {
  await house.spent()
  const file = await house.upload(lines(3, { model }))
  const batch = await house.begin(file.id)
  const held = await house.spent()
  await house.end(batch.id, 'completed', 3)
  expect(held).toBeGreaterThanOrEqual(3 * each)
  expect(await house.spent()).toBe(3 * each - held)
  const { details } = await house.logOf((await house.rowOf(batch.id)).request_id)
  expect(details.long_input_quota).toBe(model === 'b-long' ? 3 * each : undefined)
})
