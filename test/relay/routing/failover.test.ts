import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { parseObject } from '../../../server/dialects/json.ts'
import { atRest } from '../../at-rest.ts'
import { type Client, rootClient } from '../../client.ts'
import { until } from '../../program.ts'
import {
  brokenJson,
  emptyBody,
  emptyStream,
  type FakeUpstream,
  redirectTo,
  type Script,
  silence,
  startOpenai,
  under200,
} from '../../upstreams/index.ts'
import { type ChannelHouse, type Name, openChannelHouse } from './channel-house.ts'

const FAILURES_TO_OPEN = 5
/** Longer than a busy machine keeps anybody from an answer that is ready. */
const SLOW_SECONDS = 8

let house: ChannelHouse
/** Whose keys are wrong but for one. */
let strict: FakeUpstream
let root: Client
/** What fails for good is left alone for this long, and twice as long after each try that fails: between both times. */
const open = { since: 0, by: 0, ms: 10_000, asked: FAILURES_TO_OPEN }
const ids: Record<string, number> = {}
const deadKeys = Array.from({ length: 7 }, (_, at) => `sk-dead-${at}-0123456789`)
const names: readonly Name[] = ['a', 'b', 'c']

beforeAll(async () => {
  const options = {
    RetryTimes: '5',
    AutomaticDisableChannelEnabled: 'true',
  }
  strict = await startOpenai()
  house = await openChannelHouse(options, async ({ add }) => {
    const place = async (at: Name, model: string, more = {}) => {
      ids[`${at} ${model}`] = await add(at, model, more)
    }
    for (const model of ['m-tiers', 'm-all-fail', 'm-once']) {
      await place('a', model, { priority: 10 })
      await place('b', model, { priority: 10 })
      await place('c', model)
    }
    for (const model of [
      'm-busy',
      'm-key',
      'm-quota',
      'm-slow',
      'm-late',
      'm-opened',
      'm-plain-slow',
      'm-refused',
    ]) {
      await place('a', model, { priority: 1 })
      await place('b', model)
    }
    for (const kind of ['empty', 'broken', 'error', 'redirect', 'empty-stream', 'cut-stream', 'html'])
      for (const at of ['a', 'b'] as const)
        await place(at, `m-bad-${kind}`, at === 'a' ? { priority: 1 } : {})
    for (const model of ['m-alone', 'm-cool', 'm-open', 'm-idle', 'm-alone-slow', 'm-alone-key', 'm-caller'])
      await place('a', model)
    await place('a', 'm-spared', { autoBan: false, priority: 1 })
    await place('b', 'm-spared')
    const { url: baseUrl } = strict
    await place('a', 'm-many-keys', { baseUrl, key: [...deadKeys, strict.key].join('\n') })
    await place('a', 'm-rekeyed', { priority: 1 })
    await place('b', 'm-rekeyed')
  })
  root = await rootClient(house.rig.url)
  // The longest wait of all begins first.
  house.answer('a', 'm-open', house.upstreams.a.failWith('server-error'))
  for (let at = 0; at < FAILURES_TO_OPEN; at++) {
    open.since = performance.now()
    expect((await house.call('m-open')).status).toBe(500)
    open.by = performance.now()
  }
})
afterAll(async () => {
  await house.close()
  await strict.stop()
})

async function channelRow(at: Name, model: string) {
  const row = await house.rig.store.db
    .selectFrom('channels')
    .select(['status', 'other_info'])
    .where('id', '=', ids[`${at} ${model}`] ?? 0)
    .executeTakeFirstOrThrow()
  return { status: row.status, info: parseObject(row.other_info) ?? {} }
}

async function expectLeftAlone(): Promise<void> {
  const began = performance.now()
  const refused = await house.call('m-open')
  // On a slow machine the time may be over: then it was a try, which failed too.
  if (refused.status === 500 && performance.now() - open.since > open.ms) {
    Object.assign(open, { since: began, by: performance.now(), ms: open.ms * 2, asked: open.asked + 1 })
    return expectLeftAlone()
  }
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, open.ms / 1000 + 1)
  expect(house.asked('m-open').a).toBe(open.asked)
}

test('what keeps failing is left alone', expectLeftAlone)

