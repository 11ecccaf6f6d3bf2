import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { type Client, rootClient } from '../../client.ts'
import { until } from '../../program.ts'
import { type FakeUpstream, type Script, startOpenai } from '../../upstreams/index.ts'
import type { ChannelSeed } from '../rig.ts'
import { ask, chat, readStream, responses } from '../ways.ts'
import { type ChannelHouse, openChannelHouse } from './channel-house.ts'

const RETRIES = 4
const FAILURES_TO_OPEN = 5
const keys = [0, 1, 2, 3, 4].map(at => `sk-many-${at}-0123456789abcdef`)
const ids: Record<string, number> = {}

let house: ChannelHouse
/** Takes all of the keys, each for as long as its script for a model says so. */
let vendor: FakeUpstream
let root: Client
let adminKey = ''
const scripts = new Map<string, Script>()

beforeAll(async () => {
  vendor = await startOpenai({ key: keys[0] ?? '', moreKeys: keys.slice(1) })
  vendor.always(async (seen, known) => {
    const script = scripts.get(`${keyOf(seen)} ${modelOf(seen)}`) ?? {}
    return typeof script === 'function' ? script(seen, known) : script
  })
  house = await openChannelHouse(
    { RetryTimes: String(RETRIES), GlobalApiRateLimit: '0' },
    async ({ add, books }) => {
      const of = async (model: string, count: number, seed: Partial<ChannelSeed> = {}) => {
        const key = keys.slice(0, count).join('\n')
        ids[model] = await add('a', model, { baseUrl: vendor.url, key, ...seed })
      }
      adminKey = (await books.addToken({ userId: await books.addUser({ role: 10 }) })).key
      for (const model of ['m-two', 'm-stream', 'm-opens', 'm-broken', 'm-dead', 'm-edited', 'm-pinned'])
        await of(model, 2)
      for (const model of ['m-burst', 'm-cut']) await of(model, 2)
      await of('m-five', 5)
      await of('m-alone', 1)
      await of('m-goes-on', 5)
      await of('m-all', 2, { models: ['m-all', 'm-all-else'] })
      await of('m-back', 2)
      await of('m-spent', 5, { priority: 1 })
      await of('m-beside', 2, { weight: 1 })
      await of('m-full', 2, { limits: { rpm: 1 } })
      await of('m-busy', 2)
      await of('m-counted', 2)
      await add('b', 'm-spent')
      await add('b', 'm-beside')
    },
  )
  root = await rootClient(house.rig.url)
})
afterAll(async () => {
  expect(vendor.complaints).toEqual([])
  await house.close()
  await vendor.stop()
})

type Seen = FakeUpstream['requests'][number]
const keyOf = ({ headers }: Seen): number =>
  keys.indexOf((headers.authorization ?? '').slice('Bearer '.length))
const modelOf = ({ json }: Seen): unknown => (json as { model?: unknown } | undefined)?.model

/** The keys that the vendor was asked with for a model, in their order. */
const askedWith = (model: string): number[] =>
  vendor.requests.filter(seen => modelOf(seen) === model).map(keyOf)
const answer = (key: number, model: string, script: Script): void =>
  void scripts.set(`${key} ${model}`, script)
const limited = (seconds = 60): Script => ({
  ...vendor.failWith('rate-limit'),
  headers: { 'Retry-After': String(seconds) },
})
const tooBusy = 'data: {"error":{"message":"Slow down","type":"requests","code":"rate_limit_exceeded"}}\n\n'
const channelOf = async (model: string): Promise<ChannelView> =>
  (await root.get(`/api/channel/${ids[model]}`)).json.data
const waitOf = ({ headers }: { headers: Headers }): number => Number(headers.get('retry-after'))

