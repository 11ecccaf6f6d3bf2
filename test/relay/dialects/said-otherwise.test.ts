import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asArray, asObject, asText, type JsonObject, parseObject } from '../../../server/dialects/json.ts'
import { PNG } from '../../sdk/conversation.ts'
import { anthropic, ask, chat, gemini, readStream, requestIdOf, responses, type Way } from '../ways.ts'
import { openPairs, type Pairs } from './pairs-house.ts'

// What a client may say and its upstream could not be told: it is done here, and neither side sees a difference.

let house: Pairs
beforeAll(async () => {
  house = await openPairs()
})
afterAll(() => house.close())

interface Said {
  readonly text: string
  readonly finish: string
  readonly stopSequence: unknown
  readonly calls: readonly string[]
  readonly requestId: string
}

/** What came back, in the words of any dialect. */
async function hear(client: Way, upstream: Way, stream: boolean, asked: Asked): Promise<Said> {
  const model = house.modelOf(upstream)
  const more = { ...asked.more, ...(asked.stops && stopsOf(client, asked.stops)) }
  const response = await ask(house.rig.url, client, {
    key: house.key,
    model,
    stream,
    more,
    text: asked.text ?? 'Hi',
  })
  const { text, events } = await readStream(response)
  expect([response.status, text]).toEqual([200, expect.any(String)])
  const bodies = stream ? events.map(({ data }) => parseObject(data) ?? {}) : [parseObject(text) ?? {}]
  const said = { text: '', finish: '', stopSequence: undefined as unknown, calls: [] as string[] }
  for (const body of bodies) hearBody(client, body, said)
  return { ...said, requestId: requestIdOf(response) }
}

interface Asked {
  readonly text?: string
  readonly stops?: readonly string[]
  readonly more?: JsonObject
}

function stopsOf(client: Way, stops: readonly string[]): JsonObject {
  if (client === chat) return { stop: [...stops] }
  return client === anthropic
    ? { stop_sequences: [...stops] }
    : { generationConfig: { stopSequences: [...stops] } }
}

type Hearing = { text: string; finish: string; stopSequence: unknown; calls: string[] }

function hearBody(client: Way, body: JsonObject, said: Hearing): void {
  if (client === gemini) return hearCandidate(asObject(asArray(body.candidates)[0]) ?? {}, said)
  if (client === anthropic) return hearClaude(body, said)
  const choice = asObject(asArray(body.choices)[0]) ?? {}
  const message = asObject(choice.message ?? choice.delta) ?? {}
  said.text += asText(message.content) ?? ''
  said.finish = asText(choice.finish_reason) ?? said.finish
  for (const call of asArray(message.tool_calls)) {
    const name = asText(asObject(asObject(call)?.function)?.name)
    if (name) said.calls.push(name)
  }
}

function hearCandidate(candidate: JsonObject, said: Hearing): void {
  said.finish = asText(candidate.finishReason) ?? said.finish
  for (const item of asArray(asObject(candidate.content)?.parts)) {
    const part = asObject(item) ?? {}
    said.text += asText(part.text) ?? ''
    const name = asText(asObject(part.functionCall)?.name)
    if (name) said.calls.push(name)
  }
}

function hearClaude(body: JsonObject, said: Hearing): void {
  const delta = asObject(body.delta) ?? {}
  const blocks = [...asArray(body.content), body.content_block ?? null]
  for (const item of blocks) {
    const block = asObject(item)
    said.text += asText(block?.text) ?? ''
    if (block?.type === 'tool_use') said.calls.push(asText(block.name) ?? '')
  }
  said.text += asText(delta.text) ?? ''
  const ending = delta.stop_reason ? delta : body
  said.finish = asText(ending.stop_reason) ?? said.finish
  said.stopSequence = ending.stop_sequence ?? said.stopSequence
}

const others = [chat, anthropic, gemini] as const
const both = [false, true] as const

