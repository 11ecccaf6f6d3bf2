import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openSocket } from '../../../server/relay/upstream/open-socket.ts'
import { type Client, rootClient } from '../../client.ts'
import { until } from '../../program.ts'
import { MODEL, Talk } from '../../realtime/house.ts'
import { startLoopback } from '../../realtime/upstream.ts'
import { type FakeUpstream, silence, startAnthropic } from '../../upstreams/index.ts'
import { type Answer, brokenJson, emptyStream } from '../../upstreams/script.ts'
import { anthropic, ask, chat, readStream, requestIdOf } from '../ways.ts'
import { type ChannelHouse, type Name, openChannelHouse } from './channel-house.ts'

const times = (count: number) => Array.from({ length: count }, (_, at) => at)
/** So many that the channels do not rest for all of them at once. */
const chaos = times(40).map(at => `m-chaos-${at}`)

let house: ChannelHouse
let claude: FakeUpstream
let talker: ReturnType<typeof startLoopback>
let root: Client
let edited = 0
/** A machine that stands still in the middle spoils one of them. */
const paced = times(8).map(at => `m-pace-${at}`)

beforeAll(async () => {
  claude = await startAnthropic()
  talker = startLoopback((socket, { type }) => (type === 'go.away' ? socket.close(1011) : undefined))
  house = await openChannelHouse({ RetryTimes: '2' }, async ({ add, books }) => {
    for (const name of ['a', 'b', 'c'] as const) await add(name, 'm-spread')
    for (const name of ['a', 'b'] as const) await add(name, '', { models: paced })
    for (const name of ['a', 'b'] as const) await add(name, 'm-fails')
    for (const name of ['a', 'b', 'c'] as const)
      await add(name, '', { models: chaos, limits: { concurrency: 40 } })
    const costs = { a: { cost_ratio: 0.9 }, b: { cost_ratio: 0.2 }, c: {} }
    for (const name of ['a', 'b', 'c'] as const)
      await add(name, 'm-costs', { weight: name === 'b' ? 1 : 50, setting: costs[name] })
    edited = await add('a', 'm-edited')
    await add('b', 'm-edited')
    const model = anthropic.model
    await books.addChannel({ type: 1, baseUrl: talker.url, key: 'sk-up', models: [MODEL] })
    await books.addChannel({ type: 14, baseUrl: claude.url, key: claude.key, models: [model] })
  })
  root = await rootClient(house.rig.url)
})
afterAll(async () => {
  expect(claude.complaints).toEqual([])
  await house.close()
  await claude.stop()
  talker.stop()
})

async function choose(value: string): Promise<void> {
  expect((await root.saveOption('ChannelChoice', value)).json.success).toBe(true)
}

let calls = 0
/** A conversation of its own, which no channel knows. */
const words = (): string => `call ${++calls}`

