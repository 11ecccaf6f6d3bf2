import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createPartFromUri, createUserContent } from '@google/genai'
import { channelKeyPlace } from '../../server/store/sealed-places.ts'
import type { BatchReport } from '../../server/tasks/batches/host.ts'
import { lookAtBatch } from '../../server/tasks/batches/look-at-batch.ts'
import { acceptBatch } from '../../server/tasks/batches/note-batch.ts'
import { geminiHost } from '../../server/tasks/gemini/batches/host.ts'
import { readBatch } from '../../server/tasks/gemini/batches/read-batch.ts'
import { until } from '../program.ts'
import { USED } from '../upstreams/gemini-kept/fake-batches.ts'
import { failureOf, type GeminiHouse, openGeminiHouse } from './gemini-house.ts'
import { afterRelease } from './house.ts'

// Batches with Google's own client: inlined requests at half the price, paid once when they end.

let house: GeminiHouse
beforeAll(async () => {
  house = await openGeminiHouse()
})
afterAll(async () => {
  const { complaints } = house.upstream
  expect(complaints.filter(text => !/entity was not found/.test(text))).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
})

/** At a ratio of 2, a quarter of that from a cache and four times as much for output; half of all that in a batch. */
const EACH = (2 * (USED.prompt - USED.cached + USED.cached / 4 + 4 * (USED.thoughts + USED.output))) / 2

const asking = (text: string) => ({
  contents: [{ role: 'user', parts: [{ text }] }],
  config: { maxOutputTokens: 50 },
  metadata: { key: text },
})
const create = (count = 2, google = house.google) =>
  google.batches.create({
    model: 'g-pro',
    src: Array.from({ length: count }, (_, at) => asking(`say ${at}`)),
    config: { displayName: 'Nightly' },
  })
const poll = (later = 0, atOnce = 1) => house.poll(later, atOnce)
/** As if nobody had looked for a while. */
const forgetLooks = () => house.store.db.updateTable('batches').set({ checked_at: 0 }).execute()
const rowOf = (name = '') =>
  house.store.db
    .selectFrom('batches')
    .selectAll()
    .where('id', '=', name.slice('batches/'.length))
    .executeTakeFirstOrThrow()
const lastOf = (userId: number) =>
  house.store.db
    .selectFrom('batches')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
/** What the vendor says of one that it has just begun. */
const begunAs = (name: string): BatchReport => {
  const told = { name, metadata: { state: 'BATCH_STATE_PENDING' } }
  const report = readBatch({ clean: text => text }, told)
  if (!report) throw new Error('this is no batch')
  return report
}

test('is begun, looked at, paid once for what was answered, and deleted', async () => {
  await house.spent()
  const batch = await create(3)
  expect({ ...batch }).toMatchObject({
    name: expect.stringMatching(/^batches\/[0-9a-f]{32}$/),
    displayName: 'Nightly',
    state: 'JOB_STATE_PENDING',
    model: 'models/g-pro',
  })
  const name = batch.name ?? ''
  expect(JSON.stringify(batch)).not.toContain('vendor')
  expect(await house.spent()).toBeGreaterThan(3 * EACH)
  expect((await failureOf(house.google.batches.delete({ name }))).status).toBe(400)
  house.upstream.batches.last().state = 'BATCH_STATE_RUNNING'
  await poll()
  expect((await house.google.batches.get({ name })).state).toBe('JOB_STATE_RUNNING' as never)

  house.upstream.batches.end(house.upstream.batches.last(), 'BATCH_STATE_SUCCEEDED', 2)
  await poll(0, 4)
  const ended = await house.google.batches.get({ name })
  expect(ended.state).toBe('JOB_STATE_SUCCEEDED' as never)
  const answers = ended.dest?.inlinedResponses ?? []
  const wordsOf = ({ response }: (typeof answers)[number]) =>
    response?.candidates?.[0]?.content?.parts?.[0]?.text
  expect(answers.map(one => [wordsOf(one), one.error?.message, one.metadata])).toEqual([
    ['answer 0', undefined, { key: 'say 0' }],
    ['answer 1', undefined, { key: 'say 1' }],
    [undefined, 'too long', { key: 'say 2' }],
  ])
  const { request_id } = await rowOf(name)
  expect(await house.chargeOf(request_id)).toBe(2 * EACH)
  const entry = await house.store.db
    .selectFrom('logs')
    .selectAll()
    .where('request_id', '=', request_id)
    .executeTakeFirstOrThrow()
  expect(entry).toMatchObject({ prompt_tokens: 2 * USED.prompt, completion_tokens: 60, quota: 2 * EACH })
  expect(JSON.parse(entry.other)).toMatchObject({ batch_ratio: 0.5, batch_requests: 2 })
  await house.google.batches.delete({ name })
  expect((await failureOf(house.google.batches.get({ name }))).status).toBe(404)
  expect(house.upstream.batches.all.size).toBe(0)
})

