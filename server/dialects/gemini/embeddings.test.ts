import { expect, test } from 'bun:test'
import { AppError } from '../../errors.ts'
import type { JsonObject } from '../json.ts'
import {
  readGeminiEmbed,
  readGeminiEmbedAnswer,
  writeGeminiEmbed,
  writeGeminiEmbedAnswer,
} from './embeddings.ts'

const path = { model: 'gemini-embedding-001' }

test('one and many, in both spellings', () => {
  const one = {
    content: { parts: [{ text: 'a' }, { text: 'b' }] },
    task_type: 'RETRIEVAL_QUERY',
    output_dimensionality: 8,
  }
  const expected = { model: path.model, inputs: ['a\nb'], dimensions: 8, taskType: 'RETRIEVAL_QUERY' }
  expect(readGeminiEmbed(one, path, false)).toEqual(expected)
  expect(readGeminiEmbed({ requests: [one, one] }, path, true)).toEqual({
    ...expected,
    inputs: ['a\nb', 'a\nb'],
  })
})

test('a batch comes back as it went', () => {
  const request = { model: path.model, inputs: ['a', 'b'], dimensions: 2, taskType: 'CLUSTERING' }
  const body = writeGeminiEmbed(request, path.model)
  expect(body).toEqual({
    requests: ['a', 'b'].map(text => ({
      model: 'models/gemini-embedding-001',
      content: { parts: [{ text }] },
      taskType: 'CLUSTERING',
      outputDimensionality: 2,
    })),
  })
  expect(readGeminiEmbed(body, path, true)).toEqual(request)
})

test.each<[JsonObject, boolean, string]>([
  [{}, false, 'content'],
  [{ content: { parts: [] } }, false, 'content'],
  [{ content: { parts: [{ text: 1 }] } }, false, 'content.parts[0].text'],
  [{ content: { parts: [{ inlineData: {} }] } }, false, 'media as input of embeddings'],
  [{ content: { parts: { text: 'a' } }, outputDimensionality: 0 }, false, 'outputDimensionality'],
  [{ requests: [] }, true, 'requests'],
  [{ requests: [null] }, true, 'requests[0]'],
  [
    {
      requests: [{ content: { parts: { text: 'a' } } }, { content: { parts: { text: 'b' } }, taskType: 'x' }],
    },
    true,
    'different settings within one batch',
  ],
])('%j is refused', (body, batch, word) => {
  let caught: unknown
  try {
    readGeminiEmbed(body, path, batch)
  } catch (error) {
    caught = error
  }
  expect(caught).toBeInstanceOf(AppError)
  if (caught instanceof AppError) expect(String(caught.params.field ?? caught.message)).toEndWith(word)
})

test('an answer is read as it was written, and one that lacks a vector is none', () => {
  const vectors = [
    [0.1, -2],
    [3, 4],
  ]
  expect(readGeminiEmbedAnswer(writeGeminiEmbedAnswer(vectors, true))).toEqual(vectors)
  expect(writeGeminiEmbedAnswer(vectors, false)).toEqual({ embedding: { values: [0.1, -2] } })
  expect(readGeminiEmbedAnswer({ embedding: { values: [1] } })).toEqual([[1]])
  for (const body of [
    {},
    { embeddings: [] },
    { embeddings: [{ values: [1] }, {}] },
    { embedding: { values: ['x'] } },
  ])
    expect(readGeminiEmbedAnswer(body)).toBeUndefined()
})
