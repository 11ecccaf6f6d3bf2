import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import type { JsonObject } from '../../../server/dialects/json.ts'
import { seeded } from '../../faults/random.ts'
import { until } from '../../program.ts'
import { type FakeUpstream, redirectTo, type Script } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { anthropic, ask, chat, gemini, vendorIn, type Way, ways } from '../ways.ts'

const TRAVERSAL = '../../v1/files'
const SEED = 20_260_815
const MUTATIONS = 300
const LEAKS = 20
const leakModel = (way: Way, at: number): string => `leak-${way.name}-${at}`

let rig: Rig
let key = ''
const fakes = new Map<string, FakeUpstream>()
/** An address that nobody may ever call. */
const canary = { url: '', calls: 0 }
const trap = createServer(socket => {
  canary.calls += 1
  socket.destroy()
})

beforeAll(async () => {
  await new Promise<void>(resolve => trap.listen(0, '127.0.0.1', resolve))
  const address = trap.address()
  canary.url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  for (const way of [chat, anthropic, gemini]) fakes.set(way.model, await way.start({ accept: STEERING }))
  rig = await openRig(
    async books => {
      key = (await books.addToken({ userId: await books.addUser({ quota: 1e12 }) })).key
      await books.setOption('DefaultModelRatio', '1')
      for (const way of [chat, anthropic, gemini]) {
        const { url: baseUrl, key: vendorKey } = vendorOf(way)
        const seed = { type: way.channelType, baseUrl, key: vendorKey }
        await books.addChannel({ ...seed, models: [way.model] })
      }
      // A channel is out of service when its key was refused: so everyone who is told on has their own.
      for (const way of ways)
        for (let at = 0; at < LEAKS; at++) {
          const { url: baseUrl, key: vendorKey } = vendorOf(way)
          const seed = { type: way.channelType, baseUrl, key: vendorKey }
          await books.addChannel({ ...seed, models: [leakModel(way, at)] })
        }
      const { url: baseUrl, key: geminiKey } = vendorOf(gemini)
      await books.addChannel({
        type: 24,
        baseUrl,
        key: geminiKey,
        models: [TRAVERSAL, 'x/../y', 'a?b#c', '..'],
      })
      await books.addChannel({
        type: 1,
        baseUrl: 'http://127.0.0.1:9',
        key: 'sk-dead-0123456789',
        models: ['dead'],
      })
    },
    { LOG_LEVEL: 'debug' },
  )
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  expect(canary.calls).toBe(0)
  for (const fake of fakes.values()) expect(fake.complaints).toEqual([])
  await rig.close()
  for (const fake of fakes.values()) await fake.stop()
  trap.close()
})

const steering = ['api_base', 'base_url', 'api_key', 'custom_host', 'azure_endpoint', 'callback', 'proxy']
const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const STEERING = [...steering, ...steering.map(camel)]

const vendorOf = (way: Way): FakeUpstream => vendorIn(fakes, way.model)

describe('a caller that names another upstream', () => {
  const headers = () =>
    Object.fromEntries(
      [
        'x-portkey-custom-host',
        'x-custom-host',
        'x-base-url',
        'x-api-base',
        'x-forwarded-host',
        'x-original-url',
        'x-rewrite-url',
        'openai-base-url',
        'x-upstream',
        'forwarded',
      ].map(name => [name, canary.url]),
    )
  const fields = (): JsonObject => Object.fromEntries(steering.map(name => [name, canary.url]))

  test.each([...ways])('$name: is served by ours', async way => {
    const before = vendorOf(way).requests.length
    const response = await ask(rig.url, way, { key, more: fields(), headers: headers() })
    expect([response.status, vendorOf(way).requests.length]).toEqual([200, before + 1])
    expect(Object.values(vendorOf(way).requests.at(-1)?.headers ?? {}).join()).not.toContain(canary.url)
  })

  const others = [
    '/v1/embeddings',
    '/v1/completions',
    '/v1/moderations',
    '/v1/rerank',
    '/v1/images/generations',
    '/v1/audio/speech',
    '/v1/ocr',
    '/v1/search',
  ]
  test.each(others)('%s: calls nobody else', async path => {
    const body = { model: chat.model, input: 'hi', prompt: 'hi', query: 'hi', documents: ['hi'], ...fields() }
    const response = await fetch(rig.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers() },
      body: JSON.stringify(body),
    })
    await response.text()
    expect(canary.calls).toBe(0)
    vendorOf(chat).complaints.length = 0
  })

  test('no path leads through us', async () => {
    for (const path of [
      `/v1/proxy/${canary.url}`,
      `/v1/assistants`,
      `/v1/${encodeURIComponent(canary.url)}`,
    ]) {
      const response = await fetch(rig.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, ...headers() },
        body: '{}',
      })
      expect([path, response.status]).toEqual([path, 404])
    }
  })
})

