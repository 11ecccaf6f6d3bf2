import { afterAll, beforeAll, expect, test } from 'bun:test'
import { roles } from '../../../contract/users.ts'
import { asObject } from '../../../server/dialects/json.ts'
import { credit } from '../../../server/ledger/entries.ts'
import { until } from '../../program.ts'
import { chat, problemIn } from '../ways.ts'
import { type CacheHouse, type Called, openCacheHouse } from './cache-house.ts'

// An answer that is kept is given to nobody who would not get one that is not.

let house: CacheHouse
/** Of the group auto: the first of its groups has a dearer channel. */
let auto = ''
let pinned = ''
let gone = 0

beforeAll(async () => {
  house = await openCacheHouse(async (books, at) => {
    const userId = await books.addUser({ role: roles.admin })
    auto = (await books.addToken({ userId, group: 'auto' })).key
    const own = (await books.addToken({ userId })).key
    await books.setOption('GroupRatio', '{"default":1,"vip":4}')
    await books.setOption('UserUsableGroups', '{"default":"a","vip":"b"}')
    await books.setOption('AutoGroups', '["vip","default"]')
    await books.setOption('ModelPrice', '{"m-call":0.01,"m-tiny":0.00001,"m-free":0}')
    await books.setOption('DefaultModelRatio', '1')
    await books.setOption('ModelFallbacks', '{"m-down":["m-chat"]}')
    const { url: baseUrl, key } = at(chat)
    const seed = { type: 1, baseUrl, key }
    const models = ['m-call', 'm-tiny', 'm-free', 'm-down', 'm-scarce', 'm-priced', 'm-auto', 'o3-mini']
    const id = await books.addChannel({ ...seed, models })
    pinned = `${own}-${id}`
    await books.addChannel({ ...seed, models: ['m-auto'], groups: ['vip'] })
    gone = await books.addChannel({ ...seed, models: ['m-gone'] })
  })
})
afterAll(() => house.close())

const asked = () => house.vendorOf(chat).requests.length
const charge = (requestId: string) => house.rig.chargeOf(requestId)
const newKey = async (seed: object = {}) => (await house.rig.addToken({ userId: house.userId, ...seed })).key

/** One that is kept, and what is then said to who asks again. */
async function keepOne(text: string, more: { key?: string; model?: string } = {}) {
  expect((await house.call(chat, { text, ...more })).cache).toBe('miss')
  return () => house.call(chat, { text, ...more, headers: { 'accept-language': 'en' } })
}

/** Once the program has heard of the change. */
const refusalOf = (again: () => Promise<Called>): Promise<Called> =>
  until(async () => {
    const said = await again()
    return said.status === 200 ? undefined : said
  })

test('a token that is revoked, or may not use the model, gets nothing', async () => {
  const { rig } = house
  const changes = [
    { change: { status: 2 }, status: 401 },
    { change: { model_limits_enabled: 1, model_limits: 'm-free' }, status: 403 },
    { change: { allow_ips: '192.0.2.1' }, status: 403 },
    { change: { expired_time: 1 }, status: 401 },
    { change: { deleted_at: 1 }, status: 401 },
  ]
  const kept: ((typeof changes)[number] & { id: number; again: () => Promise<Called> })[] = []
  for (const one of changes) {
    const { id, key } = await rig.addToken({ userId: house.userId })
    const again = await keepOne(`revoked ${JSON.stringify(one)}`, { key })
    expect((await again()).cache).toBe('hit')
    kept.push({ ...one, id, again })
  }
  await rig.store.change('tokens', async transaction => {
    for (const { id, change } of kept)
      await transaction.updateTable('tokens').set(change).where('id', '=', id).execute()
  })
  for (const { again, status } of kept) {
    const refused = await refusalOf(again)
    expect([refused.status, refused.cache]).toEqual([status, null])
  }
})

test('neither does who asks for a model that is not on offer any more', async () => {
  const again = await keepOne('still there?', { model: 'm-gone' })
  expect((await again()).cache).toBe('hit')
  await house.rig.store.change('channels', transaction =>
    transaction.updateTable('channels').set({ status: 2 }).where('id', '=', gone).execute(),
  )
  const refused = await refusalOf(again)
  expect([refused.status, problemIn(chat, refused.body)?.message]).toEqual([
    503,
    expect.stringContaining('m-gone'),
  ])
})

