import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../server/dialects/json.ts'
import { brokenJson, emptyBody, under200 } from '../../upstreams/index.ts'
import { requestIdOf } from '../ways.ts'
import { sampleHouse } from './plain-house.ts'

const house = sampleHouse()

describe('embeddings', () => {
  test('pass as they are and are charged as the vendor counts', async () => {
    const input = ['good', 'morning']
    const response = await house.post('/v1/embeddings', {
      model: 'text-embedding-3-small',
      input,
      dimensions: 4,
    })
    expect(response.status).toBe(200)
    expect(await house.charged(response)).toBe(1)
    const body = (await response.json()) as {
      data: { embedding: number[] }[]
      usage: { prompt_tokens: number }
    }
    expect(body.data.map(one => one.embedding.length)).toEqual([4, 4])
    const { prompt_tokens } = await house.rig.logOf(requestIdOf(response))
    expect(prompt_tokens).toBe(body.usage.prompt_tokens)
  })

  test('tokens instead of texts, and the address with the model in it', async () => {
    const response = await house.post('/v1/engines/text-embedding-3-small/embeddings', { input: [1, 2, 3] })
    expect(response.status).toBe(200)
    expect(house.openai.requests.at(-1)?.json).toEqual({ input: [1, 2, 3], model: 'text-embedding-3-small' })
  })

  test('are counted here when the vendor does not say', async () => {
    house.openai.next({ usage: 'none' })
    const response = await house.post('/v1/embeddings', {
      model: 'text-embedding-3-small',
      input: 'good morning to you',
    })
    await response.json()
    expect((await house.rig.logOf(requestIdOf(response))).prompt_tokens).toBe(4)
  })

  test('from a Google upstream, as base64', async () => {
    const asked = { model: 'gemini-embedding-001', input: 'hi', dimensions: 4, encoding_format: 'base64' }
    const response = await house.post('/v1/embeddings', asked)
    expect(response.status).toBe(200)
    const body = (await response.json()) as {
      data: { embedding: string }[]
      model: string
      usage: JsonObject
    }
    expect(Buffer.from(body.data[0]?.embedding ?? '', 'base64').length).toBe(16)
    expect(body.model).toBe('gemini-embedding-001')
    expect(body.usage).toEqual({ prompt_tokens: 1, total_tokens: 1 })
  })

  test('in the form of Google, one and several, from both upstreams', async () => {
    const one = (text: string) => ({ content: { parts: [{ text }] }, outputDimensionality: 4 })
    for (const model of ['gemini-embedding-001', 'text-embedding-3-small']) {
      const single = await house.post(`/v1beta/models/${model}:embedContent`, one('hi'))
      const alone = (await single.json()) as { embedding: { values: number[] } }
      expect([model, single.status, alone.embedding.values.length]).toEqual([model, 200, 4])
      const requests = ['hi', 'you'].map(text => ({ model: `models/${model}`, ...one(text) }))
      const many = await house.post(`/v1beta/models/${model}:batchEmbedContents`, { requests })
      const { embeddings } = (await many.json()) as { embeddings: { values: number[] }[] }
      expect([model, many.status, embeddings.length]).toEqual([model, 200, 2])
      expect(embeddings[0]).toEqual(alone.embedding)
      expect(await house.charged(many)).toBe(1)
    }
  })

  test('that fail cost nothing', async () => {
    for (const script of [emptyBody, brokenJson, under200(house.openai.failWith('overloaded'))]) {
      house.openai.next(script)
      const response = await house.post('/v1/embeddings', { model: 'text-embedding-3-small', input: 'hi' })
      expect(response.status).toBeGreaterThanOrEqual(500)
      expect(await house.charged(response)).toBeUndefined()
    }
  })
})

