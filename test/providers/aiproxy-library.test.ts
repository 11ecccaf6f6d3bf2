import { expect, test } from 'bun:test'
import { LIBRARY, startAiproxyLibrary } from '../upstreams/aiproxy-library/start.ts'
import { testChat } from './chat-cases.ts'

const MODEL = 'gpt-of-the-library'

testChat({
  name: 'AI Proxy',
  type: 21,
  start: startAiproxyLibrary,
  models: [MODEL],
  channel: () => ({ other: LIBRARY }),
  counts: false,
  can: [],
  failures: [
    { kind: 'too-long', leads: 'told', status: 400 },
    { kind: 'forbidden', leads: 'retried' },
    { kind: 'rate-limit', leads: 'retried' },
    { kind: 'server-error', leads: 'retried' },
    { kind: 'timeout', leads: 'retried' },
    { kind: 'bad-key', leads: 'disabled' },
  ],
  beside: ({ key, url }) => [{ type: 21, baseUrl: url, key, models: ['without-library'] }],
  more(house) {
    test('only the last question is asked', async () => {
      const turns = [{ user: 'one' }, { assistant: 'two' }, { user: 'three' }]
      await house().clients.anthropic.ask(MODEL, { turns }, false)
      expect(house().body()).toEqual({ model: MODEL, query: 'three', libraryId: LIBRARY, stream: false })
    })

    test('the sources of an answer', async () => {
      const asked = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] }
      const { choices } = await (await house().post('/v1/chat/completions', asked)).json()
      expect(choices[0].message.annotations).toMatchObject([
        {
          type: 'url_citation',
          url_citation: { url: 'https://library.example/manual', title: 'The manual' },
        },
      ])
    })

    test('a channel without a library', async () => {
      const before = house().fake.requests.length
      const asked = { model: 'without-library', messages: [{ role: 'user', content: 'Hi' }] }
      expect((await house().post('/v1/chat/completions', asked)).status).toBe(400)
      expect(house().fake.requests.length).toBe(before)
    })
  },
})
