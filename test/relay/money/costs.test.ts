import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { endpoints } from '../../../contract/index.ts'
import { type Client, loggedIn, rootClient } from '../../client.ts'
import { until } from '../../program.ts'
import { openTaskHouse, type TaskHouse } from '../../tasks/house.ts'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { startMidjourney } from '../../upstreams/midjourney/start-midjourney.ts'
import type { SeededToken } from '../rig.ts'
import { anthropic, ask, chat, readStream, requestIdOf, type Way } from '../ways.ts'

const DRAWING = 50_000
/** As no id, time or key is likely to contain. */
const DEAR = { price: 123.456789, ratio: 0.987654, cost: '60966296' }
const password = 'users-pass-1'

let house: TaskHouse
let openai: FakeUpstream
let down: FakeUpstream
let midjourney: ReturnType<typeof startMidjourney>
let root: Client
let owner: Client
let vip: SeededToken
let gratis: SeededToken
const channels: Record<string, number> = {}

beforeAll(async () => {
  openai = await startOpenai()
  down = await startOpenai()
  down.always(down.failWith('server-error'))
  midjourney = startMidjourney()
  const groups = ['default', 'vip', 'gratis']
  house = await openTaskHouse(async rig => {
    await rig.setOption('GroupRatio', '{"default":1,"vip":2.5,"gratis":0}')
    await rig.setOption('UserUsableGroups', '{"default":"a","vip":"b","gratis":"c"}')
    const usual = ['c-one', 'c-own', 'c-unknown', 'c-twice', 'c-gone', 'c-edited', 'c-speech']
    await rig.setOption('ModelRatio', JSON.stringify(Object.fromEntries(usual.map(name => [name, 1]))))
    await rig.setOption('CompletionRatio', '{"c-one":3,"c-speech":5}')
    await rig.setOption('ModelPrice', `{"c-dear":${DEAR.price},"c-instead":0.0125}`)
    await rig.setOption('RetryTimes', '1')
    await rig.setOption('ModelFallbacks', '{"c-gone":["c-instead"]}')
    const add = async (name: string, at: FakeUpstream, cost_ratio?: number, more = {}) => {
      const setting = cost_ratio === undefined ? {} : { setting: { cost_ratio } }
      const reach = { type: 1, baseUrl: at.url, key: at.key, groups, models: [name] }
      channels[name] = await rig.addChannel({ ...reach, ...setting, ...more })
    }
    await add('c-one', openai, 0.35)
    await add('c-own', openai, 0)
    await add('c-unknown', openai)
    await add('c-edited', openai, 0.5)
    await add('c-dear', openai, DEAR.ratio)
    await add('c-twice', openai, 0.2)
    await add('c-twice-first', down, 0.9, { models: ['c-twice'], priority: 5 })
    await add('c-gone', down, 0.9)
    await add('c-instead', openai, 1.5)
    await add('c-speech', openai, 0.5)
    channels.drawing = await rig.addChannel({
      ...{ type: 2, baseUrl: midjourney.url, key: midjourney.key, models: ['mj_imagine'], groups },
      setting: { cost_ratio: 0.4 },
    })
  })
  const { store, payer } = house
  vip = await house.addToken({ userId: payer.userId, group: 'vip' })
  gratis = await house.addToken({ userId: payer.userId, group: 'gratis' })
  root = await rootClient(house.url)
  const password_hash = await Bun.password.hash(password)
  await store.db.updateTable('users').set({ password_hash }).where('id', '=', payer.userId).execute()
  const { username } = await store.db
    .selectFrom('users')
    .select('username')
    .where('id', '=', payer.userId)
    .executeTakeFirstOrThrow()
  owner = await loggedIn(house.url, username, password)
})
afterAll(async () => {
  expect(await house.differences()).toEqual([])
  await house.close()
  for (const fake of [openai, down, midjourney]) await fake.stop()
})

async function call(model: string, more: { way?: Way; key?: string; stream?: boolean } = {}) {
  const { way = chat, key = house.payer.key, stream = false } = more
  const response = await ask(house.url, way, { key, model, stream })
  await readStream(response)
  return house.logOf(requestIdOf(response))
}

const listed = (row: Awaited<ReturnType<typeof call>>) => row.prompt_tokens + row.completion_tokens * 3

