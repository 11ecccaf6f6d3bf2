import { expect, test } from 'bun:test'
import { AppError } from '../errors.ts'
import {
  readOpenaiEmbed,
  readOpenaiEmbedAnswer,
  writeOpenaiEmbed,
  writeOpenaiEmbedAnswer,
} from './embeddings.ts'
import type { JsonObject } from './json.ts'

test('what is read of a request is what is written of it', () => {
  expect(readOpenaiEmbed({ model: 'm', input: 'a' })).toEqual({ model: 'm', inputs: ['a'] })
  const body = { model: 'm', input: ['a', 'b'], dimensions: 3, encoding_format: 'base64', user: 'u' }
  const request = readOpenaiEmbed(body)
  expect(request).toEqual({ model: 'm', inputs: ['a', 'b'], dimensions: 3, base64: true, user: 'u' })
  expect(writeOpenaiEmbed(request, 'm')).toEqual(body)
  expect(writeOpenaiEmbed({ model: 'm', inputs: ['a'] }, 'n')).toEqual({
    model: 'n',
    input: ['a'],
    encoding_format: 'float',
  })
})

test.each<[JsonObject, string]>([
  [{ model: 'm' }, 'input'],
  [{ model: 'm', input: [] }, 'input'],
  [{ model: 'm', input: {} }, 'input'],
  [{ model: 'm', input: '' }, 'input[0]'],
  [{ model: 'm', input: ['a', null] }, 'input[1]'],
  [{ model: 'm', input: [1, 2] }, 'token arrays as input'],
  [{ model: 'm', input: [[1, 2]] }, 'token arrays as input'],
  [{ model: 'm', input: 'a', dimensions: 0.5 }, 'dimensions'],
  [{ model: 'm', input: 'a', encoding_format: 'hex' }, 'encoding_format'],
])('%j is refused', (body, word) => {
  let caught: unknown
  try {
    readOpenaiEmbed(body)
  } catch (error) {
    caught = error
  }
  expect(caught).toBeInstanceOf(AppError)
  if (caught instanceof AppError) expect(String(caught.params.field ?? caught.message)).toEndWith(word)
})

test('answers as numbers and as base64', () => {
  const vectors = [
    [1, -2.5],
    [0, 0.15625],
  ]
  const about = { model: 'm', usage: { input: 4, output: 0 } }
  const plain = writeOpenaiEmbedAnswer(vectors, about)
  expect(plain).toEqual({
    object: 'list',
    data: [
      { object: 'embedding', index: 0, embedding: [1, -2.5] },
      { object: 'embedding', index: 1, embedding: [0, 0.15625] },
    ],
    model: 'm',
    usage: { prompt_tokens: 4, total_tokens: 4 },
  })
  const packed = writeOpenaiEmbedAnswer(vectors, { ...about, base64: true })
  expect(packed.data).toMatchObject([{ embedding: 'AACAPwAAIMA=' }, { embedding: 'AAAAAAAAID4=' }])
  expect(readOpenaiEmbedAnswer(plain)).toEqual(vectors)
  expect(readOpenaiEmbedAnswer(packed)).toEqual(vectors)
})

test('the index tells the order', () => {
  const data = [
    { index: 1, embedding: [2] },
    { index: 0, embedding: [1] },
  ]
  expect(readOpenaiEmbedAnswer({ data })).toEqual([[1], [2]])
})

test.each<[JsonObject]>([
  [{}],
  [{ data: [] }],
  [{ data: [null] }],
  [{ data: [{ embedding: [] }] }],
  [{ data: [{ embedding: [1, 'x'] }] }],
  [{ data: [{ embedding: 'AAA=' }] }],
  [{ data: [{ embedding: 'AADAfw==' }] }],
  [{ data: [{ index: 5, embedding: [1] }] }],
  [
    {
      data: [
        { index: 0, embedding: [1] },
        { index: 0, embedding: [2] },
      ],
    },
  ],
])('%j is no answer', body => {
  expect(readOpenaiEmbedAnswer(body)).toBeUndefined()
})
