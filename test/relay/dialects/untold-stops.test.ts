import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asArray, asObject, asText, type JsonObject, parseObject } from '../../../server/dialects/json.ts'
import { atRest } from '../../at-rest.ts'
import { until } from '../../program.ts'
import { openVendor, openVendors, type VendorHouse } from '../../providers/house.ts'
import { startAnthropic, startOpenai } from '../../upstreams/index.ts'
import { startXai } from '../../upstreams/xai/start.ts'
import { readStream, readUntil, requestIdOf } from '../ways.ts'

// Models that refuse stop strings, or think in secret: the answer ends at the string all the same, and what is
// paid is what the vendor counted.

const setups = [
  {
    type: 1,
    start: startOpenai,
    models: ['o3', 'o4-mini', 'gpt-5.4', 'gpt-4o'],
    beside: (fake: { url: string; key: string }) => [
      {
        type: 8,
        baseUrl: fake.url,
        key: fake.key,
        models: ['by-responses'],
        mapping: { 'by-responses': 'gpt-5.4' },
        setting: { dialects: ['openai-responses'] },
      },
    ],
  },
  { type: 48, start: startXai, models: ['grok-4.7'] },
  { type: 14, start: startAnthropic, models: ['claude-sonnet-4-6'] },
] as const

let street: Awaited<ReturnType<typeof openVendors>>
beforeAll(async () => {
  street = await openVendors(setups)
})
afterAll(async () => {
  for (const house of street.houses) await house.expectOrder()
  await street.close()
})

type Vendor = 'openai' | 'xai' | 'anthropic'
function houseOf(vendor: Vendor): VendorHouse {
  const house = street.houses[['openai', 'xai', 'anthropic'].indexOf(vendor)]
  if (!house) throw new Error('no house')
  return house
}

const reply = { thinking: 'hm, hm. '.repeat(100), text: 'one two STOP three four' }
const both = [false, true] as const

interface Said {
  readonly text: string
  readonly finish: string | undefined
  readonly requestId: string
}

async function hear(
  house: VendorHouse,
  model: string,
  stream: boolean,
  more: JsonObject = {},
): Promise<Said> {
  const asked = {
    model,
    messages: [{ role: 'user', content: 'Hi' }],
    stop: ['never', 'STOP'],
    stream,
    ...more,
  }
  const response = await house.post('/v1/chat/completions', asked)
  const { text, events } = await readStream(response)
  expect([response.status, response.ok ? '' : text]).toEqual([200, ''])
  const said = { text: '', finish: undefined as string | undefined }
  for (const body of stream ? events.map(({ data }) => parseObject(data)) : [parseObject(text)]) {
    const choice = asObject(asArray(body?.choices)[0])
    said.text += asText(asObject(choice?.message ?? choice?.delta)?.content) ?? ''
    said.finish = asText(choice?.finish_reason) ?? said.finish
  }
  return { ...said, requestId: requestIdOf(response) }
}

/** What the vendor counted for the last request, at this model's price. */
function owed(house: VendorHouse, model: string): number {
  const tally = house.fake.served.at(-1)?.tally
  if (!tally || tally.reasoning === 0) throw new Error('nothing was thought')
  return house.cost(model, { input: tally.input, output: tally.output })
}

const cases: readonly (readonly [Vendor, string])[] = [
  ['openai', 'o3'],
  ['openai', 'o4-mini'],
  ['openai', 'gpt-5.4'],
  ['openai', 'by-responses'],
  ['xai', 'grok-4.7'],
]