/** What the hours have of a channel. */
async function sumsOf(name: string) {
  const { cost, costed_quota, quota } = await house.store.db
    .selectFrom('usage_hourly')
    .where('channel_id', '=', channels[name] ?? 0)
    .select(row => [
      row.fn.sum<number | null>('cost').as('cost'),
      row.fn.sum<number | null>('costed_quota').as('costed_quota'),
      row.fn.sum<number | null>('quota').as('quota'),
    ])
    .executeTakeFirstOrThrow()
  return [Number(cost), Number(costed_quota), Number(quota)]
}

describe('a call costs its share of the listed price', () => {
  test.each([
    ['plain', {}, 1],
    ['streamed', { stream: true }, 1],
    ['converted', { way: anthropic }, 1],
    ['converted and streamed', { way: anthropic, stream: true }, 1],
  ] as const)('%s', async (_, how, ratio) => {
    const row = await call('c-one', how)
    expect([row.quota, row.cost]).toEqual([listed(row) * ratio, Math.round((listed(row) * 35) / 100)])
  })

  test('whatever the group pays: more, or nothing', async () => {
    const dear = await call('c-one', { key: vip.key })
    expect([dear.quota, dear.cost]).toEqual([
      Math.round(listed(dear) * 2.5),
      Math.round((listed(dear) * 35) / 100),
    ])
    const free = await call('c-one', { key: gratis.key })
    expect([free.quota, free.cost]).toEqual([0, Math.round((listed(free) * 35) / 100)])
  })

  test('also of what is only measured where it is paid for', async () => {
    const say = async (key: string) => {
      const body = { model: 'c-speech', input: 'twenty letters, words', voice: 'alloy' }
      const { requestId } = await house.call('POST', '/v1/audio/speech', body, key)
      return house.logOf(requestId)
    }
    const [paid, free] = [await say(house.payer.key), await say(gratis.key)]
    expect([paid.quota, paid.cost]).toEqual([21 + 21 * 5, 63])
    expect([free.quota, free.cost]).toEqual([0, 63])
  })

  test('which may be nothing, and is not known of every channel', async () => {
    const [own, unknown] = [await call('c-own'), await call('c-unknown')]
    expect([own.cost, unknown.cost]).toEqual([0, null])
    expect(own.quota).toBeGreaterThan(0)
    expect(await sumsOf('c-own')).toEqual([0, own.quota, own.quota])
    expect(await sumsOf('c-unknown')).toEqual([0, 0, unknown.quota])
  })

  test('at the channel that answered, after another had failed', async () => {
    const row = await call('c-twice')
    expect(row.details.admin_info).toEqual({
      use_channel: [channels['c-twice-first'], channels['c-twice']].map(String),
      failed: [expect.stringMatching(/^status 500, server_error: /)],
    })
    expect(row.cost).toBe(Math.round(row.quota / 5))
    expect(await sumsOf('c-twice-first')).toEqual([0, 0, 0])
  })

  test('at the price of the model that stood in for another', async () => {
    const row = await call('c-gone')
    expect([row.model_name, row.quota, row.cost]).toEqual(['c-instead', 6250, 9375])
  })

  test('and a failure costs nothing', async () => {
    await house.setOption('ModelFallbacks', '{}')
    const row = await call('c-gone')
    expect([row.type, row.quota, row.cost]).toEqual([5, 0, null])
    expect(await sumsOf('c-gone')).toEqual([0, 0, 0])
  })

  test('as both were when it began', async () => {
    const gate = Promise.withResolvers<void>()
    const usual = await call('c-edited', { stream: true })
    openai.next({ hold: { afterFrames: 3, until: gate.promise } })
    const response = await ask(house.url, chat, { key: house.payer.key, model: 'c-edited', stream: true })
    await house.setOption('ModelRatio', '{"c-edited":50,"c-one":1,"c-own":1,"c-unknown":1}')
    const id = channels['c-edited']
    const saved = await root.put('/api/channel/', { id, setting: '{"cost_ratio":0.000001}' })
    expect(saved.json).toMatchObject({ success: true })
    await until(async () => (await call('c-edited')).cost === 0)
    gate.resolve()
    await readStream(response)
    const row = await house.logOf(requestIdOf(response))
    expect([row.quota, row.cost]).toEqual([usual.quota, Math.round(usual.quota / 2)])
    expect(usual.cost).toBe(row.cost)
  })

  test('of a task, until that fails', async () => {
    for (const key of [house.payer.key, gratis.key]) {
      const before = await sumsOf('drawing')
      const charged = key === gratis.key ? 0 : DRAWING
      const draw = async () => {
        const answer = await house.call('POST', '/mj/submit/imagine', { prompt: 'a cat' }, key)
        const run = await house.store.db
          .selectFrom('task_runs')
          .select(['upstream_id', 'request_id'])
          .where('id', '=', answer.json.result)
          .executeTakeFirstOrThrow()
        return { ...run, row: await house.logOf(run.request_id) }
      }
      const [failed, done] = [await draw(), await draw()]
      expect(failed.row).toMatchObject({ quota: charged, cost: DRAWING * 0.4 })
      midjourney.fail(failed.upstream_id, 'no')
      midjourney.succeed(done.upstream_id)
      await house.poll(0, 3)
      expect((await house.logOf(failed.request_id)).cost).toBeNull()
      expect((await house.logOf(done.request_id)).cost).toBe(DRAWING * 0.4)
      const after = await sumsOf('drawing')
      expect(after.map((sum, at) => sum - (before[at] ?? 0))).toEqual([DRAWING * 0.4, charged, 2 * charged])
    }
    expect(await house.differences()).toEqual([])
  })
})

