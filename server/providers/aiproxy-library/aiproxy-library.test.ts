import { expect, test } from 'bun:test'
import { linesOf, readAtEveryCut, readChunks } from '../../../test/providers/cut-stream.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import { sse } from '../../dialects/sse.ts'
import { urlOf } from '../address-request.ts'
import { chooseEndpoint } from '../choose-endpoint.ts'
import { LibraryReader, libraryForm } from './form.ts'
import { aiproxyLibrary } from './provider.ts'
import { readFailure } from './read-failure.ts'

const to = {
  baseUrl: 'https://api.aiproxy.io',
  key: 'k',
  model: 'gpt-x',
  stream: true,
  other: ' 42 ',
  organization: undefined,
}
const request: NeutralRequest = {
  model: 'x',
  stream: true,
  system: [{ type: 'text', text: 'Be brief.' }],
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
  tools: [],
}

test('a stream, cut anywhere', () => {
  const text =
    'data:{"content":"Hi ","finish":false,"model":"gpt-x","documents":[]}\n\ndata:{"content":"漢","finish":false,"documents":null}\n\ndata:{"content":"","finish":true,"documents":[{"title":"T","url":"https://a/"},{"title":"no address"}]}\n\n'
  const bytes = linesOf(text)
  expect(readAtEveryCut(sse, () => new LibraryReader(), bytes, bytes.length - 2)).toEqual([
    { type: 'start', id: '', model: '', created: 0 },
    { type: 'text-delta', text: 'Hi ' },
    { type: 'text-delta', text: '漢' },
    { type: 'citation', citation: { type: 'citation', url: 'https://a/', title: 'T' } },
    { type: 'finish', finish: { reason: 'stop' } },
  ])
})

test('an error in a stream, and strange frames', () => {
  const error =
    'data:{"success":false,"errCode":429,"message":"slow"}\n\ndata:{"content":"x","finish":true}\n\n'
  const { parts, whole } = readChunks(sse, new LibraryReader(), [linesOf(error)])
  expect(whole).toBe(false)
  expect(parts).toEqual([{ type: 'problem', problem: { status: 429, message: 'slow', code: '429' } }])
  const reader = new LibraryReader()
  for (const data of ['x', 'null', '{}', '{"content":5,"documents":[null,5]}', '{"finish":"yes"}'])
    reader.read('', data, () => {})
  expect(reader.end(() => {})).toBe(false)
  for (const body of [{}, { answer: null }, { answer: '' }])
    expect(libraryForm.readAnswer(body)).toBeUndefined()
})

test('an answer with its sources', () => {
  const documents = [{ title: 'T', url: 'https://a/' }]
  expect(libraryForm.readAnswer({ success: true, answer: 'Hi', documents, errCode: 0 })?.parts).toEqual([
    { type: 'text', text: 'Hi' },
    { type: 'citation', url: 'https://a/', title: 'T' },
  ])
})

test('a request is written in the form of its vendor', () => {
  expect(libraryForm.writeRequest(request, to)).toEqual({
    model: 'gpt-x',
    query: 'Hi',
    libraryId: '42',
    stream: true,
  })
  expect(() => libraryForm.writeRequest(request, { ...to, other: ' ' })).toThrow('library')
  expect(libraryForm.takeStops?.(['x'])).toEqual([])
  expect(() => libraryForm.writeRequest({ ...request, format: { type: 'json' } }, to)).toThrow(
    'does not support response_format',
  )
  const endpoint = chooseEndpoint(aiproxyLibrary, 'gemini', to)
  expect(endpoint && urlOf(endpoint, to)).toBe('https://api.aiproxy.io/api/library/ask')
})

test('an error’s number says its status', () => {
  expect(readFailure({ success: false, errCode: 401, message: 'm' })).toMatchObject({ status: 401 })
  expect(readFailure({ success: false, errCode: 10001, message: 'm' })).toMatchObject({ status: 502 })
  expect(readFailure({ success: false })).toMatchObject({ status: 502 })
  expect(readFailure({ success: true, errCode: 0, answer: 'x', message: '' })).toBeUndefined()
})
