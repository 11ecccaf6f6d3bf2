import { expect, test } from 'bun:test'
import type { JsonObject } from '../json.ts'
import { toGeminiSchema, toJsonSchema } from './gemini-schema.ts'

test.each<[JsonObject, JsonObject]>([
  [
    {
      type: 'OBJECT',
      properties: { any_of: { type: 'INTEGER', nullable: true } },
      property_ordering: ['any_of'],
      required: ['any_of'],
    },
    { type: 'object', properties: { any_of: { type: ['integer', 'null'] } }, required: ['any_of'] },
  ],
  [
    { any_of: [{ type: 'STRING', format: 'enum', enum: ['a'] }, { type: 'NULL' }] },
    { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
  ],
  [
    { type: 'ARRAY', minItems: '2', items: { type: 'NUMBER', minimum: 0.5 } },
    { type: 'array', minItems: 2, items: { type: 'number', minimum: 0.5 } },
  ],
  [
    { type: 'STRING', nullable: true, enum: ['a'] },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  [
    { type: 'STRING', example: 'x', title: null },
    { type: 'string', examples: ['x'] },
  ],
])('to JSON Schema %j', (schema, expected) => {
  expect(toJsonSchema(schema, 'f')).toEqual(expected)
})

test.each<[JsonObject, JsonObject]>([
  [
    {
      type: 'object',
      $ref: '#/x',
      additionalProperties: false,
      properties: { type: { type: ['integer', 'null'], minimum: 1 } },
    },
    { type: 'OBJECT', properties: { type: { type: 'INTEGER', nullable: true, minimum: 1 } } },
  ],
  [
    { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'd' },
    { type: 'STRING', nullable: true, description: 'd' },
  ],
  [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, { anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }] }],
  [{ type: 'array' }, { type: 'ARRAY', items: {} }],
  [{ const: 'a' }, { enum: ['a'] }],
  [{ type: 'integer', enum: [1, 2] }, { type: 'INTEGER' }],
])('to the subset %j', (schema, expected) => {
  expect(toGeminiSchema(schema, 'f')).toEqual(expected)
})
