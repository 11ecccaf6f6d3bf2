import { expect, test } from 'bun:test'
import { keepOnly, readChoice, readFlag, readInteger, readPage, readText } from './search-params.ts'

test('what makes no sense is left out', () => {
  expect([{ p: 3 }, { p: 1 }, { p: '2' }, { p: -1 }, { p: 'x' }, {}].map(readPage)).toEqual([
    { p: 3 },
    {},
    { p: 2 },
    {},
    {},
    {},
  ])
  expect(readText({ name: ' a ' }, 'name')).toEqual({ name: 'a' })
  expect(readText({ name: 12 }, 'name')).toEqual({ name: '12' })
  expect(readText({ name: {} }, 'name')).toEqual({})
  expect(readInteger({ id: '7' }, 'id')).toEqual({ id: 7 })
  expect(readInteger({ id: '' }, 'id')).toEqual({})
  expect(readInteger({ id: '1.5' }, 'id')).toEqual({})
  expect(readFlag({ on: true }, 'on')).toEqual({ on: true })
  expect(readFlag({ on: 'no' }, 'on')).toEqual({})
  expect(readChoice({ by: 'day' }, 'by', ['hour', 'day'])).toEqual({ by: 'day' })
  expect(readChoice({ by: 'year' }, 'by', ['hour', 'day'])).toEqual({})
})

test('what a reader leaves out is taken away by name, as the router would keep it', () => {
  const read = keepOnly(search => ({ ...readPage(search), ...readText(search, 'name') }))
  const search = { p: 'x', name: 'a', other: '1' }
  const kept: object = { ...search, ...read(search) }
  expect(kept).toEqual({ name: 'a' })
})
