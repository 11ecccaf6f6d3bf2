import { expect, test } from 'bun:test'
import { startDify } from '../upstreams/dify/start.ts'
import { testChat } from './chat-cases.ts'

const CLIENTS = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const

const apps = [
  ['completer', 'completion', '/v1/completion-messages', 'query'],
  ['flow', 'workflow', '/v1/workflows/run', 'query'],
  ['other-flow', ' workflow : question', '/v1/workflows/run', 'question'],
] as const

testChat({
  name: 'Dify',
  type: 37,
  start: startDify,
  models: ['my-agent'],
  beside: ({ url, key }) =>
    apps.map(([name, other]) => ({ type: 37, baseUrl: url, key, other, name, models: [name] })),
  can: [],
  failures: [
    { kind: 'too-long', leads: 'told' },
    { kind: 'filtered', leads: 'told' },
    // Its app is of another kind, or out of order: that is not the caller's fault.
    { kind: 'no-model', leads: 'retried' },
    { kind: 'overloaded', leads: 'retried' },
    { kind: 'no-balance', leads: 'retried' },
    { kind: 'forbidden', leads: 'retried' },
    { kind: 'rate-limit', leads: 'retried' },
    { kind: 'quota', leads: 'retried' },
    { kind: 'server-error', leads: 'retried' },
    { kind: 'timeout', leads: 'retried' },
    { kind: 'bad-key', leads: 'disabled' },
  ],
  more(house) {
    const asked = { model: 'my-agent', messages: [{ role: 'user', content: 'Hi' }] }

    test('one question goes as it is', async () => {
      await house().post('/v1/chat/completions', { ...asked, user: 'ada', temperature: 1 })
      expect([house().seen().path, house().body()]).toEqual([
        '/v1/chat-messages',
        { inputs: {}, query: 'Hi', auto_generate_name: false, response_mode: 'streaming', user: 'ada' },
      ])
    })

    test('pictures that have an address', async () => {
      const url = 'https://example.com/cat.png'
      const content = [
        { type: 'text', text: 'What?' },
        { type: 'image_url', image_url: { url } },
      ]
      const messages = [{ role: 'user', content }]
      const response = await house().post('/v1/chat/completions', { ...asked, messages })
      expect((await response.json()).choices[0].message.content).toBe(`saw image url ${url}`)
      expect(house().body().files).toEqual([{ type: 'image', transfer_method: 'remote_url', url }])
    })

    test.each(apps)('%s is %p', async (model, _other, path, variable) => {
      for (const client of CLIENTS)
        for (const stream of [false, true]) {
          const said = await house().clients[client].ask(model, { turns: [{ user: 'Hi there' }] }, stream)
          expect([said.text, house().seen().path]).toEqual(['You said: Hi there', path])
          expect(house().body().inputs).toEqual({ [variable]: 'Hi there' })
          await house().expectPaid(said, model)
        }
    })

    test('a stop string cuts what an app says', async () => {
      for (const client of CLIENTS)
        for (const stream of [false, true]) {
          if (client === 'openai-responses') continue
          const conversation = { turns: [{ user: 'one STOP two' }], stop: 'STOP' }
          const said = await house().clients[client].ask(asked.model, conversation, stream)
          expect(said.text).toBe('You said: one ')
        }
    })

    test('what an app cannot be told is refused', async () => {
      const before = house().fake.requests.length
      const more = { response_format: { type: 'json_object' } }
      expect((await house().post('/v1/chat/completions', { ...asked, ...more })).status).toBe(400)
      expect(house().fake.requests.length).toBe(before)
    })
  },
})
