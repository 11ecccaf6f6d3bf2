import { expect, test } from 'bun:test'
import { linesOf, readAtEveryCut, readChunks } from '../../../test/providers/cut-stream.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import { headersOf, urlOf } from '../address-request.ts'
import { chooseEndpoint } from '../choose-endpoint.ts'
import { PalmReader, palmForm } from './form.ts'
import { palm } from './provider.ts'
import { wholeBody } from './whole-body.ts'
import { GOOGLE } from './write-request.ts'

const to = {
  baseUrl: 'https://palm.example',
  key: 'k',
  model: 'PaLM-2',
  stream: true,
  other: '',
  organization: undefined,
}
const request: NeutralRequest = {
  model: 'x',
  stream: true,
  system: [{ type: 'text', text: 'Be brief.' }],
  messages: [
    { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
    { role: 'assistant', parts: [{ type: 'text', text: 'Hello' }] },
    { role: 'user', parts: [{ type: 'text', text: 'Who are you?' }] },
  ],
  tools: [],
}

test('an answer, cut anywhere', () => {
  const text = `{
  "candidates": [
    {
      "author": "1",
      "content": "Hi 漢字"
    }
  ],
  "messages": [
    {
      "author": "0",
      "content": "hi"
    }
  ]
}
`
  const bytes = linesOf(text)
  expect(readAtEveryCut(wholeBody, () => new PalmReader(), bytes, bytes.length - 1)).toEqual([
    { type: 'start', id: '', model: '', created: 0 },
    { type: 'text-delta', text: 'Hi 漢字' },
    { type: 'finish', finish: { reason: 'stop' } },
  ])
})

test('what was filtered, and what failed', () => {
  const filtered = { messages: [], filters: [{ reason: 'SAFETY', message: 'no' }] }
  expect(palmForm.readAnswer(filtered)).toMatchObject({
    parts: [],
    finish: { reason: 'filtered', explanation: 'no' },
  })
  const error = '{"error":{"code":429,"message":"slow","status":"RESOURCE_EXHAUSTED"}}'
  const { parts, whole } = readChunks(wholeBody, new PalmReader(), [linesOf(error)])
  expect(whole).toBe(false)
  expect(parts).toMatchObject([{ type: 'problem', problem: { status: 429, message: 'slow' } }])
  for (const body of [{}, { candidates: null }, { candidates: [null] }, { filters: [5] }]) {
    expect(palmForm.readAnswer(body)).toBeUndefined()
    const read = readChunks(wholeBody, new PalmReader(), [linesOf(JSON.stringify(body))])
    expect(read).toEqual({ parts: [], whole: false })
  }
})

test('a request is written in the form of its vendor', () => {
  expect(palmForm.writeRequest({ ...request, temperature: 1.5, topP: 0.5, topK: 3 }, to)).toEqual({
    prompt: {
      context: 'Be brief.',
      messages: [
        { author: '0', content: 'Hi' },
        { author: '1', content: 'Hello' },
        { author: '0', content: 'Who are you?' },
      ],
    },
    temperature: 1,
    topP: 0.5,
    topK: 3,
    candidateCount: 1,
  })
  expect(() => palmForm.writeRequest({ ...request, stop: ['x'] }, to)).toThrow('stop')
  expect(() => palmForm.writeRequest({ ...request, format: { type: 'json' } }, to)).toThrow('response_format')
  expect(() => palmForm.writeRequest(request, { ...to, baseUrl: GOOGLE })).toThrow('switched off')
})

test('where it is asked, and with what', () => {
  const asked = (model: string) => {
    const endpoint = chooseEndpoint(palm, 'openai-chat', { ...to, model })
    return endpoint && [urlOf(endpoint, { ...to, model }), headersOf(palm, endpoint, to)]
  }
  const url = 'https://palm.example/v1beta2/models/chat-bison-001:generateMessage'
  expect(asked('PaLM-2')).toEqual([url, { 'x-goog-api-key': 'k' }])
  expect(asked('a/b')?.[0]).toBe('https://palm.example/v1beta2/models/a%2Fb:generateMessage')
})
