import { expect, test } from 'bun:test'
import { formatTable, median } from './print-table.ts'

test('names stand left, figures right, empty ends are cut', () => {
  const table = {
    title: 'T',
    columns: ['', 'ms', 'target'],
    rows: [
      ['clone', '7', ''],
      ['start', '1,234', 'met'],
    ],
  }
  expect(formatTable({ ...table, notes: ['why'] }).split('\n')).toEqual([
    'T',
    '          ms  target',
    'clone      7',
    'start  1,234     met',
    '* why',
  ])
})

test('the median is the middle one, or between the middle two', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([4, 1, 2, 100])).toBe(3)
  expect(median([7])).toBe(7)
})
