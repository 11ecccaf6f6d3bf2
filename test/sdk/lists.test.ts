import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { embed } from '../upstreams/openai/answer-embeddings.ts'
import { recordIds } from './conversation.ts'
import { DIALECTS, expectOrder, type House, MODELS, openHouse } from './house.ts'
import { catchError, statusOf } from './sdk-errors.ts'

const ids = recordIds()
const EMBEDDING = 'gemini-embedding-001'
const ALL = [...Object.values(MODELS), EMBEDDING].sort()

let house: House
let openai: OpenAI
let anthropic: Anthropic
let genai: GoogleGenAI
beforeAll(async () => {
  house = await openHouse({ more: { gemini: [EMBEDDING] } })
  const { key: apiKey } = house
  const { url } = house.rig
  openai = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0, fetch: ids.fetch })
  anthropic = new Anthropic({ apiKey, baseURL: url, maxRetries: 0, fetch: ids.fetch })
  genai = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url, fetch: ids.fetch } })
})
afterAll(() => house.close())

async function expectFree(): Promise<void> {
  expect((await house.rig.chargeOf(ids.last())) || 0).toBe(0)
}

describe('models', () => {
  test('listed for every vendor', async () => {
    const forOpenai = await Array.fromAsync(openai.models.list())
    expect(forOpenai.map(model => model.id).sort()).toEqual(ALL)
    const forAnthropic = await Array.fromAsync(anthropic.models.list())
    expect(forAnthropic.map(model => model.id)).toEqual(ALL)
    const forGoogle = await Array.fromAsync(await genai.models.list())
    expect(forGoogle.map(model => model.name)).toEqual(ALL.map(name => `models/${name}`))
  })

  test('listed page by page', async () => {
    const forAnthropic = await Array.fromAsync(anthropic.models.list({ limit: 2 }))
    expect(forAnthropic.map(model => model.id)).toEqual(ALL)
    const forGoogle = await Array.fromAsync(await genai.models.list({ config: { pageSize: 2 } }))
    expect(forGoogle.map(model => model.name)).toEqual(ALL.map(name => `models/${name}`))
  })

  test.each(ALL)('%s', async name => {
    expect(await openai.models.retrieve(name)).toMatchObject({ id: name, object: 'model' })
    expect(await anthropic.models.retrieve(name)).toMatchObject({ id: name, type: 'model' })
    expect((await genai.models.get({ model: name })).name).toBe(`models/${name}`)
  })

  test('one that is not there', async () => {
    const none = 'gpt-none'
    for (const ask of [
      () => openai.models.retrieve(none),
      () => anthropic.models.retrieve(none),
      () => genai.models.get({ model: none }),
    ])
      expect(statusOf(await catchError(ask()))).toBe(404)
  })
})

describe('tokens counted beforehand', () => {
  const text = 'How many tokens are these, please?'
  // A token per four characters, and 7 around them.
  const counted = Math.ceil(text.length / 4) + 7

  test('by Anthropic, for its client', async () => {
    const { input_tokens } = await anthropic.messages.countTokens({
      model: MODELS.anthropic,
      messages: [{ role: 'user', content: text }],
    })
    expect(input_tokens).toBe(counted)
    await expectFree()
  })

  test('by Google, for its client', async () => {
    const { totalTokens } = await genai.models.countTokens({ model: MODELS.gemini, contents: text })
    expect(totalTokens).toBe(counted)
    await expectFree()
  })

  test.each(DIALECTS.map(upstream => ({ upstream })))(
    'of $upstream, for any client',
    async ({ upstream }) => {
      const model = MODELS[upstream]
      const { input_tokens } = await anthropic.messages.countTokens({
        model,
        messages: [{ role: 'user', content: text }],
      })
      expect(input_tokens).toBeGreaterThan(0)
      const { totalTokens } = await genai.models.countTokens({ model, contents: text })
      expect(totalTokens).toBeGreaterThan(0)
      await expectFree()
    },
  )
})

describe('embeddings for the client of Google', () => {
  test.each([1, 2])('%p of them', async count => {
    const texts = ['one text', 'and another'].slice(0, count)
    const { embeddings } = await genai.models.embedContent({
      model: EMBEDDING,
      contents: texts,
      config: { outputDimensionality: 4 },
    })
    expect(embeddings?.map(one => one.values)).toEqual(texts.map(text => embed(text, 4)))
    const { prompt_tokens } = await house.rig.logOf(ids.last())
    expect(prompt_tokens).toBeGreaterThan(0)
    expect(await house.rig.chargeOf(ids.last())).toBe(house.cost(EMBEDDING, { input: prompt_tokens }))
  })
})

test('no vendor had to complain, and the books agree', () => expectOrder(house))