describe('completions', () => {
  test('plain', async () => {
    const response = await house.post('/v1/completions', {
      model: 'gpt-3.5-turbo',
      prompt: 'good morning',
      max_tokens: 9,
    })
    const body = (await response.json()) as { choices: { text: string }[]; usage: JsonObject }
    expect(body.choices[0]?.text).toBeString()
    const row = await house.rig.logOf(requestIdOf(response))
    expect([row.prompt_tokens, row.completion_tokens]).toEqual([
      Number(body.usage.prompt_tokens),
      Number(body.usage.completion_tokens),
    ])
  })

  test('streamed: usage is asked for, charged, and not shown to who did not ask', async () => {
    const response = await house.post('/v1/completions', {
      model: 'gpt-3.5-turbo',
      prompt: 'hi',
      stream: true,
    })
    const text = await response.text()
    expect(text).toEndWith('data: [DONE]\n\n')
    expect(text).not.toContain('prompt_tokens')
    expect(house.openai.requests.at(-1)?.json).toMatchObject({ stream_options: { include_usage: true } })
    expect(await house.charged(response)).toBeGreaterThan(0)
    expect((await house.rig.logOf(requestIdOf(response))).completion_tokens).toBe(
      house.openai.served.at(-1)?.tally.output ?? -1,
    )
  })

  test('a stream without usage, and one that is cut, are counted by their text', async () => {
    house.openai.next({ usage: 'none', reply: { text: 'one two three four' } })
    const whole = await house.post('/v1/completions', { model: 'gpt-3.5-turbo', prompt: 'hi', stream: true })
    await whole.text()
    expect((await house.rig.logOf(requestIdOf(whole))).completion_tokens).toBe(4)
    house.openai.next({ reply: { text: 'one two three four five six' }, cutAfterFrames: 3, onceRead: true })
    const cut = await house.post('/v1/completions', { model: 'gpt-3.5-turbo', prompt: 'hi', stream: true })
    const text = await cut.text()
    expect(text).not.toContain('[DONE]')
    expect(text).toContain('"error"')
    expect((await house.rig.logOf(requestIdOf(cut))).completion_tokens).toBe(3)
  })
})

describe('rerank and moderations', () => {
  test('rerank', async () => {
    const response = await house.post('/v1/rerank', {
      model: 'rerank-2',
      query: 'red',
      documents: ['a red fox', 'blue'],
    })
    const body = (await response.json()) as { results: { index: number }[]; usage: { total_tokens: number } }
    expect(body.results[0]?.index).toBe(0)
    expect((await house.rig.logOf(requestIdOf(response))).prompt_tokens).toBe(body.usage.total_tokens)
  })

  test('moderations are free, and need no model', async () => {
    const response = await house.post('/v1/moderations', { input: 'violence' }, { key: house.poor })
    const body = (await response.json()) as { results: { flagged: boolean }[] }
    expect(body.results[0]?.flagged).toBe(true)
    expect(house.openai.requests.at(-1)?.json).toEqual({ input: 'violence', model: 'omni-moderation-latest' })
    expect(Math.abs((await house.charged(response)) ?? 0)).toBe(0)
  })
})

describe('counting tokens', () => {
  const messages = [{ role: 'user', content: 'good morning' }]
  test.each(['claude-sonnet-4-6', 'gpt-4o'])('for clients of Anthropic: %s', async model => {
    const response = await house.post('/v1/messages/count_tokens', { model, messages })
    expect(response.status).toBe(200)
    const { input_tokens } = (await response.json()) as { input_tokens: number }
    expect(input_tokens).toBeGreaterThan(1)
    expect(await house.charged(response)).toBeUndefined()
  })

  test.each(['claude-sonnet-4-6', 'gpt-4o'])('for clients of Responses: %s', async model => {
    const body = { model, input: 'good morning', instructions: 'Be brief.' }
    const response = await house.post('/v1/responses/input_tokens', body)
    expect(response.status).toBe(200)
    const { object, input_tokens } = (await response.json()) as { object: string; input_tokens: number }
    expect(object).toBe('response.input_tokens')
    expect(input_tokens).toBeWithin(6, 20)
    expect(await house.charged(response)).toBeUndefined()
    expect((await house.post('/v1/responses/input_tokens', { model, input: 7 })).status).toBe(400)
  })

  test.each(['gemini-2.5-pro', 'gpt-4o'])('for clients of Google: %s', async model => {
    const contents = [{ role: 'user', parts: [{ text: 'good morning' }] }]
    for (const body of [{ contents }, { generateContentRequest: { model: `models/${model}`, contents } }]) {
      const response = await house.post(`/v1beta/models/${model}:countTokens`, body)
      expect([response.status, Object.keys((await response.json()) as object)]).toEqual([
        200,
        expect.arrayContaining(['totalTokens']),
      ])
    }
  })

  test('of a model that nobody has', async () => {
    const response = await house.post('/v1/messages/count_tokens', { model: 'nobody', messages })
    expect(response.status).toBe(503)
    expect(((await response.json()) as { type: string }).type).toBe('error')
  })
})
