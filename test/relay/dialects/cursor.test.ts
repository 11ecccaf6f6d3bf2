import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asArray, asObject, asText, type JsonObject, parseObject } from '../../../server/dialects/json.ts'
import { anthropic, ask, chat, gemini, readStream, requestIdOf, responses } from '../ways.ts'
import { openPairs, type Pairs } from './pairs-house.ts'

// Cursor asks at the address of chat in the words of Responses for some models, and names tools and their results as
// Anthropic does for others. It is answered as chat, whatever the upstream speaks.

let house: Pairs
beforeAll(async () => {
  house = await openPairs()
})
afterAll(() => house.close())

const upstreams = [chat, responses, anthropic, gemini].map(way => [way.name, way] as const)
const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const about = { name: 'read_file', description: 'Reads it.' }

async function hear(model: string, body: JsonObject, stream: boolean) {
  const { url } = house.rig
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${house.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream, ...body }),
  })
  const { text, events } = await readStream(response)
  expect([response.status, response.ok ? '' : text]).toEqual([200, ''])
  const said = { text: '', calls: [] as string[], hasUsage: false, requestId: requestIdOf(response) }
  for (const one of stream ? events.map(({ data }) => parseObject(data)) : [parseObject(text)]) {
    const choice = asObject(asArray(one?.choices)[0])
    const message = asObject(choice?.message ?? choice?.delta)
    said.text += asText(message?.content) ?? ''
    if (one?.usage) said.hasUsage = true
    for (const item of asArray(message?.tool_calls)) {
      const call = asObject(item)
      const name = asText(asObject(call?.function ?? call?.custom)?.name)
      if (name) said.calls.push(`${asText(call?.type)} ${name}`)
    }
  }
  return said
}

const streams = [false, true]

describe.each(upstreams)('to %s', (_name, way) => {
  const model = () => house.modelOf(way)

  test.each(streams)('in the words of Responses, streamed %p', async stream => {
    const wish = stream ? { stream_options: { include_usage: true } } : {}
    const tools = [{ type: 'function', ...about, parameters: schema, strict: false }]
    const input: JsonObject[] = [
      { role: 'system', content: 'You are a coding assistant.' },
      { role: 'user', content: [{ type: 'input_text', text: 'call read_file' }] },
    ]
    const first = await hear(model(), { input, tools, tool_choice: 'auto', ...wish }, stream)
    expect([first.calls, first.hasUsage]).toEqual([['function read_file'], true])
    expect(await house.rig.chargeOf(first.requestId)).toBeGreaterThan(0)
    input.push(
      { type: 'function_call', call_id: 'call_1', name: 'read_file', arguments: '{"path":"a"}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'line one' },
    )
    expect((await hear(model(), { input, tools, ...wish }, stream)).text).toBe('The tool said: line one')
  })

  test.each(streams)('in the words of Anthropic, streamed %p', async stream => {
    const tools = [{ ...about, input_schema: schema }]
    const messages: JsonObject[] = [
      { role: 'system', content: 'You are a coding assistant.' },
      { role: 'user', content: [{ type: 'text', text: 'call read_file' }] },
    ]
    const tool_choice = { type: 'auto' }
    expect((await hear(model(), { messages, tools, tool_choice }, stream)).calls).toEqual([
      'function read_file',
    ])
    const call = { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: { path: 'a' } }
    const content = [{ type: 'text', text: 'line one' }]
    messages.push(
      { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
    )
    expect((await hear(model(), { messages, tools }, stream)).text).toBe('The tool said: line one')
  })
})

test('a tool that takes a text is called by its text, in either of its forms', async () => {
  const format = { type: 'grammar', syntax: 'lark', definition: 'start: /.+/' }
  const patch = { type: 'custom', name: 'ApplyPatch', description: 'Patches.', format }
  for (const asked of [
    { input: 'call ApplyPatch' },
    { messages: [{ role: 'user', content: 'call ApplyPatch' }] },
  ])
    for (const stream of streams)
      expect((await hear(house.modelOf(anthropic), { ...asked, tools: [patch] }, stream)).calls).toEqual([
        'custom ApplyPatch',
      ])
})

test('tools of both kinds together, and pictures beside results', async () => {
  const tools = [
    { type: 'function', function: { ...about, parameters: schema } },
    { type: 'function', name: 'write_file', parameters: schema },
  ]
  const both = await hear(
    house.modelOf(chat),
    { messages: [{ role: 'user', content: 'call both' }], tools },
    false,
  )
  expect(both.calls).toEqual(['function read_file', 'function write_file'])
  const call = { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} }
  const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [call] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: 'seen' },
        { type: 'image', source },
      ],
    },
  ]
  await hear(house.modelOf(anthropic), { messages, tools: [{ ...about, input_schema: schema }] }, false)
  expect(asArray(house.sentTo(anthropic).messages).at(-1)).toEqual({
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'seen' }] },
      { type: 'image', source },
    ],
  })
})

test('what has neither is told in chat’s words what it lacks', async () => {
  const response = await ask(house.rig.url, chat, {
    key: house.key,
    model: house.modelOf(anthropic),
    more: { messages: undefined },
  })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('messages')
})
