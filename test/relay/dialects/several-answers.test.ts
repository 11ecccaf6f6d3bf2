import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asArray, asObject, asText, type JsonObject, parseObject } from '../../../server/dialects/json.ts'
import { logprobOf } from '../../upstreams/tell-logprobs.ts'
import { anthropic, ask, chat, gemini, readStream, requestIdOf, responses, type Way } from '../ways.ts'
import { openPairs, type Pairs } from './pairs-house.ts'

// Several answers to one question, and how likely their tokens were, between the dialects that know of these.

let house: Pairs
beforeAll(async () => {
  house = await openPairs()
})
afterAll(() => house.close())

interface Heard {
  readonly text: string
  readonly finish: string
  readonly tokens: readonly { token: string; logprob: number; others: readonly string[] }[]
  readonly calls: readonly string[]
}

async function call(client: Way, upstream: Way, more: JsonObject, stream: boolean, text = 'one two three') {
  const { key, rig } = house
  const response = await ask(rig.url, client, { key, model: house.modelOf(upstream), more, stream, text })
  const read = await readStream(response)
  expect([response.status, read.text]).toEqual([200, expect.any(String)])
  const whole = [parseObject(read.text) ?? {}]
  const bodies = stream ? read.events.map(({ data }) => parseObject(data) ?? {}) : whole
  return { bodies, text: read.text, charge: await rig.chargeOf(requestIdOf(response)) }
}

function askFor(way: Way, more: JsonObject, stream: boolean): Promise<Response> {
  return ask(house.rig.url, way, { key: house.key, model: house.modelOf(way), more, stream, text: 'one two' })
}

/** Every answer, by its place. */
function hear(client: Way, bodies: readonly JsonObject[]): Heard[] {
  const heard = new Map<number, { -readonly [Key in keyof Heard]: Heard[Key] }>()
  for (const body of bodies)
    for (const entry of asArray(client === gemini ? body.candidates : body.choices)) {
      const one = asObject(entry) ?? {}
      const index = Number(one.index)
      const so = heard.get(index) ?? { text: '', finish: '', tokens: [], calls: [] }
      heard.set(index, client === gemini ? hearCandidate(one, so) : hearChoice(one, so))
    }
  return [...heard].toSorted(([one], [other]) => one - other).map(([, so]) => so)
}

function hearChoice(choice: JsonObject, so: Heard): Heard {
  const message = asObject(choice.message ?? choice.delta) ?? {}
  const tokens = asArray(asObject(choice.logprobs)?.content).map(entry => {
    const { token, logprob, top_logprobs, bytes } = asObject(entry) ?? {}
    expect(bytes).toEqual([...Buffer.from(String(token))])
    const others = asArray(top_logprobs).map(other => String(asObject(other)?.token))
    return { token: String(token), logprob: Number(logprob), others }
  })
  const calls = asArray(message.tool_calls).flatMap(
    called => asText(asObject(asObject(called)?.function)?.name) ?? [],
  )
  return {
    text: so.text + (asText(message.content) ?? ''),
    finish: asText(choice.finish_reason) ?? so.finish,
    tokens: [...so.tokens, ...tokens],
    calls: [...so.calls, ...calls],
  }
}

function hearCandidate(candidate: JsonObject, so: Heard): Heard {
  const parts = asArray(asObject(candidate.content)?.parts).map(part => asObject(part) ?? {})
  const result = asObject(candidate.logprobsResult)
  const tops = asArray(result?.topCandidates)
  const tokens = asArray(result?.chosenCandidates).map((entry, at) => {
    const { token, logProbability } = asObject(entry) ?? {}
    const others = asArray(asObject(tops[at])?.candidates).map(other => String(asObject(other)?.token))
    return { token: String(token), logprob: Number(logProbability), others }
  })
  const all = [...so.tokens, ...tokens]
  if (candidate.avgLogprobs !== undefined)
    expect(candidate.avgLogprobs).toBeCloseTo(all.reduce((sum, { logprob }) => sum + logprob, 0) / all.length)
  return {
    text: so.text + parts.map(({ text }) => asText(text) ?? '').join(''),
    finish: asText(candidate.finishReason) ?? so.finish,
    tokens: all,
    calls: [...so.calls, ...parts.flatMap(part => asText(asObject(part.functionCall)?.name) ?? [])],
  }
}

const pairs = [
  [chat, gemini, { n: 3 }],
  [gemini, chat, { generationConfig: { candidateCount: 3 } }],
] as const
const cases = pairs.flatMap(([client, upstream, more]) =>
  [false, true].map(stream => [client.name, upstream.name, stream, client, upstream, more] as const),
)

function expectPaid(upstream: Way, charge: number | undefined): void {
  const tally = house.vendorOf(upstream).served.at(-1)?.tally
  expect(charge).toBe((tally?.input ?? 0) + (tally?.output ?? 0))
}

