import { expect, test } from 'bun:test'
import { isCrowded, MOST_NUMBERS, MOST_VALUES } from './crowded-json.ts'

/** The outermost object, the name of its field and the list are values too. */
const listOf = (unit: string, values: number, each = 1): string =>
  `{"a":[${new Array((values - 3) / each).fill(unit).join(', ')}]}`

test.each([
  ['{}', 1],
  ['[ ]', 1],
  ['"ab"', 1],
  ['{"n":1}', 2],
])('as many as may be of %s, and one more', (unit, each) => {
  const most = each === 2 ? MOST_VALUES + 1 : MOST_VALUES
  expect(isCrowded(listOf(unit, most, each))).toBe(each === 2)
  expect(isCrowded(listOf(unit, most - each, each))).toBe(false)
  expect(isCrowded(listOf(unit, most + each, each))).toBe(true)
})

test.each([
  ['signs of JSON in a text', JSON.stringify('{["'.repeat(700_000))],
  ['a text that ends in what stands for itself', JSON.stringify(`${'\\'.repeat(1_999_999)}`)],
  ['numbers', `[${'1,'.repeat(1_200_000)}1]`],
  ['a picture', `"${'A'.repeat(3_000_000)}"`],
  ['a text without end', `["${'x'.repeat(1_200_000)}`],
])('not by %s', (_name, json) => {
  expect(isCrowded(json)).toBe(false)
})

test('as many numbers as may be, and one more', () => {
  const most = `${'1,true,'.repeat(MOST_NUMBERS / 2 - 1)}1,null`
  expect(isCrowded(`[${most}]`)).toBe(false)
  expect(isCrowded(`[${most},1]`)).toBe(true)
})

test('numbers of many lists count together', () => {
  const list = `[${'7,'.repeat(799)}7]`
  expect(isCrowded(`[${`${list},`.repeat(9_990)}1]`)).toBe(false)
  expect(isCrowded(`[${`${list},`.repeat(10_000)}1]`)).toBe(true)
})

test('not by commas in a text', () => {
  expect(isCrowded(JSON.stringify(','.repeat(MOST_NUMBERS + 2)))).toBe(false)
})

test('also behind texts with escapes', () => {
  expect(isCrowded(`["\\\\","\\"",${'[],'.repeat(MOST_VALUES)}1]`)).toBe(true)
})
