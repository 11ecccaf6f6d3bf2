import { afterAll, beforeAll, expect, test } from 'bun:test'
import { once } from 'node:events'
import http from 'node:http'
import { createPartFromUri, createUserContent } from '@google/genai'
import { finishCache, giveUpCache } from '../../server/tasks/gemini/caches/finish-cache.ts'
import { lookAfterCaches } from '../../server/tasks/gemini/caches/look-after-caches.ts'
import { until } from '../program.ts'
import { CACHED } from '../upstreams/gemini-kept/fake-caches.ts'
import { READ } from '../upstreams/gemini-kept/start-gemini-kept.ts'
import { failureOf, type GeminiHouse, openGeminiHouse } from './gemini-house.ts'
import { afterRelease } from './house.ts'

// Context caches with Google's own client, and what they cost to the unit.

let house: GeminiHouse
beforeAll(async () => {
  house = await openGeminiHouse()
})
afterAll(async () => {
  const { complaints } = house.upstream
  expect(complaints.filter(text => !/CachedContent|has to be the same/.test(text))).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
})

const contents = 'A book of many pages. '.repeat(50)
const create = (google = house.google, config: object = {}, model = 'g-pro') =>
  google.caches.create({ model, config: { contents, ttl: '3600s', ...config } })
const asks = (cachedContent: string, google = house.google, model = 'g-pro') =>
  google.models.generateContent({ model, contents: 'Who did it?', config: { cachedContent } })

/** At a ratio of 2, with 4.5 dollars for a million tokens and an hour; 500,000 quota are a dollar. */
const written = (tokens: number) => 2 * tokens
const storage = (tokens: number, seconds: number) =>
  Math.round((Math.ceil((tokens * seconds) / 3600) * 4.5 * 500_000) / 1_000_000)
const read = (cached: number) => 2 * (READ.prompt + cached / 4 + 4 * READ.output)
const rowOf = (name = '') =>
  house.store.db
    .selectFrom('gemini_caches')
    .selectAll()
    .where('id', '=', name.slice('cachedContents/'.length))
    .executeTakeFirst()

test('is made, named in calls, kept for longer and deleted; every step costs what it costs', async () => {
  await house.spent()
  const cache = await create(house.google, { displayName: 'A book' })
  expect({ ...cache }).toMatchObject({
    name: expect.stringMatching(/^cachedContents\/[0-9a-f]{32}$/),
    model: 'models/g-pro',
    displayName: 'A book',
    usageMetadata: { totalTokenCount: CACHED.words },
  })
  expect(Date.parse(cache.expireTime ?? '') - Date.parse(cache.createTime ?? '')).toBe(3_600_000)
  expect(await house.spent()).toBe(written(CACHED.words) + storage(CACHED.words, 3600))

  const { usageMetadata } = await asks(cache.name ?? '')
  expect(usageMetadata?.cachedContentTokenCount).toBe(CACHED.words)
  expect(await house.spent()).toBe(read(CACHED.words))

  // Less gives nothing back, and what was paid is not paid again.
  const name = cache.name ?? ''
  const paid = (await rowOf(name))?.paid_until ?? 0
  await house.google.caches.update({ name, config: { ttl: '600s' } })
  expect(await house.spent()).toBe(0)
  expect((await rowOf(name))?.expires_at).toBeLessThan(paid)
  const expireTime = new Date((paid + 7200) * 1000).toISOString()
  const longer = await house.google.caches.update({ name, config: { expireTime } })
  expect(longer.expireTime).toBe(expireTime)
  expect(await house.spent()).toBe(storage(CACHED.words, 7200))
  expect([...house.upstream.caches.all.values()].at(-1)?.expireTime).toBe(expireTime)

  expect(await house.google.caches.get({ name })).toMatchObject({ name, displayName: 'A book' })
  await house.google.caches.delete({ name })
  expect((await failureOf(house.google.caches.get({ name }))).status).toBe(403)
  expect((await failureOf(asks(name))).status).toBe(403)
  expect(house.upstream.caches.all.size).toBe(0)
  expect(await house.spent()).toBe(0)
})

test('the log tells how it came about', async () => {
  const cache = await create()
  const row = await rowOf(cache.name)
  const entry = await house.store.db
    .selectFrom('logs')
    .selectAll()
    .where('request_id', '=', row?.request_id ?? '')
    .executeTakeFirstOrThrow()
  expect(entry).toMatchObject({ model_name: 'g-pro', prompt_tokens: CACHED.words, completion_tokens: 0 })
  expect(JSON.parse(entry.other)).toMatchObject({
    cache_id: row?.id,
    tool_fees: [{ name: 'cache_storage', count: CACHED.words, price: 0.0045 }],
  })
})