test.each([
  ['BATCH_STATE_CANCELLED', 1],
  ['BATCH_STATE_EXPIRED', 0],
  ['BATCH_STATE_FAILED', 0],
] as const)('%s costs what was answered until then', async (state, answered) => {
  const { userId, google } = await house.newcomer()
  const before = await house.balance(userId)
  const { name = '' } = await create(2, google)
  if (state === 'BATCH_STATE_CANCELLED') {
    await google.batches.cancel({ name })
    expect(house.upstream.asked.at(-1)?.way).toMatch(/batches\/vendor\d+:cancel$/)
  }
  house.upstream.batches.end(house.upstream.batches.last(), state, answered)
  // A client that asks need not wait for the next look.
  await forgetLooks()
  expect((await google.batches.get({ name })).state).toBe(state.replace('BATCH', 'JOB') as never)
  expect(before - (await house.balance(userId))).toBe(answered * EACH)
})

test('lists show one’s own, in pages; what is somebody else’s is as unknown as what never was', async () => {
  const { google } = await house.newcomer()
  const names: string[] = []
  for (let at = 0; at < 3; at++) names.unshift((await create(1, google)).name ?? '')
  const seen: string[] = []
  for await (const { name = '' } of await google.batches.list({ config: { pageSize: 2 } })) seen.push(name)
  expect(seen).toEqual(names)
  const ways = [
    (name: string) => house.visitor.batches.get({ name }),
    (name: string) => house.visitor.batches.cancel({ name }),
    (name: string) => house.visitor.batches.delete({ name }),
  ]
  for (const way of ways) {
    const plain = (text: string) => text.replace(/\(request id: [^)]*\)/, '')
    const real = await failureOf(way(names[0] ?? ''))
    const missing = await failureOf(way(`batches/${'0'.repeat(32)}`))
    expect([real.status, plain(real.message)]).toEqual([404, plain(missing.message)])
  }
  expect((await house.visitor.batches.list()).page).toEqual([])
  // OpenAI's batches are at the same address, for clients that bring another kind of header.
  expect((await house.call('GET', '/v1/batches')).json).toMatchObject({ object: 'list', data: [] })
  for (const batch of house.upstream.batches.all.values())
    house.upstream.batches.end(batch, 'BATCH_STATE_CANCELLED', 0)
  await poll()
})

test('its requests may name files, and go where they are', async () => {
  const { google } = await house.newcomer()
  const file = await google.files.upload({ file: new Blob(['a book'], { type: 'text/plain' }) })
  const contents = createUserContent(['Who?', createPartFromUri(file.uri ?? '', 'text/plain')])
  const { name = '' } = await google.batches.create({ model: 'g-pro', src: [{ contents: [contents] }] })
  house.upstream.batches.end(house.upstream.batches.last(), 'BATCH_STATE_SUCCEEDED', 1)
  await poll()
  expect((await google.batches.get({ name })).dest?.inlinedResponses).toHaveLength(1)
  const stolen = house.visitor.batches.create({ model: 'g-pro', src: [{ contents: [contents] }] })
  expect((await failureOf(stolen)).status).toBe(403)
})

test('what is wrong is refused with the number of the request, and nothing is held', async () => {
  await house.spent()
  const before = house.upstream.batches.all.size
  const path = '/v1beta/models/g-pro:batchGenerateContent'
  const good = { request: { contents: [{ parts: [{ text: 'a' }] }] } }
  const contents = [{ parts: [{ text: 'a' }] }]
  const wrong = [
    {},
    { batch: 5 },
    { batch: { inputConfig: { fileName: 'gs://bucket/requests.jsonl' } } },
    { batch: { inputConfig: { requests: { requests: [] } } } },
    { batch: { displayName: 'x'.repeat(200), inputConfig: { requests: { requests: [good] } } } },
    ...[
      5,
      { request: 'x' },
      { request: { contents, model: 'models/other' } },
      { request: { contents, cachedContent: `cachedContents/${'0'.repeat(32)}` } },
      { request: { contents, tools: [{ googleSearch: {} }] } },
      { request: { contents: [{ parts: [{ fileData: { fileUri: 'gs://bucket/file' } }] }] } },
      { request: { contents, generationConfig: { maxOutputTokens: -1 } } },
    ].map(one => ({ batch: { inputConfig: { requests: { requests: [good, one] } } } })),
  ]
  for (const [at, body] of wrong.entries()) {
    const { status, json } = await house.call('POST', path, body)
    expect([at, status, json.error?.status]).toEqual([at, 400, 'INVALID_ARGUMENT'])
    if (at > 4) expect(json.error.message).toContain('2')
  }
  for (const id of ['..%2Fmodels', 'x'.repeat(65), '%00'])
    expect((await house.call('GET', `/v1beta/batches/${id}`)).status).toBe(404)
  const { status } = await house.call('GET', '/v1beta/batches?pageToken=zz')
  expect(status).toBe(400)
  expect(house.upstream.batches.all.size).toBe(before)
  expect(await house.spent()).toBe(0)
})

