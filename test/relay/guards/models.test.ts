import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '../../program.ts'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { ask, chat, readStream, requestIdOf, ways } from '../ways.ts'

const MODEL = 'omni-moderation-latest'
const rule = { enabled: true, groups: [], action: 'block', where: ['input'] }
const model = (otherwise: 'allow' | 'block', categories: object = {}, name = MODEL) => ({
  by: 'model',
  model: name,
  categories,
  seconds: 30,
  otherwise,
})
/** For who is never answered. */
const hasty = (otherwise: 'allow' | 'block') => ({ ...model(otherwise), seconds: 2 })
const RULES = [
  {
    ...rule,
    name: 'people',
    models: [],
    looks: { by: 'kinds', kinds: ['email'] },
    action: 'mask',
  },
  { ...rule, name: 'any', models: ['m-any', 'gpt-4o', 'claude-*', 'gemini-*', MODEL], looks: model('block') },
  { ...rule, name: 'some', models: ['m-some'], looks: model('block', { hate: 'flagged', violence: 0.99 }) },
  { ...rule, name: 'low', models: ['m-low'], looks: model('block', { violence: 0.5 }) },
  { ...rule, name: 'noting', models: ['m-note'], looks: model('block'), action: 'note' },
  { ...rule, name: 'lax', models: ['m-lax'], looks: hasty('allow') },
  { ...rule, name: 'hasty', models: ['m-hasty'], looks: hasty('block') },
  { ...rule, name: 'noting soon', models: ['m-note-soon'], looks: hasty('block'), action: 'note' },
  { ...rule, name: 'nobody', models: ['m-nobody'], looks: model('block', {}, 'moderates-nowhere') },
  { ...rule, name: 'after', models: ['m-after'], looks: model('block'), where: ['output'] },
]
const MODELS = [
  ...['m-any', 'm-some', 'm-low', 'm-note', 'm-lax', 'm-hasty', 'm-note-soon', 'm-nobody', 'm-after'],
  'gpt-4o',
]

let rig: Rig
let openai: FakeUpstream
let judge: FakeUpstream
let broken: FakeUpstream
let key = ''
let poor = ''
let slow = ''
let userId = 0

beforeAll(async () => {
  openai = await startOpenai()
  judge = await startOpenai()
  broken = await startOpenai()
  rig = await openRig(async books => {
    userId = await books.addUser()
    key = (await books.addToken({ userId })).key
    poor = (await books.addToken({ userId: await books.addUser({ quota: 0 }) })).key
    slow = (await books.addToken({ userId: await books.addUser({ limits: { rpm: 1 } }) })).key
    await books.setOption('Guards', JSON.stringify(RULES))
    await books.setOption('DefaultModelRatio', '1')
    await books.setOption('RetryTimes', '2')
    const own = { baseUrl: openai.url, key: openai.key, type: 1 }
    await books.addChannel({ ...own, models: MODELS })
    await books.addChannel({ ...own, models: ['claude-sonnet-4-6', 'gemini-2.5-flash'] })
    // In a group that no caller is in.
    const judging = { type: 1, models: [MODEL], groups: ['own'] }
    await books.addChannel({ ...judging, baseUrl: judge.url, key: judge.key })
    await books.addChannel({ ...judging, baseUrl: broken.url, key: broken.key, priority: 9 })
  })
  broken.always(broken.failWith('timeout'))
})
afterAll(async () => {
  expect([...openai.complaints, ...judge.complaints]).toEqual([])
  expect(await rig.differences()).toEqual([])
  await rig.close()
  await openai.stop()
  await judge.stop()
  await broken.stop()
})

const call = (name: string, text: string, more: { stream?: boolean; key?: string } = {}) =>
  ask(rig.url, chat, { key, model: name, text, headers: { 'accept-language': 'en' }, ...more })
const messageOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { error: { message: string } }).error.message
const inputsAsked = (since: number): unknown[] =>
  judge.requests.slice(since).map(({ text }) => JSON.parse(text).input)

