import { afterAll, beforeAll, expect, test } from 'bun:test'
import { asObject, type JsonObject } from '../../../server/dialects/json.ts'
import type { FakeUpstream, Script } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { anthropic, ask, chat, gemini, readStream, requestIdOf, responses, type Way } from '../ways.ts'

// What a vendor searches the web for is paid for one by one, whoever asks in whatever dialect.

let rig: Rig
let key = ''
const fakes = new Map<Way, FakeUpstream>()
const models = new Map<Way, string>([
  [responses, 'm-open'],
  [anthropic, 'm-claude'],
  [gemini, 'gemini-m'],
])
/** Asks for the prompt that was searched for, not for each search. */
const older = 'gemini-2.5-flash'
/** Asked in either of its vendor's dialects. */
const both = 'gpt-4.1'

beforeAll(async () => {
  for (const way of models.keys()) fakes.set(way, await way.start())
  rig = await openRig(async books => {
    const userId = await books.addUser({ quota: 10_000_000 })
    key = (await books.addToken({ userId })).key
    await books.setOption(
      'ModelRatio',
      JSON.stringify(Object.fromEntries([...models.values(), older, both].map(m => [m, 1]))),
    )
    await books.setOption('WebSearchPrice', '{"default": 10, "gemini": 14, "gemini-2": 35}')
    for (const [way, { url, key: vendorKey }] of fakes)
      await books.addChannel({
        ...{
          type: way.channelType,
          baseUrl: url,
          key: vendorKey,
          models: [models.get(way) ?? '', ...(way === gemini ? [older] : [])],
        },
        ...(way === responses ? { setting: { dialects: ['openai-responses'] } } : {}),
      })
    const open = fakes.get(responses)
    await books.addChannel({
      ...{ type: 1, baseUrl: open?.url ?? '', key: open?.key ?? '', models: [both] },
      setting: { dialects: ['openai-chat', 'openai-responses'] },
    })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  for (const fake of fakes.values()) await fake.stop()
})

/** Two searches, in the vendor's own words, plain or streamed. */
const searchedTwice = new Map<Way, Script>([
  [anthropic, { usage: usage => ({ ...usage, server_tool_use: { web_search_requests: 2 } }) }],
  [gemini, { frames: frames => frames.map(withQueries) }],
  [responses, { frames: frames => frames.map(withCalls) }],
])

function withQueries(frame: string): string {
  return frame.replace('"finishReason"', '"groundingMetadata":{"webSearchQueries":["a","b"]},"finishReason"')
}

test.each([false, true])('pictures that Gemini looks for are paid like words, streamed %p', async stream => {
  const model = models.get(gemini) ?? ''
  const grounding = '"groundingMetadata":{"webSearchQueries":["a"],"imageSearchQueries":["b","c"]}'
  const sought = (text: string) => text.replace('"finishReason"', `${grounding},"finishReason"`)
  const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 }
  const candidate = { content: { role: 'model', parts: [{ text: 'hi' }] }, finishReason: 'STOP', index: 0 }
  const body = JSON.parse(sought(JSON.stringify({ candidates: [candidate], usageMetadata })))
  fakes.get(gemini)?.next(stream ? { frames: frames => frames.map(sought) } : { status: 200, body })
  const response = await ask(rig.url, gemini, { key, model, stream })
  await response.text()
  const { details } = await rig.logOf(requestIdOf(response))
  expect(details).toMatchObject({ web_search_call_count: 3, web_search_price: 14 })
})

function withCalls(frame: string): string {
  if (!frame.includes('response.completed')) return frame
  const call = (id: string, type: string) =>
    `{"id":"${id}","type":"web_search_call","action":{"type":"${type}"}}`
  const calls = [call('ws_1', 'search'), call('ws_2', 'search'), call('ws_3', 'open_page')]
  return frame.replace('"output":[', `"output":[${calls.join()},`)
}

const prices = new Map<Way, number>([
  [responses, 10],
  [anthropic, 10],
  [gemini, 14],
])

const pairs = [...models.keys()].flatMap(vendor => [vendor, chat].map(client => ({ client, vendor })))

test.each(pairs)('$client.name from $vendor.name, streamed', async ({ client, vendor }) => {
  const model = models.get(vendor) ?? ''
  fakes.get(vendor)?.next(searchedTwice.get(vendor) ?? {})
  const response = await ask(rig.url, client, { key, model, stream: true })
  expect((await readStream(response)).text).toMatch(client.endMark)
  const price = prices.get(vendor) ?? 0
  const { quota, prompt_tokens, completion_tokens, details } = await rig.logOf(requestIdOf(response))
  expect(details).toMatchObject({ web_search: true, web_search_call_count: 2, web_search_price: price })
  expect(quota).toBe(prompt_tokens + completion_tokens + 2 * price * 500)
})

test.each([false, true])('older Gemini is paid by the prompt, streamed %p', async stream => {
  fakes
    .get(gemini)
    ?.next(
      stream
        ? (searchedTwice.get(gemini) ?? {})
        : { whole: answer => JSON.parse(withQueries(JSON.stringify(answer))) },
    )
  const response = await ask(rig.url, gemini, { key, model: older, stream })
  await readStream(response)
  const { quota, prompt_tokens, completion_tokens, details } = await rig.logOf(requestIdOf(response))
  expect(details).toMatchObject({ web_search_call_count: 1, web_search_price: 35 })
  const output = completion_tokens * Number(details.completion_ratio)
  expect(quota).toBe(Math.round(prompt_tokens + output + 35 * 500))
})

test('an answer from Google’s maps is one search', async () => {
  const maps = '"groundingMetadata":{"groundingChunks":[{"maps":{"title":"a"}},{"maps":{"title":"b"}}]}'
  const frames = (all: readonly string[]) =>
    all.map(frame => frame.replace('"finishReason"', `${maps},"finishReason"`))
  fakes.get(gemini)?.next({ frames })
  const response = await ask(rig.url, gemini, { key, model: models.get(gemini) ?? '', stream: true })
  await readStream(response)
  expect((await rig.logOf(requestIdOf(response))).details).toMatchObject({ web_search_call_count: 1 })
})

test('a whole answer of Anthropic’s is charged for each of its searches', async () => {
  fakes.get(anthropic)?.next(searchedTwice.get(anthropic) ?? {})
  const response = await ask(rig.url, anthropic, { key, model: models.get(anthropic) ?? '' })
  const usage = asObject((asObject(await response.json()) as JsonObject).usage)
  const { quota, prompt_tokens, completion_tokens } = await rig.logOf(requestIdOf(response))
  expect(usage?.server_tool_use).toEqual({ web_search_requests: 2 })
  expect(quota).toBe(prompt_tokens + completion_tokens + 10_000)
})

test('a search is made in the dialect in which its vendor makes it', async () => {
  const asked = async (more: JsonObject) => {
    fakes.get(responses)?.next({ frames: frames => frames.map(withCalls) })
    const response = await ask(rig.url, anthropic, { key, model: both, stream: true, more })
    expect((await readStream(response)).text).toMatch(anthropic.endMark)
    return { seen: fakes.get(responses)?.requests.at(-1), log: await rig.logOf(requestIdOf(response)) }
  }
  const look = { name: 'look', input_schema: { type: 'object' } }
  const search = { type: 'web_search_20250305', name: 'web_search' }
  const tool_choice = { type: 'tool', name: 'web_search' }
  const { seen, log } = await asked({ tools: [look, search], tool_choice })
  expect(seen?.path).toBe('/v1/responses')
  expect(seen?.json).toMatchObject({ tools: [{ type: 'web_search' }], tool_choice: 'required' })
  expect(log.details).toMatchObject({ web_search_call_count: 2 })
  expect((await asked({ tools: [look] })).seen?.path).toBe('/v1/chat/completions')
})

test('who searches for nothing pays for nothing', async () => {
  const response = await ask(rig.url, anthropic, { key, model: models.get(anthropic) ?? '' })
  const { quota, prompt_tokens, completion_tokens, details } = await rig.logOf(requestIdOf(response))
  expect(quota).toBe(prompt_tokens + completion_tokens)
  expect(details).not.toHaveProperty('web_search')
})
