import { expect, test } from 'bun:test'
import { isSameState, parseViews, putView, searchOf, type View } from './views.ts'

const view = (name: string, more: Partial<View> = {}): View => ({
  name,
  search: { type: 5 },
  hidden: ['cost'],
  sort: '',
  pinned: true,
  ...more,
})

test('what was stored comes back, and what cannot be read is left out', () => {
  const views = [view('errors'), view('all', { search: {}, sort: 'id', pinned: false })]
  expect(parseViews(JSON.stringify(views))).toEqual(views)
  const odd = [null, 7, {}, { name: 'a' }, { name: 'b', search: null, hidden: 'x' }, view('errors')]
  expect(parseViews(JSON.stringify(odd))).toEqual([
    { name: 'b', search: {}, hidden: [], sort: '', pinned: false },
    view('errors'),
  ])
  for (const text of [null, '', '{', '{}', '"x"']) expect(parseViews(text)).toEqual([])
})

test('a view is of filters, not of a page', () => {
  expect(searchOf({ p: 3, type: 5, model: undefined, live: true, user: 'ann' })).toEqual({
    type: 5,
    live: true,
    user: 'ann',
  })
})

test('a name is there once', () => {
  const [one, other] = [view('one'), view('other')]
  const changed = view('one', { search: { type: 2 } })
  expect(putView([one, other], changed)).toEqual([changed, other])
  expect(putView([one], other)).toEqual([one, other])
})

test('a list is a view when its filters, its order and its columns are', () => {
  const saved = view('errors', { search: { type: 5, model: 'x' }, hidden: ['a', 'b'] })
  const shown = { search: { model: 'x', type: 5 }, hidden: ['b', 'a'], sort: '' }
  expect(isSameState(saved, shown)).toBe(true)
  expect(isSameState(saved, { ...shown, sort: 'id' })).toBe(false)
  expect(isSameState(saved, { ...shown, hidden: ['a'] })).toBe(false)
  expect(isSameState(saved, { ...shown, search: { type: 5 } })).toBe(false)
})