/** What counts as under way and as waiting, over all channels. */
async function counted(): Promise<{ live: number; waiting: number }> {
  const text = await (await fetch(`${house.rig.url}/metrics`)).text()
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}\\{.*\\} (-?\\d+)$`, 'gm'))].reduce(
      // Below zero is as wrong as above it, and must not make up for it.
      (total, [, value]) => total + Math.abs(Number(value)),
      0,
    )
  return { live: sum('tollgate_relay_channel_live'), waiting: sum('tollgate_relay_channel_waiting') }
}

const nothingCounts = (): Promise<boolean> =>
  until(async () => {
    const { live, waiting } = await counted()
    return live === 0 && waiting === 0
  })

interface Held {
  readonly leave: () => void
  readonly done: Promise<unknown>
}

/** A stream of which the first words are here; it goes on when its upstream does. */
async function openStream(model: string): Promise<Held> {
  const gone = new AbortController()
  const { key, rig } = house
  const asking = { key, model, text: words(), stream: true, signal: gone.signal }
  const response = await ask(rig.url, chat, asking)
  expect(response.status).toBe(200)
  return { leave: () => gone.abort(), done: readStream(response) }
}

test('by weight, nothing is counted', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const name of ['a', 'b', 'c'] as const)
    house.answer(name, 'm-spread', { hold: { afterFrames: 3, until: promise } })
  const streams = await Promise.all(times(6).map(() => openStream('m-spread')))
  expect(await counted()).toEqual({ live: 0, waiting: 0 })
  resolve()
  await Promise.all(streams.map(({ done }) => done))
})

test('the least busy: streams that stay open spread evenly, and count no more when they end', async () => {
  await choose('least_busy')
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const name of ['a', 'b', 'c'] as const)
    house.answer(name, 'm-spread', { hold: { afterFrames: 3, until: promise } })
  const before = house.asked('m-spread')
  const since = (name: Name) => house.asked('m-spread')[name] - before[name]
  // At once, so that a count that came late would show.
  const first = await Promise.all(times(30).map(() => openStream('m-spread')))
  expect([since('a'), since('b'), since('c')]).toEqual([10, 10, 10])
  expect(await counted()).toEqual({ live: 30, waiting: 0 })
  for (const { leave } of first.slice(0, 15)) leave()
  await until(async () => (await counted()).live === 15)
  const more = await Promise.all(times(15).map(() => openStream('m-spread')))
  expect(await counted()).toEqual({ live: 30, waiting: 0 })
  resolve()
  await Promise.all([...first, ...more].map(({ done }) => done))
  await nothingCounts()
  // Whoever left, left room: all have had the same again.
  expect(since('a') + since('b') + since('c')).toBe(45)
})

test('the least busy: a channel that is edited keeps what it has under way', async () => {
  await choose('least_busy')
  const { promise, resolve } = Promise.withResolvers<void>()
  const hold: Answer = { hold: { afterFrames: 3, until: promise } }
  for (const name of ['a', 'b'] as const) house.answer(name, 'm-edited', hold)
  const streams = await Promise.all(times(8).map(() => openStream('m-edited')))
  expect(house.asked('m-edited')).toEqual({ a: 4, b: 4, c: 0 })
  const saved = await root.put('/api/channel/', { id: edited, name: 'another name' })
  expect(saved.json.success).toBe(true)
  streams.push(...(await Promise.all(times(4).map(() => openStream('m-edited')))))
  expect(house.asked('m-edited')).toEqual({ a: 6, b: 6, c: 0 })
  resolve()
  await Promise.all(streams.map(({ done }) => done))
  await nothingCounts()
})

/** Two channels of which one is slow, then the other. False when the machine was as slow: that tells nothing of them. */
async function takeTurns(model: string, slowMs: number): Promise<boolean> {
  const asked = () => house.asked(model)
  let keptUp = true
  let quick: Name = 'c'
  const timed = async (): Promise<number> => {
    const began = performance.now()
    expect((await house.call(model, { text: words() })).status).toBe(200)
    return performance.now() - began
  }
  const call = async (): Promise<Name> => {
    const before = asked()
    const took = await timed()
    const name = asked().a > before.a ? 'a' : 'b'
    if (took > (name === quick ? slowMs / 2 : slowMs * 1.5)) keptUp = false
    return name
  }
  // Nobody knows either: of two at once each gets one. The slow one answers long after the quick one.
  const other = { a: 'b', b: 'a' } as const
  const slowly = async (): Promise<Answer> => {
    await Bun.sleep(slowMs)
    return {}
  }
  for (const name of ['a', 'b'] as const)
    house.answer(name, model, async () => {
      if (quick === 'c') quick = name
      return quick === name ? {} : slowly()
    })
  const [one, another] = await Promise.all([timed(), timed()])
  if (Math.min(one, another) > slowMs / 2 || Math.max(one, another) > slowMs * 1.5) return false
  expect(asked()).toEqual({ a: 1, b: 1, c: 0 })
  const first = quick as 'a' | 'b'
  const second = other[first]
  const early: Name[] = []
  for (const _ of times(20)) early.push(await call())
  if (!keptUp) return false
  expect(early.filter(name => name === first).length).toBeGreaterThan(14)

  // Now the other way round: a few slow answers, and everybody is at the other.
  quick = second
  let tries = 0
  while ((await call()) === first && keptUp) expect(++tries).toBeLessThan(15)
  if (!keptUp) return false
  const late: Name[] = []
  for (const _ of times(20)) late.push(await call())
  if (!keptUp) return false
  expect(late.filter(name => name === second).length).toBeGreaterThan(14)
  return true
}

test('the fastest: the quick one is asked, until it is the slow one', async () => {
  await choose('fastest')
  let isSeen = false
  // Slower each time: in the end no machine is as slow.
  for (const [at, model] of paced.entries()) isSeen ||= await takeTurns(model, 1000 * (at + 1))
  expect(isSeen).toBe(true)
  await nothingCounts()
})

test('the fastest: one that fails is slow, however soon it says so', async () => {
  await choose('fastest')
  house.answer('a', 'm-fails', house.upstreams.a.failWith('server-error'))
  for (const _ of times(12)) expect((await house.call('m-fails', { text: words() })).status).toBe(200)
  expect(house.asked('m-fails')).toEqual({ a: 1, b: 12, c: 0 })
})

test('the fastest: those that come at once do not all go to the same', async () => {
  await choose('fastest')
  const { promise, resolve } = Promise.withResolvers<Answer>()
  for (const name of ['a', 'b', 'c'] as const) house.answer(name, 'm-spread', () => promise)
  const before = house.asked('m-spread')
  const running = times(90).map(() => house.call('m-spread', { text: words() }))
  await until(async () => (await counted()).waiting === 90)
  resolve({})
  for (const { status } of await Promise.all(running)) expect(status).toBe(200)
  const { a, b, c } = house.asked('m-spread')
  for (const got of [a - before.a, b - before.b, c - before.c]) expect(got).toBeGreaterThan(10)
  await nothingCounts()
})

test('the cheapest: it serves what it can, then the next in cost, then one of which nobody knows', async () => {
  await choose('cheapest')
  const call = () => house.call('m-costs', { text: words() })
  for (const _ of times(12)) expect((await call()).status).toBe(200)
  expect(house.asked('m-costs')).toEqual({ a: 0, b: 12, c: 0 })
  expect(await counted()).toEqual({ live: 0, waiting: 0 })
  const busy = (name: Name) => ({
    ...house.upstreams[name].failWith('rate-limit'),
    headers: { 'Retry-After': '300' },
  })
  house.answer('b', 'm-costs', busy('b'))
  expect((await call()).status).toBe(200)
  // It rests from here on.
  for (const _ of times(5)) expect((await call()).status).toBe(200)
  expect(house.asked('m-costs')).toEqual({ a: 6, b: 13, c: 0 })
  house.answer('a', 'm-costs', busy('a'))
  for (const _ of times(3)) expect((await call()).status).toBe(200)
  expect(house.asked('m-costs')).toEqual({ a: 7, b: 13, c: 3 })
})

test('a first token is the first content: an opening is none', async () => {
  await choose('fastest')
  claude.always(() => ({ hold: { afterFrames: 1, until: Bun.sleep(1400) } }))
  const response = await ask(house.rig.url, anthropic, { key: house.key, stream: true })
  const { text } = await readStream(response)
  expect(text).toMatch(anthropic.endMark)
  const { details } = await house.rig.logOf(requestIdOf(response))
  expect(details.frt).toBeGreaterThanOrEqual(1390)
  claude.always({})
  await nothingCounts()
})

test('a vendor that cannot count is asked for words all the same', async () => {
  const { url, key } = { url: house.rig.url, key: house.key }
  claude.always(seen => (seen.path.includes('count_tokens') ? { status: 500, body: {} } : {}))
  for (const _ of times(7)) {
    const counted = await fetch(`${url}/v1/messages/count_tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: anthropic.model, messages: [{ role: 'user', content: words() }] }),
    })
    expect([counted.status, Object.keys(await counted.json())]).toEqual([200, ['input_tokens']])
  }
  const answered = await ask(url, anthropic, { key, text: words() })
  expect(answered.status).toBe(200)
  await answered.text()
  claude.always({})
})

