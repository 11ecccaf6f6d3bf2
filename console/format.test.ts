import { describe, expect, test } from 'bun:test'
import { formatCount, formatMilliseconds, formatRatio, formatTime } from './format.ts'

describe('formats', () => {
  test('a time is local, to the second, and nothing is a dash', () => {
    const time = new Date(2026, 0, 5, 7, 8, 9)
    expect(formatTime(time.getTime() / 1000)).toBe('2026-01-05 07:08:09')
    expect(formatTime(0)).toBe('–')
    expect(formatTime(-1)).toBe('–')
  })
  test('a ratio has the digits that someone would write', () => {
    expect([1, 1.14 + 1e-15, 0.1 + 0.2, 25 / 3, 0.0000375, 1200.5].map(formatRatio)).toEqual([
      '1',
      '1.14',
      '0.3',
      '8.3333',
      '0.0000375',
      '1,200.5',
    ])
  })
  test('a wait is read in the unit that suits it', () => {
    expect([0, 999, 999.6, 1000, 1234, 9_999, 12_345].map(formatMilliseconds)).toEqual([
      '0 ms',
      '999 ms',
      '1.00 s',
      '1.00 s',
      '1.23 s',
      '10.0 s',
      '12.3 s',
    ])
  })
  test('counts have their thousands apart', () => {
    expect(formatCount(1234567)).toBe('1,234,567')
  })
})