test('nor who says a word that is not allowed by now, nor who has asked too often', async () => {
  const again = await keepOne('about marzipan')
  await house.root.saveOption('SensitiveWords', 'marzipan')
  expect([(await again()).status, (await again()).cache]).toEqual([400, null])
  await house.root.saveOption('SensitiveWords', '')
  expect((await again()).cache).toBe('hit')

  const often = await keepOne('often', { key: await newKey({ limits: { rpm: 3 } }) })
  const all = [await often(), await often(), await often()]
  expect(all.map(({ status }) => status)).toEqual([200, 200, 429])
})

test('who has nothing left gets nothing that costs something, also where its share is nothing', async () => {
  const { rig, root } = house
  const userId = await rig.addUser({ quota: 10_000 })
  const { key } = await rig.addToken({ userId })
  const again = await keepOne('dear', { key, model: 'm-call' })
  const free = await keepOne('free', { key, model: 'm-free' })
  expect(await rig.balance(userId)).toBe(5000)
  const half = await again()
  expect([half.cache, await charge(half.requestId)]).toEqual(['hit', 2500])
  // 2,500 are left, and then nothing.
  expect((await again()).cache).toBe('hit')
  expect(await rig.balance(userId)).toBe(0)
  const before = asked()
  const refused = await again()
  expect([refused.status, problemIn(chat, refused.body)?.code]).toEqual([403, 'insufficient_user_quota'])
  expect([(await rig.logOf(refused.requestId)).type, await charge(refused.requestId)]).toEqual([5, undefined])
  await root.saveOption('AnswerCacheRatio', '0')
  // What is remembered of a balance is a few seconds old at most.
  await rig.store.change('users', async () => {})
  await until(async () => (await again()).status === 403)
  expect((await free()).cache).toBe('hit')
  expect(asked()).toBe(before)

  await credit(rig.store, Math.floor(Date.now() / 1000), { kind: 'gift', ref: 'one', userId, amount: 1 })
  await rig.store.change('users', async () => {})
  const given = await until(async () => {
    const said = await again()
    return said.status === 200 ? said : undefined
  })
  const row = await rig.logOf(given.requestId)
  expect([given.cache, row.type, row.quota]).toEqual(['hit', 2, 0])
  expect(row.details.answer_cache_ratio).toBe(0)
  expect(await rig.balance(userId)).toBe(1)
  await root.saveOption('AnswerCacheRatio', '0.5')
})

test('a token’s budget pays too, and its last unit is its last', async () => {
  const key = await newKey({ budget: 10_000 })
  const again = await keepOne('budget', { key, model: 'm-call' })
  expect([(await again()).cache, (await again()).cache]).toEqual(['hit', 'hit'])
  expect([401, 403]).toContain((await again()).status)
})

test('it costs what it would cost now, and never less than one', async () => {
  const again = await keepOne('priced', { model: 'm-priced' })
  const { input = 0, output = 0 } = house.vendorOf(chat).served.at(-1)?.tally ?? {}
  await house.root.saveOption('AnswerCacheRatio', '0.3')
  const rounded = (value: number) => Math.floor(value + 0.5)
  expect(await charge((await again()).requestId)).toBe(rounded(((input + output) * 3) / 10))
  const ratios = await house.root.saveOption('ModelRatio', '{"m-priced":7.5,"m-chat":3}')
  expect(ratios.json.success).toBe(true)
  expect(await charge((await again()).requestId)).toBe(rounded(((input + output) * 75 * 3) / 100))
  await house.root.saveOption('AnswerCacheRatio', '0.01')
  const tiny = await keepOne('tiny', { model: 'm-tiny' })
  expect(await charge((await tiny()).requestId)).toBe(1)
  await house.root.saveOption('AnswerCacheRatio', '1')
  expect(await charge((await tiny()).requestId)).toBe(5)
  await house.root.saveOption('AnswerCacheRatio', '0.5')
})

