import { describe, expect, test } from 'bun:test'
import type { NeutralRequest, Part } from '../../dialects/spec.ts'
import { inputBound, mediaOf, noMedia, roughInput } from './estimate-input.ts'

function requestOf(...parts: Part[]): NeutralRequest {
  return { model: 'm', stream: false, system: [], tools: [], messages: [{ role: 'user', parts }] }
}

describe('inputBound', () => {
  const nothing = { images: 0, sound: 0 }

  test('a byte of text is at most a token', () => {
    expect(inputBound(0, nothing, 0, 3000)).toBe(0)
    expect(inputBound(1234, nothing, 0, 3000)).toBe(1234)
  })

  test('media count by their own rates', () => {
    expect(inputBound(1000, { images: 2, sound: 1001 }, 50_000, 3000)).toBe(1000 + 6000 + 11 + 50_000)
  })
})

test('roughInput is a quarter of the bytes', () => {
  expect([0, 1, 4, 5].map(roughInput)).toEqual([0, 1, 1, 2])
})

describe('mediaOf', () => {
  const image: Part = { type: 'image', source: { data: 'AAAA', mediaType: 'image/png' } }
  const pdf: Part = { type: 'file', source: { data: 'AAAAAAAA', mediaType: 'application/pdf' } }

  test.each<[string, Part[], Partial<typeof noMedia>]>([
    ['text', [{ type: 'text', text: 'hi' }], {}],
    ['an image', [image], { images: 1, imageBytes: 4 }],
    ['an image elsewhere', [{ type: 'image', source: { url: 'https://a/b.png' } }], { images: 1 }],
    ['sound', [{ type: 'audio', source: { data: 'AAAAA', mediaType: 'audio/wav' } }], { audioBytes: 5 }],
    ['a PDF', [pdf], { fileBytes: 8 }],
    ['a file elsewhere', [{ type: 'file', source: { fileId: 'file-1' } }], { distantFiles: 1 }],
    ['a text file', [{ type: 'file', source: { data: 'aGk=', mediaType: 'text/plain' } }], {}],
    [
      'inside a tool result',
      [{ type: 'tool-result', callId: 'c', content: [image, pdf] }],
      { images: 1, imageBytes: 4, fileBytes: 8 },
    ],
  ])('%s', (_, parts, expected) => {
    expect(mediaOf(requestOf(...parts))).toEqual({ ...noMedia, ...expected })
  })
})
