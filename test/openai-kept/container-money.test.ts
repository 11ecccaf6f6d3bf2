import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  finishContainer,
  giveUpContainer,
} from '../../server/tasks/openai-kept/containers/finish-container.ts'
import { lookAfterContainers } from '../../server/tasks/openai-kept/containers/look-after-containers.ts'
import { killAll, until } from '../program.ts'
import { catchError, statusOf } from '../sdk/sdk-errors.ts'
import { dropAll, engines } from '../services/databases.ts'
import { afterRelease } from '../tasks/house.ts'
import { type KeptHouse, MODEL, openKeptHouse } from './house.ts'

// What containers cost, whatever is killed, lost or done at once.

/** Of a gigabyte for 20 minutes, at 30 dollars for a thousand. */
const SESSION = 15_000

let house: KeptHouse
beforeAll(async () => {
  house = await openKeptHouse()
})
afterAll(async () => {
  expect(await house.differences()).toEqual([])
  await house.close()
  await dropAll()
})

/** As another node does some minutes later. */
const lookAfter = (at = house) => at.later(600, lookAfterContainers)
const rowsOf = (userId: number, at = house) =>
  at.store.db.selectFrom('openai_containers').selectAll().where('user_id', '=', userId).execute()

test.each([true, false])('an answer that was lost is found or given back, once; made %p', async isMade => {
  const { userId, client } = await house.newcomer()
  const before = await house.balance(userId)
  house.first.next(isMade ? { cutAfterBytes: 5 } : house.first.failWith('server-error'))
  const asked = house.asked()
  await catchError(client.containers.create({ name: 'Lost', memory_limit: '4g' }))
  // Nobody else is asked for what may be there already.
  expect(house.asked()).toBe(asked + 1)
  expect(await house.balance(userId)).toBe(before - 4 * SESSION)
  expect((await client.containers.list()).data).toEqual([])
  await Promise.all([lookAfter(), lookAfter()])
  await lookAfter()
  expect(before - (await house.balance(userId))).toBe(isMade ? 4 * SESSION : 0)
  const found = (await client.containers.list()).data
  expect(found.map(({ name }) => name)).toEqual(isMade ? ['Lost'] : [])
  if (isMade) expect((await client.containers.retrieve(found[0]?.id ?? '')).name).toBe('Lost')
  else expect(await rowsOf(userId)).toEqual([])
})

test.each([true, false])(
  'who is killed before the answer loses no money and no container; made %p',
  async isMade => {
    const there = await openKeptHouse()
    const { payer, first } = there
    const before = await there.balance(payer.userId)
    first.next(isMade ? { job: { until: new Promise(() => {}) } } : { silent: true })
    const lost = there.client.containers.create({ name: 'Killed' }).catch(() => 'lost')
    await until(() => first.requests.length > 0)
    killAll(there.program)
    expect(await lost).toBe('lost')
    await Promise.all([lookAfter(there), lookAfter(there)])
    await lookAfter(there)
    expect(before - (await there.balance(payer.userId))).toBe(isMade ? SESSION : 0)
    const rows = await rowsOf(payer.userId, there)
    expect(rows.map(({ state, title }) => [state, title])).toEqual(isMade ? [['kept', 'Killed']] : [])
    expect(await there.differences()).toEqual([])
    await there.close()
  },
)

test('one that is given up is not kept for nothing by an answer that comes in the same moment', async () => {
  const { userId, client } = await house.newcomer()
  const before = await house.balance(userId)
  house.first.next(house.first.failWith('server-error'))
  await catchError(client.containers.create({ name: 'Late' }))
  const [row] = await rowsOf(userId)
  if (!row) throw new Error('there is no row')
  let isKept: boolean | undefined
  await house.later(600, async parts => {
    const ledger = afterRelease(parts, async () => {
      isKept = await finishContainer(parts, row, 'cntr_heard_late')
    })
    await giveUpContainer({ ...parts, ledger }, row, 'nobody heard of it')
  })
  expect([isKept, await house.balance(userId), await rowsOf(userId)]).toEqual([false, before, []])
})

test('an answer that comes when another node has found the container already is its answer', async () => {
  const { userId, client } = await house.newcomer()
  const before = await house.balance(userId)
  const heard = Promise.withResolvers<void>()
  house.first.next({ job: { until: heard.promise } })
  const asked = house.asked()
  const making = client.containers.create({ name: 'Slow' })
  await until(() => house.asked() > asked)
  await lookAfter()
  expect((await rowsOf(userId)).map(({ state }) => state)).toEqual(['kept'])
  heard.resolve()
  const { id } = await making
  expect((await client.containers.retrieve(id)).name).toBe('Slow')
  expect(before - (await house.balance(userId))).toBe(SESSION)
})