describe('who is asked next', () => {
  test('the rest of the tier, then the next, each once; and the client pays once', async () => {
    for (const at of ['a', 'b'] as const)
      house.answer(at, 'm-tiers', house.upstreams[at].failWith('server-error'))
    const called = await house.call('m-tiers')
    expect(called.status).toBe(200)
    expect(house.asked('m-tiers')).toEqual({ a: 1, b: 1, c: 1 })
    const row = await house.rig.logOf(called.requestId)
    const tried = (row.details.admin_info as { use_channel: string[] }).use_channel
    expect([...tried].sort()).toEqual(names.map(at => String(ids[`${at} m-tiers`])).sort())
    expect(tried[2]).toBe(String(ids['c m-tiers']))
    expect(row.channel_id).toBe(ids['c m-tiers'] ?? 0)
    expect(await house.rig.chargeOf(called.requestId)).toBe(row.quota)
  })

  test('nobody twice, and what the last one said is told', async () => {
    for (const at of names)
      house.answer(at, 'm-all-fail', house.upstreams[at].failWith('overloaded', `${at} is full`))
    const called = await house.call('m-all-fail')
    expect([called.status, called.words]).toEqual([503, 'c is full'])
    expect(house.asked('m-all-fail')).toEqual({ a: 1, b: 1, c: 1 })
    expect(await house.rig.chargeOf(called.requestId)).toBeUndefined()
    const row = await house.rig.logOf(called.requestId)
    expect([row.type, row.quota, row.details.status_code]).toEqual([5, 0, 503])
    // Each in its turn, for who looks after the channels.
    const { use_channel, failed } = row.details.admin_info as { use_channel: string[]; failed: string[] }
    const nameOf = (id: string) => names.find(at => String(ids[`${at} m-all-fail`]) === id)
    expect(failed).toEqual(use_channel.map(id => `status 503, server_error: ${nameOf(id)} is full`))
    // Nothing was held for it, and still its trail names them.
    const root = await rootClient(house.rig.url)
    const { data } = (await root.get(`/api/log/trail/${called.requestId}`)).json
    const named = use_channel.map(id => ({ id: Number(id), name: expect.stringMatching(/^channel-\d+$/) }))
    expect(data).toMatchObject({ state: 'none', held: 0, charged: 0, entries: [], channels: named })
    expect(data.logs).toMatchObject([{ request_id: called.requestId, type: 5 }])
  })

  test('what the caller did wrong is not tried elsewhere, and is not held against the channel', async () => {
    for (let at = 0; at < FAILURES_TO_OPEN + 1; at++) {
      house.answer('a', 'm-caller', house.upstreams.a.failWith('too-long'))
      const called = await house.call('m-caller')
      expect([called.status, called.code]).toEqual([400, 'context_length_exceeded'])
    }
    house.answer('a', 'm-caller', {})
    expect((await house.call('m-caller')).status).toBe(200)
  })
})

describe('a channel that has had enough', () => {
  const busyFor = (seconds: number): Script => ({
    ...house.upstreams.a.failWith('rate-limit'),
    headers: { 'Retry-After': String(seconds) },
  })

  test('is left alone for as long as it says', async () => {
    house.answer('a', 'm-busy', busyFor(300))
    for (let at = 0; at < 10; at++)
      expect((await house.call('m-busy', { text: `call ${at}` })).status).toBe(200)
    expect(house.asked('m-busy')).toEqual({ a: 1, b: 10, c: 0 })
  })

  test('and alone, the client is told when to come back', async () => {
    house.answer('a', 'm-alone', busyFor(300))
    for (let at = 0; at < 3; at++) {
      const called = await house.call('m-alone')
      expect([called.status, called.words]).toEqual([429, '当前分组上游负载已饱和，请稍后再试'])
      expect(Number(called.headers.get('retry-after'))).toBeWithin(1, 301)
    }
    expect(house.asked('m-alone').a).toBe(1)
  })

  test('is asked again after that', async () => {
    // Who is kept from looking for as long as that has seen nothing, and looks again.
    for (let seen = false; !seen; ) {
      const before = house.asked('m-cool').a
      house.answer('a', 'm-cool', busyFor(3))
      const began = performance.now()
      expect((await house.call('m-cool')).status).toBe(429)
      house.answer('a', 'm-cool', {})
      const { status } = await house.call('m-cool')
      seen = performance.now() - began < 3000
      if (seen) expect([status, house.asked('m-cool').a - before]).toEqual([429, 1])
      await Bun.sleep(3050)
      expect((await house.call('m-cool')).status).toBe(200)
    }
  })
})

