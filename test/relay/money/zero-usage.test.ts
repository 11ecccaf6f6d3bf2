import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Json, JsonObject } from '../../../server/dialects/json.ts'
import { openPairs, type Pairs } from '../dialects/pairs-house.ts'
import { anthropic, ask, chat, gemini, requestIdOf, type Way, ways } from '../ways.ts'

// Servers that do not count tell zero for what they have not counted. A model that was read and answered is paid.

let house: Pairs
beforeAll(async () => {
  house = await openPairs()
})
afterAll(() => house.close())

const TEXT = 'count the words of this sentence, please, and then say all of them once more'

/** Numbers whose name has one of these in it are told as zero. */
const zeroIn =
  (names: RegExp) =>
  (usage: JsonObject): Json =>
    Object.fromEntries(
      Object.entries(usage).map(([name, value]) => [
        name,
        typeof value === 'number' && names.test(name) ? 0 : (value ?? null),
      ]),
    )

const all = zeroIn(/./)
const input = zeroIn(/input|prompt|total/i)
const output = zeroIn(/output|completion|candidates|thoughts|total/i)

async function rowOf(client: Way, upstream: Way, stream: boolean, usage?: (told: JsonObject) => Json) {
  if (usage) house.vendorOf(upstream).next({ usage })
  const model = house.modelOf(upstream)
  const response = await ask(house.rig.url, client, { key: house.key, model, stream, text: TEXT })
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
  const { prompt_tokens, completion_tokens, quota } = await house.rig.logOf(requestIdOf(response))
  expect(quota).toBe(prompt_tokens + completion_tokens)
  return { prompt: prompt_tokens, completion: completion_tokens }
}

const near = (count: number, usual: number): boolean => count > usual / 3 && count < usual * 3

const pairs = ways.flatMap(client =>
  ways.flatMap(upstream =>
    [false, true].map(stream => ({
      name: `${client.name} from ${upstream.name}, ${stream ? 'streamed' : 'plain'}`,
      client,
      upstream,
      stream,
    })),
  ),
)

describe.each(pairs)('$name', ({ client, upstream, stream }) => {
  test('what is told as zero is counted, and what is not is believed', async () => {
    const usual = await rowOf(client, upstream, stream)
    const none = await rowOf(client, upstream, stream, all)
    expect([near(none.prompt, usual.prompt), near(none.completion, usual.completion)]).toEqual([true, true])
    const unread = await rowOf(client, upstream, stream, input)
    expect([near(unread.prompt, usual.prompt), unread.completion]).toEqual([true, usual.completion])
    const unsaid = await rowOf(client, upstream, stream, output)
    expect([unsaid.prompt, near(unsaid.completion, usual.completion)]).toEqual([usual.prompt, true])
  })
})

describe('what was read and is told at the beginning alone', () => {
  const frame = (type: string, data: JsonObject) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
  const told = { input_tokens: 1000, cache_read_input_tokens: 5000, output_tokens: 1 }
  const nothing = { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
  const opening = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] }
  const stream = (usage: JsonObject | undefined) =>
    [
      frame('message_start', { message: { ...opening, usage: told } }),
      frame('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      frame('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'well said' } }),
      frame('content_block_stop', { index: 0 }),
      frame('message_delta', { delta: { stop_reason: 'end_turn' }, ...(usage && { usage }) }),
      frame('message_stop', {}),
    ].join('')
  const ends: [string, JsonObject | undefined][] = [
    ['by an end that tells of the answer alone', { output_tokens: 30 }],
    ['by an end that says zero of what is new in it', { input_tokens: 0, output_tokens: 30 }],
    ['by an end that says zero of all of it', { ...nothing, output_tokens: 30 }],
    ['by an end that tells of nothing', undefined],
  ]

  test.each(ends)('is paid, and as what it was, %s', async (_, usage) => {
    for (const client of ways) {
      const headers = { 'Content-Type': 'text/event-stream' }
      house.vendorOf(anthropic).next({ status: 200, headers, body: stream(usage) })
      const model = house.modelOf(anthropic)
      const response = await ask(house.rig.url, client, { key: house.key, model, stream: true })
      expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
      const { prompt_tokens, completion_tokens, details } = await house.rig.logOf(requestIdOf(response))
      expect([client.name, prompt_tokens, details.cache_tokens]).toEqual([client.name, 6000, 5000])
      if (usage) expect(completion_tokens).toBe(30)
      else expect(completion_tokens).toBeWithin(1, 10)
    }
  })
})

test('the same of a completion that comes whole', async () => {
  const complete = async (usage?: (told: JsonObject) => Json) => {
    if (usage) house.vendorOf(chat).next({ usage })
    const response = await fetch(`${house.rig.url}/v1/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${house.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: house.modelOf(chat), prompt: TEXT }),
    })
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
    const { prompt_tokens, completion_tokens } = await house.rig.logOf(requestIdOf(response))
    return { prompt: prompt_tokens, completion: completion_tokens }
  }
  const usual = await complete()
  const unread = await complete(input)
  expect([near(unread.prompt, usual.prompt), unread.completion]).toEqual([true, usual.completion])
  const unsaid = await complete(output)
  expect([unsaid.prompt, near(unsaid.completion, usual.completion)]).toEqual([usual.prompt, true])
})

test.each(ways)('$name: a prompt that was blocked has no output to count', async client => {
  const usageMetadata = { promptTokenCount: 9, totalTokenCount: 9 }
  const body = {
    promptFeedback: { blockReason: 'SAFETY' },
    usageMetadata,
    modelVersion: 'm',
    responseId: 'r',
  }
  house.vendorOf(gemini).next({ status: 200, body })
  const response = await ask(house.rig.url, client, { key: house.key, model: house.modelOf(gemini) })
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
  expect(await house.rig.logOf(requestIdOf(response))).toMatchObject({
    prompt_tokens: 9,
    completion_tokens: 0,
  })
})
