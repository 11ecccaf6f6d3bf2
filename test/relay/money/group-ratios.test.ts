import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '../../program.ts'
import { openTaskHouse } from '../../tasks/house.ts'
import { expectedUsage, type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { startMidjourney } from '../../upstreams/midjourney/start-midjourney.ts'
import { openRig, type Rig } from '../rig.ts'
import { ask, chat, readStream, requestIdOf } from '../ways.ts'

const MODEL = 'm-one'
/** Its vendor is away, and the other stands in for it. */
const DOWN = 'm-off'
const special = (ratio: number) => JSON.stringify({ vip: { default: ratio, vip: 0.3 } })

let rig: Rig
let openai: FakeUpstream
beforeAll(async () => {
  openai = await startOpenai()
  rig = await openRig(async books => {
    await books.setOption('GroupRatio', '{"default":2,"vip":1.5}')
    await books.setOption('GroupGroupRatio', special(0.07))
    await books.setOption('ModelRatio', JSON.stringify({ [MODEL]: 1, [DOWN]: 0.1 }))
    await books.setOption('CompletionRatio', JSON.stringify({ [MODEL]: 1, [DOWN]: 1 }))
    await books.setOption('AutoGroups', '["vip","default"]')
    await books.setOption('UserUsableGroups', '{"default":"a","vip":"b","auto":"c"}')
    await books.setOption('ModelFallbacks', JSON.stringify({ [DOWN]: [MODEL] }))
    const away = { type: 1, baseUrl: 'http://127.0.0.1:9', key: 'k', models: [DOWN] }
    await books.addChannel({ ...away, groups: ['default', 'vip'] })
    const channel = { type: 1, baseUrl: openai.url, key: openai.key, models: [MODEL] }
    await books.addChannel({ ...channel, groups: ['default', 'vip'] })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  expect(openai.complaints).toEqual([])
  await rig.close()
  await openai.stop()
})

async function addCaller(userGroup: string, group: string, quota?: number) {
  const userId = await rig.addUser({ group: userGroup, ...(quota !== undefined && { quota }) })
  const { key } = await rig.addToken({ userId, group })
  return async (stream: boolean) => {
    const before = await rig.balance(userId)
    const response = await ask(rig.url, chat, { key, model: MODEL, stream })
    await readStream(response)
    const row = await rig.logOf(requestIdOf(response))
    return { row, spent: before - (await rig.balance(userId)) }
  }
}

function tokensOf(stream: boolean): number {
  const usage = expectedUsage('openai-chat', chat.body(MODEL, 'good morning', stream))
  return usage.input + usage.output
}

test.each([
  ['vip', 'default', 0.07, true],
  ['vip', 'vip', 0.3, true],
  ['vip', '', 0.3, true],
  ['default', 'vip', 1.5, false],
  ['default', '', 2, false],
] as const)('a user of %s pays in %p ratio %p', async (userGroup, group, ratio, isOwn) => {
  for (const quota of [50_000_000, 30_000]) {
    const call = await addCaller(userGroup, group, quota)
    for (const stream of [false, true]) {
      const { row, spent } = await call(stream)
      const charge = Math.round(tokensOf(stream) * ratio)
      expect([row.quota, spent, row.group]).toEqual([charge, charge, group || userGroup])
      expect(row.details.group_ratio).toBe(ratio)
      expect(row.details.user_group_ratio).toBe(isOwn ? ratio : undefined)
    }
  }
})

test('of several groups the dearest is held for, whichever model stands in', async () => {
  const heldFor = async (group: string, model: string) => {
    const userId = await rig.addUser({ quota: 2000 })
    const { key } = await rig.addToken({ userId, group })
    const response = await ask(rig.url, chat, { key, model, stream: true, more: { max_tokens: 100 } })
    await readStream(response)
    const { details } = await rig.logOf(requestIdOf(response))
    const hold = rig.store.db.selectFrom('holds').select('held').where('user_id', '=', userId)
    return { held: (await hold.executeTakeFirstOrThrow()).held, ratio: details.group_ratio }
  }
  const dearest = await heldFor('default', MODEL)
  expect(dearest.ratio).toBe(2)
  for (const model of [MODEL, DOWN])
    expect([model, await heldFor('auto', model)]).toEqual([model, { held: dearest.held, ratio: 1.5 }])
})

test('what began under one ratio ends under it', async () => {
  const call = await addCaller('vip', 'default')
  const gate = Promise.withResolvers<void>()
  openai.next({ hold: { afterFrames: 2, until: gate.promise } })
  const asked = openai.requests.length
  const under = call(true)
  await until(() => openai.requests.length > asked)
  await rig.setOption('GroupGroupRatio', special(50))
  const other = await addCaller('vip', 'default')
  await until(async () => (await other(false)).row.details.group_ratio === 50)
  gate.resolve()
  const { row } = await under
  expect([row.details.group_ratio, row.quota]).toEqual([0.07, Math.round(tokensOf(true) * 0.07)])
})

test('a drawing is paid in the group that made it, whichever was open before', async () => {
  const price = 50_000
  const [first, second] = [startMidjourney(), startMidjourney()]
  const house = await openTaskHouse(async books => {
    await books.setOption('GroupRatio', '{"default":1,"vip":3}')
    await books.setOption('UserUsableGroups', '{"default":"a","vip":"b"}')
    await books.setOption('GroupGroupRatio', '{"svip":{"vip":0.5}}')
    await books.setOption('AutoGroups', '["default","vip"]')
    await books.setOption('RetryTimes', '1')
    const at = ({ url, key }: typeof first) => ({ type: 2, baseUrl: url, key, models: ['mj_imagine'] })
    await books.addChannel(at(first))
    await books.addChannel({ ...at(second), groups: ['vip'] })
  })
  const drawn = async (userGroup: string) => {
    const userId = await house.addUser({ group: userGroup })
    const { key } = await house.addToken({ userId, group: 'auto' })
    const before = await house.balance(userId)
    const { json, requestId } = await house.call('POST', '/mj/submit/imagine', { prompt: 'a cat' }, key)
    expect(json.code).toBe(1)
    const [run] = await house.store.db
      .selectFrom('midjourneys')
      .select(['quota', 'mj_id'])
      .where('user_id', '=', userId)
      .execute()
    const row = await house.logOf(requestId)
    const holds = house.store.db.selectFrom('holds').select('price').where('id', '=', requestId)
    const { price } = await holds.executeTakeFirstOrThrow()
    expect(JSON.parse(price)).toMatchObject({ group: row.group, groupRatio: row.details.group_ratio })
    const spent = before - (await house.balance(userId))
    return { facts: [row.group, row.quota, run?.quota, spent], userId, id: run?.mj_id ?? '' }
  }
  expect((await drawn('default')).facts).toEqual(['default', price, price, price])
  // Refused for certain, so that the next may be asked.
  await first.stop()
  expect((await drawn('svip')).facts).toEqual(['vip', price / 2, price / 2, price / 2])
  const dear = await drawn('default')
  expect(dear.facts).toEqual(['vip', price * 3, price * 3, price * 3])
  // What fails is given back as it was paid.
  const before = await house.balance(dear.userId)
  const runs = await house.store.db.selectFrom('task_runs').selectAll().where('id', '=', dear.id).execute()
  second.fail(runs[0]?.upstream_id ?? '', 'no')
  await house.poll()
  expect(await house.balance(dear.userId)).toBe(before + price * 3)
  expect(await house.differences()).toEqual([])
  await house.close()
  await second.stop()
})