describe('a stop string that the upstream cannot be told', () => {
  const finishes = new Map<Way, string>([
    [chat, 'stop'],
    [anthropic, 'stop_sequence'],
    [gemini, 'STOP'],
  ])
  const cases = others.flatMap(client => both.map(stream => [client.name, stream, client] as const))

  test.each(cases)('%s, streamed %p: the answer ends before it', async (_name, stream, client) => {
    for (const pieceChars of [1, 3, 40]) {
      house.vendorOf(responses).next({ reply: { text: 'a STOx STO STOP and more' }, pieceChars })
      const said = await hear(client, responses, stream, { stops: ['never', 'STOP'] })
      expect(said).toMatchObject({ text: 'a STOx STO ', finish: finishes.get(client) })
      if (client === anthropic) expect(said.stopSequence).toBe('STOP')
      expect(house.sentTo(responses)).not.toHaveProperty('stop')
      expect(await house.rig.chargeOf(said.requestId)).toBeGreaterThan(0)
    }
  })

  test.each(cases)('%s, streamed %p: what only begins like one is kept', async (_name, stream, client) => {
    house.vendorOf(responses).next({ reply: { text: 'to be continued ST' }, pieceChars: 1 })
    const said = await hear(client, responses, stream, { stops: ['STOP'] })
    expect(said.text).toBe('to be continued ST')
    expect(said.finish).toBe(client === anthropic ? 'end_turn' : (finishes.get(client) ?? ''))
  })

  test.each(cases)('%s, streamed %p: an answer may be nothing but that', async (_name, stream, client) => {
    house.vendorOf(responses).next({ reply: { text: 'STOP' } })
    const said = await hear(client, responses, stream, { stops: ['STOP'] })
    expect(said).toMatchObject({ text: '', finish: finishes.get(client) })
  })

  test('the upstream is closed there, and what it has said is paid', async () => {
    const until = Promise.withResolvers<void>()
    house.vendorOf(responses).next({
      reply: { text: `one two three STOP ${'more '.repeat(50)}` },
      pieceChars: 5,
      hold: { afterFrames: 12, until: until.promise },
    })
    const said = await hear(chat, responses, true, { stops: ['STOP'] })
    expect(said).toMatchObject({ text: 'one two three ', finish: 'stop' })
    const served = house.vendorOf(responses).served.at(-1)
    await served?.done
    until.resolve()
    expect(served?.aborted).toBe(true)
    const row = await house.rig.logOf(said.requestId)
    expect(row.completion_tokens).toBeGreaterThan(1)
    expect(row.completion_tokens).toBeLessThan(10)
  })

  test('blank ones to Claude, and more than the others take', async () => {
    for (const stream of both) {
      house.vendorOf(anthropic).next({ reply: { text: 'one\ntwo' } })
      const blank = await hear(chat, anthropic, stream, { stops: ['\n', 'x'] })
      expect(blank).toMatchObject({ text: 'one', finish: 'stop' })
      expect(house.sentTo(anthropic).stop_sequences).toEqual(['x'])
      for (const upstream of [chat, gemini]) {
        house.vendorOf(upstream).next({ reply: { text: 'one six two' } })
        const stops = ['1', '2', '3', '4', '5', 'six']
        const sixth = await hear(anthropic, upstream, stream, { stops })
        expect(sixth).toMatchObject({ text: 'one ', finish: 'stop_sequence', stopSequence: 'six' })
      }
    }
  })

  test('an empty list is none', async () => {
    await hear(anthropic, chat, false, { stops: [] })
    expect(house.sentTo(chat)).not.toHaveProperty('stop')
  })
})

describe('an answer that ends at a stop string before it began', () => {
  const empty = new Map<Way, JsonObject>([
    [
      gemini,
      {
        candidates: [{ content: { role: 'model' }, finishReason: 'STOP', index: 0 }],
        usageMetadata: { promptTokenCount: 7, totalTokenCount: 7 },
        responseId: 'r',
      },
    ],
    [
      chat,
      {
        ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
        choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 },
      },
    ],
    [
      anthropic,
      {
        ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] },
        ...{ stop_reason: 'stop_sequence', stop_sequence: 'x', usage: { input_tokens: 7, output_tokens: 0 } },
      },
    ],
  ])
  const pairs = others.flatMap(client =>
    others.map(upstream => [client.name, upstream.name, client, upstream]),
  )

  test.each(pairs as [string, string, Way, Way][])('%s from %s', async (_from, _to, client, upstream) => {
    house.vendorOf(upstream).next({ status: 200, body: empty.get(upstream) ?? {} })
    const said = await hear(client, upstream, false, { stops: ['x'] })
    expect(said.text).toBe('')
    expect(said.finish).toMatch(/^(stop|end_turn|stop_sequence|STOP)$/)
    expect(await house.rig.chargeOf(said.requestId)).toBe(7)
  })

  test('without a stop string it is a failure, as before', async () => {
    for (const upstream of [chat, gemini]) {
      house.vendorOf(upstream).next({ status: 200, body: empty.get(upstream) ?? {} })
      const model = house.modelOf(upstream)
      expect((await ask(house.rig.url, chat, { key: house.key, model })).status).toBe(502)
    }
  })
})

