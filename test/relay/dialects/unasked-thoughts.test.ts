import { afterAll, beforeAll, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI, type Part } from '@google/genai'
import { type FakeUpstream, startDeepseek } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'

// Google tells no thoughts that were not asked for, and its older clients join every text to the answer. Anthropic's
// take the first block for it.

const MODEL = 'deepseek-reasoner'

let rig: Rig
let vendor: FakeUpstream
let google: GoogleGenAI
let anthropic: Anthropic

beforeAll(async () => {
  vendor = await startDeepseek()
  let apiKey = ''
  rig = await openRig(async books => {
    apiKey = (await books.addToken({ userId: await books.addUser() })).key
    await books.addChannel({ type: 43, baseUrl: vendor.url, key: vendor.key, models: [MODEL] })
  })
  google = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: rig.url } })
  anthropic = new Anthropic({ apiKey, baseURL: rig.url, maxRetries: 0 })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  expect(vendor.complaints).toEqual([])
  await rig.close()
  await vendor.stop()
})

type Config = NonNullable<Parameters<GoogleGenAI['models']['generateContent']>[0]['config']>

/** Whatever is text, as a client reads it that knows of no thoughts; whole and streamed. */
async function textsOf(config: Config): Promise<{ texts: string[]; thinking: (number | undefined)[] }> {
  const asked = { model: MODEL, contents: 'Hello', config }
  const whole = await google.models.generateContent(asked)
  const pieces = await Array.fromAsync(await google.models.generateContentStream(asked))
  const join = (parts: readonly Part[] = []) => parts.map(({ text = '' }) => text).join('')
  const streamed = pieces.flatMap(piece => piece.candidates?.[0]?.content?.parts ?? [])
  return {
    texts: [join(whole.candidates?.[0]?.content?.parts), join(streamed)],
    thinking: [whole, pieces.at(-1)].map(one => one?.usageMetadata?.thoughtsTokenCount),
  }
}

test.each<[string, Config]>([
  ['nothing is said of thinking', {}],
  ['only how much', { thinkingConfig: { thinkingBudget: 1000 } }],
])('none are told where %s, and all are counted', async (_, config) => {
  const { texts, thinking } = await textsOf(config)
  expect(texts).toEqual(['You said: Hello', 'You said: Hello'])
  for (const count of thinking) expect(count).toBeGreaterThan(0)
})

test('who asks for them has them, and so has who may have to send them back', async () => {
  const told = ['Thinking about: HelloYou said: Hello', 'Thinking about: HelloYou said: Hello']
  expect((await textsOf({ thinkingConfig: { includeThoughts: true } })).texts).toEqual(told)
  const tools = [{ functionDeclarations: [{ name: 'get_weather' }] }]
  expect((await textsOf({ tools })).texts).toEqual(told)
})

type Wish = Partial<Anthropic.MessageCreateParamsNonStreaming>

/** What Anthropic's client has put together, whole and streamed. */
async function messagesOf(wish: Wish): Promise<Anthropic.Message[]> {
  const messages = [{ role: 'user' as const, content: 'Hello' }]
  const asked = { model: MODEL, max_tokens: 4000, messages, ...wish }
  return [await anthropic.messages.create(asked), await anthropic.messages.stream(asked).finalMessage()]
}

test.each<[string, Wish]>([
  ['nothing is said of thinking', {}],
  ['only how much', { output_config: { effort: 'high' } }],
  ['that there be none', { thinking: { type: 'disabled' } }],
])('the answer is the first block, and the only one, where %s', async (_, wish) => {
  for (const { content, usage } of await messagesOf(wish)) {
    expect(content).toEqual([expect.objectContaining({ type: 'text', text: 'You said: Hello' })])
    expect(usage.output_tokens).toBeGreaterThan(0)
  }
})

test('thoughts are blocks for who asks, and for who may have to send them back', async () => {
  const tools: Anthropic.Tool[] = [{ name: 'get_weather', input_schema: { type: 'object' } }]
  for (const wish of [{ thinking: { type: 'enabled', budget_tokens: 2000 } }, { tools }] satisfies Wish[])
    for (const { content } of await messagesOf(wish))
      expect(content).toMatchObject([
        { type: 'thinking', thinking: 'Thinking about: Hello' },
        { type: 'text', text: 'You said: Hello' },
      ])
})
