import { describe, expect, test } from 'bun:test'
import { startAli, startAliNative } from '../upstreams/ali/start.ts'
import { testChat } from './chat-cases.ts'

const EMBED = 'text-embedding-v4'
const RERANK = 'gte-rerank-v2'
const AT_ONCE = 'qwen-image-2.0'
const TASK = 'wan2.2-t2i-flash'
const STREAMS = 'qwq-plus'
const THINKS = 'qwen3.7-plus'
const DEGREES = 'qwen3.8-max'

describe('compatible mode', () => {
  testChat({
    name: 'Ali',
    type: 17,
    start: startAli,
    models: ['qwen-plus', EMBED, RERANK, AT_ONCE, TASK, STREAMS, THINKS, DEGREES],
    can: ['tools', 'forced-tools', 'thinking', 'images', 'schema', 'stop', 'limit', 'cache'],
    speaks: ['openai-chat'],
    failures: [
      { kind: 'too-long', leads: 'told' },
      { kind: 'filtered', leads: 'told' },
      { kind: 'no-model', leads: 'retried' },
      { kind: 'forbidden', leads: 'retried' },
      { kind: 'rate-limit', leads: 'retried' },
      { kind: 'quota', leads: 'retried' },
      { kind: 'server-error', leads: 'retried' },
      { kind: 'timeout', leads: 'retried' },
      { kind: 'bad-key', leads: 'disabled' },
      { kind: 'no-balance', leads: 'disabled' },
    ],
    more(house) {
      test('models that only stream answer whoever asks for a plain answer', async () => {
        for (const client of ['openai-chat', 'anthropic'] as const) {
          const said = await house().clients[client].ask(STREAMS, { turns: [{ user: 'Hi' }] }, false)
          expect(said.text).toBe('You said: Hi')
          await house().expectPaid(said, STREAMS)
        }
      })

      test('models that think call the tool they have to', async () => {
        const f = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } }
        for (const model of [THINKS, STREAMS]) {
          const body = { model, messages: [{ role: 'user', content: 'Hi' }], tools: [f], tool_choice: f }
          const response = await house().post('/v1/chat/completions', { ...body, reasoning_effort: 'high' })
          expect((await response.json()).choices[0].message.tool_calls[0].function.name).toBe('f')
        }
      })

      test('the newest are told how much to think in their words', async () => {
        const messages = [{ role: 'user', content: 'Hi' }]
        for (const effort of ['none', 'low', 'high', 'max']) {
          const asked = { model: DEGREES, messages, reasoning_effort: effort, thinking_budget: 100 }
          expect((await house().post('/v1/chat/completions', asked)).status).toBe(200)
        }
      })

      test('completions', async () => {
        const asked = { model: 'qwen-plus', prompt: 'Once', max_tokens: 16 }
        const response = await house().post('/v1/completions', asked)
        expect((await response.json()).choices[0].text).toBe('You said: Once')
        await house().expectCharge(response, 'qwen-plus', { input: 8, output: 4 })
      })

      test('embeddings, also as base64', async () => {
        const response = await house().post('/v1/embeddings', { model: EMBED, input: ['one', 'two words'] })
        expect((await response.json()).data).toHaveLength(2)
        await house().expectCharge(response, EMBED, { input: 4 })
        const asked = { model: EMBED, input: 'one', encoding_format: 'base64' }
        const packed = await house().post('/v1/embeddings', asked)
        expect(typeof (await packed.json()).data[0].embedding).toBe('string')
      })

      test('rerank', async () => {
        const documents = ['a cat', { text: 'a dog' }]
        const asked = { model: RERANK, query: 'dog', documents, top_n: 1, return_documents: true }
        const response = await house().post('/v1/rerank', asked)
        const { results } = await response.json()
        expect(results).toEqual([{ index: 1, relevance_score: 0.9, document: { text: 'a dog' } }])
        await house().expectCharge(response, RERANK, { input: 4 })
      })

      test('pictures at once', async () => {
        const asked = { model: AT_ONCE, prompt: 'a dot', n: 2, size: '1024x1024' }
        const response = await house().post('/v1/images/generations', asked)
        expect((await response.json()).data).toEqual([
          { url: 'https://oss.example/0.png' },
          { url: 'https://oss.example/1.png' },
        ])
        expect(house().body()).toEqual({
          model: AT_ONCE,
          input: { messages: [{ role: 'user', content: [{ text: 'a dot' }] }] },
          parameters: { size: '1024*1024', n: 2 },
        })
      })

      test('pictures by a task', async () => {
        const response = await house().post('/v1/images/generations', { model: TASK, prompt: 'a dot', n: 2 })
        expect((await response.json()).data).toHaveLength(2)
        expect(house().seen().path).toBe('/api/v1/tasks/good-2')
        const failed = await house().post('/v1/images/generations', { model: TASK, prompt: 'fail' })
        expect(failed.status).toBe(400)
        expect((await failed.json()).error.message).toContain('inappropriate content')
        const before = house().fake.requests.length
        const asked = { model: TASK, prompt: 'a dot', response_format: 'b64_json' }
        expect((await house().post('/v1/images/generations', asked)).status).toBe(400)
        expect(house().fake.requests.length).toBe(before)
      })
    },
  })
})

describe('its own API', () => {
  testChat({
    name: 'DashScope',
    type: 17,
    start: startAliNative,
    models: ['qwen-plus', 'qwen3.6-plus'],
    channel: fake => ({ baseUrl: `${fake.url}/api/v1` }),
    can: ['tools', 'forced-tools', 'thinking', 'schema', 'stop', 'limit', 'cache'],
    failures: [
      { kind: 'too-long', leads: 'told' },
      { kind: 'no-model', leads: 'retried' },
      { kind: 'rate-limit', leads: 'retried' },
      { kind: 'server-error', leads: 'retried' },
      { kind: 'bad-key', leads: 'disabled' },
      { kind: 'no-balance', leads: 'disabled' },
    ],
    beside: fake => [
      {
        type: 17,
        baseUrl: fake.url,
        key: fake.key,
        models: ['with-plugin'],
        mapping: { 'with-plugin': 'qwen-plus' },
        other: '{"calculator":{}}',
      },
    ],
    more(house) {
      test('a picture for a model that sees', async () => {
        const url = 'https://images.example/cat.png'
        const content = [
          { type: 'text', text: 'What?' },
          { type: 'image_url', image_url: { url } },
        ]
        const asked = { model: 'qwen3.6-plus', messages: [{ role: 'user', content }] }
        const response = await house().post('/v1/chat/completions', asked)
        expect((await response.json()).choices[0].message.content).toBe(`saw image url ${url}`)
        expect(house().seen().path).toBe('/api/v1/services/aigc/multimodal-generation/generation')
      })

      test('plugins', async () => {
        const asked = { turns: [{ user: 'Hi' }] }
        const said = await house().clients['openai-chat'].ask('with-plugin', asked, true)
        expect(said.text).toBe('You said: Hi')
        expect(house().seen().headers['x-dashscope-plugin']).toBe('{"calculator":{}}')
        expect(house().seen().path).toBe('/api/v1/services/aigc/text-generation/generation')
      })
    },
  })
})
