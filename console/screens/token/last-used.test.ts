import { expect, test } from 'bun:test'
import { sayHowLongAgo, wasUsed } from './last-used.ts'

const now = 1_800_000_000

test.each([
  [0, 'now', '现在'],
  [59, 'now', '现在'],
  [-30, 'now', '现在'],
  [60, '1 minute ago', '1 分钟前'],
  [2 * 3600 + 5, '2 hours ago', '2 小时前'],
  [86_400, 'yesterday', '昨天'],
  [40 * 86_400, 'last month', '上个月'],
  [800 * 86_400, '2 years ago', '2 年前'],
])('%p seconds ago', (passed, en, zh) => {
  expect([sayHowLongAgo(now - passed, now, 'en'), sayHowLongAgo(now - passed, now, 'zh')]).toEqual([en, zh])
})

test('a token that was only made was never used', () => {
  expect(wasUsed({ created_time: 5, accessed_time: 5 })).toBe(false)
  expect(wasUsed({ created_time: 5, accessed_time: 0 })).toBe(false)
  expect(wasUsed({ created_time: 5, accessed_time: 6 })).toBe(true)
})