describe('administrators', () => {
  const rowsBy = async (by: string) =>
    (await root.get(`/api/statistics?by=${by}&unit=all`)).json.data.rows as {
      key: string
      quota: number
      cost: number
      costed_quota: number
    }[]

  test('see what is left over by channel, model, group, user and in all', async () => {
    const one = (await rowsBy('channel')).find(({ key }) => key === String(channels['c-one']))
    expect([one?.cost, one?.costed_quota, one?.quota]).toEqual(await sumsOf('c-one'))
    const all = await house.store.db.selectFrom('logs').select(['cost', 'quota', 'request_id']).execute()
    const costed = all.filter(({ cost }) => cost !== null)
    const sum = (rows: { quota: number }[]) => rows.reduce((total, { quota }) => total + quota, 0)
    const expected = {
      cost: costed.reduce((total, { cost }) => total + (cost ?? 0), 0),
      costed_quota: sum(costed),
      quota: sum(all.filter(({ request_id }) => request_id !== '')),
    }
    expect(expected.costed_quota).toBeLessThan(expected.quota)
    for (const by of ['channel', 'model', 'group', 'user', 'token', 'none']) {
      const rows = await rowsBy(by)
      const total = (field: keyof typeof expected) => rows.reduce((so, row) => so + row[field], 0)
      expect([by, total('cost'), total('costed_quota'), total('quota')]).toEqual([
        by,
        expected.cost,
        expected.costed_quota,
        expected.quota,
      ])
    }
  })

  test('see it in the log, its file and the trail of a call', async () => {
    const row = await call('c-one')
    const infoOf = (view: { other: string }) => JSON.parse(view.other).admin_info
    const info = { use_channel: [String(channels['c-one'])], cost: row.cost }
    const { json } = await root.get(`/api/log/?request_id=${row.request_id}`)
    expect(infoOf(json.data.items[0])).toEqual(info)
    const trail = (await root.get(`/api/log/trail/${row.request_id}`)).json.data
    expect(infoOf(trail.logs[0])).toEqual(info)
    const [names = '', cells = ''] = (
      await root.get(`/api/log/export?request_id=${row.request_id}`)
    ).text.split('\r\n')
    expect(names.split(',').slice(-2)).toEqual(['cost', 'labels'])
    expect(cells.split(',').slice(-2)).toEqual([String(row.cost), ''])
    const failed = (await root.get('/api/log/export?type=5')).text.split('\r\n')[1] ?? ''
    expect(failed).toEndWith(',,')
  })

  test('are told by the audit when a sum was touched', async () => {
    const { db } = house.store
    const move = (by: number) =>
      db
        .updateTable('usage_hourly')
        .set(hour => ({ cost: hour('cost', '+', by) }))
        .where('channel_id', '=', channels['c-own'] ?? 0)
        .execute()
    await move(1)
    const { checks, differences } = (await root.get('/api/ledger/audit')).json.data
    await move(-1)
    expect(checks.filter((check: { differences: number }) => check.differences > 0)).toEqual([
      { name: 'hourly costs = logs', differences: 1 },
    ])
    expect(differences).toEqual([expect.objectContaining({ expected: 0, found: 1 })])
  })

  test('may give every share from nothing to a thousand, to the millionth', async () => {
    const save = async (cost_ratio: unknown) =>
      (
        await root.put('/api/channel/', {
          id: channels['c-unknown'],
          setting: JSON.stringify({ cost_ratio }),
        })
      ).json
    for (const good of [0, 0.000001, 0.35, 1, 1000, null])
      expect(await save(good)).toMatchObject({ success: true })
    for (const bad of [-0.1, 1000.1, 0.0000001, '0.35', true, [1]])
      expect(await save(bad)).toMatchObject({
        success: false,
        message: 'cost_ratio：成本倍率须为 0 到 1000 的数，最多 6 位小数',
      })
  })
})

