import { expect, test } from 'bun:test'
import { CountedLabels } from './counted-labels.ts'

const DAY = 86_400

test('an account is counted by so many ways to be labelled a day; the rest are others, under its tokens', () => {
  const known = new CountedLabels(2)
  const count = (labels: string, { user = 1, fixed = undefined as string | undefined, at = DAY } = {}) =>
    known.count(user, labels, fixed, at)
  expect([count('a'), count('b'), count('a'), count('c'), count('b')]).toEqual(['a', 'b', 'a', 'other', 'b'])
  expect(count('d,team', { fixed: 'team' })).toBe('other,team')
  // Everybody has a share of their own, and another every day.
  expect(count('c', { user: 2 })).toBe('c')
  expect(count('c', { at: 2 * DAY - 1 })).toBe('other')
  expect(count('c', { at: 2 * DAY })).toBe('c')
})
