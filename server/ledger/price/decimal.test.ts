import { describe, expect, test } from 'bun:test'
import { AppError } from '../../errors.ts'
import { countOf, divide, type Exact, exact, fraction, multiply, roundHalfUp, toNumber } from './decimal.ts'

describe('a number means what its shortest text says', () => {
  test.each<[Exact, bigint, bigint]>([
    [0, 0n, 1n],
    [0.1, 1n, 10n],
    [0.075, 3n, 40n],
    [1.25, 5n, 4n],
    [7.3, 73n, 10n],
    [1e-7, 1n, 10_000_000n],
    [2.5e-10, 1n, 4_000_000_000n],
    [1e21, 10n ** 21n, 1n],
    [1.5e300, 15n * 10n ** 299n, 1n],
    ['219/55', 219n, 55n],
    ['2/6', 1n, 3n],
  ])('%p', (value, over, under) => {
    expect(fraction(value)).toEqual({ over, under })
  })

  test.each([-1, -0.5, Number.NaN, Number.POSITIVE_INFINITY, '1/0' as Exact, '-1/2' as Exact, 'x' as Exact])(
    '%p is refused',
    value => {
      expect(() => fraction(value)).toThrow(AppError)
    },
  )
})

test('products are exact where binary fractions are not', () => {
  expect(exact(multiply(0.1, 3))).toBe(0.3)
  expect(exact(multiply(1.25, 1.6))).toBe(2)
  expect(exact(multiply(1.1, 1.1, 1.1))).toBe(1.331)
})

test('a quotient is a number where there is one, and survives storage where there is none', () => {
  expect(exact(divide(0.15, 2))).toBe(0.075)
  expect(exact(divide(2.87, 0.16))).toBe(17.9375)
  const third = exact(divide(1, 3))
  expect(third).toBe('1/3')
  expect(multiply(JSON.parse(JSON.stringify(third)), 3)).toEqual({ over: 1n, under: 1n })
  expect(toNumber(third)).toBe(1 / 3)
})

test.each([
  [0n, 2n, 0n],
  [1n, 2n, 1n],
  [3n, 2n, 2n],
  [49n, 100n, 0n],
  [50n, 100n, 1n],
  [149n, 100n, 1n],
])('%p/%p rounds to %p', (over, under, rounded) => {
  expect(roundHalfUp(over, under)).toBe(rounded)
})

test.each([
  -1,
  0.5,
  2 ** 53,
  Number('18446744073686646784'),
  Number('1e400'),
  Number.NaN,
  '5',
  null,
  undefined,
  5n,
  true,
])('a count of %p is refused', value => {
  expect(() => countOf('n', value)).toThrow('n must be a whole number of 0 or more')
})

test.each([0, 1, Number.MAX_SAFE_INTEGER])('a count of %p is taken', value => {
  expect(countOf('n', value)).toBe(value)
})