describe('a model is asked', () => {
  test('once, about what the other rules have left, at a channel that is nobody’s and after one that fails, and the caller pays nothing', async () => {
    const [before, balance] = [judge.requests.length, await rig.balance(userId)]
    const response = await call('m-any', 'hello a@b.example')
    expect(response.status).toBe(200)
    expect(broken.requests.length).toBe(1)
    expect(inputsAsked(before)).toEqual([['hello [email]']])
    expect(JSON.parse(judge.requests.at(-1)?.text ?? '')).toEqual({ model: MODEL, input: ['hello [email]'] })
    const charge = await rig.chargeOf(requestIdOf(response))
    expect(await rig.balance(userId)).toBe(balance - (charge ?? 0))
    expect(await rig.logOf(requestIdOf(response))).toMatchObject({ model_name: 'm-any' })
  })

  test.each(ways)('and blocks in the words of $name, naming what it found', async way => {
    const before = openai.requests.length
    const response = await ask(rig.url, way, {
      key,
      text: 'violence and hate',
      headers: { 'accept-language': 'en' },
    })
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringMatching(/“any”: (violence, hate|hate, violence)/),
    ])
    expect(openai.requests.length).toBe(before)
    const row = await rig.logOf(requestIdOf(response))
    expect(row).toMatchObject({ quota: 0, details: { admin_info: { guards: { any: 1 } } } })
    expect(await rig.chargeOf(requestIdOf(response))).toBeUndefined()
  })

  test('and only the categories count that are named, from their scores on', async () => {
    expect((await call('m-some', 'violence')).status).toBe(200)
    expect(await messageOf(await call('m-some', 'violence, hate'))).toMatch(/“some”: hate\b(?!,)/)
    expect(await messageOf(await call('m-low', 'violence'))).toContain('“low”: violence')
    expect((await call('m-low', 'hate')).status).toBe(200)
  })

  test('and may only take note', async () => {
    const response = await call('m-note', 'violence')
    expect(response.status).toBe(200)
    expect((await rig.logOf(requestIdOf(response))).details.admin_info).toMatchObject({
      guards: { noting: 1 },
    })
  })

  test('in pieces about a long text, and what is in any of them counts', async () => {
    const before = judge.requests.length
    const long = 'peace '.repeat(20_000)
    expect((await call('m-any', long)).status).toBe(200)
    const lots = inputsAsked(before) as string[][]
    expect(lots.length).toBeGreaterThan(1)
    for (const lot of lots) expect(lot.length).toBeLessThanOrEqual(32)
    for (const piece of lots.flat()) expect(piece.length).toBeLessThanOrEqual(2000)
    expect((await call('m-any', `${long}violence ${long}`)).status).toBe(400)
  })

  test('and what is longer than it can be asked about is refused, or noted as far as that goes', async () => {
    const before = judge.requests.length
    const long = 'peace '.repeat(100_000)
    const refused = await call('m-any', long)
    expect([refused.status, await messageOf(refused)]).toEqual([400, expect.stringContaining('too long')])
    expect(judge.requests.length).toBe(before)
    expect((await call('m-note', `violence ${long}`)).status).toBe(200)
    expect(judge.requests.length).toBe(before + 8)
  })

  test('but not about calls of itself', async () => {
    const before = judge.requests.length
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ model: MODEL, input: 'violence' })
    const response = await fetch(`${rig.url}/v1/moderations`, { method: 'POST', headers, body })
    // No channel of the caller's has it, and nobody was asked.
    expect(response.status).toBe(503)
    expect(judge.requests.length).toBe(before)
  })
})

describe('whoever could not be served anyway does not make it work', () => {
  test('for want of money', async () => {
    const before = judge.requests.length
    const response = await call('m-any', 'violence', { key: poor })
    expect(response.status).toBe(403)
    expect(judge.requests.length).toBe(before)
  })

  test('for a limit', async () => {
    expect((await call('m-any', 'peace', { key: slow })).status).toBe(200)
    const before = judge.requests.length
    expect((await call('m-any', 'violence', { key: slow })).status).toBe(429)
    expect(judge.requests.length).toBe(before)
  })

  test('for a model that nobody has', async () => {
    const before = judge.requests.length
    const response = await ask(rig.url, chat, { key, model: 'claude-nowhere', text: 'violence' })
    expect(response.status).toBe(503)
    expect(judge.requests.length).toBe(before)
  })
})

describe('a model that is away', () => {
  const failures: [string, () => void][] = [
    ['fails', () => judge.always({ status: 500, body: { error: { message: 'oops' } } })],
    ['is silent', () => judge.always({ silent: true })],
    ['says nothing that can be read', () => judge.always({ status: 200, body: { results: [{}] } })],
    ['says too little', () => judge.always({ status: 200, body: { results: [] } })],
  ]

  test.each(failures)('that %s lets through or refuses, as its rule says', async (_, fail) => {
    fail()
    try {
      expect((await call('m-lax', 'peace')).status).toBe(200)
      expect((await call('m-note-soon', 'peace')).status).toBe(200)
      const before = openai.requests.length
      const refused = await call('m-hasty', 'peace')
      expect([refused.status, await messageOf(refused)]).toEqual([503, expect.stringContaining('“hasty”')])
      expect(openai.requests.length).toBe(before)
      expect(await rig.chargeOf(requestIdOf(refused))).toBeUndefined()
    } finally {
      judge.always({})
    }
  })

  test('that no channel has is away', async () => {
    const refused = await call('m-nobody', 'peace')
    expect([refused.status, await messageOf(refused)]).toEqual([503, expect.stringContaining('“nobody”')])
  })

  test('and is asked again when it is back', async () => {
    await until(async () => (await call('m-any', 'violence')).status === 400 || undefined)
  })
})

describe('about answers', () => {
  test('a whole one is judged before it is paid', async () => {
    openai.next({ reply: { text: 'violence' } })
    const blocked = await call('m-after', 'hi')
    expect([blocked.status, await messageOf(blocked)]).toEqual([
      400,
      expect.stringContaining('“after”: violence'),
    ])
    expect(await rig.chargeOf(requestIdOf(blocked))).toBeUndefined()
    expect((await call('m-after', 'hi')).status).toBe(200)
  })

  test('a streamed one is refused', async () => {
    const { text } = await readStream(await call('m-after', 'hi', { stream: true }))
    expect(text).toContain('stream')
  })
})

test('the figures tell how often it was asked', async () => {
  const text = await (await fetch(`${rig.url}/metrics`)).text()
  expect(text).toMatch(/tollgate_guard_asked_total\{[^}]*rule="any"[^}]*\} [1-9]/)
  expect(text).toMatch(/tollgate_guard_unanswered_total\{[^}]*rule="nobody"[^}]*\} 1\b/)
})
