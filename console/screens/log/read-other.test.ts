import { expect, test } from 'bun:test'
import { breakdown } from '../../../server/ledger/price/breakdown.ts'
import type { PriceSnapshot, Usage } from '../../../server/ledger/price/price-snapshot.ts'
import { sampleRow } from '../../../test/console/sample-log-row.ts'
import { compareWithCharged } from '../../ui/amounts/charge.ts'
import { breakOf, chargeOf, firstTokenOf, isBackground, readOther } from './read-other.ts'

const byTokens: PriceSnapshot = {
  kind: 'ratio',
  model: 'm',
  group: 'default',
  groupRatio: 0.9,
  modelRatio: 1.25,
  completionRatio: 4,
  cacheRatio: 0.1,
  cacheWriteRatio: 1.25,
  cacheWriteHourRatio: 2,
  imageRatio: 1.6,
  audioRatio: 16,
  audioCompletionRatio: 2,
}
const byCalls: PriceSnapshot = {
  kind: 'call',
  model: 'm',
  group: 'default',
  groupRatio: 1.5,
  price: 0.04,
  quotaPerUnit: 500_000,
}

/** The row as the ledger writes it. */
function billed(price: PriceSnapshot, usage: Usage) {
  const { quota, promptTokens, completionTokens, details } = breakdown(price, usage)
  return sampleRow({
    quota,
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    other: JSON.stringify(details),
  })
}

const usages: readonly [string, PriceSnapshot, Usage][] = [
  ['text', byTokens, { input: 1204, output: 310 }],
  ['a cache read', byTokens, { input: 204, cacheRead: 1000, output: 310 }],
  ['cache writes', byTokens, { input: 4, cacheWrite: 2000, cacheWriteHour: 500, output: 1 }],
  ['pictures', byTokens, { input: 20, imageInput: 765, output: 30 }],
  ['sound both ways', byTokens, { input: 7, audioInput: 120, output: 11, audioOutput: 240, cacheRead: 3 }],
  ['next to nothing', { ...byTokens, modelRatio: 0.0001 }, { input: 1, output: 0 }],
  ['nothing', { ...byTokens, modelRatio: 0 }, { input: 100, output: 100 }],
  [
    'searches',
    { ...byTokens, search: { price: 10, quotaPerUnit: 500_000 } },
    { input: 90, output: 8, searches: 3 },
  ],
  [
    'tools',
    byTokens,
    {
      input: 90,
      output: 8,
      fees: [
        { name: 'file_search', count: 3, price: 2.5, quotaPerUnit: 500_000 },
        { name: 'gpt-image-1 output', count: 1056, price: 0.04, quotaPerUnit: 500_000 },
      ],
    },
  ],
  ['one call', byCalls, {}],
  ['a kept answer', { ...byTokens, share: 0.5 }, { input: 1204, cacheRead: 1000, output: 310 }],
  ['a kept answer for nothing', { ...byCalls, share: 0 }, {}],
  [
    'a kept answer with all that came on top',
    { ...byTokens, share: 0.3, search: { price: 10, quotaPerUnit: 500_000 } },
    { input: 9, searches: 3, fees: [{ name: 'file_search', count: 3, price: 2.5, quotaPerUnit: 500_000 }] },
  ],
  ['what came in a batch', { ...byTokens, batch: 0.5 }, { input: 1204, cacheRead: 1000, output: 310 }],
  ['a call with searches', { ...byCalls, search: { price: 14, quotaPerUnit: 500_000 } }, { searches: 2 }],
  ['several calls', byCalls, { calls: 3 }],
]

test.each(usages)('the arithmetic of a row comes to what was charged: %s', (_, price, usage) => {
  const row = billed(price, usage)
  const charge = chargeOf(row, 500_000)
  if (!charge) throw new Error('the row tells its price')
  const { fit, sum } = compareWithCharged(charge, row.quota)
  expect(fit).not.toBe('other')
  expect(Math.abs(sum - row.quota)).toBeLessThanOrEqual(1)
})

test('a charge that the arithmetic does not explain is not explained away', () => {
  const row = { ...billed(byTokens, { input: 1000, output: 0 }), quota: 2000 }
  const charge = chargeOf(row, 500_000)
  expect(charge && compareWithCharged(charge, row.quota)).toEqual({
    sum: 1125,
    difference: 875,
    fit: 'other',
  })
})

test('parts are not counted twice', () => {
  expect(chargeOf(billed(byTokens, { input: 204, cacheRead: 1000, output: 310 }), 500_000)).toMatchObject({
    prompt: 204,
    completion: 310,
    parts: [{ kind: 'cacheRead', tokens: 1000, ratio: 0.1 }],
  })
  // Counted beside the prompt, as some programs do.
  const beside = sampleRow({
    prompt_tokens: 10,
    other: '{"model_ratio":1,"group_ratio":1,"cache_tokens":100,"cache_ratio":0.1}',
  })
  expect(chargeOf(beside, 500_000)).toMatchObject({ prompt: 10, completionRatio: 1 })
})

test('whatever stands there, it is read or passed over', () => {
  for (const other of [
    '',
    'null',
    '[]',
    '{',
    '"x"',
    '7',
    '{"group_ratio":"1"}',
    '{"admin_info":null}',
    '{"admin_info":7}',
    '{"admin_info":{"cost":"7"}}',
    '{"tool_fees":[null,{"name":1}]}',
    '{"admin_info":{"failed":"x"},"broke_off":1}',
  ]) {
    const row = sampleRow({ other })
    expect(readOther(row)).toMatchObject({ tried: [], failed: [], cost: undefined })
    expect(breakOf(row)).toBeUndefined()
    expect(chargeOf(row, 500_000)).toBeUndefined()
    expect(firstTokenOf(row)).toBeUndefined()
  }
  const row = sampleRow({ other: '{"frt":812,"admin_info":{"use_channel":["3","x",5,-1,null],"cost":0}}' })
  expect(readOther(row)).toMatchObject({ tried: [3, 5], cost: 0 })
  expect(firstTokenOf(row)).toBe(812)
  const broke = sampleRow({ other: '{"broke_off":"cut","admin_info":{"failed":["connect"]}}' })
  expect([breakOf(broke), readOther(broke).failed]).toEqual(['cut', ['connect']])
})

test('what was made in the background is known by its response', () => {
  const other = JSON.stringify({ background: true, response_id: 'resp_1' })
  expect([isBackground(sampleRow({ other })), isBackground(sampleRow({ other: '{}' }))]).toEqual([
    true,
    false,
  ])
})

test('a batch of several models tells what each came to; whatever else stands there is left out', () => {
  const one = { model: 'small', requests: 2, prompt_tokens: 20, completion_tokens: 8, quota: 30 }
  const odd = [{ model: 'odd', requests: 'many' }, null, 'small']
  const row = sampleRow({ other: JSON.stringify({ batch_models: [one, ...odd] }) })
  expect(readOther(row).batchModels).toEqual([
    { model: 'small', requests: 2, prompt: 20, completion: 8, quota: 30 },
  ])
  expect(readOther(sampleRow({ other: '{"batch_models":7}' })).batchModels).toEqual([])
})