describe.each(cases)('%s %s', (vendor, model) => {
  test.each(both)('ends at a stop string that it would refuse, streamed %p', async stream => {
    const house = houseOf(vendor)
    house.fake.next({ reply })
    const said = await hear(house, model, stream)
    expect(said).toMatchObject({ text: 'one two ', finish: 'stop' })
    expect(house.body()).not.toHaveProperty('stop')
    expect(await house.rig.chargeOf(said.requestId)).toBe(owed(house, model))
  })

  test('a client that leaves after the string pays what was thought', async () => {
    const house = houseOf(vendor)
    const gate = Promise.withResolvers<void>()
    const hold = { afterFrames: 0, until: gate.promise }
    house.fake.next({
      reply,
      hold,
      frames(frames) {
        hold.afterFrames = frames.findIndex(frame => /"usage":\{/.test(frame))
        return frames
      },
    })
    const leaving = new AbortController()
    const response = await fetch(`${house.rig.url}/v1/chat/completions`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { authorization: `Bearer ${house.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model,
        messages: [{ role: 'user', content: 'Hi' }],
        stop: 'STOP',
        stream: true,
      }),
    })
    await readUntil(response, 'two')
    await atRest()
    leaving.abort()
    await atRest()
    gate.resolve()
    const requestId = requestIdOf(response)
    await until(async () => (await house.rig.chargeOf(requestId)) !== undefined)
    expect(await house.rig.chargeOf(requestId)).toBe(owed(house, model))
  })
})

test('several answers with stop strings that cannot be told are refused', async () => {
  for (const [vendor, model] of [
    ['openai', 'o3'],
    ['xai', 'grok-4.7'],
  ] as const) {
    const asked = { model, messages: [{ role: 'user', content: 'Hi' }], stop: 'STOP', n: 2 }
    const response = await houseOf(vendor).post('/v1/chat/completions', asked)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('停止词')
  }
})

test('who asks for no stop string gets the answer as it came', async () => {
  const house = houseOf('openai')
  const response = await house.post('/v1/chat/completions', {
    ...{ model: 'o3', messages: [{ role: 'user', content: 'Hi' }], stop: null },
  })
  expect(await response.json()).toMatchObject({ system_fingerprint: 'fp_0123456789' })
})

test('Claude is read on for what it thought when a blank string ends it', async () => {
  const house = houseOf('anthropic')
  house.fake.next({ reply: { ...reply, text: 'one\ntwo three' } })
  const more = { stop: '\n', reasoning_effort: 'high', max_tokens: 4000 }
  const said = await hear(house, 'claude-sonnet-4-6', true, more)
  expect(said).toMatchObject({ text: 'one', finish: 'stop' })
  expect(await house.rig.chargeOf(said.requestId)).toBe(owed(house, 'claude-sonnet-4-6'))
})

test('one that never comes to its end is not read on for ever, and all that it said is paid', async () => {
  const house = houseOf('openai')
  house.fake.next({ reply: { ...reply, text: 'STOP is where it ends' }, endless: true, gapMs: 20 })
  const began = performance.now()
  const said = await hear(house, 'o3', true, { stop: 'STOP' })
  expect(said).toMatchObject({ text: '', finish: 'stop' })
  expect(performance.now() - began).toBeLessThan(120_000)
  const { completion_tokens } = await house.rig.logOf(said.requestId)
  expect(completion_tokens).toBeGreaterThan(100)
})

test('a model whose name does not tell that it refuses them is asked again without', async () => {
  const house = await openVendor({
    ...{ type: 8, start: startOpenai, models: ['deployment'] },
    channel: fake => ({ baseUrl: `${fake.url}/v1`, mapping: { deployment: 'gpt-5.4' } }),
  })
  for (const stream of both) {
    house.fake.next({ reply })
    const said = await hear(house, 'deployment', stream)
    expect(said).toMatchObject({ text: 'one two ', finish: 'stop' })
    expect(house.body()).not.toHaveProperty('stop')
    expect(await house.rig.chargeOf(said.requestId)).toBe(owed(house, 'deployment'))
  }
  const refusal = "POST /v1/chat/completions: Unsupported parameter: 'stop' is not supported with this model."
  await house.expectOrder([refusal, refusal])
  await house.close()
})
