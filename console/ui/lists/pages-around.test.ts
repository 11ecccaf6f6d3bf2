import { expect, test } from 'bun:test'
import { pagesAround } from './pages-around.ts'

test('few pages are all offered, many with gaps that never hide just one', () => {
  expect(pagesAround(1, 1)).toEqual([1])
  expect(pagesAround(3, 7)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(pagesAround(1, 20)).toEqual([1, 2, 3, 4, 5, -2, 20])
  expect(pagesAround(10, 20)).toEqual([1, -1, 9, 10, 11, -2, 20])
  expect(pagesAround(20, 20)).toEqual([1, -1, 16, 17, 18, 19, 20])
})
