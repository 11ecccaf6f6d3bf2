import { expect, test } from 'bun:test'
import { readWords } from './task-words.ts'

test('words are read however the fields are spelled that they stand in', () => {
  const fields = {
    prompt: 'a',
    Title: 'b',
    input: { negativePrompt: 'c', LYRICS: ['d', { text: 'e' }] },
    metadata: JSON.stringify({ Style: 'f', seed: 'none' }),
    seed: 'none',
  }
  const reading = readWords({ fields })
  const places = reading.places()
  expect(places.map(({ text }) => text)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  for (const { text, put } of places) put(text.toUpperCase())
  expect(reading.written(true).fields).toEqual({
    prompt: 'A',
    Title: 'B',
    input: { negativePrompt: 'C', LYRICS: ['D', { text: 'E' }] },
    metadata: JSON.stringify({ Style: 'F', seed: 'none' }),
    seed: 'none',
  })
})
