import { expect, test } from 'bun:test'
import type { Json, JsonObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { annotationIn, boundPages } from './count-pages.ts'

const document = { type: 'document_url', document_url: 'https://a.example/a.pdf' }

test.each<[Json | undefined, number]>([
  [0, 1],
  [[0, 5, 9], 3],
  ['0-4', 5],
  [' 0 - 4 , 7', 6],
  [['0-1', 3, '5,6'], 5],
  ['0-999', 1000],
])('%j are so many pages', (pages, count) => {
  expect(boundPages({ document, pages })).toEqual({ usual: count, most: count })
})

const wrong: readonly Json[] = [
  ...[-1, 0.5, 2 ** 53, true, {}, '', '-', '1-', '3-2', 'all', '0x1', '0-1000', '9999999999'],
  ...[[null], ['a'], [0.5], [[0]]],
]

test.each(wrong.map((pages): [Json] => [pages]))('%j are no pages', pages => {
  expect(() => boundPages({ document, pages })).toThrow(AppError)
})

test('where none are named nobody knows how many there are', () => {
  const unknown = { usual: 100, most: 1000 }
  expect(boundPages({ document })).toEqual(unknown)
  expect(boundPages({ document, pages: null })).toEqual(unknown)
  expect(boundPages({ document, pages: [] })).toEqual(unknown)
})

test('a picture is one page if it is seen to be one, and not because it is called so', () => {
  const bound = (image_url: Json) => boundPages({ document: { type: 'image_url', image_url } })
  for (const bytes of ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff\xe0', 'GIF89a', 'RIFF\0\0\0\0WEBPVP8 ']) {
    const url = `data:image/png;base64,${Buffer.from(bytes, 'latin1').toString('base64')}`
    expect([bytes, bound(url), bound({ url })]).toEqual([bytes, { usual: 1, most: 1 }, { usual: 1, most: 1 }])
  }
  for (const url of [
    'https://a.example/a.png',
    `data:image/png;base64,${btoa('%PDF-1.7 of many pages')}`,
    `data:image/png;base64,${btoa('II*\0 of many pages')}`,
  ])
    expect([url, bound(url), bound({ url })]).toEqual([
      url,
      { usual: 1, most: 1000 },
      { usual: 1, most: 1000 },
    ])
})

test('what is asked for besides reading is told by its name', () => {
  const rows: [JsonObject, string | undefined][] = [
    [{}, undefined],
    [{ document_annotation_format: null, bbox_annotation_format: null }, undefined],
    [{ bbox_annotation_format: { type: 'json_schema' } }, 'bbox_annotation_format'],
    [{ document_annotation_format: { type: 'json_schema' } }, 'document_annotation_format'],
  ]
  for (const [fields, name] of rows) expect(annotationIn(fields)).toBe(name as never)
})
