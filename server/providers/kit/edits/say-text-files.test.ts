import { expect, test } from 'bun:test'
import type { NeutralRequest, Part } from '../../../dialects/spec.ts'
import { sayTextFiles } from './say-text-files.ts'

const ask = (...parts: Part[]): NeutralRequest => ({
  model: 'm',
  stream: false,
  system: [],
  messages: [{ role: 'user', parts }],
  tools: [],
})
const file = (mediaType: string, name?: string) =>
  ({ type: 'file', source: { data: btoa('abc'), mediaType }, name }) as const
const text = { type: 'text', text: 'x' } as const
const pdf = file('application/pdf')

test('files of text are said, in results of tools too', () => {
  const parts: Part[] = [
    text,
    file('text/plain', 'My notes'),
    pdf,
    { type: 'tool-result', callId: 'c', content: [file('application/json'), pdf] },
  ]
  expect(sayTextFiles(ask(...parts)).messages[0]?.parts).toEqual([
    text,
    { type: 'text', text: 'My notes\nabc' },
    pdf,
    { type: 'tool-result', callId: 'c', content: [{ type: 'text', text: 'abc' }, pdf] },
  ])
})

test('a request without them is the same request', () => {
  const url = { type: 'file', source: { url: 'https://x.test/a.txt', mediaType: 'text/plain' } } as const
  const request = ask(text, pdf, url, { type: 'file', source: { fileId: 'f' } })
  expect(sayTextFiles(request)).toBe(request)
})
