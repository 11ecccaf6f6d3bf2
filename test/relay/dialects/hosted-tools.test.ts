import { describe, expect, test } from 'bun:test'
import { asArray, asObject, type JsonObject } from '../../../server/dialects/json.ts'
import { until } from '../../program.ts'
import type { Script } from '../../upstreams/index.ts'
import { anthropic, ask, chat, readStream, requestIdOf, responses, type Way } from '../ways.ts'
import { models, openToolHouse, withItems } from './tool-house.ts'

// Tools that vendors run themselves and ask for by the piece are paid by the piece, on top of the tokens.

const house = openToolHouse()
const { fakes } = house

const lastSent = (way: Way): JsonObject => asObject(fakes.get(way)?.requests.at(-1)?.json) ?? {}
const typesSent = (way: Way) => asArray(lastSent(way).tools).map(tool => asObject(tool)?.type)

/** Tokens cost one each here; what was paid beyond them, in dollars for a thousand. */
async function paidBeside(
  client: Way,
  vendor: Way,
  asking: { model: string; stream: boolean; more?: JsonObject; script?: Script },
): Promise<{ beside: number; details: Record<string, unknown> }> {
  fakes.get(vendor)?.next(asking.script ?? {})
  const response = await ask(house.rig.url, client, { key: house.key, ...asking })
  const { text } = await readStream(response)
  expect([response.status, response.status === 200 ? '' : text]).toEqual([200, ''])
  const { quota, prompt_tokens, completion_tokens, details } = await house.rig.logOf(requestIdOf(response))
  expect(await house.rig.chargeOf(requestIdOf(response))).toBe(quota)
  return { beside: (quota - prompt_tokens - completion_tokens) / 500, details }
}

describe.each([false, true])('OpenAI’s, streamed %p', stream => {
  const ran = (container_id: string) => ({
    type: 'code_interpreter_call',
    id: `ci_${container_id}`,
    status: 'completed',
    // Those of before are paid for a while.
    container_id: `${container_id}_${stream}`,
    code: '1',
    outputs: [],
  })
  const searched = (id: string) => ({ type: 'file_search_call', id, status: 'completed', queries: ['a'] })

  test('each search in files, and each container', async () => {
    const tools = [
      { type: 'file_search', vector_store_ids: ['vs_1'] },
      { type: 'code_interpreter', container: { type: 'auto' } },
    ]
    const whole = withItems([searched('fs_1'), ran('a'), searched('fs_2'), ran('b'), ran('a')])
    const asking = { model: models.open, stream, more: { tools }, script: { whole } }
    const { beside, details } = await paidBeside(responses, responses, asking)
    expect(beside).toBe(2 * 2.5 + 2 * 30)
    expect(typesSent(responses)).toEqual(['file_search', 'code_interpreter'])
    expect(details.tool_fees).toEqual([
      { name: 'file_search', count: 2, price: 2.5 },
      { name: 'code_interpreter', count: 2, price: 30 },
    ])
  })

  test('a container that nothing ran in, by its size', async () => {
    const tools = [{ type: 'code_interpreter', container: { type: 'auto', memory_limit: '4g' } }]
    const { beside } = await paidBeside(responses, responses, { model: models.open, stream, more: { tools } })
    expect(beside).toBe(4 * 30)
  })

  test('pictures by the tokens of the model that made them', async () => {
    const tools = [{ type: 'image_generation', model: 'gpt-image-1', quality: 'high' }]
    const drawn = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'aGk=' }
    const image_gen = {
      ...{ input_tokens: 100, input_tokens_details: { image_tokens: 40, text_tokens: 60 } },
      ...{ output_tokens: 4160, total_tokens: 4260 },
    }
    const asking = {
      ...{ model: models.open, stream, more: { tools } },
      script: { whole: withItems([drawn], { tool_usage: { image_gen } }) },
    }
    const { beside, details } = await paidBeside(responses, responses, asking)
    // 5 and 40 dollars a million for text in and pictures out; 10 for pictures in.
    expect(beside * 500).toBe(60 * 2.5 + 40 * 5 + 4160 * 20)
    expect(details.tool_fees).toEqual([
      { name: 'gpt-image-1 input', count: 60, price: 0.005 },
      { name: 'gpt-image-1 image input', count: 40, price: 0.01 },
      { name: 'gpt-image-1 output', count: 4160, price: 0.04 },
    ])
  })

  test('what the cache had of what they were made from is cheaper', async () => {
    const tools = [{ type: 'image_generation', model: 'gpt-image-1' }]
    const drawn = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'aGk=' }
    const image_gen = {
      ...{ input_tokens: 100, input_tokens_details: { image_tokens: 40, text_tokens: 60 } },
      ...{ cached_tokens: 36, cached_tokens_details: { cached_text_tokens: 20, cached_image_tokens: 16 } },
      ...{ output_tokens: 4160, total_tokens: 4260 },
    }
    const script = { whole: withItems([drawn], { tool_usage: { image_gen } }) }
    const asking = { model: models.open, stream, more: { tools }, script }
    const { details } = await paidBeside(responses, responses, asking)
    expect(details.tool_fees).toEqual([
      { name: 'gpt-image-1 input', count: 40, price: 0.005 },
      { name: 'gpt-image-1 cached input', count: 20, price: 0.00125 },
      { name: 'gpt-image-1 image input', count: 24, price: 0.01 },
      { name: 'gpt-image-1 cached image input', count: 16, price: 0.0025 },
      { name: 'gpt-image-1 output', count: 4160, price: 0.04 },
    ])
  })

  test('pictures one by one where nothing is told of their tokens that can be, and none that failed', async () => {
    const tools = [{ type: 'image_generation', model: 'gpt-image-1' }]
    const drawn = (id: string, status: string) => ({ type: 'image_generation_call', id, status, result: '' })
    const items = [drawn('ig_1', 'completed'), drawn('ig_2', 'failed')]
    const absurd = { tool_usage: { image_gen: { input_tokens: 1, output_tokens: 1e15 } } }
    for (const whole of [withItems(items), withItems(items, absurd)]) {
      const asking = { model: models.open, stream, more: { tools }, script: { whole } }
      expect((await paidBeside(responses, responses, asking)).beside).toBe(250)
    }
  })

  test('the older search costs more with models that do not think', async () => {
    const tools = [{ type: 'web_search_preview' }]
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search' } }
    for (const [model, price] of [
      [models.old, 25],
      [models.open, 10],
    ] as const) {
      const asking = { model, stream, more: { tools }, script: { whole: withItems([search]) } }
      const { beside } = await paidBeside(responses, responses, asking)
      expect(beside).toBe(price)
    }
  })

  test('a chat model that searches for every answer', async () => {
    const { beside, details } = await paidBeside(chat, chat, { model: models.search, stream })
    expect(beside).toBe(25)
    expect(details).toMatchObject({ web_search_call_count: 1, web_search_price: 25 })
    expect((await paidBeside(anthropic, chat, { model: models.search, stream })).beside).toBe(25)
  })
})