test('what is stored for a part of an hour is paid to the token, and a part of one is a whole one', async () => {
  await house.spent()
  // Ten seconds more than an hour of all of them is a little more than so many hours of one.
  await create(house.google, { ttl: '3610s' })
  expect((CACHED.words * 3610) % 3600).not.toBe(0)
  expect(await house.spent()).toBe(written(CACHED.words) + storage(CACHED.words, 3610))
})

test('keeping one for longer counts in limits of requests like making one', async () => {
  const { key } = await house.addToken({ userId: await house.addUser(), limits: { rpm: 2 } })
  const google = house.clientOf(key)
  const { name = '' } = await create(google)
  await google.caches.update({ name, config: { ttl: '7200s' } })
  const refused = await failureOf(google.caches.update({ name, config: { ttl: '9000s' } }))
  expect([refused.status, (await rowOf(name))?.state]).toEqual([429, 'kept'])
})

test('is where the files are that it is made of', async () => {
  const { google } = await house.newcomer()
  const file = await google.files.upload({ file: new Blob(['a book'], { type: 'text/plain' }) })
  const cache = await create(google, {
    contents: createUserContent([createPartFromUri(file.uri ?? '', 'text/plain')]),
  })
  expect(cache.usageMetadata?.totalTokenCount).toBe(CACHED.words + CACHED.file)
  expect((await asks(cache.name ?? '', google)).text).toBe('seen 0')
  const both = await google.models.generateContent({
    model: 'g-pro',
    contents: createUserContent([createPartFromUri(file.uri ?? '', 'text/plain')]),
    config: { cachedContent: cache.name ?? '' },
  })
  expect(both.text).toBe('seen 1')
})

test('a file that is named a hundred times is held for a hundred times', async () => {
  const userId = await house.addUser({ quota: 100_000 })
  const google = house.clientOf((await house.addToken({ userId })).key)
  const file = await google.files.upload({ file: new Blob(['a book'], { type: 'text/plain' }) })
  const part = createPartFromUri(file.uri ?? '', 'text/plain')
  const often = createUserContent(Array<typeof part>(100).fill(part))
  // It would cost more than there is.
  const tokens = CACHED.words + 100 * CACHED.file
  expect(written(tokens) + storage(tokens, 3600)).toBeGreaterThan(100_000)
  expect((await failureOf(create(google, { contents: often }))).status).toBe(403)
  expect(await house.balance(userId)).toBe(100_000)
  await create(google, { contents: createUserContent([part]) })
})

test('a song costs what songs do, whatever its type is said to be', async () => {
  await house.setOption('AudioRatio', '{"g-pro":3}')
  const { userId, google } = await house.newcomer()
  const file = await google.files.upload({ file: new Blob(['a song'], { type: 'audio/mpeg' }) })
  const fileUri = file.uri ?? ''
  for (const fileData of [
    { fileUri, mimeType: 'audio/mpeg' },
    { fileUri },
    { fileUri, mimeType: 'text/plain' },
  ]) {
    const before = await house.balance(userId)
    const cache = await create(google, { contents: [{ role: 'user', parts: [{ fileData }] }] })
    const tokens = cache.usageMetadata?.totalTokenCount ?? 0
    expect(before - (await house.balance(userId))).toBe(3 * written(tokens) + storage(tokens, 3600))
  }
  await house.setOption('AudioRatio', '{}')
})

test('lists show one’s own, in pages; what is somebody else’s is as unknown as what never was', async () => {
  const { google } = await house.newcomer()
  const names: string[] = []
  for (let at = 0; at < 3; at++) names.unshift((await create(google)).name ?? '')
  const seen: string[] = []
  for await (const { name = '' } of await google.caches.list({ config: { pageSize: 2 } })) seen.push(name)
  expect(seen).toEqual(names)
  const ways = [
    (name: string) => house.visitor.caches.get({ name }),
    (name: string) => house.visitor.caches.delete({ name }),
    (name: string) => house.visitor.caches.update({ name, config: { ttl: '600s' } }),
    (name: string) => asks(name, house.visitor),
  ]
  for (const way of ways) {
    const plain = (text: string) => text.replace(/\(request id: [^)]*\)/, '')
    const real = await failureOf(way(names[0] ?? ''))
    const missing = await failureOf(way(`cachedContents/${'0'.repeat(32)}`))
    expect([real.status, plain(real.message)]).toEqual([403, plain(missing.message)])
  }
  expect((await house.visitor.caches.list()).page).toEqual([])
  expect((await asks(names[0] ?? '', google)).text).toBe('seen 0')
})

