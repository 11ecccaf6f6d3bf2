import { describe, expect, test } from 'bun:test'
import { sampleChannel } from '../../../test/relay/sample-channels.ts'
import { dialects } from '../../dialects/index.ts'
import { asText, type JsonObject } from '../../dialects/json.ts'
import { defineProvider, type PlainCapability, type PlainConversion } from '../../providers/define.ts'
import { parseMultipart } from '../request/parse-multipart.ts'
import { composePlain } from './compose-plain.ts'
import type { PlainCall } from './plain-call.ts'
import { readWhole } from './read-whole.ts'

const incoming = {
  request: new Request('http://localhost/'),
  path: '/',
  requestId: 'r',
  address: '',
  language: 'en' as const,
  hold: () => {},
  keepOpen: () => {},
  letRest: () => {},
  upgrade: () => false,
}
const attempt = { channel: sampleChannel({ base_url: 'https://a' }), model: 'theirs', key: 'k' }

function vendor(capability: PlainCapability, convert: PlainConversion) {
  const endpoint = { form: 'openai' as const, path: () => '/own', convert }
  const usual = { type: 0, id: 'v', name: 'V', baseUrl: '', models: [], credential: () => ({}) }
  return defineProvider({ ...usual, [capability]: endpoint })
}

function call(capability: PlainCapability, fields: JsonObject, body: PlainCall['body']): PlainCall {
  const route = { kind: 'plain', capability, dialect: 'openai-chat' } as const
  const usual = { form: 'openai', model: 'ours', stream: false, dialect: dialects['openai-chat'] } as const
  return { ...usual, route, capability, fields, body }
}

function json(fields: JsonObject): PlainCall['body'] {
  return { text: JSON.stringify(fields), json: fields }
}

/** What goes to the vendor, and what the client gets for its answer. */
function exchange(asked: PlainCall, convert: PlainConversion, answer: JsonObject) {
  const provider = vendor(asked.capability, convert)
  const composed = composePlain(incoming, asked, attempt, provider)
  const dialect = dialects['openai-chat']
  const bytes = Buffer.from(JSON.stringify(answer))
  const whole = () => readWhole({ call: asked, attempt, provider, composed, dialect }, bytes)
  return { composed, whole }
}

describe('a vendor with a body of its own', () => {
  test('rerank', () => {
    const fields = { model: 'ours', query: 'q', documents: ['a'], top_n: 1 }
    const convert: PlainConversion = {
      writeRequest: ({ model, query, documents }) => ({ model, input: { query, documents } }),
      readAnswer: ({ output }) => ({
        results: [{ index: 0, relevance_score: 1 }],
        usage: { total_tokens: output },
      }),
    }
    const { composed, whole } = exchange(call('rerank', fields, json(fields)), convert, { output: 5 })
    expect(composed.body).toBe('{"model":"theirs","input":{"query":"q","documents":["a"]}}')
    expect(whole().seen.usage).toMatchObject({ input: 5, output: 0 })
    expect(JSON.parse(String(whole().write({ input: 5, output: 0 })))).toEqual({
      results: [{ index: 0, relevance_score: 1 }],
      usage: { total_tokens: 5 },
    })
  })

  test('speech inside JSON', () => {
    const fields = { model: 'ours', input: 'Hi', voice: 'v' }
    const convert: PlainConversion = {
      writeRequest: ({ input }) => ({ text: input }),
      readSound: ({ audio }) => ({ bytes: Buffer.from(asText(audio) ?? '', 'hex'), type: 'audio/mpeg' }),
    }
    const asked = call('speech', fields, json(fields))
    const answer = exchange(asked, convert, { audio: '49443304' }).whole()
    expect(answer.type).toBe('audio/mpeg')
    expect(Buffer.from(answer.write({ input: 0, output: 0 })).toString('hex')).toBe('49443304')
    expect(exchange(asked, convert, { audio: '' }).whole).toThrow('no answer')
  })

  describe('a transcription by bare bytes', () => {
    const convert: PlainConversion = {
      writeRequest: () => ({}),
      writeSound: sound => ({ body: new Uint8Array(sound), type: 'application/octet-stream' }),
      readAnswer: ({ said }) => ({ text: said }),
    }
    const form =
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.mp3"\r\nContent-Type: audio/mpeg\r\n\r\nSOUND\r\n--b--\r\n'
    const asked = (response_format: string) =>
      call(
        'transcriptions',
        { model: 'ours', response_format },
        parseMultipart(Buffer.from(form), 'multipart/form-data; boundary=b'),
      )

    test('as JSON', () => {
      const { composed, whole } = exchange(asked('json'), convert, { said: 'Hello' })
      expect(Buffer.from(composed.body as Uint8Array).toString()).toBe('SOUND')
      expect(composed.headers['content-type']).toBe('application/octet-stream')
      expect(String(whole().write({ input: 0, output: 0 }))).toBe('{"text":"Hello"}')
    })

    test('as text, and never as subtitles', () => {
      const answer = exchange(asked('text'), convert, { said: 'Hello' }).whole()
      expect(answer.type).toStartWith('text/plain')
      expect(String(answer.write({ input: 0, output: 0 }))).toBe('Hello')
      expect(answer.seen.text).toBe('Hello')
      expect(() => exchange(asked('srt'), convert, {})).toThrow('srt')
    })
  })
})