test('what rules mask in requests and answers is masked in caches and batches too', async () => {
  const rule = { enabled: true, name: 'people', models: [], groups: [], where: ['input', 'output'] }
  const looks = { by: 'kinds', kinds: ['email'] }
  await house.setOption('Guards', JSON.stringify([{ ...rule, action: 'mask', looks }]))
  const { google } = await house.newcomer()
  const text = 'Write to ada@example.com'
  await google.caches.create({ model: 'g-pro', config: { contents: text, ttl: '600s' } })
  expect(JSON.stringify(house.upstream.asked.at(-1)?.json)).toContain('Write to [email]')
  const { name = '' } = await google.batches.create({ model: 'g-pro', src: [asking(text)] })
  const batch = house.upstream.batches.last()
  expect(JSON.stringify(batch.requests[0]?.request)).toContain('Write to [email]')
  house.upstream.batches.end(batch, 'BATCH_STATE_SUCCEEDED', 1)
  const said = JSON.stringify(batch.output).replace('answer 0', 'ask bob@example.com')
  batch.output = JSON.parse(said) as object[]
  await poll()
  const answered = JSON.stringify((await google.batches.get({ name })).dest?.inlinedResponses)
  expect(answered).toContain('ask [email]')
  await house.setOption('Guards', '[]')
})

test('who cannot pay for the most that it can cost gets none', async () => {
  const userId = await house.addUser({ quota: 100 })
  const google = house.clientOf((await house.addToken({ userId })).key)
  expect((await failureOf(create(5, google))).status).toBe(403)
  expect(await house.balance(userId)).toBe(100)
})

test.each([true, undefined])(
  'a batch whose answer was lost is found or given back, once; begun %p',
  async done => {
    const { userId, google } = await house.newcomer()
    const before = await house.balance(userId)
    house.upstream.fail = { way: 'POST /v1beta/models', status: 500, ...(done && { done }) }
    expect((await failureOf(create(2, google))).status).toBe(409)
    await poll(600, 2)
    if (done) house.upstream.batches.end(house.upstream.batches.last(), 'BATCH_STATE_SUCCEEDED', 2)
    await poll(600, 2)
    await poll(600)
    expect((await google.batches.list()).page).toHaveLength(done ? 1 : 0)
    expect(before - (await house.balance(userId))).toBe(done ? 2 * EACH : 0)
  },
)

test('one that is given up is not begun by an answer that comes in the same moment', async () => {
  const { userId, google } = await house.newcomer()
  const before = await house.balance(userId)
  house.upstream.fail = { way: 'POST /v1beta/models', status: 500 }
  await failureOf(create(2, google))
  const row = await lastOf(userId)
  const late = begunAs('batches/heard-late')
  let isAccepted: boolean | undefined
  await house.later(600, async parts => {
    const ledger = afterRelease(parts, async () => {
      isAccepted = await acceptBatch(parts, row.id, late, 5)
      throw new Error('the process died')
    })
    await lookAtBatch(geminiHost, { ...parts, ledger }, row).catch(() => {})
  })
  expect([isAccepted, await house.balance(userId)]).toEqual([false, before])
  await poll(600)
  expect(await lastOf(userId)).toMatchObject({ state: 'ended', upstream_id: '' })
})

test('one that somebody found before its submitter heard of it is both’s, and goes on', async () => {
  const { userId, google } = await house.newcomer()
  await create(1, google)
  const row = await lastOf(userId)
  const accept = (name: string) => house.later(0, parts => acceptBatch(parts, row.id, begunAs(name), 5))
  expect([await accept(row.upstream_id), await accept('batches/other')]).toEqual([true, false])
  house.upstream.batches.end(house.upstream.batches.last(), 'BATCH_STATE_SUCCEEDED', 1)
  await poll()
})

test('answers that are many megabytes long are paid and told', async () => {
  const { userId, google } = await house.newcomer()
  const before = await house.balance(userId)
  const { name = '' } = await create(2, google)
  const batch = house.upstream.batches.last()
  house.upstream.batches.end(batch, 'BATCH_STATE_SUCCEEDED', 2)
  const long = 'answer 0'.repeat(2_200_000)
  batch.output = JSON.parse(JSON.stringify(batch.output).replace('answer 0', long)) as object[]
  await poll()
  expect(before - (await house.balance(userId))).toBe(2 * EACH)
  const [first] = (await google.batches.get({ name })).dest?.inlinedResponses ?? []
  expect(first?.response?.candidates?.[0]?.content?.parts?.[0]?.text?.length).toBe(long.length)
  batch.output = []
})

