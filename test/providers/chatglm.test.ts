import { expect, test } from 'bun:test'
import { startChatglm } from '../upstreams/chatglm/start.ts'
import { testChat } from './chat-cases.ts'

const NEWER = 'glm-4.7'
const EMBED = 'embedding-3'
const IMAGE = 'cogview-4'

testChat({
  name: 'ChatGLM',
  type: 16,
  start: startChatglm,
  models: ['chatglm_turbo', NEWER, EMBED, IMAGE],
  can: [],
  failures: [
    { kind: 'too-long', leads: 'told', status: 400 },
    { kind: 'filtered', leads: 'told', status: 400 },
    { kind: 'no-model', leads: 'retried' },
    { kind: 'rate-limit', leads: 'retried' },
    { kind: 'quota', leads: 'retried' },
    { kind: 'server-error', leads: 'retried' },
    { kind: 'timeout', leads: 'retried' },
    { kind: 'forbidden', leads: 'retried' },
    { kind: 'bad-key', leads: 'disabled' },
    { kind: 'account-off', leads: 'disabled' },
    { kind: 'no-balance', leads: 'disabled' },
  ],
  more(house) {
    test('what the form cannot say is refused', async () => {
      const before = house().fake.requests.length
      const asked = { model: 'chatglm_turbo', messages: [{ role: 'user', content: 'JSON' }] }
      const more = { response_format: { type: 'json_object' } }
      expect((await house().post('/v1/chat/completions', { ...asked, ...more })).status).toBe(400)
      expect(house().fake.requests.length).toBe(before)
    })

    test('newer models are asked by the fourth API', async () => {
      for (const client of ['openai-chat', 'anthropic', 'gemini'] as const)
        for (const stream of [false, true]) {
          const said = await house().clients[client].ask(NEWER, { turns: [{ user: 'Hi there' }] }, stream)
          expect(said.text).toBe('You said: Hi there')
          expect(house().seen().path).toBe('/api/paas/v4/chat/completions')
          await house().expectPaid(said, NEWER)
        }
    })

    test('embeddings', async () => {
      const response = await house().post('/v1/embeddings', { model: EMBED, input: ['one', 'two words'] })
      expect((await response.json()).data).toHaveLength(2)
      await house().expectCharge(response, EMBED, { input: 4 })
    })

    test('pictures', async () => {
      const response = await house().post('/v1/images/generations', { model: IMAGE, prompt: 'a dot' })
      expect((await response.json()).data).toHaveLength(1)
      expect(house().seen().path).toBe('/api/paas/v4/images/generations')
    })

    test('an error where a stream was asked for', async () => {
      house().fake.next(house().fake.failWith('rate-limit'))
      const body = { model: 'chatglm_turbo', stream: true, messages: [{ role: 'user', content: 'Hi' }] }
      const response = await house().post('/v1/chat/completions', body)
      expect(response.status).toBe(429)
    })
  },
})
