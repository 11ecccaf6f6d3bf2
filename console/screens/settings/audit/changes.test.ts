import { expect, test } from 'bun:test'
import { spendPeriods } from '../../../../contract/spend-limits.ts'
import { changesOf } from './changes.ts'
import { nameField } from './field-names.ts'

test('of a table of prices only the entries that differ are told', () => {
  const before = { value: '{"a":1,"b":2,"gone":3}' }
  const after = { value: '{"a":1,"b":2.5,"new":4}' }
  expect(changesOf(before, after)).toEqual([
    { field: 'b', before: '2', after: '2.5' },
    { field: 'gone', before: '3', after: undefined },
    { field: 'new', before: undefined, after: '4' },
  ])
})

test('other values are told whole, and what stayed is not', () => {
  expect(changesOf({ status: 1, name: 'x' }, { status: 2, name: 'x' })).toEqual([
    { field: 'status', before: '1', after: '2' },
  ])
  expect(changesOf({ value: '2' }, { value: '3' })).toEqual([{ field: '', before: '2', after: '3' }])
  expect(changesOf(null, { ids: [1, 2] })).toEqual([{ field: 'ids', before: undefined, after: '[1,2]' }])
  expect(changesOf(null, null)).toEqual([])
})

test('of what may be spent, the whiles that differ are told, in words', () => {
  const before = { limits: [limit('day', 500), limit('week', 900)] }
  const after = { limits: [limit('day', 700), limit('week', 900), limit('none', 4000)] }
  expect(changesOf(before, after)).toEqual([
    { field: 'limits.day', before: '500', after: '700' },
    { field: 'limits.none', before: undefined, after: '4000' },
  ])
  expect(changesOf({ limits: [] }, { limits: [] })).toEqual([])
  expect(changesOf({ limits: [limit('month', 1)] }, { limits: [] })).toEqual([
    { field: 'limits.month', before: '1', after: undefined },
  ])
  for (const period of spendPeriods) expect(nameField(`limits.${period}`, 'zh')).toContain('上限')
})

const limit = (period: string, amount: number) => ({ period, amount })

test('amounts are told as everywhere, to the last unit', () => {
  const money = { quota_per_unit: 500_000, display_in_currency: true }
  const [before, after] = [
    { quota: 0, count: 3 },
    { quota: 85_775, count: 4 },
  ]
  expect(changesOf(before, after, money)).toEqual([
    { field: 'quota', before: '$0.00', after: '$0.17155' },
    { field: 'count', before: '3', after: '4' },
  ])
  const limits = [{ limits: [limit('day', 1_000_000)] }, { limits: [limit('day', 1_000_001)] }] as const
  expect(changesOf(...limits, money)).toEqual([{ field: 'limits.day', before: '$2.00', after: '$2.000002' }])
  expect(changesOf({ quota: -500_000 }, null, money)[0]?.before).toBe('-$1.00')
  const fine = { ...money, quota_per_unit: 10_000_000 }
  expect(changesOf({ quota: 1 }, { quota: 2 }, fine)[0]?.after).toBe('$0.0000002')
  const units = { ...money, display_in_currency: false }
  expect(changesOf(before, after, units)[0]?.after).toBe('85,775')
})

test('when something ends is told as people tell the time', () => {
  const at = new Date(2030, 0, 2, 3, 4, 5).getTime() / 1000
  expect(changesOf({ expired_time: 0 }, { expired_time: at })).toEqual([
    { field: 'expired_time', before: '–', after: '2030-01-02 03:04:05' },
  ])
})

test('a table that was cut off is told as the text it is', () => {
  const cut = '{"a":1,"b"… (30000)'
  expect(changesOf({ value: cut }, { value: '{}' })).toEqual([{ field: '', before: cut, after: '{}' }])
})

test('of a secret it is told that it was changed', () => {
  const secret = { key_hash: '******', name: 'x' }
  expect(changesOf(secret, secret)).toEqual([{ field: 'key_hash', before: '******', after: '******' }])
})
