import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { APICallError, generateText, isStepCount, type LanguageModel, Output, streamText, tool } from 'ai'
import { z } from 'zod'
import { DIALECTS, expectOrder, type House, MODELS, openHouse } from './house.ts'
import { catchError } from './sdk-errors.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

type Upstream = (typeof DIALECTS)[number]

const PROVIDERS: Record<string, (apiKey: string, model: string) => LanguageModel> = {
  'openai chat': (apiKey, model) => createOpenAI({ apiKey, baseURL: `${house.rig.url}/v1` }).chat(model),
  'openai responses': (apiKey, model) =>
    createOpenAI({ apiKey, baseURL: `${house.rig.url}/v1` }).responses(model),
  anthropic: (apiKey, model) => createAnthropic({ apiKey, baseURL: `${house.rig.url}/v1` })(model),
  google: (apiKey, model) => createGoogle({ apiKey, baseURL: `${house.rig.url}/v1beta` })(model),
}
const PAIRS = Object.keys(PROVIDERS).flatMap(provider => DIALECTS.map(upstream => ({ provider, upstream })))

const tools = {
  get_weather: tool({
    description: 'The weather in a city',
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => `sunny in ${city}`,
  }),
}

describe.each(PAIRS)('$provider asks $upstream', ({ provider, upstream }) => {
  const modelOf = (apiKey = house.key) => PROVIDERS[provider]?.(apiKey, MODELS[upstream]) ?? ''

  test('text', async () => {
    const paid = await follow(upstream)
    const { text, finishReason, usage } = await generateText({
      model: modelOf(),
      system: 'You are terse.',
      prompt: 'Good morning, cached world',
      maxRetries: 0,
    })
    expect(text).toBe('You said: Good morning, cached world')
    expect(finishReason).toBe('stop')
    await paid(1, usage)
  })

  test('text, streamed', async () => {
    const paid = await follow(upstream)
    const result = streamText({ model: modelOf(), prompt: 'Good morning, cached world', maxRetries: 0 })
    const pieces = await Array.fromAsync(result.textStream)
    expect(pieces.join('')).toBe('You said: Good morning, cached world')
    expect(pieces.length).toBeGreaterThan(1)
    expect(await result.finishReason).toBe('stop')
    await paid(1, await result.totalUsage)
  })

  test('a tool that is called and answered', async () => {
    const paid = await follow(upstream)
    const { text, steps, totalUsage } = await generateText({
      model: modelOf(),
      tools,
      prompt: 'call get_weather',
      stopWhen: isStepCount(3),
      maxRetries: 0,
    })
    expect(steps.map(step => step.finishReason)).toEqual(['tool-calls', 'stop'])
    expect(text).toStartWith('The tool said: ')
    expect(text).toContain('sunny in some city')
    await paid(2, totalUsage)
  })

  test('a tool that is called and answered, streamed', async () => {
    const paid = await follow(upstream)
    const result = streamText({
      model: modelOf(),
      tools,
      prompt: 'call get_weather',
      stopWhen: isStepCount(3),
      maxRetries: 0,
    })
    const text = (await Array.fromAsync(result.textStream)).join('')
    expect((await result.steps).map(step => step.finishReason)).toEqual(['tool-calls', 'stop'])
    expect(text).toContain('sunny in some city')
    await paid(2, await result.totalUsage)
  })

  test('an object', async () => {
    const { output } = await generateText({
      model: modelOf(),
      output: Output.object({ schema: z.object({ city: z.string(), warm: z.boolean() }) }),
      prompt: 'Where is it warm? Answer in JSON.',
      maxRetries: 0,
    })
    expect(output).toEqual({ city: 'some city', warm: true })
  })

  test('what is refused', async () => {
    const stranger = modelOf('sk-0123456789abcdef0123456789abcdef')
    const error = await catchError(generateText({ model: stranger, prompt: 'Hello', maxRetries: 0 }))
    expect(error).toBeInstanceOf(APICallError)
    expect(error).toMatchObject({ statusCode: 401 })
  })
})

/** Its Responses client names earlier answers instead of sending them, unless it is told that nothing is stored. */
describe('a second turn of the responses client', () => {
  const first = { role: 'user', content: 'Good morning' } as const
  const second = { role: 'user', content: 'And good night' } as const

  const talk = async (upstream: Upstream, store: boolean) => {
    const model = PROVIDERS['openai responses']?.(house.key, MODELS[upstream]) ?? ''
    const asking = { model, providerOptions: { openai: { store } }, maxRetries: 0 }
    const { response } = await generateText({ ...asking, messages: [first] })
    return generateText({ ...asking, messages: [first, ...response.messages, second] })
  }

  test.each(DIALECTS)('everything sent back to %s', async upstream => {
    const { text } = await talk(upstream, false)
    expect(text).toBe('You said: And good night')
    expect(JSON.stringify(house.seen(upstream).json)).toContain('You said: Good morning')
  })

  const others = ['anthropic', 'gemini'] as const
  test.each(others)('an answer only named is refused for %s, saying what to do', async upstream => {
    const before = house.fakes[upstream].requests.length
    const error = await catchError(talk(upstream, true))
    expect(error).toBeInstanceOf(APICallError)
    expect(error).toMatchObject({ statusCode: 400 })
    expect(String(error)).toMatch(/item_reference.*store: false/)
    expect(house.fakes[upstream].requests.length).toBe(before + 1)
    expect(await house.rig.differences()).toEqual([])
  })
})

interface SumOfTokens {
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
}

/** What was used and paid from here on is what the upstream counted. */
async function follow(upstream: Upstream): Promise<(requests: number, usage: SumOfTokens) => Promise<void>> {
  const { served } = house.fakes[upstream]
  const from = served.length
  const before = await house.rig.balance(house.userId)
  return async (requests, usage) => {
    const tallies = served.slice(from).map(one => one.tally)
    expect(tallies.length).toBe(requests)
    const sum = (pick: (tally: (typeof tallies)[number]) => number) =>
      tallies.reduce((so, tally) => so + pick(tally), 0)
    expect({ input: usage.inputTokens, output: usage.outputTokens }).toEqual({
      input: sum(tally => tally.input),
      output: sum(tally => tally.output),
    })
    const costs = sum(({ input, cached, output }) =>
      house.cost(MODELS[upstream], { input: input - cached, cacheRead: cached, output }),
    )
    expect(await house.rig.differences()).toEqual([])
    expect(before - (await house.rig.balance(house.userId))).toBe(costs)
  }
}

test('no vendor had to complain, and the books agree', () => expectOrder(house))