test('nobody else sees it anywhere', async () => {
  await house.store.db
    .updateTable('users')
    .set(user => ({ quota: user('quota', '+', 200_000_000) }))
    .where('id', '=', house.payer.userId)
    .execute()
  await house.store.db
    .insertInto('ledger_entries')
    .values({
      ...{ kind: 'gift', ref: 'for the dear one', user_id: house.payer.userId, token_id: 0 },
      ...{ user_amount: 200_000_000, token_amount: 0, created_at: 1 },
    })
    .execute()
  const row = await call('c-dear')
  expect(String(row.cost)).toBe(DEAR.cost)
  const dear = new RegExp(`${DEAR.cost}|cost_ratio|costed|"cost\\\\?":|,cost\\b`)
  expect((await root.get(`/api/log/trail/${row.request_id}`)).text).toMatch(dear)

  const own = (Object.values(endpoints) as Endpoint[]).filter(
    ({ method, access, path }) =>
      method === 'GET' && (access === 'user' || access === 'public') && !path.includes('tail'),
  )
  expect(own.length).toBeGreaterThan(30)
  for (const { path } of own) {
    // The description says to everybody which fields administrators get.
    if (/openapi|docs|logout/.test(path)) continue
    const at = path.replace(':request_id', row.request_id).replace(/:\w+/g, '1')
    const { text } = await owner.get(`${at}?key=${house.payer.key}&by=model&keyword=c-dear&p=1`)
    expect([path, dear.exec(text)?.[0]]).toEqual([path, undefined])
  }
  expect((await owner.get('/api/log/self')).text).toContain(row.request_id)
  expect((await owner.get('/api/log/self/export')).text).toContain(row.request_id)
  expect((await owner.get(`/api/log/token?key=${house.payer.key}`)).text).toContain(row.request_id)
  expect((await owner.get('/api/statistics/self?by=model')).text).toContain('c-dear')

  const tail = async (client: Client, path: string) => {
    const stop = new AbortController()
    const headers = { cookie: `session=${client.cookie}` }
    const response = await fetch(`${house.url}${path}?after_id=1`, { headers, signal: stop.signal })
    let text = ''
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece
      if (text.includes(row.request_id)) break
    }
    stop.abort()
    return text
  }
  expect(await tail(root, '/api/log/tail')).toMatch(dear)
  expect(dear.exec(await tail(owner, '/api/log/self/tail'))?.[0]).toBeUndefined()
})

test('of a task whose row is cleared while it runs, nothing stays in the sums should it fail', async () => {
  const before = await sumsOf('drawing')
  const { json } = await house.call('POST', '/mj/submit/imagine', { prompt: 'a dog' })
  const run = await house.store.db
    .selectFrom('task_runs')
    .select(['upstream_id', 'request_id'])
    .where('id', '=', json.result)
    .executeTakeFirstOrThrow()
  const { created_at } = await house.logOf(run.request_id)
  // What is of this second stays.
  await until(() => Date.now() / 1000 >= created_at + 1)
  const cleared = await root.send('DELETE', `/api/log/?target_timestamp=${created_at + 1}`)
  expect(cleared.json).toMatchObject({ success: true })
  midjourney.fail(run.upstream_id, 'no')
  await house.poll(0, 3)
  const after = await sumsOf('drawing')
  expect(after.map((sum, at) => sum - (before[at] ?? 0))).toEqual([0, 0, DRAWING])
})
