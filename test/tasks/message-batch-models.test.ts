import { afterAll, beforeAll, expect, test } from 'bun:test'
import { listLogs } from '../../server/services/logs/list-logs.ts'
import { readOwnFilter } from '../../server/services/logs/log-filter.ts'
import { sumLogs } from '../../server/services/logs/sum-logs.ts'
import { hoursOfModels } from '../../server/services/statistics/handlers.ts'
import { anything, page } from '../api/logs/filled-log.ts'
import { atRest } from '../at-rest.ts'
import {
  EACH,
  failureOf,
  MAPPED,
  type MessageBatchHouse,
  MODEL,
  ONE,
  openMessageBatchHouse,
  request,
  requests,
  TWO,
} from './message-batch-house.ts'

// A batch whose requests ask several models goes where one channel has all of them, and each is paid at its own price.

let house: MessageBatchHouse

beforeAll(async () => {
  house = await openMessageBatchHouse()
})
afterAll(async () => {
  expect(house.upstream.complaints).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
})

/** A dollar has 500,000, a call costs a cent, and half of that in a batch. */
const CALL = 2500
const CALLED = 'claude-call'

const logOf = async (id: string) => {
  const { request_id } = await house.rowOf(id)
  const rows = house.store.db.selectFrom('logs').selectAll().where('request_id', '=', request_id)
  return rows.orderBy('id').execute()
}
const paidFor = async (id: string) => (await logOf(id)).reduce((sum, { quota }) => sum + quota, 0)

test('each is paid at its own price, and the log tells what each came to', async () => {
  await house.spent()
  const all = [request(0), request(1, { model: CALLED }), request(2), request(3, { model: CALLED })]
  const batch = await house.begin(all)
  const held = await house.spent()
  expect(held).toBeGreaterThan(2 * CALL)
  const there = house.upstream.requestsOf(await house.atUpstream(batch.id))
  expect(there.map(({ params }) => params.model)).toEqual([MODEL, CALLED, MODEL, CALLED])
  await house.end(batch.id, { succeeded: 3, errored: 1 })
  expect(held + (await house.spent())).toBe(2 * EACH + CALL)
  const results = await house.resultsOf(batch.id)
  expect(results.map(({ custom_id }) => custom_id)).toEqual(['r3', 'r2', 'r1', 'r0'])
  const rows = await logOf(batch.id)
  expect(rows).toMatchObject([
    { model_name: MODEL, quota: 2 * EACH, cost: Math.round(2 * EACH * 0.25) },
    { model_name: CALLED, quota: CALL, cost: CALL * 0.25 },
  ])
  expect(rows.map(({ other }) => JSON.parse(other))).toMatchObject([
    { batch_ratio: 0.5, batch_requests: 2, batch_id: batch.id },
    { batch_ratio: 0.5, batch_requests: 1, batch_id: batch.id },
  ])
})

test('what each came to is counted as its own, and found by its name', async () => {
  const id = await house.addUser({ quota: 1_000_000 })
  const { key } = await house.addToken({ userId: id })
  const asked = [request(0), request(1, { model: CALLED }), request(2)]
  const batch = await house.begin(asked, house.clientOf(key))
  house.upstream.end(await house.atUpstream(batch.id), { succeeded: 3 })
  await house.poll()
  const { db, engine } = house.store
  const now = Math.floor(Date.now() / 1000)
  const owner = { id, username: 'mixed', acting: undefined }
  const hours = await hoursOfModels(db, { from: now - 7200, to: now + 7200 }, owner)
  const found = hours.map(({ model_name, count, quota }) => ({ model_name, count, quota }))
  expect(found).toEqual(
    [
      { model_name: MODEL, count: 1, quota: 2 * EACH },
      { model_name: CALLED, count: 1, quota: CALL },
    ].sort((a, b) => (a.model_name < b.model_name ? -1 : 1)),
  )
  const filter = await readOwnFilter({ db, engine }, { ...anything, model_name: CALLED }, owner)
  const list = await listLogs({ db, engine }, filter, page({}), 'owner')
  expect([list.total, list.items.map(({ quota }) => quota)]).toEqual([1, [CALL]])
  expect((await sumLogs(db, filter, now)).quota).toBe(CALL)
})

test('names that look as if they told a model are the client’s all the same', async () => {
  const named = (custom_id: string, model = MODEL) => ({ ...request(0, { model }), custom_id })
  const all = [named('a__m1'), named('a'), named('a__m0', CALLED), named('b', CALLED), named('b__m1')]
  const batch = await house.begin(all)
  await house.spent()
  await house.end(batch.id, { succeeded: 5 })
  const results = await house.resultsOf(batch.id)
  expect(results.map(({ custom_id }) => custom_id)).toEqual(all.map(one => one.custom_id).reverse())
  expect(await paidFor(batch.id)).toBe(3 * EACH + 2 * CALL)
  const long = 'n'.repeat(63)
  expect((await failureOf(house.begin([named('a'), named(long, CALLED)]))).message).toContain('requests.1: ')
  // Alone it may be as long as the vendor takes.
  const alone = await house.begin([named('a'), named(long)])
  await house.end(alone.id, { errored: 2 })
})

test('what no channel has together is refused, and so is what the token may not ask', async () => {
  await house.spent()
  const apart = await failureOf(house.begin([request(0), request(1, { model: MAPPED })]))
  expect(apart).toMatchObject({ status: 400, type: 'invalid_request_error' })
  expect(apart.message).toContain(`${MODEL}, ${MAPPED}`)
  const own = await house.addToken({ userId: house.payer.userId, models: [MODEL] })
  const denied = house.begin([request(0), request(1, { model: CALLED })], house.clientOf(own.key))
  expect(await failureOf(denied)).toMatchObject({ type: 'permission_error' })
  expect(await house.spent()).toBe(0)
})

