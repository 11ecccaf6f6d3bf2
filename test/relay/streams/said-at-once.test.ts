import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asObject, type JsonObject, parseObject } from '../../../server/dialects/json.ts'
import { openPairs, type Pairs } from '../dialects/pairs-house.ts'
import { anthropic, ask, chat, gemini, readStream, requestIdOf, responses, type Way, ways } from '../ways.ts'

// Servers that do not stream: whatever they are asked for, they answer whole.

let house: Pairs
beforeAll(async () => {
  house = await openPairs()
})
afterAll(() => house.close())

const args = JSON.stringify({ city: 'Rome' })
/** A text, and a call of a tool: 9 tokens read and 3 written. */
const answers = new Map<Way, (model: string) => JsonObject>([
  [
    chat,
    model => ({
      ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1_800_000_000, model },
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'Good day',
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: args } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
    }),
  ],
  [
    responses,
    model => ({
      ...{ id: 'resp_1', object: 'response', created_at: 1_800_000_000, status: 'completed', model },
      output: [
        {
          ...{ id: 'msg_1', type: 'message', status: 'completed', role: 'assistant' },
          content: [{ type: 'output_text', text: 'Good day', annotations: [] }],
        },
        {
          ...{ id: 'fc_1', type: 'function_call', status: 'completed' },
          ...{ call_id: 'call_1', name: 'look', arguments: args },
        },
      ],
      usage: { input_tokens: 9, output_tokens: 3, total_tokens: 12 },
    }),
  ],
  [
    anthropic,
    model => ({
      ...{
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model,
        stop_reason: 'tool_use',
        stop_sequence: null,
      },
      content: [
        { type: 'text', text: 'Good day' },
        { type: 'tool_use', id: 'call_1', name: 'look', input: { city: 'Rome' } },
      ],
      usage: { input_tokens: 9, output_tokens: 3 },
    }),
  ],
  [
    gemini,
    model => ({
      candidates: [
        {
          index: 0,
          content: {
            role: 'model',
            parts: [{ text: 'Good day' }, { functionCall: { name: 'look', args: { city: 'Rome' } } }],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3, totalTokenCount: 12 },
      ...{ modelVersion: model, responseId: 'r1' },
    }),
  ],
])

const whole = (vendor: Way): string => JSON.stringify(answers.get(vendor)?.(house.modelOf(vendor)))
const json = { 'Content-Type': 'application/json' }

async function stream(client: Way, vendor: Way, body: string, more: JsonObject = {}) {
  house.vendorOf(vendor).next({ status: 200, headers: json, body })
  const asking = { key: house.key, model: house.modelOf(vendor), stream: true, more }
  const response = await ask(house.rig.url, client, asking)
  const read = await readStream(response)
  const requestId = requestIdOf(response)
  return { ...read, response, requestId, charge: await house.rig.chargeOf(requestId) }
}

describe.each(
  ways.flatMap(client => ways.map(vendor => [client.name, vendor.name, client, vendor] as const)),
)('a client of %s, answered whole in %s,', (_client, _vendor, client, vendor) => {
  test('has it as a stream, and pays what it is told to cost', async () => {
    const { response, text, events, requestId, charge } = await stream(client, vendor, whole(vendor))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toStartWith('text/event-stream')
    expect(text).toMatch(client.endMark)
    expect(text).not.toMatch(client.failMark)
    expect(text).toContain('Good day')
    expect(text).toContain('"look"')
    expect(text).toMatch(/\\?"city\\?"\s*:\s*\\?"Rome/)
    for (const { data } of events) expect(data === '[DONE]' || parseObject(data)).toBeTruthy()
    expect(charge).toBe(12)
    const row = await house.rig.logOf(requestId)
    expect([row.is_stream, row.prompt_tokens, row.completion_tokens]).toEqual([1, 9, 3])
  })

  test('has no answer of one that is cut, empty or a failure, and pays nothing', async () => {
    const cut = whole(vendor).slice(0, -9)
    const failed = JSON.stringify({ error: { message: 'No room', type: 'server_error', code: 503 } })
    for (const body of [cut, '{}', '[]', failed]) {
      const { response, charge } = await stream(client, vendor, body)
      expect([body, response.ok, charge]).toEqual([body, false, undefined])
      // A channel that fails twice in a row is left alone.
      const asking = { key: house.key, model: house.modelOf(vendor) }
      await (await ask(house.rig.url, client, asking)).text()
    }
  })
})

test('usage that is not told is counted, and several answers are told apart', async () => {
  const model = house.modelOf(chat)
  const choice = (index: number, content: string) => ({
    ...{ index, finish_reason: 'stop' },
    message: { role: 'assistant', content },
  })
  const two = { choices: [choice(0, 'Good day'), choice(1, 'Good evening')] }
  const body = JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model, ...two })
  const { events, charge = 0, requestId } = await stream(chat, chat, body, { n: 2 })
  const said = new Map<number, string>()
  for (const { data } of events)
    for (const one of (parseObject(data)?.choices ?? []) as JsonObject[]) {
      const index = Number(one.index)
      said.set(index, (said.get(index) ?? '') + String(asObject(one.delta)?.content ?? ''))
    }
  expect([...said]).toEqual([
    [0, 'Good day'],
    [1, 'Good evening'],
  ])
  const row = await house.rig.logOf(requestId)
  expect(row.completion_tokens).toBe(4)
  expect(charge).toBe(row.prompt_tokens + 4)
})

test('what cannot be said in other words is no answer, and what the vendor says instead is heard', async () => {
  const model = house.modelOf(chat)
  // Sound is for clients and vendors of this dialect alone.
  const more = { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'pcm16' } }
  const failed = JSON.stringify({ error: { message: 'No room', type: 'server_error', code: 503 } })
  for (const [body, status] of [
    [whole(chat), 502],
    [failed, 503],
  ] as const) {
    const { response, text, charge } = await stream(chat, chat, body, more)
    expect([response.status, charge]).toEqual([status, undefined])
    expect(text.includes('No room')).toBe(body === failed)
    await (await ask(house.rig.url, chat, { key: house.key, model })).text()
  }
})

test('a client of Gemini that takes an array has one', async () => {
  house.vendorOf(chat).next({ status: 200, headers: json, body: whole(chat) })
  const model = house.modelOf(chat)
  const response = await fetch(`${house.rig.url}/v1beta/models/${model}:streamGenerateContent`, {
    method: 'POST',
    headers: { 'x-goog-api-key': house.key },
    body: JSON.stringify(gemini.body(model, 'good morning', true)),
  })
  const pieces = (await response.json()) as JsonObject[]
  expect(Array.isArray(pieces)).toBe(true)
  expect(JSON.stringify(pieces)).toContain('Good day')
})
