import { expect, test } from 'bun:test'
import { addNames, readCustomNames } from './add-names.ts'

test('custom names are trimmed and separated by commas; a name that is there refuses them all', () => {
  expect(readCustomNames(' a , b,,c，d ', ['x'])).toEqual(['a', 'b', 'c', 'd'])
  expect(readCustomNames('a,x', ['x'])).toBeUndefined()
  expect(readCustomNames('a,a', [])).toBeUndefined()
  expect(readCustomNames(' , ', ['x'])).toEqual([])
  expect(addNames(['b', 'a'], ['a', 'c'])).toEqual(['b', 'a', 'c'])
})
