import { expect, test } from 'bun:test'
import { AppError } from '../server/errors.ts'
import { tellFailure } from './tell-failure.ts'

const vendor = 'invalid_api_key: Incorrect API key provided'

test.each([
  [`status 401, ${vendor}`, `上游返回 401：${vendor}`, `The upstream answered 401: ${vendor}`],
  [`status code 401: ${vendor}`, `上游返回 401：${vendor}`, `The upstream answered 401: ${vendor}`],
  [`status_code=401, ${vendor}`, `上游返回 401：${vendor}`, `The upstream answered 401: ${vendor}`],
  [`上游返回 401：${vendor}`, `上游返回 401：${vendor}`, `The upstream answered 401: ${vendor}`],
  ['status 429, Slow\ndown', '上游返回 429：Slow\ndown', 'The upstream answered 429: Slow\ndown'],
  ['status 500', '上游返回 500', 'The upstream answered 500'],
  ['status 502, The upstream answered with status 502', '上游返回 502', 'The upstream answered 502'],
  ['status 502, The upstream reported an error', '上游返回 502', 'The upstream answered 502'],
  [
    'status 500, busy: The upstream answered with status 500',
    '上游返回 500：busy',
    'The upstream answered 500: busy',
  ],
  ['上游返回了状态码 401', '上游返回 401', 'The upstream answered 401'],
  ['The upstream answered with status 500', '上游返回 500', 'The upstream answered 500'],
  ['timeout', '上游响应超时', 'The upstream took too long'],
  ['canceled', '已取消', 'Cancelled'],
  ['expired', '已过期', 'Expired'],
  ['余额不足', '余额不足', 'Nothing is left of its balance'],
  [
    '响应时间 9.00s 超过阈值 5.00s',
    '响应时间 9.00s 超过阈值 5.00s',
    'It took 9.00 s to answer, more than 5.00 s',
  ],
  ['任务超时（超过 1 分钟）', '任务超时（超过 1 分钟）', 'The task took longer than 1 minute'],
])('%p is told in the language of the page', (noted, zh, en) => {
  expect([tellFailure(noted, 'zh'), tellFailure(noted, 'en')]).toEqual([zh, en])
})

test.each([
  ['task.timed-out', { minutes: 60 }],
  ['task.timed-out', { minutes: 1 }],
  ['task.forgotten', { minutes: 60 }],
  ['task.forgotten', { minutes: 1 }],
  ['task.interrupted', {}],
  ['task.channel-gone', {}],
  ['guard.answered', { rule: '规则 “a”' }],
  ['guard.too-long', { rule: '规则 “a”' }],
] as const)('what a task ended with, %s, is told in the language of the page', (code, params) => {
  const error = new AppError(code, params)
  expect(tellFailure(error.text('zh'), 'en')).toBe(error.text('en'))
  expect(tellFailure(error.text('zh'), 'zh')).toBe(error.text('zh'))
})

test.each(['The server had an error', 'status unknown', 'timeout of the vendor', 'constructor'])(
  '%p stays as it is',
  words => {
    expect([tellFailure(words, 'zh'), tellFailure(words, 'en')]).toEqual([words, words])
  },
)
