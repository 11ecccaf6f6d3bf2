import { describe, expect, test } from 'bun:test'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { averageResponse, countResting, fallOf, gatherByTag, inCommon, isRowOn, mostDigits } from './rows.ts'

function channel(change: Partial<ChannelView>): ChannelView {
  return {
    ...{ id: 1, type: 1, key: '', openai_organization: null, test_model: null, status: 1, name: 'a' },
    ...{ weight: 0, created_time: 0, test_time: 0, response_time: 0, base_url: '', other: '', balance: 0 },
    ...{ balance_updated_time: 0, models: 'a', group: 'default', used_quota: 0, model_mapping: '' },
    ...{ status_code_mapping: '', priority: 0, auto_ban: 1, other_info: '', tag: null, setting: '' },
    ...{ rpm: 0, tpm: 0, concurrency: 0 },
    ...change,
  }
}

test('the longest number says how much room its column needs', () => {
  expect(mostDigits(undefined, 'priority')).toBe(0)
  expect(mostDigits([channel({ priority: 10 }), channel({ priority: -99_999_999 })], 'priority')).toBe(9)
})

describe('rows of tags', () => {
  const rows = [
    channel({ id: 1, tag: 'x', status: 2, priority: 3, response_time: 100 }),
    channel({ id: 2, tag: 'x', status: 1, priority: 3, response_time: 300 }),
    channel({ id: 3, tag: 'y', status: 3, priority: 5 }),
  ]
  test('an open tag is followed by its channels, and is on when any of them is', () => {
    const gathered = gatherByTag(rows, new Set(['x']))
    expect(gathered.map(row => ('channels' in row ? `#${row.tag}` : row.id))).toEqual(['#x', 1, 2, '#y'])
    expect(gathered.map(isRowOn)).toEqual([true, false, true, false])
  })
  test('shows what its channels have in common, and how quick those are that were tested', () => {
    expect(inCommon(rows.slice(0, 2), ({ priority }) => priority)).toBe(3)
    expect(inCommon(rows, ({ priority }) => priority)).toBeUndefined()
    expect(averageResponse(rows)).toBe(200)
    expect(averageResponse([])).toBe(0)
  })
})

test('the reason of a fall is read only where there is one', () => {
  const info = '{"status_reason":"401","status_time":7}'
  expect(fallOf(channel({ status: 3, other_info: info }))).toEqual({ reason: '401', time: 7 })
  expect(fallOf(channel({ status: 2, other_info: info }))).toBeUndefined()
  for (const other_info of ['', 'null', '[', '3'])
    expect(fallOf(channel({ status: 3, other_info }))).toBeUndefined()
})

test('how much of a channel rests', () => {
  const models = 'a, b,c'
  const count = (...names: (string | undefined)[]) =>
    countResting(
      { models },
      names.map(model => ({ model })),
    )
  expect(count('a')).toEqual({ count: 1, all: 3, isWhole: false })
  // One that was taken from the channel meanwhile does not count.
  expect(count('a', 'gone')).toEqual({ count: 1, all: 3, isWhole: false })
  expect(count('a', 'b', 'c')).toEqual({ count: 3, all: 3, isWhole: true })
  expect(count(undefined)).toEqual({ count: 3, all: 3, isWhole: true })
})
