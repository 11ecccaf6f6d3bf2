import { expect, test } from 'bun:test'
import { startPalm } from '../upstreams/palm/start.ts'
import { testChat } from './chat-cases.ts'

testChat({
  name: 'PaLM',
  type: 11,
  start: startPalm,
  models: ['PaLM-2'],
  counts: false,
  can: [],
  failures: [
    { kind: 'too-long', leads: 'told' },
    { kind: 'no-model', leads: 'retried' },
    { kind: 'rate-limit', leads: 'retried' },
    { kind: 'server-error', leads: 'retried' },
    { kind: 'overloaded', leads: 'retried' },
    { kind: 'bad-key', leads: 'disabled' },
    { kind: 'account-off', leads: 'disabled' },
  ],
  beside: ({ key }) => [
    {
      type: 11,
      baseUrl: 'https://generativelanguage.googleapis.com',
      key,
      models: ['at-google'],
      mapping: { 'at-google': 'PaLM-2' },
    },
  ],
  more(house) {
    test('what was filtered has an end of its own', async () => {
      for (const stream of [false, true]) {
        house().fake.next({ reply: { finish: 'filter' } })
        const said = await house().clients['openai-chat'].ask('PaLM-2', { turns: [{ user: 'Hi' }] }, stream)
        expect([said.text, said.finish]).toEqual(['', 'content_filter'])
      }
    })

    test('Google itself is not asked any more', async () => {
      const asked = { model: 'at-google', messages: [{ role: 'user', content: 'Hi' }] }
      const response = await house().post('/v1/chat/completions', asked)
      expect(response.status).toBe(400)
      expect((await response.json()).error.message).toContain('停用')
    })
  },
})