describe.each([false, true])('others’, streamed %p', stream => {
  test('Perplexity’s, by how much is read', async () => {
    const usage = (search_context_size: string, more: JsonObject = {}) => ({
      usage: (own: JsonObject) => ({ ...own, search_context_size, ...more }),
    })
    const paid = async (model: string, script: Script) =>
      (await paidBeside(chat, chat, { model, stream, script })).beside
    expect(await paid(models.sonar, usage('low'))).toBe(6)
    expect(await paid(models.sonar, usage('high'))).toBe(14)
    expect(await paid(models.research, usage('high', { num_search_queries: 7 }))).toBe(35)
  })

  test('xAI’s, as it counts them itself', async () => {
    const tools = [{ type: 'web_search' }, { type: 'code_interpreter' }, { type: 'file_search' }]
    const server_side_tool_usage_details = {
      ...{ web_search_calls: 3, x_search_calls: 0, code_interpreter_calls: 2, file_search_calls: 1 },
      ...{ mcp_calls: 4, document_search_calls: 1 },
    }
    const script = { usage: (usage: JsonObject) => ({ ...usage, server_side_tool_usage_details }) }
    const asking = { model: models.grok, stream, more: { tools }, script }
    expect((await paidBeside(responses, responses, asking)).beside).toBe(3 * 5 + 2 * 5 + 2.5 + 10)
  })

  const code = { type: 'code_execution_20260120', name: 'code_execution' }
  const container = { id: 'container_1', expires_at: '2026-11-16T10:00:00Z' }
  const script = { whole: (message: JsonObject) => ({ ...message, container }) }

  test('Anthropic’s code, where it is asked for by itself', async () => {
    const asking = { model: models.claude, stream, more: { tools: [code] } }
    expect((await paidBeside(anthropic, anthropic, { ...asking, script })).beside).toBe(4.17)
    expect((await paidBeside(anthropic, anthropic, asking)).beside).toBe(0)
    const search = { type: 'web_search_20260318', name: 'web_search' }
    const both = { ...asking, more: { tools: [code, search] }, script }
    expect((await paidBeside(anthropic, anthropic, both)).beside).toBe(0)
  })

  test('where an answer was computed', async () => {
    const geo = (place: string) => ({
      usage: (usage: JsonObject) => ({ ...usage, inference_geo: place }),
    })
    const paid = async (more: JsonObject, answered: Script) => {
      fakes.get(anthropic)?.next(answered)
      const response = await ask(house.rig.url, anthropic, {
        key: house.key,
        model: models.claude,
        stream,
        more,
      })
      await readStream(response)
      const { quota, prompt_tokens, completion_tokens, details } = await house.rig.logOf(
        requestIdOf(response),
      )
      return {
        ratio: details.model_ratio,
        fits: quota === Math.round(Number(details.model_ratio) * (prompt_tokens + completion_tokens)),
        geo: details.inference_geo,
      }
    }
    expect(await paid({ inference_geo: 'us' }, geo('us'))).toEqual({ ratio: 1.1, fits: true, geo: 'us' })
    expect(await paid({ inference_geo: 'us' }, {})).toMatchObject({ ratio: 1.1, fits: true })
    expect(await paid({ inference_geo: 'global' }, geo('global'))).toEqual({
      ratio: 1,
      fits: true,
      geo: undefined,
    })
    expect(await paid({}, geo('not_available'))).toEqual({ ratio: 1, fits: true, geo: undefined })
  })
})

