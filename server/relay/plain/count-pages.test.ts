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

test('where none are named a picture has one, and of anything else nobody knows', () => {
  const unknown = { usual: 100, most: 1000 }
  expect(boundPages({ document })).toEqual(unknown)
  expect(boundPages({ document, pages: null })).toEqual(unknown)
  expect(boundPages({ document, pages: [] })).toEqual(unknown)
  expect(boundPages({ document: { type: 'image_url', image_url: 'a' } })).toEqual({ usual: 1, most: 1 })
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
