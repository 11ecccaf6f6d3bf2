import { describe, expect, test } from 'bun:test'
import {
  formatDollars,
  formatFigure,
  longRatiosOf,
  pricePerMillion,
  readForm,
  textsOf,
} from './price-form.ts'
import {
  dropRow,
  forEveryKey,
  listRows,
  type PriceMaps,
  putRow,
  readMaps,
  restoreRow,
  rowOf,
  unpriced,
  withBuiltIn,
  writeMap,
} from './price-rows.ts'

const noLong = { LongInputRatio: {}, LongOutputRatio: {}, LongInputFrom: {} }
const maps: PriceMaps = {
  ...noLong,
  ModelPrice: { draw: 0.1 },
  ModelRatio: { 'gpt-a': 1.25, 'house-x': 3, 'gpt-b': 2 },
  CompletionRatio: { 'gpt-a': 4, 'gpt-b': 4 },
}
const builtIn: PriceMaps = {
  ...noLong,
  ModelPrice: { draw: 0.1 },
  ModelRatio: { 'gpt-a': 1.25, 'gpt-b': 1 },
  CompletionRatio: { 'gpt-a': 4, 'gpt-b': 4 },
}
const unset = unpriced

describe('the table', () => {
  test('has a row for every model; what the operator said comes first', () => {
    expect(listRows(maps, builtIn, '').map(({ name, origin }) => [name, origin])).toEqual([
      ['gpt-b', 'changed'],
      ['house-x', 'own'],
      ['draw', 'built-in'],
      ['gpt-a', 'built-in'],
    ])
    expect(rowOf(maps, 'house-x')).toEqual({ ...unset, name: 'house-x', ratio: 3 })
    expect(rowOf(maps, 'constructor')).toBeUndefined()
  })

  test('is searched without regard to case', () => {
    expect(listRows(maps, builtIn, ' GPT').map(({ name }) => name)).toEqual(['gpt-b', 'gpt-a'])
  })

  test('a built-in ratio under a price is a change; the price that is built in is none', () => {
    const priced = putRow(maps, { ...unset, name: 'gpt-a', price: 0.5 })
    expect(listRows(priced, builtIn, 'gpt-a')[0]?.origin).toBe('changed')
    const merged = { ...maps, ModelRatio: { ...maps.ModelRatio, draw: 7 } }
    expect(listRows(merged, builtIn, 'draw')[0]?.origin).toBe('built-in')
  })
})

test('what a map does not name is in force as it is built in', () => {
  const said = { ...noLong, ModelPrice: {}, ModelRatio: { draw: 2, own: 1 }, CompletionRatio: {} }
  expect(withBuiltIn(said, builtIn)).toEqual({
    ...noLong,
    ModelPrice: {},
    ModelRatio: { 'gpt-a': 1.25, 'gpt-b': 1, draw: 2, own: 1 },
    CompletionRatio: { 'gpt-a': 4, 'gpt-b': 4 },
  })
  const changed = listRows(withBuiltIn(said, builtIn), builtIn, '').filter(
    ({ origin }) => origin !== 'built-in',
  )
  expect(changed.map(({ name }) => name)).toEqual(['draw', 'own'])
})

describe('an edit', () => {
  test('leaves the others and their order alone', () => {
    const next = putRow(maps, { ...unset, name: 'house-x', ratio: 5, completionRatio: 2 })
    expect(Object.entries(next.ModelRatio)).toEqual([
      ['gpt-a', 1.25],
      ['house-x', 5],
      ['gpt-b', 2],
    ])
    expect(next.CompletionRatio).toEqual({ 'gpt-a': 4, 'gpt-b': 4, 'house-x': 2 })
    expect(next.ModelPrice).toEqual({ draw: 0.1 })
  })

  test('that sets a price takes the ratios away, and back again', () => {
    const priced = putRow(maps, { ...unset, name: 'gpt-a', price: 0.5, ratio: 9, completionRatio: 9 })
    expect(rowOf(priced, 'gpt-a')).toEqual({ ...unset, name: 'gpt-a', price: 0.5 })
    expect(restoreRow(priced, builtIn, 'gpt-a').ModelPrice).toEqual({ draw: 0.1 })
    expect(rowOf(restoreRow(priced, builtIn, 'gpt-a'), 'gpt-a')).toEqual(rowOf(maps, 'gpt-a'))
  })

  test('can rename, drop and restore', () => {
    const renamed = putRow(maps, { ...unset, name: 'house-y', ratio: 3 }, 'house-x')
    expect(Object.keys(renamed.ModelRatio)).toEqual(['gpt-a', 'house-y', 'gpt-b'])
    expect(rowOf(dropRow(maps, 'house-x'), 'house-x')).toBeUndefined()
    expect(rowOf(restoreRow(maps, builtIn, 'gpt-b'), 'gpt-b')?.ratio).toBe(1)
  })

  test('of nothing writes the very text that was read', () => {
    const texts = {
      ModelPrice: writeMap('ModelPrice', maps.ModelPrice),
      ...{ ModelRatio: '{}', CompletionRatio: '{}' },
      ...{ LongInputRatio: '{}', LongOutputRatio: '{}', LongInputFrom: '{}' },
    }
    const read = readMaps(texts)
    if (typeof read === 'string') throw new Error(read)
    const there = putRow(read, { ...unset, name: 'new', ratio: 1 })
    expect(writeMap('ModelRatio', dropRow(there, 'new').ModelRatio)).toBe('{}')
    expect(writeMap('ModelPrice', there.ModelPrice)).toBe(texts.ModelPrice)
  })

  test.each(['{', '[]', '{"a": "1"}', '{"a": -1}'])('is not possible while a text is %s', text => {
    const texts = { ...forEveryKey(() => '{}'), ModelRatio: text }
    expect(readMaps(texts)).toBe('ModelRatio')
  })

  test('of what long input costs goes to three maps, and is a change like any other', () => {
    const long = { longInputRatio: 2, longOutputRatio: 1.5, longInputFrom: 272_000 }
    const next = putRow(maps, { ...unset, name: 'gpt-a', ratio: 1.25, completionRatio: 4, ...long })
    expect([next.LongInputRatio, next.LongOutputRatio, next.LongInputFrom]).toEqual([
      ...[{ 'gpt-a': 2 }, { 'gpt-a': 1.5 }, { 'gpt-a': 272_000 }],
    ])
    expect(next.ModelRatio).toEqual(maps.ModelRatio)
    expect(listRows(next, builtIn, 'gpt-a')[0]).toMatchObject({ origin: 'changed', ...long })
    expect(restoreRow(next, builtIn, 'gpt-a')).toEqual(maps)
    expect(putRow(next, { ...unset, name: 'gpt-a', price: 1 }).LongInputRatio).toEqual({})
  })
})