test('what has no price, is wrong or is not taken is refused, and costs nothing', async () => {
  await house.spent()
  const before = house.upstream.caches.all.size
  expect((await failureOf(create(house.google, {}, 'g-bare'))).message).toContain('cache_storage')
  const wrong = [
    { ttl: '10s' },
    { ttl: '999999999s' },
    { ttl: '5 minutes' },
    { ttl: '-5s' },
    { ttl: undefined, expireTime: 'tomorrow' },
    { ttl: undefined, expireTime: '2020-01-01T00:00:00Z' },
    { ttl: '600s', expireTime: '2099-01-01T00:00:00Z' },
    { displayName: 'x'.repeat(129) },
    { tools: [{ googleSearch: {} }] },
  ]
  for (const config of wrong) expect((await failureOf(create(house.google, config))).status).toBe(400)
  expect((await failureOf(create(house.google, {}, 'g-none'))).status).toBe(503)
  for (const id of ['..%2Fmodels', 'x'.repeat(65), '%00'])
    expect((await house.call('GET', `/v1beta/cachedContents/${id}`)).status).toBe(404)
  expect((await house.call('GET', '/v1beta/cachedContents/abc')).status).toBe(403)
  const { json } = await house.call('GET', '/v1beta/cachedContents?pageToken=zz')
  expect(json.error.status).toBe('INVALID_ARGUMENT')
  expect(house.upstream.caches.all.size).toBe(before)
  expect(await house.spent()).toBe(0)
})

test('who cannot pay for all of it in advance gets none', async () => {
  const userId = await house.addUser({ quota: 5000 })
  const google = house.clientOf((await house.addToken({ userId })).key)
  const before = house.upstream.caches.all.size
  expect((await failureOf(create(google))).status).toBe(403)
  expect(await house.balance(userId)).toBe(5000)
  expect(house.upstream.caches.all.size).toBe(before)
})

test('what a vendor refuses costs nothing', async () => {
  await house.spent()
  house.upstream.fail = { way: 'POST /v1beta/cachedContents', status: 400 }
  expect((await failureOf(create())).status).toBe(400)
  const { name = '' } = await create()
  const paid = await house.spent()
  expect(paid).toBe(written(CACHED.words) + storage(CACHED.words, 3600))
  house.upstream.fail = { way: 'PATCH', status: 400 }
  expect((await failureOf(house.google.caches.update({ name, config: { ttl: '7200s' } }))).status).toBe(400)
  expect(await house.spent()).toBe(0)
  await house.google.caches.update({ name, config: { ttl: '7200s' } })
  expect(await house.spent()).toBeGreaterThanOrEqual(storage(CACHED.words, 3600))
})

/** As another node does some minutes later. */
const lookAfter = () => house.later(600, lookAfterCaches)

test.each([true, undefined])('an answer that was lost is found or given back, once; made %p', async done => {
  await house.spent()
  house.upstream.fail = { way: 'POST /v1beta/cachedContents', status: 500, ...(done && { done }) }
  const before = house.upstream.caches.all.size
  expect((await failureOf(create())).status).toBe(500)
  expect(house.upstream.caches.all.size).toBe(before + (done ? 1 : 0))
  await Promise.all([lookAfter(), lookAfter()])
  await lookAfter()
  const first = (await house.google.caches.list()).page[0]
  const rows = await house.store.db.selectFrom('gemini_caches').select('state').execute()
  expect(rows.every(({ state }) => state === 'kept')).toBe(true)
  expect(await house.spent()).toBe(done ? written(CACHED.words) + storage(CACHED.words, 3600) : 0)
  if (done) expect((await asks(first?.name ?? '')).text).toBe('seen 0')
})

test.each([true, undefined])(
  'a longer life whose answer was lost is paid once, or not at all; done %p',
  async done => {
    const { name = '' } = await create()
    const paid = (await rowOf(name))?.paid_until ?? 0
    await house.spent()
    house.upstream.fail = { way: 'PATCH', status: 500, ...(done && { done }) }
    const expireTime = new Date((paid + 3600) * 1000).toISOString()
    expect((await failureOf(house.google.caches.update({ name, config: { expireTime } }))).status).toBe(500)
    // Until it is known nobody changes it.
    expect((await failureOf(house.google.caches.delete({ name }))).status).toBe(409)
    await Promise.all([lookAfter(), lookAfter()])
    expect(await house.spent()).toBe(done ? storage(CACHED.words, 3600) : 0)
    expect((await rowOf(name))?.expires_at).toBe(done ? paid + 3600 : paid)
    await house.google.caches.delete({ name })
  },
)