test('of several groups the one that served it is paid', async () => {
  const first = await house.call(chat, { model: 'm-auto', key: auto })
  const again = await house.call(chat, { model: 'm-auto', key: auto })
  const row = await house.rig.logOf(again.requestId)
  const paid = (await charge(first.requestId)) ?? 0
  expect([again.cache, row.group, row.details.group_ratio]).toEqual(['hit', 'vip', 4])
  expect(row.quota).toBe(paid / 2)
  // One that is full is passed over, as for any call.
  await house.root.saveOption('GroupLimits', '{"vip":{"rpm":1}}')
  const rows = []
  for (let at = 0; at < 2; at++) {
    const { requestId, status, cache } = await house.call(chat, { model: 'm-auto', key: auto })
    rows.push([status, cache, (await house.rig.logOf(requestId)).group])
  }
  expect(rows).toEqual([
    [200, 'hit', 'vip'],
    [200, 'miss', 'default'],
  ])
  await house.root.saveOption('GroupLimits', '{}')
})

test('what stood in for a model, was cut for want of money, or comes from a channel by its number is not kept', async () => {
  const fake = house.vendorOf(chat)
  fake.next(fake.failWith('server-error'))
  const other = await house.call(chat, { model: 'm-down', text: 'stand in' })
  expect((await house.rig.logOf(other.requestId)).model_name).toBe('m-chat')
  expect((await house.call(chat, { model: 'm-down', text: 'stand in' })).cache).toBe('miss')

  const userId = await house.rig.addUser({ quota: 250 })
  const poor = {
    key: (await house.rig.addToken({ userId })).key,
    model: 'm-scarce',
    text: 'word '.repeat(100),
  }
  const cut = await house.call(chat, poor)
  expect([cut.status, JSON.parse(cut.body).choices[0].finish_reason]).toEqual([200, 'length'])
  await credit(house.rig.store, 1, { kind: 'gift', ref: 'more', userId, amount: 1_000_000 })
  const whole = await house.call(chat, poor)
  expect([whole.cache, JSON.parse(whole.body).choices[0].finish_reason]).toEqual(['miss', 'stop'])
  expect((await house.call(chat, poor)).body).toBe(whole.body)

  const named = []
  for (let at = 0; at < 2; at++) named.push(await house.call(chat, { key: pinned, model: 'm-priced' }))
  expect(named.map(({ status, cache }) => [status, cache])).toEqual([
    [200, null],
    [200, null],
  ])
})

test('given again, an answer teaches nothing of how long its model thinks', async () => {
  const fake = house.vendorOf(chat)
  const completion_tokens_details = { reasoning_tokens: 10 }
  fake.next({ usage: usage => ({ ...usage, completion_tokens: 20, completion_tokens_details }) })
  const again = await keepOne('a short thought', { model: 'o3-mini' })
  for (let at = 0; at < 20; at++) expect((await again()).cache).toBe('hit')
  // Who has little is given as many tokens as of a model that nobody knows yet.
  const userId = await house.rig.addUser({ quota: 400_000 })
  const { key } = await house.rig.addToken({ userId })
  expect((await house.call(chat, { key, model: 'o3-mini', text: 'think', cache: '' })).status).toBe(200)
  const told = asObject(fake.requests.at(-1)?.json)?.max_completion_tokens
  expect(Number(told)).toBeWithin(16_000, 32_769)
})

test('what it says is not kept with the log without end where it costs nothing', async () => {
  const { root, rig } = house
  for (const [name, value] of [
    ['LogContentScope', 'all'],
    ['LogContentKilobytes', '1024'],
    ['AnswerCacheRatio', '0'],
  ] as const)
    await root.saveOption(name, value)
  house.vendorOf(chat).next({ reply: { text: 'word '.repeat(60 * 1024) } })
  const again = await keepOne('at length')
  const many = 8
  for (let at = 0; at < many; at++) expect((await again()).cache).toBe('hit')
  await root.saveOption('AnswerCacheRatio', '0.5')
  const paid = await again()
  const stored = async () =>
    (await rig.store.db.selectFrom('log_contents').select('request_id').execute()).map(row => row.request_id)
  await until(async () => (await stored()).includes(paid.requestId))
  // The first, three of a megabyte in each minute, and what is paid for.
  expect((await stored()).length).toBeWithin(1 + 3 + 1, 1 + many + 1)
  await root.saveOption('LogContentScope', 'off')
})