describe('a key that is of no use', () => {
  const dead: [string, 'bad-key' | 'quota'][] = [
    ['m-key', 'bad-key'],
    ['m-quota', 'quota'],
  ]
  test.each(dead)('%s: takes its channel out of service, with the reason', async (model, kind) => {
    house.answer('a', model, (_seen, known) => ({
      ...house.upstreams.a.failWith(kind, `${kind}: ${known.key} is no good at ${known.url}`),
    }))
    expect((await house.call(model)).status).toBe(200)
    const row = await until(async () => {
      const now = await channelRow('a', model)
      return now.status === 3 ? now : undefined
    })
    expect(String(row.info.status_reason)).toContain(`${kind}: *** is no good`)
    expect(Math.abs(Number(row.info.status_time) - Date.now() / 1000)).toBeLessThan(60)
    for (let at = 0; at < 5; at++) expect((await house.call(model)).status).toBe(200)
    expect(house.asked(model)).toEqual({ a: 1, b: 6, c: 0 })
  })

  test('and says nothing of the other channels: what was known of them still is', expectLeftAlone)

  test('not when the operator spares the channel', async () => {
    house.answer('a', 'm-spared', house.upstreams.a.failWith('bad-key'))
    expect((await house.call('m-spared')).status).toBe(200)
    await atRest()
    expect((await channelRow('a', 'm-spared')).status).toBe(1)
  })

  test('leaves its channel to the others that it has, however many are dead', async () => {
    const statuses: number[] = []
    for (const _ of deadKeys) statuses.push((await house.call('m-many-keys')).status)
    // One call has tries for all but one of them.
    expect(statuses).toEqual([502, 200, 200, 200, 200, 200, 200])
    expect(strict.requests.length).toBe(deadKeys.length + 6)
    expect((await channelRow('a', 'm-many-keys')).status).toBe(1)
  })

  test('not when the operator has given it another while that one was being tried', async () => {
    const saved = Promise.withResolvers<void>()
    house.answer('a', 'm-rekeyed', async () => {
      await saved.promise
      return house.upstreams.a.failWith('bad-key')
    })
    const calling = house.call('m-rekeyed')
    await until(() => house.asked('m-rekeyed').a === 1)
    const id = ids['a m-rekeyed']
    expect((await root.put('/api/channel/', { id, key: 'sk-another-0123456789' })).json.success).toBe(true)
    saved.resolve()
    expect((await calling).status).toBe(200)
    await atRest()
    expect((await channelRow('a', 'm-rekeyed')).status).toBe(1)
  })

  test('is no 401 of the client’s own', async () => {
    house.answer('a', 'm-alone-key', house.upstreams.a.failWith('bad-key'))
    const called = await house.call('m-alone-key')
    expect([called.status, called.words]).toEqual([502, '请求上游地址失败'])
  })
})

describe('an answer that is none counts as a failure', () => {
  const bad: [string, boolean, (at: Name) => Script][] = [
    ['empty', false, () => emptyBody],
    ['broken', false, () => brokenJson],
    ['error', false, at => under200(house.upstreams[at].failWith('server-error'))],
    ['redirect', false, at => redirectTo(`${house.upstreams[at].url}/v1/elsewhere`)],
    [
      'html',
      false,
      () => ({ status: 200, headers: { 'Content-Type': 'text/html' }, body: '<h1>It works</h1>' }),
    ],
    ['empty-stream', true, () => emptyStream],
    ['cut-stream', true, () => ({ cutAfterFrames: 0 })],
  ]
  test.each(bad)('%s', async (kind, stream, script) => {
    const model = `m-bad-${kind}`
    house.answer('a', model, script('a'))
    const called = await house.call(model, { stream })
    expect(called.status).toBe(200)
    expect(called.text).toContain('said')
    expect(house.asked(model)).toEqual({ a: 1, b: 1, c: 0 })
    house.answer('b', model, script('b'))
    const failed = await house.call(model, { stream })
    expect(failed.status).toBeOneOf([500, 502])
    expect(failed.text).not.toContain(house.upstreams.b.url)
    expect(await house.rig.chargeOf(failed.requestId)).toBeUndefined()
  })
})

