import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Json, JsonObject } from '../../../server/dialects/json.ts'
import { openPairs, type Pairs } from '../dialects/pairs-house.ts'
import { ask, chat, gemini, requestIdOf, type Way, ways } from '../ways.ts'

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
