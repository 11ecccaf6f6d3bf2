import { expect, test } from 'bun:test'
import type { JsonObject } from '../../../dialects/json.ts'
import type { GeminiFile } from '../../../relay/gemini/file-rows.ts'
import { mayHaveSound } from './may-have-sound.ts'

const fileOf = (mimeType: string) => ({ data: JSON.stringify({ mimeType }) }) as GeminiFile
const files = new Map([
  ['http://here/v1beta/files/song', fileOf('audio/mpeg')],
  ['http://here/v1beta/files/book', fileOf('application/pdf')],
])
const part = (given: JsonObject): JsonObject => ({ contents: [{ parts: [{ text: 'What is it?' }, given] }] })

test.each([
  [true, 'an inlined song', { inlineData: { mimeType: 'audio/mpeg', data: 'AAAA' } }],
  [true, 'in the other spelling', { inline_data: { mime_type: 'AUDIO/mpeg', data: 'AAAA' } }],
  [true, 'a film', { fileData: { mimeType: 'video/mp4', fileUri: 'http://here/v1beta/files/book' } }],
  [true, 'a song, as it was uploaded', { fileData: { fileUri: 'http://here/v1beta/files/song' } }],
  [
    true,
    'a song that is called a text',
    { file_data: { mime_type: 'text/plain', file_uri: 'http://here/v1beta/files/song' } },
  ],
  [true, 'whatever is elsewhere', { fileData: { fileUri: 'https://tube.test/watch?v=1' } }],
  [false, 'a book, as it was uploaded', { fileData: { fileUri: 'http://here/v1beta/files/book' } }],
  [
    false,
    'a book that is elsewhere',
    { fileData: { mimeType: 'application/pdf', fileUri: 'https://library.test/1' } },
  ],
  [false, 'words', { text: 'the "mimeType":"audio/mpeg" of a song' }],
])('%p: %s', (has, _, given) => {
  expect(mayHaveSound(part(given as JsonObject), files)).toBe(has)
})
