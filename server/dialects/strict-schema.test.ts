import { expect, test } from 'bun:test'
import type { JsonObject } from './json.ts'
import { isStrictSchema } from './strict-schema.ts'

const strict: JsonObject = {
  type: 'object',
  properties: { a: { type: 'string' }, b: { type: ['number', 'null'], minimum: 1 } },
  required: ['a', 'b'],
  additionalProperties: false,
}
const inside = (value: JsonObject): JsonObject => ({
  type: 'object',
  properties: { a: value },
  required: ['a'],
  additionalProperties: false,
})

test.each([
  strict,
  { type: 'object', additionalProperties: false },
  inside({ type: 'array', items: strict }),
  inside({ anyOf: [strict, { type: 'null' }] }),
  { ...inside({ $ref: '#/$defs/n' }), $defs: { n: strict } },
])('%j is strict', schema => {
  expect(isStrictSchema(schema)).toBe(true)
})

const loose: JsonObject[] = [
  { ...strict, required: ['a'] },
  { ...strict, required: undefined },
  { ...strict, required: 'ab' },
  { ...strict, additionalProperties: true },
  { ...strict, additionalProperties: undefined },
  { type: 'array', items: strict },
  { anyOf: [strict] },
  {},
  inside({ ...strict, required: [] }),
  inside({ type: 'array', items: { type: 'object' } }),
  inside({ anyOf: [{ type: ['object', 'null'] }] }),
  inside({ type: 'string', minLength: 1 }),
  inside({ type: 'string', default: 'x' }),
  inside({ oneOf: [strict] }),
  { ...inside({ $ref: '#/$defs/n' }), $defs: { n: { ...strict, required: [] } } },
]
test.each(loose)('%j is not', schema => {
  expect(isStrictSchema(schema)).toBe(false)
})

test('strange ones are not, and break nothing', () => {
  expect(isStrictSchema({ ...strict, properties: { a: null, b: 5 } })).toBe(false)
  expect(isStrictSchema({ ...strict, properties: 'x', required: null })).toBe(true)
  let deep = strict
  for (let level = 0; level < 5000; level++) deep = inside(deep)
  expect(isStrictSchema(deep)).toBe(false)
})
