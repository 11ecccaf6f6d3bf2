import { describe, expect, test } from 'bun:test'
import { MOST_OWN_FALLBACKS } from '../../../contract/model-calls.ts'
import type { Json } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { readFailover } from './read-failover.ts'

const modelsOf = (fallbacks: Json) => readFailover({ fallbacks }, 'gpt-4o')?.models

test('nothing is said of it, as nearly always', () => {
  expect(readFailover({ model: 'gpt-4o' }, 'gpt-4o')).toBeUndefined()
})

test.each<[string, Record<string, Json>, object]>([
  ['no other model', { disable_fallbacks: true }, { off: true, models: undefined, retries: undefined }],
  ['null', { disable_fallbacks: null, num_retries: null }, { off: false, models: undefined }],
  ['no other channel', { num_retries: 0 }, { off: false, retries: 0 }],
])('%s', (_name, json, wanted) => {
  expect(readFailover(json, 'gpt-4o')).toMatchObject(wanted)
})

describe('the models that stand in', () => {
  test.each<[string, Json, readonly string[] | undefined]>([
    ['one', 'a', ['a']],
    ['a list', ['a', 'b'], ['a', 'b']],
    ['in objects of their own', [{ model: 'a' }, 'b'], ['a', 'b']],
    ['one twice, which is asked once and at its first place', ['a', 'b', 'a'], ['a', 'b']],
    ['by model', [{ 'gpt-4o': ['a'] }, { other: ['b'] }], ['a']],
    ['by model, twice: the first list is the one', [{ 'gpt-4o': ['a'] }, { 'gpt-4o': ['b'] }], ['a']],
    ['by any model', { '*': ['a'] }, ['a']],
    ['by this one before any', { '*': ['a'], 'gpt-4o': ['b', 'b'] }, ['b']],
    ['of others only', { other: ['a'] }, undefined],
    ['whichever others think fit', 'default', undefined],
  ])('%s', (_name, given, models) => {
    expect(modelsOf(given)).toEqual(models)
  })

  test('are no more than may be named, one of them twice or not', () => {
    const most = Array.from({ length: MOST_OWN_FALLBACKS }, (_, at) => `m-${at}`)
    expect(modelsOf(most)).toEqual(most)
    for (const more of ['m-0', 'm-more'])
      for (const given of [[...most, more], { 'gpt-4o': [...most, more] }])
        expect(() => modelsOf(given)).toThrow(AppError)
  })
})

test.each<Record<string, Json>>([
  { disable_fallbacks: 'yes' },
  { num_retries: -1 },
  { num_retries: 1.5 },
  { num_retries: '2' },
  { fallbacks: 5 },
  { fallbacks: [5] },
  { fallbacks: { 'gpt-4o': 'a' } },
  { fallbacks: { 'gpt-4o': [5] } },
  // Another question for the other model.
  { fallbacks: [{ model: 'a', messages: [] }] },
])('%j is refused', json => {
  expect(() => readFailover(json, 'gpt-4o')).toThrow(AppError)
})
