import { expect, test } from 'bun:test'
import { readRetryAfter } from './read-retry-after.ts'

const read = (retryAfter: string, date?: string) =>
  readRetryAfter(new Headers({ 'retry-after': retryAfter, ...(date && { date }) }))

test.each([
  ['300', 300],
  ['1.5', 1.5],
  ['-3', 0],
  ['soon', undefined],
  ['', undefined],
])('%p is %p', (header, seconds) => {
  expect(read(header)).toBe(seconds)
  expect(read(header, 'Tue, 01 Dec 2026 00:00:00 GMT')).toBe(seconds)
})

test('a date is counted from when the upstream says that it is, whatever the clock here says', () => {
  expect(read('Thu, 31 Dec 2026 23:59:59 GMT', 'Thu, 31 Dec 2026 23:55:00 GMT')).toBe(299)
  expect(read('Fri, 01 Jan 2027 00:00:30 GMT', 'Thu, 31 Dec 2026 23:59:59 GMT')).toBe(31)
  expect(read('Thu, 31 Dec 2026 23:59:59 GMT', 'Fri, 01 Jan 2027 00:00:00 GMT')).toBe(0)
})

test('of one that does not say so, from now', () => {
  expect(read(new Date(Date.now() + 3_600_000).toUTCString())).toBeWithin(3000, 3601)
  expect(read(new Date(Date.now() + 3_600_000).toUTCString(), 'some day')).toBeWithin(3000, 3601)
})
