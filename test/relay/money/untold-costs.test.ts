import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../server/dialects/json.ts'
import { atRest } from '../../at-rest.ts'
import type { FakeUpstream } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { anthropic, ask, gemini, readStream, readUntil, requestIdOf } from '../ways.ts'

// What a vendor asks for, and does not say where everybody looks.

const model = 'm-claude'
let rig: Rig
let key = ''
let fake: FakeUpstream
let google: FakeUpstream
/** What a picture costs. */
const CALL = 100_000

beforeAll(async () => {
  fake = await anthropic.start()
  google = await gemini.start({ accept: ['imageConfig'] })
  rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    const ratios = JSON.stringify({ [model]: 1 })
    await books.setOption('ModelRatio', ratios)
    await books.setOption('CompletionRatio', ratios)
    await books.setOption('CacheRatio', ratios)
    await books.setOption('CreateCacheRatio', ratios)
    const { url: baseUrl, key: vendorKey } = fake
    await books.addChannel({ type: anthropic.channelType, baseUrl, key: vendorKey, models: [model] })
    const painters = ['gemini-3-pro-image', 'gemini-3.1-flash-image', 'm-painter']
    await books.setOption(
      'ModelPrice',
      JSON.stringify(Object.fromEntries(painters.map(name => [name, CALL / 500_000]))),
    )
    await books.addChannel({
      ...{ type: gemini.channelType, baseUrl: google.url, key: google.key },
      models: painters,
    })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  await fake.stop()
  await google.stop()
})

describe('a picture that is paid by the call', () => {
  const pro = 'gemini-3-pro-image'
  const usual = 1120
  const callsOf = async (imageTokens: number, name: string, choices: number): Promise<number> => {
    google.next({
      usage: told => ({
        ...told,
        candidatesTokenCount: imageTokens + 10,
        candidatesTokensDetails: [
          { modality: 'IMAGE', tokenCount: imageTokens },
          { modality: 'TEXT', tokenCount: 10 },
        ],
      }),
    })
    const generationConfig = { candidateCount: choices, imageConfig: { imageSize: '4K' } }
    const response = await ask(rig.url, gemini, { key, model: name, more: { generationConfig } })
    expect(response.status).toBe(200)
    return ((await rig.chargeOf(requestIdOf(response))) ?? 0) / CALL
  }

  test('costs a call, and one that is larger as much more', async () => {
    expect(await callsOf(usual, pro, 1)).toBe(1)
    expect(await callsOf(2000, pro, 1)).toBeCloseTo(2000 / usual, 4)
  })

  test('and so do several', async () => {
    expect(await callsOf(usual * 3, pro, 1)).toBe(3)
    expect(await callsOf(usual * 2, pro, 2)).toBe(2)
    expect(await callsOf(usual, pro, 2)).toBe(2)
  })

  test('is held for as the largest: many at once cost no more than there is', async () => {
    const tokens = 2520
    const usage = (told: JsonObject): JsonObject => ({
      ...told,
      candidatesTokenCount: tokens,
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: tokens }],
    })
    google.always({ usage })
    const userId = await rig.addUser({ quota: Math.ceil((2 * CALL * tokens) / 747) })
    const { key: poor } = await rig.addToken({ userId })
    const before = google.requests.length
    const generationConfig = { imageConfig: { imageSize: '4K' } }
    const call = { key: poor, model: 'gemini-3.1-flash-image', more: { generationConfig } }
    await Promise.all(Array.from({ length: 8 }, () => ask(rig.url, gemini, call)))
    google.always({})
    expect(google.requests.length - before).toBeWithin(1, 3)
  })

  test('of a model that nobody knows costs a call', async () => {
    expect(await callsOf(9000, 'm-painter', 1)).toBe(1)
  })
})

describe('a conversation that the vendor makes shorter by itself', () => {
  const compaction = {
    type: 'compaction',
    input_tokens: 60_000,
    output_tokens: 3500,
    cache_read_input_tokens: 20_000,
    cache_creation_input_tokens: 1000,
  }
  const WRITTEN = 84_500
  const edits = [
    { type: 'compact_20260112', instructions: 'Answer the question.', pause_after_compaction: true },
  ]
  const asked = { model, more: { context_management: { edits } } }
  /** The sum is of all but that. */
  const usage = (told: JsonObject): JsonObject => ({
    ...told,
    input_tokens: 10,
    output_tokens: 2,
    iterations: [compaction, { type: 'message', input_tokens: 10, output_tokens: 2 }],
  })

  test.each([false, true])('is paid for that too, streamed %p', async stream => {
    fake.next({ usage })
    const response = await ask(rig.url, anthropic, { ...asked, key, stream })
    await readStream(response)
    expect(await rig.chargeOf(requestIdOf(response))).toBe(WRITTEN + 12)
  })

  test('also when nothing follows it', async () => {
    const content = [{ type: 'compaction', content: 'All of the answer.' }]
    const nothing = { input_tokens: 0, output_tokens: 0, iterations: [compaction] }
    fake.next({ whole: answer => ({ ...answer, content, stop_reason: 'compaction', usage: nothing }) })
    const response = await ask(rig.url, anthropic, { ...asked, key })
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining('All of the answer.'),
    ])
    expect(await rig.chargeOf(requestIdOf(response))).toBe(WRITTEN)
  })

  test('and by who leaves with it', async () => {
    const frame = (event: JsonObject): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
    const block = [
      frame({ type: 'content_block_start', index: 0, content_block: { type: 'compaction', content: '' } }),
      frame({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'compaction_delta', content: 'All of it.' },
      }),
      frame({ type: 'content_block_stop', index: 0 }),
    ]
    const { promise: left, resolve } = Promise.withResolvers<void>()
    const frames = (all: readonly string[]) => [...all.slice(0, 1), ...block, ...all.slice(1)]
    fake.next({ frames, usage, hold: { afterFrames: 4, until: left } })
    const leaving = new AbortController()
    const response = await ask(rig.url, anthropic, { ...asked, key, stream: true, signal: leaving.signal })
    await readUntil(response, 'All of it.')
    leaving.abort()
    await atRest()
    resolve()
    expect((await rig.logOf(requestIdOf(response))).quota).toBe(WRITTEN + 12)
  })
})