/** In pieces: the second is sent when the program has had time for the first, and for what happens meanwhile. */
async function sendApart(
  first: readonly object[],
  then: readonly object[],
  meanwhile: () => Promise<void> = async () => {},
) {
  const text = (all: readonly object[]) => all.map(one => JSON.stringify(one)).join(',')
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(Buffer.from(`{"requests":[${text(first)},`))
      await atRest()
      await meanwhile()
      controller.enqueue(Buffer.from(`${text(then)}]}`))
      controller.close()
    },
  })
  const headers = {
    'x-api-key': house.payer.key,
    'content-type': 'application/json',
    'accept-language': 'en',
  }
  const response = await fetch(`${house.url}/v1/messages/batches`, { method: 'POST', headers, body })
  const json = (await response.json()) as { id: string; error?: { message: string } }
  return { status: response.status, ...json }
}

test('a model that comes up while it goes on takes all of it to a channel that has both', async () => {
  const { status, id } = await sendApart([request(0, { model: ONE })], [request(1, { model: TWO })])
  expect(status).toBe(200)
  const both = house.store.db.selectFrom('channels').select('id').where('models', 'like', `%${TWO}%`)
  expect((await house.rowOf(id)).channel_id).toBe((await both.executeTakeFirstOrThrow()).id)
  await house.end(id, { succeeded: 2 })
})

test('what is changed in prices while it comes in is not for it', async () => {
  const { id } = await sendApart([request(0)], [request(1, { model: CALLED })], async () => {
    await house.setOption('BatchRatio', '1')
    await house.setOption('ModelPrice', '{"claude-call":5}')
  })
  await house.end(id, { succeeded: 2 })
  expect(await paidFor(id)).toBe(EACH + CALL)
  await house.setOption('BatchRatio', '0.5')
  await house.setOption('ModelPrice', '{"claude-call":0.01}')
})

test('what is changed of prices while it comes is for the next: it is held and paid as it began', async () => {
  const change = (ratio: number) => () => house.setOption('BatchRatio', String(ratio))
  for (const second of [request(1), request(1, { model: CALLED })]) {
    await house.spent()
    const usual = await house.begin([request(0), second])
    const most = await house.spent()
    await house.end(usual.id, { succeeded: 2 })
    const paid = most + (await house.spent())
    const { id } = await sendApart([request(0)], [second], change(0.1))
    const held = await house.spent()
    await house.end(id, { succeeded: 2 })
    expect([held, held + (await house.spent())]).toEqual([most, paid])
    await change(0.5)()
  }
})

test('by a channel that is named with the key, in the group that is found for it, it costs half as well', async () => {
  const named = house.store.db.selectFrom('channels').select('id').where('models', 'like', `%${CALLED}%`)
  const channel = await named.executeTakeFirstOrThrow()
  await house.setOption('AutoGroups', '["vip"]')
  await house.setOption('UserUsableGroups', '{"default":"a","vip":"b","gratis":"c","auto":"d"}')
  const userId = await house.addUser({ quota: 1_000_000, role: 10 })
  const { key } = await house.addToken({ userId, group: 'auto' })
  // Nobody serves messages of it but who is named.
  const asked = [request(0, { model: 'claude-elsewhere' }), request(1, { model: MODEL })]
  const batch = await house.begin(asked, house.clientOf(`${key}-${channel.id}`))
  const { group, prices } = await house.rowOf(batch.id)
  expect(group).toBe('vip')
  const half = { groupRatio: 3, batch: 0.5 }
  expect(JSON.parse(prices ?? '')).toMatchObject([
    { lines: 1, price: { model: 'claude-elsewhere', ...half } },
    { lines: 1, price: { model: MODEL, ...half } },
  ])
  house.upstream.end(await house.atUpstream(batch.id), { errored: 2 })
  await house.poll()
  await house.setOption('AutoGroups', '[]')
})

test('of what is too long to be sent again, it is refused by its place', async () => {
  await house.spent()
  const before = house.upstream.batches.size
  const said = { model: ONE, messages: [{ role: 'user', content: 'x'.repeat(100_000) }] }
  const { status, error } = await sendApart(requests(60, said), [request(60, { model: MAPPED })])
  expect([status, house.upstream.batches.size]).toEqual([400, before])
  expect(error?.message).toContain('requests.60: ')
  expect(await house.spent()).toBe(0)
})

test('rules are for models, and read the requests and answers of each', async () => {
  const rule = { enabled: true, name: 'people', groups: [], where: ['input', 'output'], action: 'mask' }
  const looks = { by: 'words', words: ['answer', 'secret'] }
  await house.setOption('Guards', JSON.stringify([{ ...rule, models: [CALLED], looks }]))
  const said = { messages: [{ role: 'user', content: 'a secret' }] }
  const batch = await house.begin([request(0, said), request(1, { ...said, model: CALLED })])
  const there = house.upstream.requestsOf(await house.atUpstream(batch.id))
  expect(there.map(({ params }) => JSON.stringify(params.messages).includes('secret'))).toEqual([true, false])
  await house.end(batch.id, { succeeded: 2 })
  const texts = (await house.resultsOf(batch.id)).map(({ result }) => JSON.stringify(result))
  expect(texts.map(text => text.includes('answer'))).toEqual([false, true])
  await house.setOption('Guards', '[]')
})
