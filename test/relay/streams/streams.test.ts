import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { errorOnceAnswered, type Script, under200, usageOf, withoutUsage } from '../../upstreams/index.ts'
import { ask, requestIdOf, type Way } from '../ways.ts'
import {
  converted,
  openStreamHouse,
  type Pair,
  pairs,
  passing,
  type Streamed,
  type StreamHouse,
} from './stream-house.ts'

/** Reports of an upstream are measured against what a whole answer costs. */
const MOST_FRAMES = 40
const SAID = 'You'
const OFFSETS = 2400

let house: StreamHouse
beforeAll(async () => {
  const models = Array.from({ length: OFFSETS }, (_, at) => `cut-${at}`)
  house = await openStreamHouse({ models })
})
afterAll(() => house.close())

/** What a whole answer costs at most: as its vendor says, or as we count it. */
async function wholeCharge(pair: Pair, text: string): Promise<number> {
  const told = await house.stream(pair, { text })
  const counted = await house.stream(pair, { text, script: withoutUsage })
  for (const { text: said } of [told, counted]) {
    expect(said).toMatch(pair.client.endMark)
    expect(said).not.toMatch(pair.client.failMark)
  }
  expect(told.charge).toBeGreaterThan(0)
  expect(counted.charge).toBeGreaterThan(0)
  return Math.max(told.charge ?? 0, counted.charge ?? 0)
}

/** A broken stream is told as such, and costs what was said. */
function expectBroken({ client }: Pair, cut: Streamed, most: number): void {
  expect(cut.text).not.toMatch(client.finishMark)
  expect(cut.text).not.toMatch(client.endMark)
  if (cut.status === 200) expect(cut.text).toMatch(client.failMark)
  else expect([cut.status, cut.charge]).toEqual([502, undefined])
  expect(cut.broke).toBe(false)
  expectSaidIsPaid(cut, most)
}

function expectSaidIsPaid({ text, charge }: Streamed, most: number): void {
  if (text.includes(SAID)) expect(charge).toBeWithin(1, most + 1)
  else expect(charge).toBeUndefined()
}

/**
 * Cut where everything had been said: whole or not, but never both, and paid. When a connection breaks the
 * runtime drops what it has received and not handed over yet: on a busy machine a cut comes earlier than it was made.
 */
function expectOneEnd(pair: Pair, cut: Streamed, most: number): void {
  if (!pair.client.finishMark.test(cut.text)) return expectBroken(pair, cut, most)
  expect(cut.status).toBe(200)
  expect(cut.text).not.toMatch(pair.client.failMark)
  expect(cut.charge).toBeWithin(1, most + 1)
}

/** The frame that ends an answer well, and all of what its vendor sends. */
async function directFrames(vendor: Way): Promise<{ count: number; finishAt: number }> {
  const fake = house.vendorOf(vendor)
  const same = passing.find(pair => pair.vendor === vendor)
  if (!same) throw new Error('no such pair')
  const more = vendor.name === 'openai-chat' ? { stream_options: { include_usage: true } } : {}
  const { text } = await house.stream(same, { text: 'one two', more })
  const frames = text.split(/(?<=\n\n)/)
  return {
    count: fake.served.at(-1)?.frames ?? 0,
    finishAt: frames.findIndex(one => vendor.finishMark.test(one)),
  }
}

