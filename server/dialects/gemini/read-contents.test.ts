import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../json.ts'
import { gemini } from './index.ts'
import { sealRedacted, sealSignature } from './signatures.ts'

const path = { model: 'gemini-2.5-pro', stream: false }
const hi = [{ role: 'user', parts: [{ text: 'hi' }] }]

function read(body: JsonObject) {
  return gemini.readRequest(body, path)
}

describe('contents', () => {
  test('media by its type, in the plain alphabet of base64', () => {
    const parts = [
      { inlineData: { mimeType: 'audio/wav', data: 'a-_b' } },
      { inlineData: { mimeType: 'application/pdf', data: 'QQ==', displayName: 'a.pdf' } },
      { fileData: { mimeType: 'image/jpeg', fileUri: 'https://x.test/a.jpg' } },
      { fileData: { fileUri: 'https://x.test/v' } },
    ]
    expect(read({ contents: [{ parts }] }).messages[0]?.parts).toEqual([
      { type: 'audio', source: { data: 'a+/b', mediaType: 'audio/wav' } },
      { type: 'file', source: { data: 'QQ==', mediaType: 'application/pdf' }, name: 'a.pdf' },
      { type: 'image', source: { url: 'https://x.test/a.jpg', mediaType: 'image/jpeg' } },
      { type: 'file', source: { url: 'https://x.test/v', mediaType: undefined } },
    ])
  })

  test('two calls to one function without ids are answered in order', () => {
    const { messages } = read({
      contents: [
        ...hi,
        {
          role: 'model',
          parts: [
            { functionCall: { name: 'f', args: { n: 1 } } },
            { functionCall: { name: 'g' } },
            { functionCall: { name: 'f', args: { n: 2 } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'f', response: { output: 'one' } } },
            { functionResponse: { name: 'f', response: { error: 'two failed' } } },
            { functionResponse: { name: 'g', response: { error: null, rows: [] } } },
          ],
        },
      ],
    })
    expect(messages[1]?.parts.map(part => part.type === 'tool-call' && [part.id, part.input])).toEqual([
      ['call_1', '{"n":1}'],
      ['call_2', '{}'],
      ['call_3', '{"n":2}'],
    ])
    expect(messages[2]?.parts).toEqual([
      { type: 'tool-result', callId: 'call_1', name: 'f', content: [{ type: 'text', text: 'one' }] },
      {
        type: 'tool-result',
        callId: 'call_3',
        name: 'f',
        content: [{ type: 'text', text: 'two failed' }],
        isError: true,
      },
      {
        type: 'tool-result',
        callId: 'call_2',
        name: 'g',
        content: [{ type: 'text', text: '{"error":null,"rows":[]}' }],
      },
    ])
  })

  test('given ids are kept and never given twice', () => {
    const { messages } = read({
      contents: [
        {
          role: 'model',
          parts: [{ functionCall: { name: 'f', id: 'call_1' } }, { functionCall: { name: 'f' } }],
        },
        {
          parts: [
            { functionResponse: { name: 'f', id: 'call_1', response: {} } },
            { functionResponse: { name: 'f', response: {} } },
          ],
        },
      ],
    })
    expect(messages[0]?.parts.map(part => 'id' in part && part.id)).toEqual(['call_1', 'call_2'])
    expect(messages[1]?.parts.map(part => 'callId' in part && part.callId)).toEqual(['call_1', 'call_2'])
  })

  test('a result that its client named belongs to a call that came without an id', () => {
    const result = (name: string, id: string) => ({ functionResponse: { name, id, response: {} } })
    const { messages } = read({
      contents: [
        ...hi,
        {
          role: 'model',
          parts: [{ functionCall: { name: 'f' } }, { functionCall: { name: 'f', id: 'own' } }],
        },
        { role: 'user', parts: [result('f', 'own'), result('f', 'f-17-a')] },
        { role: 'model', parts: [{ functionCall: { name: 'g' } }] },
        { role: 'user', parts: [result('g', 'g-18-b'), result('h', 'h-19-c')] },
      ],
    })
    const answered = messages.flatMap(({ parts }) => parts.map(part => 'callId' in part && part.callId))
    expect(answered.filter(Boolean)).toEqual(['own', 'call_1', 'call_2', 'h-19-c'])
  })

  test('a streamed turn that comes back in pieces is one turn again', () => {
    const foreign = sealSignature({ by: 'anthropic', value: 'EqQB/x==' })
    const redacted = sealRedacted('sealed', 'anthropic')
    const model = (part: JsonObject) => ({ role: 'model', parts: [part] })
    const { messages } = read({
      contents: [
        ...hi,
        model({ text: 'let ', thought: true }),
        model({ text: 'me see', thought: true }),
        model({ text: '', thought: true, thoughtSignature: foreign }),
        model({ text: '', thought: true, thoughtSignature: redacted }),
        model({ text: 'Hel' }),
        model({ text: 'lo' }),
        model({ text: '', thoughtSignature: 'Z2Vt' }),
        model({ executableCode: { code: 'x' }, thoughtSignature: 'b3du' }),
        model({ toolCall: { toolType: 'GOOGLE_SEARCH_WEB', id: 's' }, thoughtSignature: 'b3du' }),
        ...hi,
      ],
    })
    expect(foreign).toMatch(/^[A-Za-z0-9+/]+=*$/)
    expect(messages).toHaveLength(3)
    expect(messages[1]).toEqual({
      role: 'assistant',
      parts: [
        { type: 'thinking', text: 'let me see', signature: { by: 'anthropic', value: 'EqQB/x==' } },
        { type: 'thinking', text: '', redacted: 'sealed' },
        { type: 'text', text: 'Hello' },
        { type: 'text', text: '', signature: 'Z2Vt' },
      ],
    })
  })

  test('a signature ends its piece', () => {
    const thought = (text: string, thoughtSignature: string) => ({ text, thought: true, thoughtSignature })
    const parts = [
      thought('a', 'MQ=='),
      thought('b', 'Mg=='),
      { text: 'c', thoughtSignature: 'Mw==' },
      { text: 'd' },
    ]
    expect(read({ contents: [{ role: 'model', parts }] }).messages[0]?.parts).toEqual([
      { type: 'thinking', text: 'a', signature: { by: 'gemini', value: 'MQ==' } },
      { type: 'thinking', text: 'b', signature: { by: 'gemini', value: 'Mg==' } },
      { type: 'text', text: 'c', signature: 'Mw==' },
      { type: 'text', text: 'd' },
    ])
  })

  test('a carried signature is known in the URL alphabet and in plain text too', () => {
    const value = 'ÿþ?>'
    const sealed = sealSignature({ by: 'openai-responses', value })
    for (const thoughtSignature of [
      sealed,
      sealed.replaceAll('+', '-').replaceAll('/', '_'),
      `tg1.openai-responses.${value}`,
    ]) {
      const { messages } = read({
        contents: [{ role: 'model', parts: [{ text: 't', thought: true, thoughtSignature }] }],
      })
      expect(messages[0]?.parts).toEqual([
        { type: 'thinking', text: 't', signature: { by: 'openai-responses', value } },
      ])
    }
  })
})
