import { expect, test } from 'bun:test'
import { rootClient } from '../client.ts'
import { BOT, startCoze } from '../upstreams/coze/start.ts'
import { testChat } from './chat-cases.ts'

testChat({
  name: 'Coze',
  type: 49,
  start: startCoze,
  models: ['my-bot'],
  channel: () => ({ other: BOT }),
  beside: ({ url, key }) => [{ type: 49, baseUrl: url, key, models: ['another'], mapping: { another: BOT } }],
  can: [],
  failures: [
    { kind: 'too-long', leads: 'told', status: 400 },
    // The bot is not there, or the account may not ask it: that is not the caller's fault.
    { kind: 'no-model', leads: 'retried' },
    { kind: 'forbidden', leads: 'retried' },
    { kind: 'no-balance', leads: 'retried' },
    { kind: 'quota', leads: 'retried' },
    { kind: 'rate-limit', leads: 'retried' },
    { kind: 'server-error', leads: 'retried' },
    { kind: 'overloaded', leads: 'retried' },
    { kind: 'timeout', leads: 'retried' },
    { kind: 'account-off', leads: 'disabled' },
    { kind: 'bad-key', leads: 'disabled' },
  ],
  more(house) {
    test('a bot may be named by the model alone', async () => {
      const said = await house().clients.anthropic.ask('another', { turns: [{ user: 'Hi' }] }, false)
      expect([said.text, house().body().bot_id]).toEqual(['You said: Hi', BOT])
    })

    test('pictures that have an address', async () => {
      const url = 'https://example.com/cat.png'
      const content = [
        { type: 'text', text: 'What?' },
        { type: 'image_url', image_url: { url } },
      ]
      const messages = [{ role: 'user', content }]
      const response = await house().post('/v1/chat/completions', { model: 'my-bot', messages, user: 'ada' })
      expect((await response.json()).choices[0].message.content).toBe(`saw image url ${url}`)
      expect(house().body().user_id).toBe('ada')
    })

    test('a stop string cuts what a bot says, and a schema is refused', async () => {
      const conversation = { turns: [{ user: 'one STOP two' }], stop: 'STOP' }
      for (const stream of [false, true])
        expect((await house().clients.gemini.ask('my-bot', conversation, stream)).text).toBe('You said: one ')
      const messages = [{ role: 'user', content: 'Hi' }]
      const format = { response_format: { type: 'json_object' } }
      expect(
        (await house().post('/v1/chat/completions', { model: 'my-bot', messages, ...format })).status,
      ).toBe(400)
    })

    test('the operator can test it', async () => {
      const root = await rootClient(house().rig.url)
      expect((await root.get(`/api/channel/test/${house().channelId}`)).json.message).toBe('')
    })
  },
})
