import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../server/dialects/json.ts'
import type { Script } from '../../upstreams/index.ts'
import { anthropic, ask, chat, gemini, readUntil, requestIdOf, responses, type Way } from '../ways.ts'
import { models, openToolHouse, withItems } from './tool-house.ts'

// What a vendor's own tools have cost is paid also by who leaves before the answer says so.

const house = openToolHouse()
const { fakes } = house

describe('who leaves before the end pays for what was done', () => {
  const done = (item: JsonObject) =>
    `event: response.output_item.done\ndata: ${JSON.stringify({ type: 'response.output_item.done', output_index: 0, item })}\n\n`
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search' } }
  const file = { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: ['a'] }
  const block = {
    ...{ type: 'content_block_start', index: 0 },
    content_block: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
  }
  const cases: [string, Way, string, string[], number][] = [
    ['Responses', responses, models.open, [done(search), done(search), done(file)], 22.5],
    [
      'Anthropic',
      anthropic,
      models.claude,
      [`event: content_block_start\ndata: ${JSON.stringify(block)}\n\n`],
      10,
    ],
  ]
  test.each(cases)('%s', async (_name, way, model, done, fee) => {
    const { promise: left, resolve } = Promise.withResolvers<void>()
    fakes.get(way)?.next({
      frames: ([first = '', ...others]) => [first, ...done, ...others],
      hold: { afterFrames: 1 + done.length, until: left },
      cutAfterFrames: 2 + done.length,
    })
    const gone = new AbortController()
    const response = await ask(house.rig.url, way, {
      key: house.key,
      model,
      stream: true,
      signal: gone.signal,
    })
    await readUntil(response, done.at(-1) ?? '')
    gone.abort()
    resolve()
    const { quota, prompt_tokens, completion_tokens } = await house.rig.logOf(requestIdOf(response))
    expect((quota - prompt_tokens - completion_tokens) / 500).toBe(fee)
  })

  /** The model has read it; the last usage alone tells how much it was. */
  test.each(cases)('%s: also for what was found', async (_name, way, model, done) => {
    const { promise: left, resolve } = Promise.withResolvers<void>()
    fakes.get(way)?.next({
      frames: ([first = '', ...others]) => [first, ...done, ...others],
      hold: { afterFrames: 3 + done.length, until: left },
      usage: (told: JsonObject) => ({ ...told, input_tokens: 60_000 }),
    })
    const gone = new AbortController()
    const asking = { key: house.key, model, stream: true, signal: gone.signal }
    const response = await ask(house.rig.url, way, asking)
    await readUntil(response, done.at(-1) ?? '')
    gone.abort()
    resolve()
    expect((await house.rig.logOf(requestIdOf(response))).prompt_tokens).toBe(60_000)
  })

  const grounded = `data: ${JSON.stringify({
    candidates: [
      { content: { parts: [] }, groundingMetadata: { webSearchQueries: ['a', 'b', 'c'] }, index: 0 },
    ],
  })}\n\n`
  const converted: [string, Way, Way, string, string[], number][] = [
    ...cases.flatMap(([name, vendor, model, frames, fee]) =>
      [chat, responses, anthropic, gemini]
        .filter(client => client !== vendor)
        .map((client): (typeof converted)[number] => [
          `${name} for ${client.name}`,
          client,
          vendor,
          model,
          frames,
          fee,
        ]),
    ),
    ['Gemini for openai-chat', chat, gemini, models.gemini, [grounded], 3 * 14],
  ]
  const text = 'one two three four five six seven eight nine ten'
  test.each(converted)('%s', async (_name, client, vendor, model, told, fee) => {
    const { promise: left, resolve } = Promise.withResolvers<void>()
    const afterFrames = told.length + 7
    fakes.get(vendor)?.next({
      frames: ([first = '', ...others]) => [first, ...told, ...others],
      hold: { afterFrames, until: left },
      cutAfterFrames: afterFrames + 1,
    })
    const gone = new AbortController()
    const response = await ask(house.rig.url, client, {
      key: house.key,
      model,
      text,
      stream: true,
      signal: gone.signal,
    })
    // A tool says nothing in other words; what is said behind it shows that it was heard of. Gemini begins with a word.
    await readUntil(response, 'said')
    gone.abort()
    resolve()
    const { quota, prompt_tokens, completion_tokens } = await house.rig.logOf(requestIdOf(response))
    expect((quota - prompt_tokens - completion_tokens) / 500).toBe(fee)
  })
})

test('who leaves with a picture that is nearly made pays for it, as its vendor counts', async () => {
  const type = 'response.image_generation_call.partial_image'
  const partial = {
    type,
    output_index: 0,
    item_id: 'ig_1',
    partial_image_index: 0,
    partial_image_b64: 'AAAA',
  }
  const frame = `event: ${type}\ndata: ${JSON.stringify(partial)}\n\n`
  const drawn = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'aGk=' }
  const image_gen = { input_tokens: 0, output_tokens: 4160, total_tokens: 4160 }
  const tools = [{ type: 'image_generation', model: 'gpt-image-1', quality: 'high', partial_images: 1 }]
  const leaveWith = async (script: Script): Promise<number> => {
    const gone = new AbortController()
    const { promise: left, resolve } = Promise.withResolvers<void>()
    fakes.get(responses)?.next({
      ...(script as object),
      frames: ([first = '', ...others]) => [first, frame, ...others],
      whole: withItems([drawn], { tool_usage: { image_gen } }),
      hold: { afterFrames: 2, until: left },
    })
    const asking = { key: house.key, model: models.open, more: { tools }, stream: true, signal: gone.signal }
    const response = await ask(house.rig.url, responses, asking)
    await readUntil(response, 'partial_image_b64')
    gone.abort()
    resolve()
    const { quota, prompt_tokens, completion_tokens } = await house.rig.logOf(requestIdOf(response))
    return quota - prompt_tokens - completion_tokens
  }
  expect(await leaveWith({})).toBe(4160 * 20)
  // Of one that is cut before that, the price of a picture.
  expect(await leaveWith({ cutAfterFrames: 3 })).toBe(250 * 500)
})