test('a vendor that tells the name of another container has made none, and nobody pays for one', async () => {
  const other = await house.newcomer()
  const { id } = await other.client.containers.create({ name: 'Mine' })
  const { userId, client } = await house.newcomer()
  const before = await house.balance(userId)
  house.first.next({ body: { id, object: 'container', name: 'Odd' } })
  expect(statusOf(await catchError(client.containers.create({ name: 'Odd' })))).toBe(502)
  const [row] = await rowsOf(userId)
  house.first.next({ body: { object: 'list', data: [{ id, name: row?.mark ?? '' }], has_more: false } })
  await lookAfter()
  expect(await rowsOf(userId)).toHaveLength(1)
  // After a day nobody waits any more for another answer.
  await house.store.db
    .updateTable('openai_containers')
    .set({ created_at: 1 })
    .where('user_id', '=', userId)
    .execute()
  house.first.next({ body: { object: 'list', data: [{ id, name: row?.mark ?? '' }], has_more: false } })
  await house.later(1200, lookAfterContainers)
  expect([await house.balance(userId), await rowsOf(userId)]).toEqual([before, []])
  // Whose it is still has it.
  expect((await other.client.containers.retrieve(id)).name).toBe('Mine')
})

test('what is asked for twice is made twice, also where a client names it as the same', async () => {
  const { userId, client } = await house.newcomer()
  const before = await house.balance(userId)
  const headers = { 'idempotency-key': 'the-same' }
  const one = await client.containers.create({ name: 'One' }, { headers })
  const two = await client.containers.create({ name: 'Two' }, { headers })
  expect((await client.containers.list()).data.map(({ id }) => id)).toEqual([two.id, one.id])
  expect(before - (await house.balance(userId))).toBe(2 * SESSION)
  const { id } = await client.conversations.create({}, { headers })
  expect((await client.conversations.create({}, { headers })).id).not.toBe(id)
})

test('what a vendor surely refused costs nothing, and its row tells why', async () => {
  const { userId, client } = await house.newcomer()
  const before = await house.balance(userId)
  house.first.next(house.first.failWith('bad-request'))
  expect(statusOf(await catchError(client.containers.create({ name: 'No' })))).toBe(400)
  expect((await house.logOf(house.lastId())).type).toBe(5)
  expect([await house.balance(userId), await rowsOf(userId)]).toEqual([before, []])
})

test('is paid by the ratio of its group, and by nobody who cannot', async () => {
  const { userId, client } = await house.newcomer('vip')
  const before = await house.balance(userId)
  await client.containers.create({ name: 'Dear' })
  expect(before - (await house.balance(userId))).toBe(2 * SESSION)
  const poor = await house.addUser({ quota: 3 * SESSION })
  const { key } = await house.addToken({ userId: poor })
  const asked = house.asked()
  const error = await catchError(house.clientOf(key).containers.create({ name: 'x', memory_limit: '4g' }))
  expect(statusOf(error)).toBe(403)
  expect(house.asked()).toBe(asked)
  expect(await house.balance(poor)).toBe(3 * SESSION)
  // Many at once never take more than there is.
  const all = await Promise.allSettled(
    Array.from({ length: 8 }, () => house.clientOf(key).containers.create({ name: 'x' })),
  )
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(await house.balance(poor)).toBe(0)
})

test('has to have a price', async () => {
  await house.setOption('ToolPrice', '{"file_search":2.5}')
  const asked = house.asked()
  const error = await catchError(house.client.containers.create({ name: 'x' }))
  expect([statusOf(error), error.message]).toEqual([400, expect.stringContaining('no price')])
  expect(house.asked()).toBe(asked)
  await house.setOption('ToolPrice', '{"code_interpreter":0}')
  await house.spent()
  const { id } = await house.client.containers.create({ name: 'Free' })
  expect([await house.spent(), (await house.client.containers.retrieve(id)).name]).toEqual([0, 'Free'])
  await house.setOption('ToolPrice', '{"code_interpreter":30}')
})

test.each(engines)('on $name: conversations and containers, with answers that are lost', async engine => {
  const there = await openKeptHouse({}, { DATABASE_URL: await engine.freshUrl() })
  const { client } = there
  await there.spent()
  const conversation = await client.conversations.create({ items: [{ role: 'user', content: 'Hello' }] })
  const { id } = await client.containers.create({ name: 'One' })
  there.first.next({ cutAfterBytes: 5 })
  await catchError(client.containers.create({ name: 'Two' }))
  await lookAfter(there)
  expect(await there.spent()).toBe(2 * SESSION)
  expect((await client.containers.list({ order: 'asc' })).data.map(({ name }) => name)).toEqual([
    'One',
    'Two',
  ])
  const tools = [{ type: 'code_interpreter' as const, container: id }]
  const asked = { model: MODEL, input: 'Run code', conversation: conversation.id, tools }
  const { usage } = await client.responses.create(asked)
  expect(await there.spent()).toBe((usage?.input_tokens ?? 0) + 3 * (usage?.output_tokens ?? 0))
  await client.conversations.delete(conversation.id)
  await client.containers.delete(id)
  expect(await there.differences()).toEqual([])
  await there.close()
})