test('a realtime session counts until it ends, whoever ends it', async () => {
  await choose('fastest')
  const url = `${house.rig.url.replace('http', 'ws')}/v1/realtime?model=${MODEL}`
  const headers = { authorization: `Bearer ${house.key}` }
  const talks = times(4).map(() => new Talk(openSocket(url, { headers })))
  for (const talk of talks) await talk.until('session.created')
  expect(await counted()).toEqual({ live: 4, waiting: 0 })
  talks[0]?.socket.terminate()
  talks[1]?.socket.close()
  talks[2]?.say({ type: 'go.away' })
  await until(async () => (await counted()).live === 1)
  talks[3]?.socket.terminate()
  await nothingCounts()
})

const embeddings = {
  ...chat,
  path: () => '/v1/embeddings',
  body: (model: string, input: string) => ({ model, input }),
}
const completions = {
  ...chat,
  path: () => '/v1/completions',
  body: (model: string, prompt: string, stream: boolean) => ({ model, prompt, stream }),
}
const troubles: readonly Answer[] = [
  {},
  {},
  { status: 500, body: { error: { message: 'broken', type: 'server_error' } } },
  { status: 400, body: { error: { message: 'your fault', type: 'invalid_request_error' } } },
  { status: 404, body: { error: { message: 'no such thing', type: 'invalid_request_error' } } },
  brokenJson as Answer,
  emptyStream as Answer,
  silence as Answer,
  { cutAfterFrames: 2 },
  { cutAfterFrames: 0, reset: true },
  { errorAfterFrames: 2 },
  { stallAfterFrames: 3 },
  { endless: true, gapMs: 5 },
]

