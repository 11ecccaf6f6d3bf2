import { expect, test } from 'bun:test'
import type { JsonObject } from '../json.ts'
import { closeSchema } from './close-schema.ts'

test('every object is closed, however deep it lies', () => {
  const open = (): JsonObject => ({ type: 'object', properties: { x: { type: 'string' } }, required: ['x'] })
  const closed = { ...open(), additionalProperties: false }
  expect(
    closeSchema({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        properties: open(),
        list: { type: 'array', items: open() },
        either: { anyOf: [open(), { type: 'null' }] },
        one: { oneOf: [{ ...open(), type: ['object', 'null'] }] },
        named: { $ref: '#/$defs/n' },
        loose: { ...open(), additionalProperties: true },
        none: { type: 'object', additionalProperties: false },
      },
      required: ['list'],
      $defs: { n: open() },
    }),
  ).toEqual({
    type: 'object',
    properties: {
      properties: closed,
      list: { type: 'array', items: closed },
      either: { anyOf: [closed, { type: 'null' }] },
      one: { anyOf: [{ ...closed, type: ['object', 'null'] }] },
      named: { $ref: '#/$defs/n' },
      loose: closed,
      none: { type: 'object', additionalProperties: false },
    },
    required: ['list'],
    $defs: { n: closed },
    additionalProperties: false,
  })
})

test('limits that are not taken are told in words', () => {
  const told = closeSchema({
    type: 'array',
    minItems: 2,
    maxItems: 5,
    items: { type: 'integer', description: 'Its age', minimum: 0, maximum: 150 },
  })
  expect(told).toEqual({
    type: 'array',
    description: '(minItems: 2, maxItems: 5)',
    items: { type: 'integer', description: 'Its age (minimum: 0, maximum: 150)' },
  })
  expect(closeSchema({ type: 'array', minItems: 1, items: {} })).toEqual({
    type: 'array',
    minItems: 1,
    items: {},
  })
})

test('an object of free names cannot be closed', () => {
  const inside = (value: JsonObject): JsonObject => ({ type: 'object', properties: { a: value } })
  const map = { type: 'object', additionalProperties: { type: 'number' } }
  const table: JsonObject[] = [
    { type: 'object' },
    map,
    { type: 'object', properties: {}, additionalProperties: true },
    { type: 'object', properties: { a: {} }, additionalProperties: { type: 'string' } },
    inside(map),
    { type: 'array', items: map },
    { anyOf: [map] },
    { $ref: '#/$defs/m', $defs: { m: map } },
  ]
  for (const schema of table) expect([schema, closeSchema(schema)]).toEqual([schema, undefined])

  let deep: JsonObject = { type: 'string' }
  for (let level = 0; level < 5000; level++) deep = inside(deep)
  expect(closeSchema(deep)).toBeUndefined()
  expect(closeSchema({ type: 'object', properties: null, items: 5, anyOf: 'x' })).toBeUndefined()
  expect(closeSchema({ anyOf: [null, 1], items: [{}], properties: { a: null } })).toEqual({
    anyOf: [null, 1],
    items: [{}],
    properties: { a: null },
    additionalProperties: false,
  })
})
