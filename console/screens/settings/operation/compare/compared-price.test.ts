import { expect, test } from 'bun:test'
import { changedModels, costsOf, findCompared, formatSurplus, surplusOf } from './compared-price.ts'
import { readSource } from './sources.ts'

const row = (model: string, served: boolean, ratio: number) => ({
  ...{ model, served, own: { model_ratio: 1, completion_ratio: 2 }, theirs: { model_ratio: ratio } },
})

test('a price is told in dollars, as far as it is known', () => {
  expect(costsOf({ model_ratio: 1.25, completion_ratio: 4, cache_ratio: 0.5 })).toEqual({
    tokens: { input: 2.5, output: 10, cacheRead: 1.25, cacheWrite: undefined },
  })
  const long = { long_input_ratio: 2, long_output_ratio: 1.5, long_input_from: 272_000 }
  expect(costsOf({ model_ratio: 1.25, completion_ratio: 4, ...long })).toMatchObject({
    ...{ tokens: { input: 2.5, output: 10, longInput: 5, longOutput: 15 }, longFrom: 272_000 },
  })
  expect(costsOf({ model_ratio: 1.25, ...long }).tokens).toMatchObject({
    longInput: 5,
    longOutput: undefined,
  })
  expect(costsOf({ model_price: 0.04 })).toEqual({ call: 0.04, tokens: {} })
})

test('how much more they ask is told by the first figure that is another', () => {
  const surplus = (theirs: object) => surplusOf({ own: { model_ratio: 1, completion_ratio: 2 }, theirs })
  expect(formatSurplus(surplus({ model_ratio: 1.2, completion_ratio: 9 }) ?? 0)).toBe('+20%')
  expect(formatSurplus(surplus({ model_ratio: 1, completion_ratio: 1 }) ?? 0)).toBe('−50%')
  expect(formatSurplus(surplus({ model_ratio: 1.001 }) ?? 0)).toBe('+0.1%')
  expect(surplus({ model_price: 1 })).toBeUndefined()
  // Here long input costs what is usual, which is half of it.
  const long = { long_input_ratio: 2, long_output_ratio: 1.5, long_input_from: 272_000 }
  expect(formatSurplus(surplus({ model_ratio: 1, completion_ratio: 2, ...long }) ?? 0)).toBe('+100%')
  expect(surplusOf({ own: null, theirs: { model_ratio: 1 } })).toBeUndefined()
  expect(surplusOf({ own: { model_ratio: 0 }, theirs: { model_ratio: 1 } })).toBeUndefined()
})

test('what is served is found, and all on request', () => {
  const models = [row('gpt-a', true, 2), row('gpt-b', false, 2)]
  const names = (all: boolean, search: string) =>
    findCompared(models, { all, search }).map(({ model }) => model)
  expect([names(false, ''), names(true, ' GPT-B '), names(false, 'b')]).toEqual([['gpt-a'], ['gpt-b'], []])
})

test('a tick is meant for what was shown', () => {
  const before = [row('same', true, 2), row('dearer', true, 2), row('gone', true, 2)]
  expect(changedModels(before, [row('same', true, 2), row('dearer', true, 3)])).toEqual(['dearer', 'gone'])
})

test('a source is a channel that was chosen, or an address', () => {
  const channels = [{ id: 7, label: 'one · https://a.example' }]
  expect(readSource(' one · https://a.example', channels)).toEqual({ channel_id: 7 })
  expect(readSource('gateway.example', channels)).toEqual({ url: 'https://gateway.example' })
  expect(readSource('http://gateway.example/', channels)).toEqual({ url: 'http://gateway.example/' })
})