describe('three answers', () => {
  test.each(cases)('%s from %s, streamed %p', async (_from, _to, stream, client, upstream, more) => {
    const { bodies, text, charge } = await call(client, upstream, more, stream)
    const finish = client === gemini ? 'STOP' : 'stop'
    const one = { text: 'You said: one two three', finish, tokens: [], calls: [] }
    expect(hear(client, bodies)).toEqual([one, one, one])
    expect(text.match(/\[DONE\]/g) ?? []).toHaveLength(stream && client === chat ? 1 : 0)
    expectPaid(upstream, charge)
  })

  test.each(cases)(
    '%s from %s, streamed %p: of calls',
    async (_from, _to, stream, client, upstream, more) => {
      const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
      const tools =
        client === chat
          ? [{ type: 'function', function: { name: '1.look', parameters: schema } }]
          : [{ functionDeclarations: [{ name: 'a.look', parametersJsonSchema: schema }] }]
      const name = client === chat ? '1.look' : 'a.look'
      const force =
        client === chat
          ? { tool_choice: 'required' }
          : { toolConfig: { functionCallingConfig: { mode: 'ANY' } } }
      const { bodies, charge } = await call(client, upstream, { ...more, tools, ...force }, stream)
      const heard = hear(client, bodies)
      expect(heard.map(({ calls }) => calls)).toEqual([[name], [name], [name]])
      expect(heard.map(({ finish }) => finish)).toEqual(
        client === chat ? ['tool_calls', 'tool_calls', 'tool_calls'] : ['STOP', 'STOP', 'STOP'],
      )
      expectPaid(upstream, charge)
    },
  )

  test('one that is not over keeps the stream open', async () => {
    const until = Promise.withResolvers<void>()
    // All of the first answer and the beginning of the second.
    house.vendorOf(chat).next({ hold: { afterFrames: 9, until: until.promise } })
    setTimeout(() => until.resolve(), 2500)
    const { bodies, charge } = await call(gemini, chat, { generationConfig: { candidateCount: 2 } }, true)
    expect(hear(gemini, bodies).map(({ text }) => text)).toEqual(
      Array.from({ length: 2 }, () => 'You said: one two three'),
    )
    expectPaid(chat, charge)
  })

  const beginnings: [string, Way, (stream: boolean) => Promise<Response>][] = [
    [chat.name, chat, stream => askFor(chat, { n: 2 }, stream)],
    [gemini.name, gemini, stream => askFor(gemini, { generationConfig: { candidateCount: 2 } }, stream)],
    [
      'completions',
      chat,
      stream =>
        fetch(`${house.rig.url}/v1/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${house.key}` },
          body: JSON.stringify({ model: house.modelOf(chat), prompt: ['one two', 'three'], stream }),
        }),
    ],
  ]
  test.each(beginnings)('of %s, of which one ends and one has begun, are cut', async (_name, way, ask) => {
    house.vendorOf(way).next({
      gapMs: 20,
      frames: own => {
        const first = own.filter(frame => !/"index":1\b/.test(frame))
        const finished = first.findIndex(frame => /finish_?reason":"/i.test(frame))
        const begun = first.slice(0, 2).map(frame => frame.replace('"index":0', '"index":1'))
        return [...begun, ...first.slice(0, finished + 1)]
      },
    })
    const response = await ask(true)
    const { text } = await readStream(response)
    expect(text).toMatch(way.failMark)
    const requestId = requestIdOf(response)
    expect((await house.rig.logOf(requestId)).details.broke_off).toBe('cut')
    expect(await house.rig.chargeOf(requestId)).toBeGreaterThan(0)
    // A channel whose streams break one after the other is left alone: here each is the first.
    await (await ask(false)).text()
  })

  test('as one JSON array', async () => {
    const { key, rig } = house
    const path = `/v1beta/models/${house.modelOf(chat)}:streamGenerateContent`
    const response = await fetch(rig.url + path, {
      method: 'POST',
      headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({
        contents: [{ parts: [{ text: 'one two three' }] }],
        generationConfig: { candidateCount: 2 },
      }),
    })
    const bodies = (await response.json()) as JsonObject[]
    expect(hear(gemini, bodies).map(({ text, finish }) => [text, finish])).toEqual(
      Array.from({ length: 2 }, () => ['You said: one two three', 'STOP']),
    )
  })

  test('are refused where there can be one', async () => {
    const { key, rig } = house
    for (const upstream of [responses, anthropic])
      for (const [client, , more] of pairs) {
        const answer = await ask(rig.url, client, { key, model: house.modelOf(upstream), more: { ...more } })
        expect(answer.status).toBe(400)
        expect(await answer.text()).toContain('n > 1')
      }
  })
})

describe('how likely the tokens were', () => {
  const asking = new Map<Way, JsonObject>([
    [chat, { logprobs: true, top_logprobs: 2 }],
    [gemini, { generationConfig: { responseLogprobs: true, logprobs: 2 } }],
    [responses, { include: ['message.output_text.logprobs'], top_logprobs: 2 }],
  ])
  const words = ['You', ' said:', ' one', ' two', ' three']
  const expected = words.map(token => ({ token, logprob: logprobOf(token), others: [token, `${token}1`] }))
  const told = [...asking].flatMap(([client, more]) =>
    [...asking.keys()].flatMap(upstream =>
      [false, true].map(stream => [client.name, upstream.name, stream, client, upstream, more] as const),
    ),
  )

  test.each(told)('%s from %s, streamed %p', async (_from, _to, stream, client, upstream, more) => {
    const { bodies, text } = await call(client, upstream, more, stream)
    if (client !== responses) {
      expect(hear(client, bodies)[0]?.tokens).toEqual(expected)
      return
    }
    const output = stream ? asObject(bodies.at(-1)?.response)?.output : bodies[0]?.output
    const [part] = asArray(asObject(asArray(output)[0])?.content).map(one => asObject(one) ?? {})
    const heard = hearChoice({ logprobs: { content: part?.logprobs ?? [] } }, NOTHING)
    expect(heard.tokens).toEqual(expected)
    if (stream) expect(text.match(/"delta":"[^"]*","logprobs":\[\{/g)).toHaveLength(words.length)
  })

  test('is refused where nobody tells', async () => {
    const { key, rig } = house
    for (const [client, more] of asking) {
      const answer = await ask(rig.url, client, { key, model: house.modelOf(anthropic), more })
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain('logprobs')
    }
  })
})

const NOTHING: Heard = { text: '', finish: '', tokens: [], calls: [] }
