import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asArray, asObject, type JsonObject, parseObject } from '../../../server/dialects/json.ts'
import { PNG } from '../../sdk/conversation.ts'
import { anthropic, ask, chat, gemini, readStream, requestIdOf, responses, type Way } from '../ways.ts'
import { openPairs, type Pairs } from './pairs-house.ts'

// Requests that are seldom seen and right all the same, said to an upstream of another dialect.

let house: Pairs
beforeAll(async () => {
  house = await openPairs()
})
afterAll(() => house.close())

async function call(client: Way, upstream: Way, more: JsonObject, stream = false): Promise<JsonObject[]> {
  const { key, rig } = house
  const response = await ask(rig.url, client, { key, model: house.modelOf(upstream), more, stream })
  const { text, events } = await readStream(response)
  expect([response.status, text]).toEqual([200, expect.any(String)])
  return stream ? events.flatMap(({ data }) => [parseObject(data) ?? {}]) : [parseObject(text) ?? {}]
}

describe('a client that knows functions and no tools', () => {
  const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const functions = [{ name: 'look', parameters }]
  const asked = { functions, function_call: { name: 'look' } }
  const input = '{"city":"some city"}'

  test.each([responses, anthropic, gemini])('hears of a call from $name in its own words', async upstream => {
    const [answer] = await call(chat, upstream, asked)
    const [choice] = asArray(answer?.choices).map(asObject)
    expect(choice).toMatchObject({
      message: { content: null, function_call: { name: 'look', arguments: input } },
      finish_reason: 'function_call',
    })
    expect(choice?.message).not.toHaveProperty('tool_calls')
  })

  test.each([responses, anthropic, gemini])('and so in a stream of $name', async upstream => {
    const chunks = await call(chat, upstream, asked, true)
    const choices = chunks.flatMap(chunk => asArray(chunk.choices).map(one => asObject(one) ?? {}))
    const pieces = choices.flatMap(({ delta }) => asObject(asObject(delta)?.function_call) ?? [])
    expect(pieces[0]).toEqual({ name: 'look', arguments: '' })
    expect(pieces.map(piece => (piece as JsonObject).arguments).join('')).toBe(input)
    expect(choices.at(-1)?.finish_reason).toBe('function_call')
    expect(JSON.stringify(chunks)).not.toContain('tool_calls')
  })

  test('may tell what came of it', async () => {
    const messages = [
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: null, function_call: { name: 'look', arguments: input } },
      { role: 'function', name: 'look', content: 'sunny' },
    ]
    for (const upstream of [responses, anthropic, gemini]) {
      const [answer] = await call(chat, upstream, { functions, messages })
      expect(JSON.stringify(answer)).toContain('The tool said: sunny')
    }
  })
})

test('nothing but instructions is what there is to answer', async () => {
  const messages = [{ role: 'system', content: 'Say good morning.' }]
  for (const upstream of [responses, anthropic, gemini]) {
    const [answer] = await call(chat, upstream, { messages })
    expect(JSON.stringify(answer)).toContain('You said: Say good morning.')
  }
})

test('a conversation that was cut to fit goes on, whatever is left of its calls', async () => {
  const calls = (...ids: string[]) => ({
    role: 'assistant',
    content: null,
    tool_calls: ids.map(id => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })),
  })
  const result = (tool_call_id: string) => ({ role: 'tool', tool_call_id, content: 'seen' })
  const asked = { role: 'user', content: 'And?' }
  for (const messages of [
    [calls('a'), result('a'), asked],
    [result('lost'), asked],
    [{ role: 'user', content: 'Go' }, calls('a', 'b'), result('b'), asked],
  ])
    for (const upstream of [anthropic, gemini]) await call(chat, upstream, { messages })
})

