import { expect, test } from 'bun:test'
import { addNames, namesWithout, readCustomNames } from './add-names.ts'

test('custom names are trimmed and separated by commas or lines; a name that is there refuses them all', () => {
  expect(readCustomNames(' a , b,,c，d ', ['x'])).toEqual(['a', 'b', 'c', 'd'])
  expect(readCustomNames('a\r\nb\n', [])).toEqual(['a', 'b'])
  expect(readCustomNames('a,x', ['x'])).toBeUndefined()
  expect(readCustomNames('a,a', [])).toBeUndefined()
  expect(readCustomNames(' , ', ['x'])).toEqual([])
  expect(addNames(['b', 'a'], ['a', 'c'])).toEqual(['b', 'a', 'c'])
})

test('a model that is sent on under another name is one that the upstream has', () => {
  const upstream = ['gpt-4o', 'gpt-4o-2024']
  expect(namesWithout(['gpt-4o', 'mine', 'latest'], upstream, { latest: 'gpt-4o-2024' })).toEqual(['mine'])
  expect(namesWithout(['latest'], upstream, { latest: 'gone' })).toEqual(['latest'])
  expect(namesWithout([], upstream, {})).toEqual([])
})