describe('the form', () => {
  const taken = new Set(['gpt-a'])
  const noLongTexts = { longInputRatio: '', longOutputRatio: '', longInputFrom: '' }
  const form = { name: 'm', price: '', ratio: '1', completionRatio: '', ...noLongTexts }

  test.each([
    [{ name: ' ' }, { name: 'nameRequired' }],
    [{ name: ' gpt-a ' }, { name: 'nameTaken' }],
    [{ name: '__proto__' }, { name: 'nameWrong' }],
    [{ completionRatio: '1.5811965811965811' }, {}],
    [{ price: 'free' }, { price: 'number' }],
    [{ price: '-1' }, { price: 'number' }],
    [{ ratio: '1e3' }, { ratio: 'number' }],
    [{ ratio: '1', completionRatio: '.' }, { completionRatio: 'number' }],
    [{ ratio: '' }, { ratio: 'figureRequired' }],
    [{ price: '0.5', ratio: 'x', longInputFrom: 'x' }, {}],
    [{ longInputRatio: 'x' }, { longInputRatio: 'number' }],
    [{ longInputFrom: 'x' }, { longInputFrom: 'number' }],
    [{ longInputFrom: '0' }, { longInputFrom: 'whole' }],
    [{ longInputFrom: '1.5' }, { longInputFrom: 'whole' }],
    [{ longInputRatio: '2', longOutputRatio: '1.5', longInputFrom: '272000' }, {}],
    [{}, {}],
  ])('%j has the faults %j', (change, faults) => {
    expect(readForm({ ...form, ...change }, taken).faults).toEqual(faults as object)
  })

  test('keeps no ratios beside a price', () => {
    const { row } = readForm({ ...form, price: '0.5', completionRatio: '3' }, taken)
    expect(row).toEqual({ ...unset, name: 'm', price: 0.5 })
    expect(textsOf(row)).toEqual({ ...form, price: '0.5', ratio: '' })
  })

  test('reads again what it shows of the smallest, and what an input method writes', () => {
    const row = { ...unset, name: 'm', ratio: 1e-7, completionRatio: 2.5e-9 }
    expect(textsOf(row)).toMatchObject({ ratio: '0.0000001', completionRatio: '0.0000000025' })
    expect(readForm(textsOf(row), taken)).toEqual({ row, faults: {} })
    expect(readForm({ ...form, ratio: '１．５', completionRatio: '1,000' }, taken).row).toMatchObject({
      ...{ ratio: 1.5, completionRatio: 1000 },
    })
  })

  test('shows what long input makes of the ratios, as the server has it', () => {
    const row = { ...unset, ratio: 2.5, completionRatio: 6 }
    const long = { longInputRatio: 2, longOutputRatio: 1.5, longInputFrom: 272_000 }
    expect(longRatiosOf({ ...row, ...long })).toEqual({ over: 272_000, ratio: 5, completionRatio: 4.5 })
    // Output grows as the input does, unless somebody says otherwise.
    expect(longRatiosOf({ ...row, longInputRatio: 2 })).toEqual({
      over: 200_000,
      ratio: 5,
      completionRatio: 6,
    })
    expect(longRatiosOf({ ...row, longOutputRatio: 2 })).toMatchObject({ ratio: 2.5, completionRatio: 12 })
    expect(longRatiosOf({ ...row, longInputFrom: 5 })).toBeUndefined()
    expect(longRatiosOf({ ...row, longInputRatio: 0, longOutputRatio: 2 })).toBeUndefined()
    expect(longRatiosOf({ ...unset, longInputRatio: 2 })).toBeUndefined()
  })

  test('shows what a million tokens cost', () => {
    expect(pricePerMillion({ ratio: 1.25, completionRatio: 4 })).toEqual({ prompt: 2.5, completion: 10 })
    expect(pricePerMillion({ ratio: 0, completionRatio: undefined })).toEqual({ prompt: 0, completion: 0 })
    expect(pricePerMillion({ ratio: undefined, completionRatio: 2 })).toBeUndefined()
    expect(formatFigure(2 * 0.15 * 8.333333)).toBe('2.5')
    expect(formatFigure(0.1 + 0.2)).toBe('0.3')
    expect([0.7, 3, 1.05, 0.0485].map(formatDollars)).toEqual(['$0.70', '$3.00', '$1.05', '$0.0485'])
    expect([1e-7, 0.123456, 1_234_567].map(formatFigure)).toEqual(['0.0000001', '0.12346', '1234567'])
    expect([2e-7, 12_345.67, 1_234_567].map(formatDollars)).toEqual([
      '$0.0000002',
      '$12,345.67',
      '$1,234,567.00',
    ])
  })
})