describe('a picture that is called what it is not', () => {
  const jpeg = '/9j/4AAQSkZJRgABAQAAAQABAAD/2Q=='
  const webp = 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA'
  const cases: [string, string, string][] = [
    ['image/png', jpeg, 'image/jpeg'],
    ['image/jpg', jpeg, 'image/jpeg'],
    ['image/jpeg', PNG, 'image/png'],
    ['image/png', webp, 'image/webp'],
    ['image/jpg', 'aGVsbG8=', 'image/jpeg'],
  ]

  test.each(cases)(
    '%s with %p is %s, beside a text and in the result of a tool',
    async (said, data, known) => {
      const url = `data:${said};base64,${data}`
      const picture = { type: 'image_url', image_url: { url } }
      const tool_calls = [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }]
      const messages = [
        { role: 'user', content: [{ type: 'text', text: 'Look' }, picture] },
        { role: 'assistant', content: null, tool_calls },
        { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'seen' }, picture] },
      ]
      for (const upstream of [anthropic, gemini]) {
        await call(chat, upstream, { messages })
        const types = JSON.stringify(house.sentTo(upstream)).match(/image\/\w+/g)
        expect(types).toEqual([known, known])
      }
    },
  )
})

describe('a file for Responses', () => {
  const file = (mediaType: string, title?: string): JsonObject => ({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'document', title, source: { type: 'base64', media_type: mediaType, data: 'aGVsbG8=' } },
        ],
      },
    ],
  })
  const cases: [string, string | undefined, string][] = [
    ['application/pdf', undefined, 'file.pdf'],
    ['application/pdf', 'Report 2.0 of May', 'Report 2.0 of May.pdf'],
    ['text/plain', 'notes', 'notes.txt'],
    ['text/csv', 'sums.csv', 'sums.csv'],
  ]
  test.each(cases)('%s, %p: has a name that tells what it is', async (mediaType, title, filename) => {
    await call(anthropic, responses, file(mediaType, title))
    expect(JSON.stringify(house.sentTo(responses))).toContain(`"filename":"${filename}"`)
  })

  test('is not a film', async () => {
    const contents = [{ parts: [{ inlineData: { mimeType: 'video/mp4', data: 'AAAA' } }, { text: 'Hi' }] }]
    const { key, rig } = house
    const model = house.modelOf(responses)
    const answer = await ask(rig.url, gemini, { key, model, more: { contents } })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('video/mp4')
  })
})

test('what the assistant has shown is shown to Claude, after its turn', async () => {
  const image_url = { url: 'data:image/png;base64,iVBORw0KGgo=' }
  const messages = [
    { role: 'user', content: 'Draw' },
    { role: 'assistant', content: 'Here.', images: [{ type: 'image_url', image_url }] },
    { role: 'user', content: 'Bluer' },
  ]
  await call(chat, anthropic, { messages })
  expect(asArray(house.sentTo(anthropic).messages).slice(1)).toEqual([
    { role: 'assistant', content: [{ type: 'text', text: 'Here.' }] },
    {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
        { type: 'text', text: 'Bluer' },
      ],
    },
  ])
})

