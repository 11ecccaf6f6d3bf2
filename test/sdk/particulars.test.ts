import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI, { AzureOpenAI } from 'openai'
import { recordIds } from './conversation.ts'
import { DIALECTS, expectOrder, type House, MODELS, openHouse } from './house.ts'
import { catchError, statusOf } from './sdk-errors.ts'

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

type Upstream = (typeof DIALECTS)[number]

async function expectCharge(upstream: Upstream): Promise<void> {
  expect(await house.rig.chargeOf(ids.last())).toBe(house.price(upstream))
}

describe.each(DIALECTS.map(upstream => ({ upstream })))('a chat client asks $upstream', ({ upstream }) => {
  const messages = [{ role: 'user' as const, content: 'Good morning' }]
  const model = MODELS[upstream]

  test('without wanting to know what was used', async () => {
    const stream = await openai.chat.completions.create({ model, messages, stream: true })
    const chunks = await Array.fromAsync(stream)
    expect(chunks.map(chunk => chunk.choices[0]?.delta.content ?? '').join('')).toBe('You said: Good morning')
    expect(chunks.filter(chunk => chunk.usage || chunk.choices.length === 0)).toEqual([])
    await expectCharge(upstream)
  })

  test('as a client of Azure, who names the model in the path', async () => {
    const { key: apiKey, rig } = house
    const azure = new AzureOpenAI({ apiKey, endpoint: rig.url, apiVersion: '2024-10-21', fetch: ids.fetch })
    const { choices } = await azure.chat.completions.create({ model, messages })
    expect(choices[0]?.message.content).toBe('You said: Good morning')
    await expectCharge(upstream)
    const path = `${rig.url}/openai/deployments/${encodeURIComponent(model)}/chat/completions`
    const headers = { 'api-key': apiKey, 'content-type': 'application/json' }
    const alone = await ids.fetch(path, { method: 'POST', headers, body: JSON.stringify({ messages }) })
    expect(alone.status).toBe(200)
    await expectCharge(upstream)
  })

  test('for two answers', async () => {
    const asking = openai.chat.completions.create({ model, messages, n: 2 })
    if (upstream === 'openai-responses' || upstream === 'anthropic') {
      expect(statusOf(await catchError(asking))).toBe(400)
      return
    }
    const { choices } = await asking
    expect(choices.map(choice => choice.message.content)).toEqual(Array(2).fill('You said: Good morning'))
    await expectCharge(upstream)
  })
})

describe('a client that marks what is to be cached', () => {
  const system = 'A long text that many requests begin with. '.repeat(10)

  test.each(DIALECTS.flatMap(upstream => (['5m', '1h'] as const).map(ttl => ({ upstream, ttl }))))(
    '$upstream, for $ttl',
    async ({ upstream, ttl }) => {
      const { content, usage } = await anthropic.messages.create({
        model: MODELS[upstream],
        max_tokens: 100,
        system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral', ttl } }],
        messages: [{ role: 'user', content: 'Good morning' }],
      })
      expect(content).toMatchObject([{ type: 'text', text: 'You said: Good morning' }])
      const input = Math.ceil(`${system}Good morning`.length / 4) + 7
      const written = upstream === 'anthropic' ? Math.floor(input / 4) : 0
      expect(usage.cache_creation_input_tokens ?? 0).toBe(written)
      expect(usage.input_tokens).toBe(input - written)
      await expectCharge(upstream)
      const dear = { input: input - written, cacheWriteHour: written, output: usage.output_tokens }
      if (ttl === '1h') expect(house.price(upstream)).toBe(house.cost(MODELS[upstream], dear))
    },
  )
})

describe('a conversation that the vendor keeps', () => {
  const tools = [
    {
      type: 'function' as const,
      name: 'get_weather',
      parameters: { type: 'object', properties: {} },
      strict: false,
    },
  ]

  test('goes on where it was', async () => {
    const model = MODELS['openai-responses']
    const called = await openai.responses.create({ model, tools, input: 'call get_weather' })
    const call = called.output.find(item => item.type === 'function_call')
    const told = await openai.responses.create({
      model,
      tools,
      previous_response_id: called.id,
      input: [{ type: 'function_call_output', call_id: call?.call_id ?? '', output: 'sunny' }],
    })
    expect(told.output_text).toBe('The tool said: sunny')
    await expectCharge('openai-responses')
  })

  test('is nobody else to go on from', async () => {
    const model = MODELS['openai-responses']
    const { id } = await openai.responses.create({ model, input: 'A secret' })
    const userId = await house.rig.addUser()
    const { key } = await house.rig.addToken({ userId })
    const stranger = new OpenAI({ apiKey: key, baseURL: `${house.rig.url}/v1`, maxRetries: 0 })
    const error = await catchError(
      stranger.responses.create({ model, input: 'What was it?', previous_response_id: id }),
    )
    expect(statusOf(error)).toBeOneOf([400, 404])
  })

  test.each(DIALECTS.filter(upstream => upstream !== 'openai-responses'))(
    'is not to be had from %s',
    async upstream => {
      const model = MODELS[upstream]
      const { id } = await openai.responses.create({ model, input: 'Good morning' })
      const error = await catchError(
        openai.responses.create({ model, input: 'Again', previous_response_id: id }),
      )
      expect(statusOf(error)).toBeOneOf([400, 404])
    },
  )
})

test('no vendor had to complain, and the books agree', () => expectOrder(house))
