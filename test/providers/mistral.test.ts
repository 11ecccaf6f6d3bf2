import { expect, test } from 'bun:test'
import { asArray, asObject, type JsonObject } from '../../server/dialects/json.ts'
import { readStream } from '../relay/ways.ts'
import { startMistral } from '../upstreams/index.ts'
import { testChat } from './chat-cases.ts'

const MODEL = 'mistral-small-latest'
const SPEECH = 'voxtral-mini-tts-2603'

testChat({
  name: 'Mistral',
  type: 42,
  start: startMistral,
  models: [MODEL, SPEECH],
  can: ['tools', 'forced-tools', 'images', 'schema', 'stop', 'limit', 'cache'],
  failures: [
    { kind: 'too-long', leads: 'told' },
    { kind: 'filtered', leads: 'told', status: 400 },
    { kind: 'no-model', leads: 'retried' },
    { kind: 'rate-limit', leads: 'retried' },
    { kind: 'quota', leads: 'retried' },
    { kind: 'no-balance', leads: 'retried' },
    { kind: 'server-error', leads: 'retried' },
    { kind: 'bad-key', leads: 'disabled' },
  ],
  more(house) {
    const ask = (more: JsonObject) =>
      house().post('/v1/chat/completions', {
        ...{ model: MODEL, messages: [{ role: 'user', content: 'Hi' }], reasoning_effort: 'high' },
        ...more,
      })

    test.each([false, true])(
      'every client hears what it thinks and pays for it, streamed %p',
      async stream => {
        for (const client of Object.values(house().clients)) {
          const said = await client.ask(MODEL, { turns: [{ user: 'Why?' }], think: true }, stream)
          expect(said).toMatchObject({ text: 'You said: Why?', thinking: 'Thinking about: Why?' })
          await house().expectPrice(said, MODEL)
        }
      },
    )

    const speak = (more: JsonObject) =>
      house().post('/v1/audio/speech', { model: SPEECH, input: 'Hello', voice: 'en_paul_neutral', ...more })

    test.each([
      [{}, 'audio/mpeg'],
      [{ response_format: 'flac', speed: 2, instructions: 'Slowly.' }, 'audio/flac'],
    ])('what it speaks comes inside JSON, and is heard and paid: %p', async (more, type) => {
      const response = await speak(more)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
      expect(await response.text()).toBe('Hello'.repeat(10))
      await house().expectCharge(response, SPEECH, { input: 5 })
    })

    test('what it cannot speak is asked of nobody', async () => {
      const before = house().fake.requests.length
      for (const more of [{ response_format: 'aac' }, { stream_format: 'sse' }])
        expect((await speak(more)).status).toBe(400)
      expect(house().fake.requests.length).toBe(before)
    })

    const reply = { thinking: 'well then', text: 'so be it' }

    test('content is text for chat clients, and thoughts stand beside it', async () => {
      house().fake.next({ reply })
      const [choice] = (await (await ask({})).json()).choices
      expect(choice.message).toMatchObject({ content: reply.text, reasoning_content: reply.thinking })
      house().fake.next({ reply })
      const { events } = await readStream(await ask({ stream: true }))
      const deltas = events.flatMap(({ data }) =>
        data === '[DONE]' ? [] : asArray(JSON.parse(data).choices).map(one => asObject(asObject(one)?.delta)),
      )
      for (const delta of deltas) expect(Array.isArray(delta?.content)).toBe(false)
      const join = (name: string) => deltas.map(delta => delta?.[name] ?? '').join('')
      expect([join('reasoning_content'), join('content')]).toEqual([reply.thinking, reply.text])
    })

    test('several answers stay several', async () => {
      const { choices } = await (await ask({ n: 2 })).json()
      expect(
        choices.map(({ index, message }: { index: number; message: JsonObject }) => [index, message.content]),
      ).toEqual([
        [0, 'You said: Hi'],
        [1, 'You said: Hi'],
      ])
    })

    test.each([false, true])(
      'an end for which OpenAI has no word is told in its words, streamed %p',
      async stream => {
        const swap = (text: string) =>
          text.replace('"finish_reason":"stop"', '"finish_reason":"model_length"')
        const answer = await (await ask({})).json()
        const body = JSON.parse(swap(JSON.stringify(answer)))
        house().fake.next(stream ? { frames: frames => frames.map(swap) } : { status: 200, body })
        const text = await (await ask({ stream })).text()
        expect(text).toContain('"finish_reason":"length"')
        expect(text).not.toContain('model_length')
      },
    )
  },
})