describe('a picture that the model showed', () => {
  const inlineData = { mimeType: 'image/png', data: PNG }
  const shown = { role: 'model', parts: [{ text: 'Here' }, { inlineData }] }
  const call = { functionCall: { name: 'f', args: {} } }
  const result = { functionResponse: { name: 'f', response: { output: 'r' } } }
  const tools = [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: { type: 'object' } }] }]
  const ask = (text: string) => ({ role: 'user', parts: [{ text }] })

  test.each([chat, responses, anthropic])('is shown to $name by the user', async upstream => {
    const contents = [ask('Draw'), shown, ask('Once more')]
    const said = await hear(gemini, upstream, false, { more: { contents } })
    expect(said.text).toMatch(/^saw image image\/png \d+ bytes$/)
    await hear(gemini, upstream, true, { more: { contents: [ask('Draw'), shown, shown, ask('More')] } })
  })

  test.each([chat, responses, anthropic])(
    'and not between a call and its result, to $name',
    async upstream => {
      const parts = [...shown.parts, call]
      const contents = [ask('Draw'), { role: 'model', parts }, { role: 'user', parts: [result] }]
      const said = await hear(gemini, upstream, false, { more: { contents, tools } })
      expect(said.text).toBe('The tool said: r')
      expect(JSON.stringify(house.sentTo(upstream))).toContain(PNG)
    },
  )
})

describe('names of tools that the upstream would refuse', () => {
  const long = `long_${'x'.repeat(80)}`
  const names = ['a.b', 'a:b', 'a_b', long, 'fine']
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const declarations = names.map(name => ({ name, description: name, parametersJsonSchema: schema }))
  const tools = [{ functionDeclarations: declarations }]
  const toolConfig = (name: string) => ({
    functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [name] },
  })

  test.each([chat, responses, anthropic])(
    'are told otherwise to $name, and nobody sees it',
    async upstream => {
      for (const stream of both)
        for (const name of names) {
          const said = await hear(gemini, upstream, stream, { more: { tools, toolConfig: toolConfig(name) } })
          expect(said.calls).toEqual([name])
          const sent = JSON.stringify(house.sentTo(upstream))
          expect(sent).not.toContain('"name":"a.b"')
        }
    },
  )

  test.each([chat, responses, anthropic])('and so in what was said before, to $name', async upstream => {
    const args = { city: 'Rome' }
    const contents = [
      { role: 'user', parts: [{ text: 'Go' }] },
      {
        role: 'model',
        parts: ['a.b', long].map(name => ({ functionCall: { name, args } })),
      },
      {
        role: 'user',
        parts: ['a.b', long].map(name => ({ functionResponse: { name, response: { output: `${name}!` } } })),
      },
    ]
    for (const stream of both) {
      const said = await hear(gemini, upstream, stream, { more: { contents, tools } })
      expect(said.text).toBe(`The tool said: a.b! | ${long}!`)
    }
    // A tool that is not offered any more.
    const said = await hear(gemini, upstream, false, { more: { contents } })
    expect(said.text).toContain('a.b!')
  })

  test('that Gemini would refuse are told otherwise to it', async () => {
    const parameters = schema
    const offered = ['1st', '-x', '_1st'].map(name => ({
      type: 'function',
      function: { name, parameters },
    }))
    for (const stream of both)
      for (const { function: wanted } of offered) {
        const tool_choice = { type: 'function', function: { name: wanted.name } }
        const said = await hear(chat, gemini, stream, { more: { tools: offered, tool_choice } })
        expect(said.calls).toEqual([wanted.name])
      }
  })
})

test('what a vendor would refuse is left out or said as it has to be', async () => {
  const tools = [
    { type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } },
  ]
  const more = { presence_penalty: 0.5, reasoning_effort: 'none', web_search_options: {}, tools }
  const { text } = await hear(chat, gemini, true, { more })
  expect(text).toBe('You said: Hi')
  expect(house.sentTo(gemini)).toMatchObject({ toolConfig: { includeServerSideToolInvocations: true } })
})

test.each([chat, responses, anthropic])(
  'a result that a client named is that of a call without a name, to $name',
  async upstream => {
    const contents = [
      { role: 'user', parts: [{ text: 'Go' }] },
      { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'look-17-a', name: 'look', response: { output: 'ok' } } }],
      },
    ]
    const { text } = await hear(gemini, upstream, false, { more: { contents } })
    expect(text).toBe('The tool said: ok')
  },
)

test.each([chat, responses, gemini])('a schema by its older name reaches $name', async upstream => {
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  await hear(anthropic, upstream, false, { more: { output_format: { type: 'json_schema', schema } } })
  expect(JSON.stringify(house.sentTo(upstream))).toContain('"city"')
})