test('a model’s name stays one segment of the upstream’s path', async () => {
  for (const model of [TRAVERSAL, 'x/../y', 'a?b#c', '..']) {
    for (const way of [chat, gemini]) {
      const before = vendorOf(gemini).requests.length
      const response = await ask(rig.url, way, { key, model })
      await response.text()
      for (const seen of vendorOf(gemini).requests.slice(before)) {
        expect(seen.path).toStartWith('/v1beta/models/')
        expect(seen.path.slice('/v1beta/models/'.length)).not.toMatch(/[/?#]|^\.\.?:/)
        expect(seen.query).toEqual({})
      }
      expect([200, 400, 404]).toContain(response.status)
    }
  }
  vendorOf(gemini).complaints.length = 0
})

describe('an upstream that tells everything', () => {
  /** Nothing of this may reach a client or the log. */
  const secrets = () => [
    ...[...fakes.values()].flatMap(fake => [fake.key, new URL(fake.url).host]),
    '127.0.0.1:9',
    'sk-dead',
    key,
    key.slice(3),
  ]
  function expectClean(text: string): void {
    for (const secret of secrets()) expect(text).not.toContain(secret)
    expect(text).not.toMatch(/\b(SELECT|INSERT|UPDATE|SQLITE)\b/)
  }
  const kinds = ['bad-request', 'bad-key', 'forbidden', 'no-model', 'server-error', 'filtered'] as const

  test.each([...ways])('$name: is not repeated', async way => {
    const fake = vendorOf(way)
    const scripts: Script[] = [
      ...kinds.map(kind => fake.failTellingSecrets(kind)),
      redirectTo(`http://${new URL(canary.url).host}/stolen?key=${fake.key}`),
      redirectTo(canary.url, 307),
      {
        status: 500,
        headers: { 'X-Key': fake.key, Server: fake.url },
        body: `oh no ${fake.key} at ${fake.url}`,
      },
    ]
    let at = 0
    for (const script of scripts)
      for (const stream of [false, true]) {
        const before = fake.requests.length
        fake.next(script)
        const response = await ask(rig.url, way, { key, stream, model: leakModel(way, at++) })
        const text = await response.text()
        expect(fake.requests.length).toBe(before + 1)
        expect(response.status).toBeGreaterThanOrEqual(400)
        expect(response.headers.get('location')).toBeNull()
        expectClean(text)
        expect(text).not.toMatch(/\bat \S+ \(.*:\d+:\d+\)|node_modules/)
        expectClean(JSON.stringify([...response.headers]))
      }
    expect(at).toBeLessThan(LEAKS)
  })

  test('inside a stream neither', async () => {
    for (const way of ways) {
      const fake = vendorOf(way)
      const told = `data: ${JSON.stringify({ error: { message: `bad ${fake.key} at ${fake.url}`, type: 'x', code: 500 } })}\n\n`
      const before = fake.requests.length
      fake.next({ status: 200, headers: { 'Content-Type': 'text/event-stream' }, body: told })
      const response = await ask(rig.url, way, { key, stream: true, model: leakModel(way, LEAKS - 1) })
      expectClean(await response.text())
      expect(fake.requests.length).toBe(before + 1)
    }
  })

  test('one that takes no connection is not named', async () => {
    for (const stream of [false, true]) {
      const response = await ask(rig.url, chat, { key, model: 'dead', stream })
      const text = await response.text()
      expect(response.status).toBe(502)
      expectClean(text)
    }
  })

  test('nor does the log say what it said', () => {
    expectClean(rig.program.output().replaceAll(new URL(rig.url).host, ''))
  })
})

test('a client without money cannot fill the log', async () => {
  const userId = await rig.addUser({ quota: 0 })
  const poor = (await rig.addToken({ userId })).key
  const perMinute = 600
  const began = performance.now()
  // One minute may have begun at once, and a slow machine may need some more.
  const most = () => perMinute * (2 + Math.floor((performance.now() - began) / 60_000))
  for (let calls = 0; calls <= most(); calls += 50) {
    const some = Array.from({ length: 50 }, () => ask(rig.url, chat, { key: poor }))
    for (const response of await Promise.all(some)) expect(response.status).toBe(403)
  }
  const rows = () => rig.store.db.selectFrom('logs').select('id').where('user_id', '=', userId).execute()
  await until(async () => (await rows()).length >= perMinute)
  expect((await rows()).length).toBeLessThanOrEqual(most())
})

test('mutations of a good request are never our fault', async () => {
  const random = seeded(SEED)
  const before = [...fakes.values()].reduce((sum, fake) => sum + fake.requests.length, 0)
  const pick = (below: number): number => random(0, below - 1)
  const odd = [
    'null',
    '-1',
    '1e999',
    '""',
    '[]',
    '{}',
    '"\\ud800"',
    '\u0000',
    '\\',
    '"',
    '{"a":',
    '__proto__',
    '€',
  ]
  const mutate = (bytes: Buffer): Buffer => {
    const at = pick(bytes.length)
    const to = Math.min(bytes.length, at + 1 + pick(12))
    const [before, inside, after] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)]
    switch (pick(5)) {
      case 0:
        return Buffer.concat([before, after])
      case 1:
        return Buffer.concat([before, inside, inside, after])
      case 2:
        return Buffer.concat([before, Buffer.from([pick(256)]), bytes.subarray(at + 1)])
      case 3:
        return Buffer.concat([before, Buffer.from(odd[pick(odd.length)] ?? ''), after])
      default:
        return Buffer.concat([before, Buffer.from([pick(256), pick(256)]), bytes.subarray(at)])
    }
  }
  for (let round = 0; round < MUTATIONS; round++) {
    const way = ways[round % ways.length] ?? chat
    const good = JSON.stringify(way.body(way.model, 'what is this? 你好 😀', false))
    let body: Buffer = Buffer.from(good)
    for (let times = 1 + pick(3); times > 0; times--) body = mutate(body)
    const response = await ask(rig.url, way, { key, rawBody: new Uint8Array(body) })
    const text = await response.text()
    // A model that nobody has is the one 503 that a caller can bring about.
    const ours = response.status >= 500 && !/无可用渠道|model_not_found/.test(text)
    expect([round, body.toString('latin1'), response.status, ours]).toEqual([
      round,
      body.toString('latin1'),
      response.status,
      false,
    ])
  }
  // Most of them did not get past us, and some of them went through whole.
  const reached = [...fakes.values()].map(fake => fake.requests.length)
  expect(reached.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(before + 20)
  for (const fake of fakes.values()) fake.complaints.length = 0
})
