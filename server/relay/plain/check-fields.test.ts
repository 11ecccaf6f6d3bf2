import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import type { PlainCapability } from '../../providers/define.ts'
import { checkFields, countChoices } from './check-fields.ts'
import { collectTexts, countTokensGiven } from './collect-texts.ts'
import { countCharacters, readFormNumber, readPictures } from './read-fields.ts'

/** As JSON.parse hands them over. */
const hostile = [
  '-1',
  '0',
  '0.5',
  '9007199254740992',
  '18446744073686646784',
  '1e400',
  '"5"',
  '[1]',
  '{}',
  'true',
]

function isRefused(act: () => unknown): boolean {
  try {
    act()
    return false
  } catch (error) {
    return error instanceof AppError && error.code.startsWith('field.')
  }
}

describe('counts that money depends on', () => {
  const fields: [PlainCapability, string, JsonObject][] = [
    ['images', 'n', { prompt: 'a' }],
    ['images', 'batch_size', { prompt: 'a' }],
    ['image-edits', 'n', { prompt: 'a' }],
    ['embeddings', 'dimensions', { input: 'a' }],
    ['rerank', 'top_n', { query: 'a', documents: ['b'] }],
    ['web-search', 'max_results', { query: 'a' }],
  ]
  test.each(fields)('%s %s', (capability, field, rest) => {
    for (const text of hostile) {
      const given = JSON.parse(`{"${field}":${text}}`) as JsonObject
      expect([text, isRefused(() => checkFields(capability, 'openai-chat', { ...rest, ...given }))]).toEqual([
        text,
        true,
      ])
    }
    for (const fine of [1, 128, null]) checkFields(capability, 'openai-chat', { ...rest, [field]: fine })
  })

  test('completions', () => {
    for (const field of ['n', 'best_of'])
      for (const text of hostile)
        expect(isRefused(() => countChoices(JSON.parse(`{"prompt":"a","${field}":${text}}`)))).toBe(true)
    expect(countChoices({ prompt: 'a', n: 2, best_of: 4 })).toBe(4)
    expect(countChoices({ prompt: ['a', 'b', 'c'], n: 2 })).toBe(6)
    expect(countChoices({ prompt: [1, 2, 3] })).toBe(1)
    expect(countChoices({ prompt: [[1, 2], [3]] })).toBe(2)
  })

  test('of a form', () => {
    for (const text of ['-1', '0.5', '1e2', '18446744073686646784', '', ' 5', '0x5', 'five'])
      expect([text, isRefused(() => readFormNumber('n', text))]).toEqual([text, true])
    expect(readFormNumber('n', '7')).toBe(7)
    expect(readFormNumber('n', undefined)).toBeUndefined()
  })

  test('129 pictures', () => {
    expect(isRefused(() => readPictures({ n: 129 }))).toBe(true)
    expect(readPictures({ n: 2, batch_size: 4 })).toBe(4)
    expect(readPictures({})).toBe(1)
  })
})

test('something must be there to work on', () => {
  const table: [PlainCapability, JsonObject][] = [
    ['embeddings', {}],
    ['embeddings', { input: '' }],
    ['embeddings', { input: [] }],
    ['embeddings', { input: 5 }],
    ['rerank', { query: 'a' }],
    ['rerank', { query: 'a', documents: [] }],
    ['rerank', { documents: ['a'] }],
    ['moderations', { input: null }],
    ['images', { prompt: ['a'] }],
    ['speech', { input: '' }],
    ['speech', { input: ['a'] }],
    ['completions', { prompt: 'a', stream: 'yes' }],
  ]
  for (const [capability, fields] of table)
    expect([fields, isRefused(() => checkFields(capability, 'openai-chat', fields))]).toEqual([fields, true])
  expect(checkFields('embeddings', 'openai-chat', { input: [[1, 2]] })).toEqual({ stream: false })
  expect(checkFields('speech', 'openai-chat', { input: 'a', stream_format: 'sse' })).toEqual({ stream: true })
})

test('characters as people count them', () => {
  for (const [text, count] of [
    ['abc', 3],
    ['你好', 2],
    ['a😀b', 3],
    ['\ud83d', 1],
    ['', 1],
  ] as const)
    expect([text, countCharacters(text)]).toEqual([text, count])
})

test('texts and tokens inside anything, however deep', () => {
  const body = { a: ['x', { text: 'y', image: 'zzz', type: 'text' }], b: [1, [2, 3]], c: null }
  expect(collectTexts(body).sort()).toEqual(['x', 'y'])
  expect(countTokensGiven(body)).toBe(3)
  const deep = JSON.parse(`${'['.repeat(5000)}"x"${']'.repeat(5000)}`)
  expect(collectTexts(deep)).toEqual(['x'])
})
