import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { atRest } from '../../at-rest.ts'
import { morePatience } from '../../more-patience.ts'
import { until } from '../../program.ts'
import { type Answer, errorOnceAnswered, type FakeUpstream } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { anthropic, ask, chat, readStream, requestIdOf, responses, type Way, ways } from '../ways.ts'

// Vendors that are too busy often open their answer and say so then. Nothing of it has been said by that time.

const MODELS = ['gpt-4o', 'gpt-4.1', 'claude-sonnet-4-6', 'gemini-3.5-flash']
/** An opening waits a second for what follows it, which on a busy machine may take its vendor longer. */
const patience = morePatience({ 1000: 6000 })
let rig: Rig
let key = ''
let userId = 0
const first = new Map<Way, FakeUpstream>()
const second = new Map<Way, FakeUpstream>()

beforeAll(async () => {
  for (const way of ways) {
    first.set(way, await way.start())
    second.set(way, await way.start())
  }
  rig = await openRig(async books => {
    userId = await books.addUser()
    key = (await books.addToken({ userId })).key
    await books.setOption('RetryTimes', '2')
    const ratios = JSON.stringify(Object.fromEntries(MODELS.map(model => [model, 1])))
    await books.setOption('ModelRatio', ratios)
    await books.setOption('CompletionRatio', ratios)
    for (const [priority, fakes] of [first, second].entries())
      for (const way of ways) {
        const { url: baseUrl, key: vendorKey } = fakes.get(way) as FakeUpstream
        const model = modelOf(way)
        const setting = { dialects: [way.name] }
        const seed = { type: way.channelType, baseUrl, key: vendorKey, models: [model], setting }
        await books.addChannel({ ...seed, priority: 1 - priority })
      }
  }, patience)
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  for (const fakes of [first, second])
    for (const fake of fakes.values()) {
      expect(fake.complaints).toEqual([])
      await fake.stop()
    }
})

const modelOf = (way: Way): string => MODELS[ways.indexOf(way)] ?? ''
/** Frames before the model has begun. */
const OPENING: Record<Way['name'], number> = {
  'openai-chat': 1,
  'openai-responses': 2,
  anthropic: 1,
  gemini: 0,
}

async function stream(client: Way, vendor: Way, script: Answer, heard = () => {}) {
  first.get(vendor)?.next({ gapMs: 20, ...script })
  const before = second.get(vendor)?.requests.length ?? 0
  const response = await ask(rig.url, client, { key, model: modelOf(vendor), stream: true, text: 'one two' })
  heard()
  const { text } = await readStream(response)
  const asked = (second.get(vendor)?.requests.length ?? 0) - before
  // A channel whose streams break one after the other is left alone: here each is the first.
  await (await ask(rig.url, client, { key, model: modelOf(vendor) })).text()
  return { status: response.status, text, asked, charge: await rig.chargeOf(requestIdOf(response)) }
}

const starts: Record<Way['name'], RegExp> = {
  'openai-chat': /"role":"assistant"/g,
  'openai-responses': /^event: response\.created$/gm,
  anthropic: /^event: message_start$/gm,
  gemini: /"finishReason"/g,
}

const pairs = ways.flatMap(client =>
  ways.map(vendor => ({ name: `${client.name} from ${vendor.name}`, client, vendor })),
)

describe.each(pairs)('$name', ({ client, vendor }) => {
  const end = vendor === chat ? ['data: [DONE]\n\n'] : []
  const early: [string, Answer][] = [
    ['an error', { errorAfterFrames: OPENING[vendor.name] }],
    ['a cut', { cutAfterFrames: OPENING[vendor.name] }],
    ['a polite end', { cutAfterFrames: OPENING[vendor.name], politely: true }],
    // As OpenRouter tells that it is at work on it.
    ['a sign of life and an error', { frames: own => [': at work\n\n', ...own], errorAfterFrames: 1 }],
    ['a sign of life and an end', { frames: () => [': at work\n\n', ': at work\n\n', ...end] }],
  ]
  test.each(early)(
    '%s right after the opening, or before it, is not told: another channel answers',
    async (_, script) => {
      const whole = await stream(client, vendor, {})
      const { status, text, asked, charge } = await stream(client, vendor, script)
      expect([status, asked]).toEqual([200, 1])
      expect(text).toMatch(client.endMark)
      expect(text).not.toMatch(client.failMark)
      expect(text.match(starts[client.name])?.length).toBe(1)
      expect(charge).toBe(whole.charge ?? 0)
    },
  )

  test('an error after a word is told, and nobody else is asked', async () => {
    const frames = { 'openai-chat': 2, 'openai-responses': 5, anthropic: 4, gemini: 1 }[vendor.name]
    const { script, answered } = errorOnceAnswered(frames)
    const { status, text, asked, charge } = await stream(client, vendor, script, answered)
    expect([status, asked]).toEqual([200, 0])
    expect(text).toMatch(client.failMark)
    expect(text).not.toMatch(client.finishMark)
    expect(charge).toBeGreaterThan(0)
  })
})

/** Leaves when the vendor has sent the opening and the gateway has it; what it cost. */
async function leaveWithOpening(client: Way): Promise<number> {
  const fake = first.get(anthropic) as FakeUpstream
  const before = await rig.balance(userId)
  const at = fake.served.length
  fake.next({ usage: usage => ({ ...usage, input_tokens: 5000 }), stallAfterFrames: 1 })
  const leaving = new AbortController()
  const asking = { key, model: modelOf(anthropic), stream: true, signal: leaving.signal }
  // On a busy machine the opening may have gone out by then: after a while it does.
  const gone = ask(rig.url, client, asking)
    .then(response => response.text())
    .catch(() => 'gone')
  await until(() => (fake.served[at]?.frames ?? 0) > 0)
  await atRest()
  leaving.abort()
  expect(await gone).toBe('gone')
  await fake.served[at]?.done
  expect(fake.served[at]?.aborted).toBe(true)
  expect(await rig.differences()).toEqual([])
  return before - (await rig.balance(userId))
}

test.each(ways)(
  '$name: who leaves with the opening of Claude’s answer pays for what it has read',
  async client => expect(await leaveWithOpening(client)).toBe(5001),
)

test.concurrent.each([chat, responses, anthropic])(
  '$name: what opens comes alone when the model takes its time',
  async way => {
    const { promise: later, resolve } = Promise.withResolvers<void>()
    first.get(way)?.next({ hold: { afterFrames: OPENING[way.name], until: later } })
    const response = await ask(rig.url, way, { key, model: modelOf(way), stream: true })
    const reader = response.body?.getReader()
    const said = Buffer.from((await reader?.read())?.value ?? []).toString()
    expect(said).toMatch(starts[way.name])
    resolve()
    let rest = said
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
      rest += Buffer.from(next.value).toString()
    expect(rest).toMatch(way.endMark)
  },
)