test('whatever happens, also that the choice changes meanwhile, nothing counts in the end', async () => {
  for (const option of ['UpstreamFirstByteSeconds', 'UpstreamIdleSeconds', 'UpstreamAnswerSeconds'])
    expect((await root.saveOption(option, '1')).json.success).toBe(true)
  let turn = 0
  for (const name of ['a', 'b', 'c'] as const)
    for (const model of chaos) house.answer(name, model, () => troubles[turn++ % troubles.length] ?? {})
  const { key, rig } = house
  const one = async (at: number): Promise<void> => {
    const gone = new AbortController()
    let bell = at % 4 === 1 ? setTimeout(() => gone.abort(), (at * 37) % 400) : undefined
    try {
      const way = at % 11 === 5 ? anthropic : at % 11 === 7 ? embeddings : at % 11 === 9 ? completions : chat
      const response = await ask(rig.url, way, {
        ...{ key, model: at % 17 === 3 ? 'm-nobody-has' : (chaos[at % chaos.length] ?? '') },
        ...{ text: words(), stream: at % 3 !== 0, signal: gone.signal },
      })
      // What goes on for ever is left at last.
      bell ??= setTimeout(() => gone.abort(), 2000)
      await readStream(response)
    } catch {
      // It has left.
    }
    clearTimeout(bell)
  }
  const askedAll = () =>
    Object.values(house.upstreams).reduce((sum, { requests }) => sum + requests.length, 0)
  const running: Promise<void>[] = []
  let ended = 0
  for (const choice of ['least_busy', 'fastest', 'weight', 'fastest']) {
    await choose(choice)
    const before = askedAll()
    running.push(...times(80).map(at => one(at).finally(() => ended++)))
    // Some of them are under way; by weight that cannot be seen in the counts.
    await until(() => askedAll() > before || ended === running.length)
  }
  await Promise.all(running)
  await nothingCounts()
  const asked = chaos.flatMap(model => Object.values(house.asked(model))).reduce((sum, each) => sum + each)
  expect(asked).toBeGreaterThan(troubles.length * 10)
})
