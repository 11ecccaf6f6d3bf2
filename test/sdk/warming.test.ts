import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { recordIds } from './conversation.ts'
import { bodyOf, DIALECTS, expectOrder, type House, MODELS, openHouse } from './house.ts'
import { catchError, statusOf } from './sdk-errors.ts'

// Requests that fill a vendor's cache and want no answer: what was written to it is paid, and nobody else is asked.

const ids = recordIds()
let house: House
let openai: OpenAI
let anthropic: Anthropic
beforeAll(async () => {
  house = await openHouse()
  const { key: apiKey } = house
  const { url } = house.rig
  openai = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0, fetch: ids.fetch })
  anthropic = new Anthropic({ apiKey, baseURL: url, maxRetries: 0, fetch: ids.fetch })
})
afterAll(() => house.close())

const text = 'A long text that many requests begin with. '.repeat(10)

describe('Anthropic', () => {
  const ask = {
    max_tokens: 0,
    system: [{ type: 'text' as const, text, cache_control: { type: 'ephemeral' as const } }],
    messages: [{ role: 'user' as const, content: 'Good morning' }],
  }

  test.each([false, true])('fills its cache, streamed %p', async stream => {
    const body = { ...ask, model: MODELS.anthropic }
    const { content, stop_reason, usage } = stream
      ? await anthropic.messages.stream(body).finalMessage()
      : await anthropic.messages.create(body)
    expect(content).toEqual([])
    expect(stop_reason).toBe('max_tokens')
    expect(usage.output_tokens).toBe(0)
    expect(usage.cache_creation_input_tokens).toBeGreaterThan(0)
    const input = { input: usage.input_tokens, cacheWrite: usage.cache_creation_input_tokens ?? 0 }
    expect(await house.rig.chargeOf(ids.last())).toBe(house.cost(MODELS.anthropic, input))
  })

  test.each(DIALECTS.filter(upstream => upstream !== 'anthropic'))('%s cannot', async upstream => {
    const error = await catchError(anthropic.messages.create({ ...ask, model: MODELS[upstream] }))
    expect(statusOf(error)).toBe(400)
    expect(error.message).toContain('max_tokens 0')
  })
})

describe('OpenAI', () => {
  const ask = { input: text, prompt_cache_options: { prewarm: true, ttl: '12h' as const } }
  const usage = {
    input_tokens: 1200,
    input_tokens_details: {
      ...{ cached_tokens: 0, cache_write_tokens: 1000 },
      cache_write_tokens_details: { ttl_12h_tokens: 1000, ttl_30m_tokens: 0 },
    },
    ...{ output_tokens: 0, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 1200 },
  }

  test.each([false, true])('fills its cache, streamed %p', async stream => {
    const model = MODELS['openai-responses']
    house.fakes['openai-responses'].next({
      usage: () => usage,
      whole: answer => ({ ...answer, output: [] }),
      frames: frames => frames.filter(one => /^event: response\.(created|in_progress|completed)\n/.test(one)),
    })
    const body = { ...ask, model }
    const { output, status } = stream
      ? await openai.responses.stream(body).finalResponse()
      : await openai.responses.create(body)
    expect({ output, status }).toEqual({ output: [], status: 'completed' })
    const written = { input: 200, cacheWriteHour: 1000 }
    expect(await house.rig.chargeOf(ids.last())).toBe(house.cost(model, written))
    expect(bodyOf(house.seen('openai-responses'))).toMatchObject(ask)
  })

  test.each(DIALECTS.filter(upstream => upstream !== 'openai-responses'))('%s cannot', async upstream => {
    const error = await catchError(openai.responses.create({ ...ask, model: MODELS[upstream] }))
    expect(statusOf(error)).toBe(400)
    expect(error.message).toContain('prompt_cache_options.prewarm')
  })
})

test('no vendor had to complain, and the books agree', () => expectOrder(house))
