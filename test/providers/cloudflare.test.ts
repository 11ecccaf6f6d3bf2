import { expect, test } from 'bun:test'
import { ACCOUNT, startCloudflare } from '../upstreams/cloudflare/start.ts'
import { testChat } from './chat-cases.ts'

const LLAMA = '@cf/meta/llama-3.3-70b-instruct-fp8-fast'
const OSS = '@cf/openai/gpt-oss-120b'
const EMBED = '@cf/baai/bge-m3'
const FLUX = '@cf/black-forest-labs/flux-1-schnell'
const LUCID = '@cf/leonardo/lucid-origin'
const WHISPER = '@cf/openai/whisper'
const TURBO = '@cf/openai/whisper-large-v3-turbo'
const BYTES = '@cf/lykon/dreamshaper-8-lcm'
const PLACE = `/client/v4/accounts/${ACCOUNT}/ai`

testChat({
  name: 'Cloudflare',
  type: 39,
  start: startCloudflare,
  models: [LLAMA, OSS, EMBED, FLUX, LUCID, WHISPER, TURBO, BYTES],
  channel: () => ({ other: ` ${ACCOUNT}` }),
  beside: ({ url, key }) => [
    { ...{ type: 39, baseUrl: url, key, other: '', name: 'nobody' }, models: ['no-account'] },
    {
      ...{ type: 39, baseUrl: `${url}${PLACE}/v1`, key, other: '', name: 'whole' },
      ...{ models: ['whole-address'], mapping: { 'whole-address': LLAMA } },
    },
  ],
  speaks: ['openai-chat'],
  can: ['tools', 'forced-tools', 'thinking', 'images', 'schema', 'stop', 'limit', 'cache'],
  failures: [
    { kind: 'too-long', leads: 'told' },
    { kind: 'filtered', leads: 'told' },
    { kind: 'no-model', leads: 'retried' },
    { kind: 'not-found', leads: 'retried' },
    { kind: 'forbidden', leads: 'retried' },
    { kind: 'rate-limit', leads: 'retried' },
    { kind: 'quota', leads: 'retried' },
    { kind: 'server-error', leads: 'retried' },
    { kind: 'overloaded', leads: 'retried' },
    { kind: 'timeout', leads: 'retried' },
    { kind: 'bad-key', leads: 'disabled' },
    { kind: 'account-off', leads: 'disabled' },
  ],
  more(house) {
    const chat = (model: string) => ({ model, messages: [{ role: 'user', content: 'Hi' }] })

    test('the address names the account', async () => {
      await house().post('/v1/chat/completions', chat(LLAMA))
      expect(house().seen().path).toBe(`${PLACE}/v1/chat/completions`)
      expect((await house().post('/v1/chat/completions', chat('whole-address'))).status).toBe(200)
      expect(house().seen().path).toBe(`${PLACE}/v1/chat/completions`)
    })

    test('without an account nothing is sent', async () => {
      const before = house().fake.requests.length
      expect((await house().post('/v1/chat/completions', chat('no-account'))).status).toBe(400)
      expect(house().fake.requests.length).toBe(before)
    })

    test('Responses pass where they are spoken', async () => {
      for (const stream of [false, true]) {
        const said = await house().clients['openai-responses'].ask(OSS, { turns: [{ user: 'Hi' }] }, stream)
        expect([said.text, house().seen().path]).toEqual(['You said: Hi', `${PLACE}/v1/responses`])
        await house().expectPaid(said, OSS)
      }
    })

    test('an error of status 200', async () => {
      const { body } = house().fake.failWith('rate-limit')
      house().fake.next({ status: 200, body: body ?? '' })
      expect((await house().post('/v1/chat/completions', chat(LLAMA))).status).toBe(429)
    })

    test('embeddings, also as base64', async () => {
      const response = await house().post('/v1/embeddings', { model: EMBED, input: ['one', 'two words'] })
      expect((await response.json()).data).toHaveLength(2)
      await house().expectCharge(response, EMBED, { input: 4 })
      const packed = { model: EMBED, input: 'one', encoding_format: 'base64' }
      const { data } = await (await house().post('/v1/embeddings', packed)).json()
      expect(typeof data[0].embedding).toBe('string')
    })

    test('pictures', async () => {
      const asked = { prompt: 'a dot', size: '512x256' }
      const response = await house().post('/v1/images/generations', { ...asked, model: FLUX })
      expect((await response.json()).data).toEqual([{ b64_json: expect.any(String) }])
      expect(house().body()).toEqual({ prompt: 'a dot' })
      await house().post('/v1/images/generations', { ...asked, model: LUCID })
      expect(house().body()).toEqual({ prompt: 'a dot', width: 512, height: 256 })
      const before = house().fake.requests.length
      for (const more of [{ model: FLUX, n: 2 }, { model: BYTES }])
        expect((await house().post('/v1/images/generations', { ...asked, ...more })).status).toBe(400)
      expect(house().fake.requests.length).toBe(before)
    })

    test.each([WHISPER, TURBO])('transcripts by %s', async model => {
      const form = new FormData()
      form.append('model', model)
      form.append('language', 'en')
      form.append('file', new File([new Uint8Array(30_000)], 'a.mp3', { type: 'audio/mpeg' }))
      const response = await house().post('/v1/audio/transcriptions', form)
      expect(await response.json()).toEqual({ text: 'Hello from the sound' })
      expect(house().seen().path).toBe(`${PLACE}/run/${model}`)
      if (model === WHISPER) expect(house().seen().bytes.length).toBe(30_000)
      else expect(house().body()).toEqual({ audio: expect.any(String), language: 'en' })
    })
  },
})
