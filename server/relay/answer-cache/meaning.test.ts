import { expect, test } from 'bun:test'
import { keptMeaning, type Meaning, packMeaning, readMeaning, similarity } from './meaning.ts'

/** Anything, but the same each time. */
function numbers(seed: number, many: number): number[] {
  let state = seed
  return Array.from({ length: many }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 1_073_741_824 - 1
  })
}

const meaningOf = (vector: readonly number[]): Meaning => readMeaning(vector) ?? new Float32Array()

test.each([2, 8, 256, 1536, 3072])('of %p numbers, a meaning is like itself whatever its length', many => {
  const vector = numbers(7, many)
  const meaning = meaningOf(vector)
  expect(similarity(meaning, packMeaning(meaning))).toBeGreaterThan(0.9998)
  const longer = meaningOf(vector.map(value => value * 1000))
  expect(similarity(longer, packMeaning(meaning))).toBeGreaterThan(0.9998)
})

test('what is kept in steps is nearly as exact as what was not', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const [one, other] = [numbers(seed, 1536), numbers(seed + 1000, 1536)]
    const mixed = one.map((value, at) => value + ((other[at] ?? 0) * seed) / 60)
    const [first, second] = [meaningOf(one), meaningOf(mixed)]
    const exact = first.reduce((sum, value, at) => sum + value * (second[at] ?? 0), 0)
    expect(Math.abs(similarity(first, packMeaning(second)) - exact)).toBeLessThan(0.0005)
  }
})

test('angles', () => {
  const east = meaningOf([1, 0])
  expect(similarity(east, packMeaning(meaningOf([0, 2])))).toBe(0)
  expect(similarity(east, packMeaning(meaningOf([-5, 0])))).toBe(-1)
  expect(similarity(east, packMeaning(meaningOf([3, 3])))).toBeCloseTo(Math.SQRT1_2, 4)
})

test('vectors of different models are unlike, and what has no direction is none', () => {
  expect(similarity(meaningOf([1, 0]), packMeaning(meaningOf([1, 0, 0])))).toBe(-1)
  expect(similarity(meaningOf([1, 0]), keptMeaning(new Int8Array(2)))).toBe(-1)
  for (const vector of [[], [0, 0], [Number.NaN, 1], [1e308, 1e308]])
    expect(readMeaning(vector)).toBeUndefined()
})
