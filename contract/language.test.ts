import { expect, test } from 'bun:test'
import { errors } from './errors.ts'
import { fill, preferredLanguage } from './language.ts'

test.each([
  [null, 'zh'],
  ['', 'zh'],
  ['fr', 'zh'],
  ['*', 'zh'],
  ['en', 'en'],
  ['en-US,en;q=0.9', 'en'],
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['en;q=0.5, zh;q=0.8', 'zh'],
  ['fr, en;q=0.4', 'en'],
  ['en;q=nonsense', 'zh'],
] as const)('%p asks for %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language)
})

test('texts are filled by name, and what is not given stays visible', () => {
  expect(fill('{a} and {b} and {a}', { a: 1, b: '$&' })).toBe('1 and $& and 1')
  expect(fill('{missing}')).toBe('{missing}')
})

test('one thing is told of as one', () => {
  const wait = 'in {n, plural, one {# second} other {# seconds}}, {who}'
  expect([1, '1', 0, 2].map(n => fill(wait, { n, who: 'a#b' }))).toEqual([
    'in 1 second, a#b',
    'in 1 second, a#b',
    'in 0 seconds, a#b',
    'in 2 seconds, a#b',
  ])
  expect(fill(wait)).toBe(wait)
})

test('errors address whom they tell in Chinese in one way', () => {
  const familiar = Object.entries(errors).filter(([, { zh }]) => zh.includes('你'))
  expect(familiar.map(([code]) => code)).toEqual([])
})
