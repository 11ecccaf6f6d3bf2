import { expect, test } from 'bun:test'
import type { JsonObject } from '../../dialects/json.ts'
import { type MediaSize, measureMedia, noMedia } from './measure-media.ts'

const long = 'QUJD'.repeat(5000)
const png = `iVBORw0K${long}`
const webp = `UklGRhEiM0RXRUJQ${long}`
const pdf = `JVBERi0x${long}`
const image = { images: 1, least: 85 }
const inside = (text: string) => ({ length: text.length })
const file = (length: number) => ({ files: { usual: length, most: length }, least: 85, length })
const distant = { files: { usual: 50_000, most: 1_048_576 }, least: 85 }

const cases: [string, JsonObject, Partial<MediaSize>][] = [
  ['a picture', { image_url: { url: `data:image/png;base64,${long}` } }, { ...image, length: 20_022 }],
  ['bare ones', { inlineData: { data: png } }, { ...image, ...inside(png) }],
  ['a bare WebP', { inlineData: { data: webp } }, { ...image, ...inside(webp) }],
  ['several', { images: [png, png] }, { images: 2, least: 170, length: 2 * png.length }],
  ['one elsewhere', { image_url: 'https://a.example/b.png' }, image],
  ['sound', { input_audio: { data: long, format: 'wav' } }, { sound: 20_000, least: 85, ...inside(long) }],
  ['a PDF', { source: { media_type: 'application/pdf', data: pdf } }, { ...file(pdf.length), least: 135 }],
  ['a film', { inline_data: { mime_type: 'video/mp4', data: long } }, file(long.length)],
  ['of no known kind', { data: long }, file(long.length)],
  ['a file elsewhere', { file: { file_id: 'file-1' } }, distant],
  ['a picture by its id', { content: [{ type: 'input_image', file_id: 'file-1' }] }, image],
  ['what was cited', { annotations: [{ type: 'file_citation', file_id: 'file-1' }] }, {}],
  ['where something was cited from', { citations: [{ type: 'page_location', file_id: 'file_1' }] }, {}],
  ['what code wrote before', { content: [{ type: 'bash_code_execution_output', file_id: 'file_1' }] }, {}],
  ['a text file', { source: { media_type: 'text/plain', data: long } }, {}],
  ['what was said', { messages: [{ role: 'user', content: `data:image/png;base64,${long}` }] }, {}],
  ['what a tool was given', { content: [{ type: 'tool_use', input: { data: png } }] }, {}],
  ['what it gave', { functionResponse: { response: { data: png } } }, {}],
  ['sealed thoughts', { content: [{ type: 'redacted_thinking', data: long }] }, {}],
]

test.each(cases)('%s', (_, body, expected) => {
  const { images, sound, files, least, length } = measureMedia(JSON.stringify(body), body, false)
  expect({ images, sound, files, least, length }).toEqual({ ...noMedia, ...expected })
})

test.each([
  ['slashes', String.raw`{"image_url":{"url":"https:\/\/a.example\/b.png"}}`, image],
  ['a colon', String.raw`{"image_url":"https\u003A//a.example/b.png"}`, image],
  ['a name', String.raw`{"file":{"file\u005Fid":"file-1"}}`, distant],
] as const)('is found where it is written with %s escaped', (_, text, expected) => {
  expect(measureMedia(text, JSON.parse(text), false)).toMatchObject(expected)
})

test('what a response was made from is as long as a file', () => {
  expect(measureMedia('{}', {}, true)).toMatchObject(distant)
})