test('an answer that comes out in another dialect is paid alike', async () => {
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search' } }
  for (const client of [chat, anthropic])
    for (const stream of [false, true]) {
      const asking = { model: models.open, stream, script: { whole: withItems([search, search]) } }
      expect((await paidBeside(client, responses, asking)).beside).toBe(20)
    }
})

describe('what cannot be counted', () => {
  test('is left out among others', async () => {
    const kept = { type: 'file_search', vector_store_ids: ['vs_1'] }
    const tools = [kept, { type: 'x_search' }, { type: 'openrouter:web_search' }]
    await paidBeside(responses, responses, { model: models.open, stream: false, more: { tools } })
    expect(typesSent(responses)).toEqual(['file_search'])
  })

  test('is refused when nothing else will do', async () => {
    const advisor = { type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-5' }
    const answer = await ask(house.rig.url, anthropic, {
      key: house.key,
      model: models.claude,
      more: { tools: [advisor] },
    })
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('advisor_20260301')])
  })
})

describe('what may be used is held for', () => {
  const heldFor = async (model: string, more: JsonObject): Promise<number> => {
    const id = await house.rig.addUser({ quota: 1_000_000 })
    const poor = (await house.rig.addToken({ userId: id })).key
    let go = (): void => {}
    const wait = new Promise<void>(resolve => {
      go = resolve
    })
    fakes.get(responses)?.next({ hold: { afterFrames: 2, until: wait } })
    const answer = ask(house.rig.url, responses, { key: poor, model, stream: true, more })
    const { amount } = await until(() =>
      house.rig.store.db.selectFrom('holds').select('amount').where('user_id', '=', id).executeTakeFirst(),
    )
    go()
    await readStream(await answer)
    return amount
  }

  test('some uses of each tool, fewer where the request says so', async () => {
    const limit = { max_output_tokens: 100 }
    const plain = await heldFor(models.open, limit)
    const beyond = async (more: JsonObject) => (await heldFor(models.open, { ...limit, ...more })) - plain
    const tools = [{ type: 'web_search' }]
    const written = JSON.stringify({ tools }).length
    const searches = await beyond({ tools })
    // What they find is read, too.
    const found = 20_000
    expect(searches).toBeGreaterThanOrEqual(5 * 5000 + found)
    expect(searches).toBeLessThan(5 * 5000 + found + 4 * written)
    expect(await beyond({ tools, max_tool_calls: 1 })).toBeLessThan(5000 + found + 4 * (written + 30))
  })

  test('a container’s time by who has plenty too: with what is held it is written down who pays it', async () => {
    const userId = await house.rig.addUser({ quota: 1_000_000_000 })
    const { key } = await house.rig.addToken({ userId })
    const { promise, resolve } = Promise.withResolvers<void>()
    fakes.get(responses)?.next(async () => {
      await promise
      return {}
    })
    const tools = [{ type: 'code_interpreter', container: { type: 'auto' } }]
    const asking = { key, model: models.open, more: { tools, max_output_tokens: 20 } }
    const answer = ask(house.rig.url, responses, asking)
    const hold = house.rig.store.db.selectFrom('holds').select('state').where('user_id', '=', userId)
    expect(await until(async () => (await hold.executeTakeFirst())?.state)).toBe('open')
    resolve()
    expect((await answer).status).toBe(200)
  })

  test('who cannot pay for what is certain is not served', async () => {
    const id = await house.rig.addUser({ quota: 10_000 })
    const poor = (await house.rig.addToken({ userId: id })).key
    const tools = [{ type: 'code_interpreter', container: { type: 'auto' } }]
    const more = { tools, max_output_tokens: 20 }
    const refused = await ask(house.rig.url, responses, { key: poor, model: models.open, more })
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('insufficient_user_quota'),
    ])
    expect(await house.rig.balance(id)).toBe(10_000)
    const { status } = await ask(house.rig.url, responses, {
      key: poor,
      model: models.open,
      more: { max_output_tokens: 20 },
    })
    expect(status).toBe(200)
  })
})

test('what has no price any more is left out, and what is free is not', async () => {
  const kept = { type: 'file_search', vector_store_ids: ['vs_1'] }
  await house.rig.setOption('ToolPrice', '{"image_generation": 0}')
  const look = { type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }
  const ask = {
    model: models.open,
    stream: false,
    more: { tools: [look, kept, { type: 'image_generation' }] },
  }
  await until(async () => {
    await paidBeside(responses, responses, ask)
    return typesSent(responses).join() === 'function,image_generation'
  })
})