describe('one key that is limited', () => {
  test('leaves the call to another, and the calls after it; one is paid', async () => {
    answer(0, 'm-two', limited())
    const called = await house.call('m-two')
    expect(called.status).toBe(200)
    expect(askedWith('m-two')).toEqual([0, 1])
    const row = await house.rig.logOf(called.requestId)
    const id = String(ids['m-two'])
    const failed = [expect.stringMatching(/^status 429, rate_limit_exceeded: Rate limit reached/)]
    expect(row.details.admin_info).toEqual({ use_channel: [id, id], failed })
    expect(await house.rig.chargeOf(called.requestId)).toBe(row.quota)
    for (let at = 0; at < 6; at++) expect((await house.call('m-two')).status).toBe(200)
    expect(askedWith('m-two').slice(2)).toEqual([1, 1, 1, 1, 1, 1])
  })

  test('so do three of five, of which the operator is told; the channel does not rest', async () => {
    for (const key of [0, 1, 3]) answer(key, 'm-five', limited(300))
    for (let at = 0; at < 6; at++) expect((await house.call('m-five')).status).toBe(200)
    expect(askedWith('m-five')).toEqual([0, 1, 2, 3, 4, 2, 4, 2, 4])
    const view = await until(async () => {
      const now = await channelOf('m-five')
      return now.resting_keys?.[0]?.keys.resting === 3 ? now : undefined
    })
    expect(view).not.toHaveProperty('resting')
    expect(view.resting_keys).toMatchObject([
      { model: 'm-five', reason: 'rate', status: 429, keys: { resting: 3, all: 5 } },
    ])
    expect((view.resting_keys?.[0]?.until ?? 0) - Date.now() / 1000).toBeWithin(270, 302)
    for (const key of keys) expect(JSON.stringify(view)).not.toContain(key)

    // Let off, all of them are asked again.
    for (const key of [0, 1, 3]) answer(key, 'm-five', {})
    expect((await root.post(`/api/channel/${ids['m-five']}/wake`, undefined)).json.success).toBe(true)
    expect(await channelOf('m-five')).not.toHaveProperty('resting_keys')
    await until(async () => {
      await house.call('m-five')
      return new Set(askedWith('m-five').slice(9)).size === keys.length
    })
  })

  test.each([
    ['refuses a stream', 'm-stream', () => limited()],
    [
      'opens a stream to say so',
      'm-opens',
      (): Script => ({
        frames: ([first = '']) => [first, tooBusy],
      }),
    ],
  ])('and %s: the client sees the other one’s', async (_name, model, script) => {
    answer(0, model, script())
    const called = await house.call(model, { stream: true })
    expect(called.status).toBe(200)
    expect(called.text).toContain('said')
    expect(called.text).not.toContain('error')
    expect(called.text).toContain('[DONE]')
    expect(askedWith(model)).toEqual([0, 1])
  })

  test('in the middle of a stream rests too, and its channel does not', async () => {
    const cut = async (): Promise<void> => {
      const heard = Promise.withResolvers<void>()
      for (const key of [0, 1])
        answer(key, 'm-cut', {
          frames: frames => [...frames.slice(0, 3), tooBusy],
          hold: { afterFrames: 3, until: heard.promise },
        })
      const response = await ask(house.rig.url, chat, { key: house.key, model: 'm-cut', stream: true })
      heard.resolve()
      expect((await readStream(response)).text).toMatch(chat.failMark)
    }
    // The vendor does not say for how long: it is soon over, and may be before anybody looks.
    let since = Number.NEGATIVE_INFINITY
    const told = await until(async () => {
      if (performance.now() - since > 15_000) {
        since = performance.now()
        await cut()
      }
      const { resting, resting_keys } = await channelOf('m-cut')
      return resting ?? resting_keys
    })
    expect(told).toMatchObject([{ model: 'm-cut', reason: 'rate', keys: { resting: 1, all: 2 } }])
  })

  test('leaves all calls of a burst to the other', async () => {
    answer(0, 'm-burst', async () => {
      await Bun.sleep(50)
      return { ...vendor.failWith('rate-limit'), headers: { 'Retry-After': '60' } }
    })
    const all = await Promise.all(Array.from({ length: 60 }, () => house.call('m-burst')))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    expect(askedWith('m-burst').filter(key => key === 1).length).toBe(60)
  })

  test('also where the channel is asked for by its number', async () => {
    answer(0, 'm-pinned', limited())
    const called = await house.call('m-pinned', { key: `${adminKey}-${ids['m-pinned']}` })
    expect([called.status, askedWith('m-pinned')]).toEqual([200, [0, 1]])
  })

  test('gives way to other channels: to equals first, and with the last try to any', async () => {
    answer(0, 'm-beside', limited())
    expect((await house.call('m-beside')).status).toBe(200)
    expect([askedWith('m-beside'), house.asked('m-beside').b]).toEqual([[0], 1])
    for (const [key] of keys.entries()) answer(key, 'm-spent', limited())
    const called = await house.call('m-spent')
    expect(called.status).toBe(200)
    expect([askedWith('m-spent'), house.asked('m-spent').b]).toEqual([[0, 1, 2, 3], 1])
    // One is left, which is tried before the others' turn comes.
    expect((await house.call('m-spent')).status).toBe(200)
    expect([askedWith('m-spent'), house.asked('m-spent').b]).toEqual([[0, 1, 2, 3, 4], 2])
    expect((await house.call('m-spent')).status).toBe(200)
    expect([askedWith('m-spent').length, house.asked('m-spent').b]).toEqual([5, 3])
  })

  test('is no way around the limits of its channel', async () => {
    answer(0, 'm-full', limited())
    expect((await house.call('m-full')).status).toBe(429)
    expect(askedWith('m-full')).toEqual([0])
  })

  test('is forgotten with the keys that the operator has replaced', async () => {
    const saved = Promise.withResolvers<void>()
    answer(0, 'm-edited', async () => {
      await saved.promise
      return { ...vendor.failWith('rate-limit'), headers: { 'Retry-After': '300' } }
    })
    const calling = house.call('m-edited')
    await until(() => askedWith('m-edited').length === 1)
    const change = { id: ids['m-edited'], key: `${keys[2]}\n${keys[0]}` }
    expect((await root.put('/api/channel/', change)).json.success).toBe(true)
    saved.resolve()
    expect((await calling).status).toBe(200)
    answer(0, 'm-edited', {})
    await until(async () => {
      expect((await house.call('m-edited')).status).toBe(200)
      const last = askedWith('m-edited').slice(-2)
      return last.includes(0) && last.includes(2)
    })
    expect(await channelOf('m-edited')).not.toHaveProperty('resting_keys')
  })

  test('leaves nothing behind where calls under way are counted', async () => {
    expect((await root.saveOption('ChannelChoice', 'fastest')).json.success).toBe(true)
    answer(0, 'm-counted', limited())
    expect((await house.call('m-counted')).status).toBe(200)
    expect(askedWith('m-counted')).toEqual([0, 1])
    const figures = async () => (await fetch(`${house.rig.url}/metrics`)).text()
    // A call counts a moment longer than its client hears of it.
    const text = await until(async () => {
      const told = await figures()
      return /^tollgate_relay_channel_(live|waiting)\{/m.test(told) ? undefined : told
    })
    for (const key of keys) expect(text).not.toContain(key)
    expect((await root.saveOption('ChannelChoice', 'weight')).json.success).toBe(true)
  })
})

/** What one account keeps, another does not know. */
test.each([false, true])('who goes on from an answer, streamed %p, is led to its key', async stream => {
  const model = 'm-goes-on'
  const asked = { key: house.key, model }
  const first = await (await ask(house.rig.url, responses, { ...asked, stream })).text()
  const [response] = /resp_\w+/.exec(first) ?? []
  const [id] = /msg_\w+/.exec(first) ?? []
  const maker = askedWith(model).at(-1)
  const named = [
    { type: 'item_reference', id },
    { role: 'user', content: 'and then?' },
  ]
  for (const more of [{ previous_response_id: response }, { input: named }])
    for (let at = 0; at < 3; at++) {
      expect((await ask(house.rig.url, responses, { ...asked, more })).status).toBe(200)
      expect(askedWith(model).at(-1)).toBe(maker)
    }
  const headers = { authorization: `Bearer ${house.key}` }
  expect((await fetch(`${house.rig.url}/v1/responses/${response}`, { headers })).status).toBe(200)
  expect(vendor.requests.map(keyOf).at(-1)).toBe(maker)
})

test('what the only key of a channel made is found by it when there are more', async () => {
  const model = 'm-alone'
  const call = { key: house.key, model }
  const made = /resp_\w+/.exec(await (await ask(house.rig.url, responses, call)).text())?.[0]
  const more = keys.slice(0, 3).toReversed().join('\n')
  expect((await root.put('/api/channel', { id: ids[model], key: more })).json.success).toBe(true)
  // The others are asked by now.
  await until(async () => {
    await (await ask(house.rig.url, responses, call)).text()
    return askedWith(model).at(-1) !== 0
  })
  const headers = { authorization: `Bearer ${house.key}` }
  for (let at = 0; at < 3; at++) {
    const seen = await fetch(`${house.rig.url}/v1/responses/${made}`, { headers })
    expect([seen.status, vendor.requests.map(keyOf).at(-1)]).toEqual([200, 0])
    const goesOn = { ...call, more: { previous_response_id: made } }
    expect((await ask(house.rig.url, responses, goesOn)).status).toBe(200)
    expect(askedWith(model).at(-1)).toBe(0)
  }
})

describe('all keys of a channel', () => {
  test('rest until the first is back, which is what the client is told; for other models they do not', async () => {
    answer(0, 'm-all', limited(50))
    answer(1, 'm-all', limited(200))
    for (let at = 0; at < 3; at++) {
      const called = await house.call('m-all')
      expect([called.status, called.words]).toEqual([429, '当前分组上游负载已饱和，请稍后再试'])
      expect(waitOf(called)).toBeWithin(1, 51)
    }
    expect(askedWith('m-all')).toEqual([0, 1])
    expect((await house.call('m-all-else')).status).toBe(200)
    const view = await until(async () => {
      const now = await channelOf('m-all')
      return now.resting ? now : undefined
    })
    expect(view).not.toHaveProperty('resting_keys')
    expect(view.resting).toMatchObject([{ model: 'm-all', reason: 'rate', status: 429 }])
    expect((view.resting?.[0]?.until ?? 0) - Date.now() / 1000).toBeLessThan(52)
  })

  test('and the first that is back is asked', async () => {
    answer(0, 'm-back', limited(300))
    answer(1, 'm-back', limited(2))
    expect((await house.call('m-back')).status).toBe(429)
    answer(1, 'm-back', {})
    const called = await until(async () => {
      const now = await house.call('m-back')
      return now.status === 200 ? now : undefined
    })
    expect(called.text).toContain('said')
    expect(askedWith('m-back')).toEqual([0, 1, 1])
  })

  test('are left alone together when it is the upstream that fails', async () => {
    for (const key of [0, 1]) answer(key, 'm-broken', vendor.failWith('server-error'))
    for (let at = 0; at < FAILURES_TO_OPEN; at++) {
      expect((await house.call('m-broken')).status).toBe(500)
      expect(askedWith('m-broken').length).toBe(at + 1)
    }
    expect((await house.call('m-broken')).status).toBe(429)
    expect(askedWith('m-broken')).toEqual([0, 1, 0, 1, 0])
  })

  test('have had their turn without retries: the client is told to come back at once', async () => {
    answer(0, 'm-busy', limited(300))
    expect((await root.saveOption('RetryTimes', '0')).json.success).toBe(true)
    const called = await house.call('m-busy')
    expect((await root.saveOption('RetryTimes', String(RETRIES))).json.success).toBe(true)
    expect([called.status, waitOf(called), askedWith('m-busy')]).toEqual([429, 1, [0]])
  })
})

test('a key that is refused leaves the call to another, and the operator is told', async () => {
  answer(0, 'm-dead', vendor.failWith('bad-key'))
  for (let at = 0; at < 4; at++) expect((await house.call('m-dead')).status).toBe(200)
  expect(askedWith('m-dead')).toEqual([0, 1, 1, 1, 1])
  const view = await until(async () => {
    const now = await channelOf('m-dead')
    return now.resting_keys ? now : undefined
  })
  expect(view.status).toBe(1)
  expect(view.resting_keys).toMatchObject([{ reason: 'auth', status: 401, keys: { resting: 1, all: 2 } }])
  expect(view.resting_keys?.[0]).not.toHaveProperty('model')
})