describe('an upstream that is slow', () => {
  const limits = ['UpstreamFirstByteSeconds', 'UpstreamIdleSeconds', 'UpstreamAnswerSeconds']
  const wait = async (seconds: number) => {
    for (const key of limits) expect((await root.saveOption(key, String(seconds))).json.success).toBe(true)
  }
  beforeAll(() => wait(SLOW_SECONDS))
  afterAll(() => wait(600))

  const slow: [string, boolean, Script][] = [
    ['m-slow', true, silence],
    ['m-late', true, { stallAfterFrames: 0 }],
    ['m-opened', true, { stallAfterFrames: 1 }],
    ['m-plain-slow', false, silence],
  ]
  test.concurrent.each(slow)('%s: gives way to another', async (model, stream, script) => {
    house.answer('a', model, script)
    const began = performance.now()
    const called = await house.call(model, { stream })
    expect(called.status).toBe(200)
    expect(called.text).toContain('said')
    expect(performance.now() - began).toBeGreaterThan(SLOW_SECONDS * 900)
    expect(house.asked(model)).toEqual({ a: 1, b: 1, c: 0 })
    const { served } = house.upstreams.a
    await Promise.all(served.map(one => one.done))
  })

  test.concurrent('alone is told as such', async () => {
    house.answer('a', 'm-alone-slow', silence)
    const called = await house.call('m-alone-slow', { stream: true })
    expect([called.status, called.words]).toEqual([504, '上游响应超时'])
    expect(await house.rig.chargeOf(called.requestId)).toBeUndefined()
  })

  test.concurrent('in the middle of a stream ends it with an error, and what was said is paid', async () => {
    house.answer('a', 'm-idle', { stallAfterFrames: 3 })
    const called = await house.call('m-idle', { stream: true })
    expect(called.status).toBe(200)
    expect(called.text).toContain('"content":"You"')
    expect(called.text).toContain('上游响应超时')
    expect(called.text).not.toMatch(/\[DONE\]|"finish_reason":"/)
    expect(await house.rig.chargeOf(called.requestId)).toBeGreaterThan(0)
  })
})

test('an upstream that takes no connection gives way', async () => {
  const model = 'm-refused'
  const away = { id: ids[`a ${model}`], base_url: 'http://127.0.0.1:9' }
  expect((await root.put('/api/channel/', away)).json.success).toBe(true)
  expect((await house.call(model)).status).toBe(200)
  expect(house.asked(model)).toEqual({ a: 0, b: 1, c: 0 })
})

test('what kept failing is tried by one, then served by all', async () => {
  const before = house.asked('m-open').a
  await Bun.sleep(Math.max(0, open.ms + 100 - (performance.now() - open.by)))
  // The one that tries has no answer before the others are refused.
  const refused = Promise.withResolvers<void>()
  house.answer('a', 'm-open', async () => {
    await refused.promise
    return {}
  })
  let count = 0
  const call = async () => {
    const called = await house.call('m-open')
    if (called.status === 429 && ++count === 3) refused.resolve()
    return called
  }
  const all = await Promise.all([1, 2, 3, 4].map(call))
  expect(all.map(one => one.status).sort()).toEqual([200, 429, 429, 429])
  expect(house.asked('m-open').a).toBe(before + 1)
  const later = await Promise.all([1, 2, 3].map(() => house.call('m-open')))
  expect(later.map(one => one.status)).toEqual([200, 200, 200])
})

test('without retries the first word is the last', async () => {
  for (const at of ['a', 'b'] as const)
    house.answer(at, 'm-once', house.upstreams[at].failWith('server-error'))
  expect((await root.saveOption('RetryTimes', '0')).json.success).toBe(true)
  expect((await house.call('m-once')).status).toBe(500)
  const { a, b, c } = house.asked('m-once')
  expect([a + b, c]).toEqual([1, 0])
})
