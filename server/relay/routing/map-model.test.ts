import { describe, expect, test } from 'bun:test'
import { AppError } from '../../errors.ts'
import { mapModel, readModelMapping } from './map-model.ts'
import { mapStatus, readStatusMapping } from './map-status.ts'

describe('the name of a model upstream', () => {
  test.each([
    ['no mapping', '{}', 'a', 'a'],
    ['one step', '{"a":"b"}', 'a', 'b'],
    ['a chain', '{"a":"b","b":"c","c":"d"}', 'a', 'd'],
    ['itself', '{"a":"a"}', 'a', 'a'],
    ['a chain that ends in itself', '{"a":"b","b":"b"}', 'a', 'b'],
    ['one that is not in it', '{"a":"b"}', 'x', 'x'],
    ['white space around names', '{" a ":" b "}', 'a', 'b'],
    ['a name for nothing', '{"a":" "}', 'a', 'a'],
    ['what is no name', '{"a":5}', 'a', 'a'],
    ['a name of the object itself', '{"a":"b"}', '__proto__', '__proto__'],
  ])('%s', (_name, text, model, expected) => {
    expect(mapModel(readModelMapping(text) ?? new Map(), model)).toBe(expected)
  })

  test('what is no object is no mapping', () => {
    expect(['', '[]', '"a"', '{'].map(readModelMapping)).toEqual([undefined, undefined, undefined, undefined])
  })

  test.each([
    ['two', '{"a":"b","b":"a"}'],
    ['three', '{"a":"b","b":"c","c":"a"}'],
    ['one that is entered later', '{"a":"b","b":"c","c":"b"}'],
  ])('a circle of %s is an error', (_name, text) => {
    const mapping = readModelMapping(text) ?? new Map()
    let thrown: unknown
    try {
      mapModel(mapping, 'a')
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(AppError)
    expect(thrown).toMatchObject({ code: 'relay.mapping-cycle' })
  })
})

describe('the status of an upstream error', () => {
  const text =
    '{"400":"500","401":429,"200":"500","403":"200","404":"600","500":"302","502":" 503 ","503":true}'
  test.each([
    [400, 500],
    [401, 429],
    [200, 200],
    [302, 302],
    [403, 403],
    [404, 404],
    [500, 500],
    [502, 503],
    [503, 503],
    [418, 418],
  ])('%d becomes %d', (status, expected) => {
    expect(mapStatus(readStatusMapping(text) ?? new Map(), status)).toBe(expected)
  })

  test('is left alone by a mapping that lies about successes', () => {
    expect(mapStatus(new Map([[200, 500]]), 200)).toBe(200)
  })
})