test('one that is given up is not kept for nothing by an answer that comes in the same moment', async () => {
  const { userId, google } = await house.newcomer()
  const before = await house.balance(userId)
  house.upstream.fail = { way: 'POST /v1beta/cachedContents', status: 500 }
  await failureOf(create(google))
  const rows = house.store.db.selectFrom('gemini_caches').selectAll().where('user_id', '=', userId)
  const row = await rows.executeTakeFirstOrThrow()
  let isKept: boolean | undefined
  await house.later(600, async parts => {
    const ledger = afterRelease(parts, async () => {
      isKept = await finishCache(parts, row, { name: 'cachedContents/heard-late', tokens: 1000 })
    })
    await giveUpCache({ ...parts, ledger }, row, 'nobody heard of it')
  })
  expect([isKept, await house.balance(userId), await rows.execute()]).toEqual([false, before, []])
})

test('one that another node has found already is kept for whoever hears the answer after that', async () => {
  const { userId, google } = await house.newcomer()
  const before = await house.balance(userId)
  house.upstream.fail = { way: 'POST /v1beta/cachedContents', status: 500, done: true }
  await failureOf(create(google))
  const rows = house.store.db.selectFrom('gemini_caches').selectAll().where('user_id', '=', userId)
  const row = await rows.executeTakeFirstOrThrow()
  await lookAfter()
  const paid = before - (await house.balance(userId))
  const { upstream_name: name, state } = await rows.executeTakeFirstOrThrow()
  expect(state).toBe('kept')
  await house.later(600, async parts => {
    expect(await finishCache(parts, row, { name, tokens: CACHED.words })).toBe(true)
  })
  expect(before - (await house.balance(userId))).toBe(paid)
})

test('what is written ahead of a clock that was set back is looked after', async () => {
  const { userId, google } = await house.newcomer()
  const before = await house.balance(userId)
  house.upstream.fail = { way: 'POST /v1beta/cachedContents', status: 500 }
  await failureOf(create(google))
  const table = house.store.db.updateTable('gemini_caches').where('user_id', '=', userId)
  await table.set({ changed_at: Math.floor(Date.now() / 1000) + 86_400 }).execute()
  await house.later(0, lookAfterCaches)
  expect(await house.balance(userId)).toBe(before)
})

test('several at once are one after the other, and each hour is paid once', async () => {
  const { name = '' } = await create()
  const paid = (await rowOf(name))?.paid_until ?? 0
  await house.spent()
  const expireTime = new Date((paid + 3600) * 1000).toISOString()
  const update = () => house.google.caches.update({ name, config: { expireTime } })
  const all = await Promise.allSettled([update(), update(), update(), update()])
  expect(all.some(({ status }) => status === 'fulfilled')).toBe(true)
  expect(await house.spent()).toBe(storage(CACHED.words, 3600))
})

test('an hour that another call has paid meanwhile is not paid again by one that was begun before', async () => {
  const { name = '' } = await create()
  const paid = (await rowOf(name))?.paid_until ?? 0
  const timeOf = (hours: number): string => new Date((paid + hours * 3600) * 1000).toISOString()
  await house.spent()
  const { hostname: host, port } = new URL(house.url)
  const headers = { 'x-goog-api-key': house.payer.key, 'content-type': 'application/json' }
  const slow = http.request({ host, port, path: `/v1beta/${name}`, method: 'PATCH', headers })
  const answered = once(slow, 'response') as Promise<[http.IncomingMessage]>
  slow.write('{')
  // It has come as far as it can by then, or it has not begun: either is right.
  for (let at = 0; at < 20; at++) await house.google.caches.get({ name })
  await house.google.caches.update({ name, config: { expireTime: timeOf(2) } })
  expect(await house.spent()).toBe(storage(CACHED.words, 2 * 3600))
  slow.end(`"expireTime":"${timeOf(3)}"}`)
  const [answer] = await answered
  answer.resume()
  expect([answer.statusCode, await house.spent()]).toEqual([200, storage(CACHED.words, 3600)])
})

test('a program that is killed before it hears the answer loses no money and no cache', async () => {
  const { userId, google } = await house.newcomer()
  const before = await house.balance(userId)
  house.upstream.fail = { way: 'POST /v1beta/cachedContents', status: 0, done: true }
  const lost = create(google).catch(() => 'lost')
  await until(async () => house.upstream.fail === undefined)
  for (const pid of house.program.workerPids()) process.kill(pid, 'SIGKILL')
  expect(await lost).toBe('lost')
  await lookAfter()
  await lookAfter()
  expect(before - (await house.balance(userId))).toBe(written(CACHED.words) + storage(CACHED.words, 3600))
  const rows = await house.store.db
    .selectFrom('gemini_caches')
    .select(['state', 'upstream_name', 'tokens'])
    .where('user_id', '=', userId)
    .execute()
  expect(rows).toEqual([
    { state: 'kept', upstream_name: expect.stringContaining('vendor'), tokens: CACHED.words },
  ])
})