test('its vendor is asked when it is not known, and not again within moments', async () => {
  const { google } = await house.newcomer()
  const { name = '' } = await create(2, google)
  const batch = house.upstream.batches.last()
  const looks = () => house.upstream.asked.filter(({ way }) => way === `GET /v1beta/${batch.name}`).length
  // However slow the machine is: what takes longer than such a moment tells nothing.
  await until(async () => {
    await forgetLooks()
    const [before, began] = [looks(), performance.now()]
    for (let at = 0; at < 3; at++) await google.batches.get({ name })
    if (performance.now() - began > 1000) return false
    expect(looks() - before).toBe(1)
    return true
  })
  // It is over, and nothing was answered: all of it is known here.
  house.upstream.batches.end(batch, 'BATCH_STATE_EXPIRED', 0, false)
  await poll()
  const seen = looks()
  for (let at = 0; at < 3; at++)
    expect((await google.batches.get({ name })).state).toBe('JOB_STATE_EXPIRED' as never)
  expect(looks()).toBe(seen)
})

test('a channel that gets another key of its account still has what it began', async () => {
  const { store, upstream } = house
  const [, old = ''] = upstream.keys
  const place = { type: 24, baseUrl: upstream.url, models: ['g-pro'], groups: ['other'] }
  const id = await house.addChannel({ ...place, key: old })
  const userId = await house.addUser()
  const google = house.clientOf((await house.addToken({ userId, group: 'other' })).key)
  const before = await house.balance(userId)
  // Once the program has heard of it.
  const { name = '' } = await until(() => create(2, google).catch(() => undefined))
  upstream.renewed.set('AIza-kept-renewed', old)
  await store.change('channels', async transaction => {
    const key_sealed = store.cipher.seal(channelKeyPlace(id), 'AIza-kept-renewed')
    await transaction.updateTable('channels').set({ key_sealed }).where('id', '=', id).execute()
  })
  await house.later(0, async parts => {
    await until(async () => parts.channels.byId(id)?.key === 'AIza-kept-renewed')
  })
  await poll()
  expect((await rowOf(name)).state).toBe('running')
  upstream.batches.end(upstream.batches.last(), 'BATCH_STATE_SUCCEEDED', 2)
  await poll()
  expect(before - (await house.balance(userId))).toBe(2 * EACH)
  await until(async () => (await google.batches.get({ name })).dest?.inlinedResponses?.length === 2)

  // It is another vendor's by now, whose key is told to nobody else: Google is not asked at all.
  const { name: last = '' } = await create(2, google)
  const left = await house.balance(userId)
  await store.change('channels', async transaction => {
    const key_sealed = store.cipher.seal(channelKeyPlace(id), 'sk-of-another')
    await transaction.updateTable('channels').set({ key_sealed, type: 40 }).where('id', '=', id).execute()
  })
  await house.later(0, async parts => {
    await until(async () => parts.channels.byId(id)?.key === 'sk-of-another')
  })
  await poll()
  expect((await rowOf(last)).state).toBe('ended')
  expect(await house.balance(userId)).toBeGreaterThan(left)
})

test('what its vendor has lost is paid by what it counted, after a while', async () => {
  const { userId, google } = await house.newcomer()
  const before = await house.balance(userId)
  const { name = '' } = await create(2, google)
  house.upstream.batches.end(house.upstream.batches.last(), 'BATCH_STATE_SUCCEEDED', 2, false)
  await poll()
  expect((await rowOf(name)).state).toBe('running')
  await poll(4000)
  expect((await rowOf(name)).state).toBe('ended')
  const paid = before - (await house.balance(userId))
  expect(paid).toBeGreaterThan(0)
  expect(paid).toBeLessThan(2 * EACH)
})

test('a program that is killed while it begins and while it ends pays once', async () => {
  const { userId, google } = await house.newcomer()
  const before = await house.balance(userId)
  house.upstream.fail = { way: 'POST /v1beta/models', status: 0, done: true }
  const lost = create(3, google).catch(() => 'lost')
  await until(async () => house.upstream.fail === undefined)
  for (const pid of house.program.workerPids()) process.kill(pid, 'SIGKILL')
  expect(await lost).toBe('lost')
  await poll(600)
  house.upstream.batches.end(house.upstream.batches.last(), 'BATCH_STATE_SUCCEEDED', 3)
  await poll(600, 3)
  // As if it had died between the charge and its own word for it.
  await house.store.db
    .updateTable('batches')
    .set({ state: 'running' })
    .where('user_id', '=', userId)
    .execute()
  await poll(600, 3)
  expect(before - (await house.balance(userId))).toBe(3 * EACH)
})