describe.each(pairs)('$name', pair => {
  test('a cut after any frame is never a good end', async () => {
    const vendor = passing.find(one => one.vendor === pair.vendor)?.vendor ?? pair.vendor
    const { count, finishAt } = await directFrames(vendor)
    expect(finishAt).toBeGreaterThan(1)
    expect(count).toBeLessThan(MOST_FRAMES)
    const most = await wholeCharge(pair, 'one two')
    for (let frames = 0; frames < count; frames++) {
      const cut = await house.stream(pair, { text: 'one two', script: { cutAfterFrames: frames } })
      if (frames <= finishAt) expectBroken(pair, cut, most)
      else expectOneEnd(pair, cut, most)
    }
  })

  test('an end that is polite and too early is none either', async () => {
    const most = await wholeCharge(pair, 'one two')
    const script = { cutAfterFrames: pair.vendor.name === 'gemini' ? 1 : 4, politely: true } as const
    expectBroken(pair, await house.stream(pair, { text: 'one two', script }), most)
  })

  test('a connection that breaks after the last byte leaves a whole answer', async () => {
    const usual = await house.stream(pair)
    const served = house.vendorOf(pair.vendor).served.at(-1)
    await served?.done
    // With the first byte of a comment, and when all before it was handed over.
    const script: Script = {
      frames: frames => [...frames, ': cut\n\n'],
      cutAfterBytes: (served?.bytes ?? 0) + 1,
      onceRead: true,
    }
    const cut = await house.stream(pair, { script })
    expect(cut.text).toMatch(pair.client.endMark)
    expect(cut.text).not.toMatch(pair.client.failMark)
    expect(cut.charge).toBe(usual.charge ?? 0)
  })

  test('an error inside the stream', async () => {
    const most = await wholeCharge(pair, 'one two')
    const cut = await house.stream(pair, { text: 'one two', ...errorOnceAnswered(4) })
    expect(cut.status).toBe(200)
    expect(cut.text).not.toMatch(pair.client.finishMark)
    expect(cut.text).toMatch(pair.client.failMark)
    expect(cut.text).toContain(`(request id: ${cut.requestId})`)
    expectSaidIsPaid(cut, most)
  })

  test('an error with status 200 is an error', async () => {
    const fake = house.vendorOf(pair.vendor)
    const script = under200(fake.failWith('server-error'))
    const cut = await house.stream(pair, { script })
    expect(cut.status).toBeGreaterThanOrEqual(500)
    expect(cut.charge).toBeUndefined()
    expect((await house.stream(pair)).status).toBe(200)
  })

  const oddUsage: [string, Script][] = [
    ['missing', withoutUsage],
    ['negative', usageOf(-1e6)],
    ['absurd', usageOf(1e15)],
    ['null', usageOf(null)],
    ['text', usageOf('5')],
    ['half', usageOf(0.5)],
    ['zero', usageOf(0)],
  ]
  test('usage that is missing or nonsense is counted', async () => {
    const text = 'count the words of this sentence, please, and then say them all once more'
    const usual = (await house.stream(pair, { text })).charge ?? 0
    for (const [name, script] of oddUsage) {
      const { charge = 0, text: said } = await house.stream(pair, { text, script })
      expect([name, said]).toEqual([name, expect.stringMatching(pair.client.endMark)])
      expect([name, charge > usual / 3, charge < usual * 3, charge, usual]).toEqual([
        name,
        true,
        true,
        charge,
        usual,
      ])
    }
  })

  test('the last frame comes when the charge is in the books', async () => {
    for (let round = 0; round < 5; round++) {
      const { client, vendor } = pair
      const response = await ask(house.rig.url, client, { key: house.key, model: vendor.model, stream: true })
      const decoder = new TextDecoder()
      let text = ''
      let atEnd: number | undefined
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true })
        if (atEnd === undefined && client.endMark.test(text))
          atEnd = (await house.rig.chargeOf(requestIdOf(response))) ?? 0
      }
      expect(atEnd).toBeGreaterThan(0)
    }
  })
})

test('a stream that is cut, at whichever byte, ends with one error and costs no more than the whole', async () => {
  const pair = passing[0]
  if (!pair) throw new Error('no pair')
  const reply = { text: `${SAID}: grüße 漢 😀` }
  const most = await wholeCharge(pair, 'bytes')
  const whole = await house.stream(pair, { text: 'bytes', model: 'cut-0', script: { reply } })
  const bytesTo = (at: number): number => Buffer.byteLength(whole.text.slice(0, at))
  const end = bytesTo(whole.text.search(pair.client.endMark))
  const finishFrom = bytesTo(whole.text.search(pair.client.finishMark))
  expect(end).toBeLessThan(OFFSETS)
  const fake = house.vendorOf(pair.vendor)
  // The model says where to cut: then the cuts may go side by side, and no channel is found to be broken.
  fake.always(seen => ({ reply, cutAfterBytes: Number(/"cut-(\d+)"/.exec(seen.text)?.[1]) }))
  let next = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < end; at = next++) {
      const model = `cut-${at}`
      const cut = await house.stream(pair, { text: 'bytes', model })
      // Frames name the model, so the longer its name the later the end.
      if (at < finishFrom) expectBroken(pair, cut, most)
      else expectOneEnd(pair, cut, most)
      expect(cut.text).not.toContain('\uFFFD')
    }
  }
  await Promise.all(Array.from({ length: 32 }, worker))
  fake.always({})
})

test('usage that a vendor leaves out is told to clients of another dialect, as we counted it', async () => {
  const told: Record<string, RegExp> = {
    'openai-chat': /"usage":\{"prompt_tokens":[1-9]\d*,"completion_tokens":[1-9]/,
    'openai-responses': /"usage":\{"input_tokens":[1-9].*"output_tokens":[1-9]/,
    anthropic: /"type":"message_delta".*"output_tokens":[1-9]/,
    gemini: /"usageMetadata":\{"promptTokenCount":[1-9].*"candidatesTokenCount":[1-9]/,
  }
  for (const pair of converted) {
    const more = pair.client.name === 'openai-chat' ? { stream_options: { include_usage: true } } : {}
    const { text } = await house.stream(pair, { text: 'one two', more, script: withoutUsage })
    expect([pair.name, text]).toEqual([pair.name, expect.stringMatching(told[pair.client.name] ?? /^$/)])
  }
})

test('a usage frame is for clients that ask for one', async () => {
  const pair = passing[0]
  if (!pair) throw new Error('no pair')
  const silent = await house.stream(pair)
  expect(silent.text).not.toContain('"usage":{')
  expect(silent.text).toContain('data: [DONE]')
  const asked = await house.stream(pair, { more: { stream_options: { include_usage: true } } })
  expect(asked.text.match(/"usage":\{/g)).toHaveLength(1)
  expect(asked.charge).toBe(silent.charge ?? 0)
})
