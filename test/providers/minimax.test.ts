import { expect, test } from 'bun:test'
import { startMinimax } from '../upstreams/minimax/start.ts'
import { testChat } from './chat-cases.ts'

const SPEECH = 'speech-2.6-hd'
const IMAGE = 'image-01'
const OLD = 'MiniMax-Text-01'

testChat({
  name: 'MiniMax',
  type: 35,
  start: startMinimax,
  models: ['MiniMax-M3', SPEECH, IMAGE, OLD],
  can: ['tools', 'forced-tools', 'thinking', 'images', 'schema', 'stop', 'limit', 'cache'],
  failures: [
    { kind: 'too-long', leads: 'told', status: 400 },
    { kind: 'filtered', leads: 'told', status: 400 },
    { kind: 'no-model', leads: 'retried' },
    { kind: 'forbidden', leads: 'retried' },
    { kind: 'rate-limit', leads: 'retried' },
    { kind: 'quota', leads: 'retried' },
    { kind: 'server-error', leads: 'retried' },
    { kind: 'overloaded', leads: 'retried' },
    { kind: 'timeout', leads: 'retried' },
    { kind: 'bad-key', leads: 'disabled' },
    { kind: 'account-off', leads: 'disabled' },
    { kind: 'no-balance', leads: 'disabled' },
  ],
  more(house) {
    test('older models are asked at their own address', async () => {
      for (const stream of [false, true]) {
        const said = await house().clients.anthropic.ask(OLD, { turns: [{ user: 'Hi' }] }, stream)
        expect(said.text).toBe('You said: Hi')
        expect(house().seen().path).toBe('/v1/text/chatcompletion_v2')
        await house().expectPaid(said, OLD)
      }
    })

    test('an error where a stream was asked for', async () => {
      house().fake.next(house().fake.failWith('rate-limit'))
      const body = { model: 'MiniMax-M3', stream: true, messages: [{ role: 'user', content: 'Hi' }] }
      const response = await house().post('/v1/chat/completions', body)
      expect(response.status).toBe(429)
    })

    test('speech', async () => {
      const asked = { model: SPEECH, input: 'Hello you', voice: 'English_Graceful_Lady' }
      const response = await house().post('/v1/audio/speech', {
        ...asked,
        response_format: 'wav',
        speed: 1.5,
      })
      expect(response.headers.get('content-type')).toBe('audio/wav')
      expect(await response.text()).toBe('ID3Hello you')
      await house().expectCharge(response, SPEECH, { input: 9 })
      const chinese = { ...asked, input: '你好 you' }
      // It counts otherwise than we do, which we do where it does not, or not as anyone would.
      for (const [usage, input] of [
        [undefined, 8],
        ['none', 6],
        [() => ({ usage_characters: 6_000_000 }), 6],
      ] as const) {
        house().fake.next(usage === undefined ? {} : { usage })
        await house().expectCharge(await house().post('/v1/audio/speech', chinese), SPEECH, { input })
      }
      house().fake.next(house().fake.failWith('filtered'))
      expect((await house().post('/v1/audio/speech', asked)).status).toBe(400)
      const before = house().fake.requests.length
      expect((await house().post('/v1/audio/speech', { ...asked, response_format: 'opus' })).status).toBe(400)
      expect(house().fake.requests.length).toBe(before)
    })

    test('pictures, by address and packed', async () => {
      const asked = { model: IMAGE, prompt: 'a dot', n: 2, size: '1024x1024' }
      const response = await house().post('/v1/images/generations', asked)
      expect((await response.json()).data).toHaveLength(2)
      expect(house().body()).toMatchObject({ width: 1024, height: 1024, response_format: 'url' })
      const packed = await house().post('/v1/images/generations', { ...asked, response_format: 'b64_json' })
      expect(typeof (await packed.json()).data[1].b64_json).toBe('string')
    })
  },
})