describe('a conversation that is to be made shorter', () => {
  const compact = async (upstream: Way, body: JsonObject): Promise<Response> =>
    fetch(`${house.rig.url}/v1/responses/compact`, {
      method: 'POST',
      headers: { authorization: `Bearer ${house.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: house.modelOf(upstream), ...body }),
    })

  test('is handed to an upstream that can, and paid', async () => {
    const input = [{ role: 'user', content: 'A long story' }]
    const answer = await compact(responses, { input })
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { object: 'response.compaction', output: [{ role: 'user' }, { type: 'compaction' }] },
    ])
    expect(house.vendorOf(responses).requests.at(-1)?.path).toBe('/v1/responses/compact')
    const tally = house.vendorOf(responses).served.at(-1)?.tally
    const charge = await house.rig.chargeOf(requestIdOf(answer))
    expect(charge).toBe((tally?.input ?? 0) + (tally?.output ?? 0))
  })

  test('is nothing that others know', async () => {
    for (const upstream of [chat, anthropic, gemini]) {
      const before = house.vendorOf(upstream).requests.length
      expect((await compact(upstream, { input: 'Hi' })).status).toBe(503)
      expect(house.vendorOf(upstream).requests.length).toBe(before)
    }
  })

  test('is nobody else’s to go on from', async () => {
    const answer = await compact(responses, { previous_response_id: 'resp_of_somebody' })
    expect(answer.status).toBe(404)
  })
})

describe('a tool that takes a text', () => {
  const patch = '*** Begin "Patch"\n+ a\n'
  const grammar = { syntax: 'lark', definition: 'start: "*"' }
  const offers = new Map<Way, JsonObject>([
    [
      chat,
      {
        tools: [
          {
            type: 'custom',
            custom: { name: 'patch', description: 'Edits.', format: { type: 'grammar', grammar } },
          },
        ],
        tool_choice: { type: 'custom', custom: { name: 'patch' } },
      },
    ],
    [
      responses,
      {
        tools: [
          { type: 'custom', name: 'patch', description: 'Edits.', format: { type: 'grammar', ...grammar } },
        ],
        tool_choice: { type: 'custom', name: 'patch' },
      },
    ],
  ])
  const pairs = [chat, responses].flatMap(client =>
    [chat, responses, anthropic, gemini]
      .filter(upstream => upstream !== client)
      .map(upstream => [client.name, upstream.name, client, upstream] as const),
  )
  const reply = {
    calls: [{ name: 'patch', input: { input: patch } }],
    text: '',
    finish: 'tools',
  } as const

  test.each(pairs)(
    'of %s is a function for %s, and called with its text',
    async (_from, _to, client, upstream) => {
      house.vendorOf(upstream).next({ reply })
      const [answer] = await call(client, upstream, offers.get(client) ?? {})
      const sent = JSON.stringify(house.sentTo(upstream))
      expect(sent).toContain('Edits.\\n\\nThe input must follow this grammar (lark):')
      expect(sent).not.toContain('"custom"')
      if (client === chat)
        expect(asArray(answer?.choices)[0]).toMatchObject({
          message: { tool_calls: [{ type: 'custom', custom: { name: 'patch', input: patch } }] },
          finish_reason: 'tool_calls',
        })
      else {
        const called = { type: 'custom_tool_call', status: 'completed', name: 'patch', input: patch }
        expect(asArray(answer?.output).at(-1)).toMatchObject(called)
        expect(answer?.tools).toMatchObject([{ type: 'custom', name: 'patch', description: 'Edits.' }])
      }
    },
  )

  test.each(pairs)('%s from %s, streamed', async (_from, _to, client, upstream) => {
    house.vendorOf(upstream).next({ reply })
    const frames = await call(client, upstream, offers.get(client) ?? {}, true)
    const calls = frames.flatMap(frame =>
      asArray(asObject(asObject(asArray(frame.choices)[0])?.delta)?.tool_calls).map(
        one => asObject(one) ?? {},
      ),
    )
    if (client === chat) {
      expect(calls[0]).toMatchObject({ index: 0, type: 'custom', custom: { name: 'patch', input: '' } })
      expect(calls.map(one => asObject(one.custom)?.input).join('')).toBe(patch)
      return
    }
    const said = (type: string) => frames.filter(frame => frame.type === type)
    expect(
      said('response.custom_tool_call_input.delta')
        .map(({ delta }) => delta)
        .join(''),
    ).toBe(patch)
    expect(said('response.custom_tool_call_input.done')).toMatchObject([{ input: patch }])
    const called = { type: 'custom_tool_call', name: 'patch', input: patch }
    expect(said('response.output_item.done').at(-1)?.item).toMatchObject(called)
  })

  test.each(pairs)('%s tells %s what came of it', async (_from, _to, client, upstream) => {
    const past: JsonObject =
      client === chat
        ? {
            messages: [
              { role: 'user', content: 'Go' },
              {
                role: 'assistant',
                content: null,
                tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'patch', input: patch } }],
              },
              { role: 'tool', tool_call_id: 'c1', content: 'Patched' },
            ],
          }
        : {
            input: [
              { role: 'user', content: 'Go' },
              { type: 'custom_tool_call', call_id: 'c1', name: 'patch', input: patch },
              { type: 'custom_tool_call_output', call_id: 'c1', output: 'Patched' },
            ],
          }
    const { tools } = offers.get(client) ?? {}
    const [answer] = await call(client, upstream, { tools, ...past })
    expect(JSON.stringify(answer)).toContain('The tool said: Patched')
  })
})
