import { expect, test } from 'bun:test'
import { startOllama } from '../upstreams/ollama/start.ts'
import { testChat } from './chat-cases.ts'

const EMBED = 'nomic-embed-text'

testChat({
  name: 'Ollama',
  type: 4,
  start: startOllama,
  models: ['qwen3:8b', EMBED],
  can: ['tools', 'forced-tools', 'thinking', 'images', 'schema', 'stop', 'limit'],
  failures: [
    { kind: 'too-long', leads: 'told' },
    { kind: 'no-model', leads: 'retried' },
    { kind: 'rate-limit', leads: 'retried' },
    { kind: 'server-error', leads: 'retried' },
    { kind: 'overloaded', leads: 'retried' },
    { kind: 'bad-key', leads: 'disabled' },
  ],
  more(house) {
    test('embeddings, also as base64', async () => {
      const response = await house().post('/v1/embeddings', { model: EMBED, input: ['one', 'two words'] })
      const { data, usage } = await response.json()
      expect(data).toHaveLength(2)
      expect(data[1].embedding).toHaveLength(8)
      expect(usage).toEqual({ prompt_tokens: 4, total_tokens: 4 })
      await house().expectCharge(response, EMBED, { input: 4 })
      const packed = await house().post('/v1/embeddings', {
        ...{ model: EMBED, input: 'one', encoding_format: 'base64', dimensions: 4 },
      })
      expect(typeof (await packed.json()).data[0].embedding).toBe('string')
      expect(house().body()).toEqual({ model: EMBED, input: 'one', dimensions: 4 })
    })

    test('Google’s embeddings', async () => {
      const content = { parts: [{ text: 'one' }] }
      const response = await house().post(`/v1beta/models/${EMBED}:embedContent`, { content })
      expect((await response.json()).embedding.values).toHaveLength(8)
      await house().expectCharge(response, EMBED, { input: 1 })
    })

    test('completions', async () => {
      const response = await house().post('/v1/completions', {
        model: 'qwen3:8b',
        prompt: 'Once',
        max_tokens: 16,
      })
      expect((await response.json()).choices[0].text).toBe('You said: Once')
      await house().expectCharge(response, 'qwen3:8b', { input: 8, output: 4 })
    })
  },
})
