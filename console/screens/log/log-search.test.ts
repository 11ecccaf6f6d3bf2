import { expect, test } from 'bun:test'
import { sampleRow } from '../../../test/console/sample-log-row.ts'
import { filtersOf, isNarrowed, matchesSearch, midnight, readLogSearch } from './log-search.ts'

const now = new Date(2026, 10, 15, 8, 30, 20)
const today = Math.floor(new Date(2026, 10, 15).getTime() / 1000)

test('what makes no sense in the address is left out', () => {
  const sane = { p: 2, type: 5, start: 0, end: 9, model: 'gpt', channel: 3, user: '42', live: true } as const
  expect(readLogSearch({ ...sane, user: 42 })).toEqual(sane)
  expect(
    readLogSearch({ p: 0, type: 6, start: 'noon', end: 'x', model: ' ', channel: -2, live: 'no', other: 1 }),
  ).toEqual({})
  expect(readLogSearch({ type: 0, token: null, group: {}, request: ['a'] })).toEqual({})
})

test('without a word about it, the window is from midnight to an hour ahead', () => {
  expect(midnight(now)).toBe(today)
  expect(filtersOf({}, true, now)).toEqual({
    start_timestamp: String(today),
    end_timestamp: String(Math.floor(now.getTime() / 1000) + 3600),
  })
  expect(filtersOf({ start: 0 }, true, now)).toEqual({})
  expect(filtersOf({ start: 0, end: 7 }, true, now)).toEqual({ end_timestamp: '7' })
})

test('a window may begin so far back from now, whenever that is', () => {
  expect(readLogSearch({ start: '-3600' })).toEqual({ start: -3600 })
  const before = Math.floor(now.getTime() / 1000) - 3600
  expect(filtersOf({ start: -3600 }, true, now).start_timestamp).toBe(String(before))
  const row = (created_at: number) => matchesSearch(sampleRow({ created_at }), { start: -3600 }, true, now)
  expect([row(before - 1), row(before)]).toEqual([false, true])
})

test('users and channels are filters of administrators', () => {
  const search = { start: 0, user: 'ann', channel: 4, token: 'k', type: 2 }
  expect(filtersOf(search, true, now)).toEqual({ type: '2', token_name: 'k', username: 'ann', channel: '4' })
  expect(filtersOf(search, false, now)).toEqual({ type: '2', token_name: 'k' })
  expect(filtersOf(readLogSearch({ start: 0, label: 'env:prod' }), false, now)).toEqual({ label: 'env:prod' })
})

test('a window is narrowing, a page is not', () => {
  expect([{ p: 3, live: true as const }, {}, { start: 0 }, { model: 'x' }].map(isNarrowed)).toEqual([
    false,
    false,
    true,
    true,
  ])
})

test('rows that come by themselves pass the same filters', () => {
  const labels = ['env:prod', 'search']
  const call = { model_name: 'GPT-4o-mini', username: 'ann', channel: 4, labels }
  const row = sampleRow({ created_at: today + 5, ...call })
  const passes = (search: Parameters<typeof matchesSearch>[1], isAdmin = true) =>
    matchesSearch(row, search, isAdmin, now)
  expect([passes({}), passes({ label: 'search' })]).toEqual([true, true])
  expect(passes({ model: 'gpt-4O', user: 'ann', channel: 4, type: 2, token: 'key', group: 'default' })).toBe(
    true,
  )
  for (const search of [
    { model: 'claude' },
    { label: 'env' },
    { model: '"GPT-4o"' },
    { user: 'bob' },
    { channel: 5 },
    { type: 5 },
    { token: 'ke' },
    { group: 'vip' },
    { request: 'r' },
    { end: today },
    { start: today + 6 },
  ])
    expect(passes(search)).toBe(false)
  expect(passes({ user: 'bob', channel: 5 }, false)).toBe(true)
})
