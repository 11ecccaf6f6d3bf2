import { expect, test } from 'bun:test'
import { sampleRow } from '../../../test/console/sample-log-row.ts'
import { LiveRows } from './live-rows.ts'

const rows = (...ids: number[]) => ids.map(id => sampleRow({ id }))
const shown = (live: LiveRows) => live.read().rows.map(({ id }) => id)

test('new rows come on top, once each', () => {
  const live = new LiveRows()
  live.addOlder(rows(3, 2))
  live.add(rows(3, 4, 5))
  live.addOlder(rows(2, 1))
  expect(shown(live)).toEqual([5, 4, 3, 2, 1])
  expect(live.newest()).toBe(5)
})

test('nothing moves while it is held, and nothing is lost', () => {
  const live = new LiveRows()
  live.add(rows(1))
  live.hold(true)
  live.add(rows(2))
  live.add(rows(3, 2))
  expect(shown(live)).toEqual([1])
  expect(live.read().waiting).toBe(2)
  expect(live.newest()).toBe(3)
  live.hold(false)
  expect(shown(live)).toEqual([3, 2, 1])
  expect(live.read().waiting).toBe(0)
})

test('the oldest go when there are too many', () => {
  const live = new LiveRows(3)
  live.add(rows(1, 2, 3, 4))
  expect(shown(live)).toEqual([4, 3, 2])
  live.addOlder(rows(1, 0))
  expect(shown(live)).toEqual([4, 3, 2])
  live.hold(true)
  live.add(rows(5, 6, 7, 8))
  expect(live.read().waiting).toBe(3)
  live.hold(false)
  expect(shown(live)).toEqual([8, 7, 6])
})

test('listeners hear of changes until they leave', () => {
  const live = new LiveRows()
  let heard = 0
  const leave = live.subscribe(() => heard++)
  live.add(rows(1))
  live.add(rows(1))
  leave()
  live.add(rows(2))
  expect(heard).toBe(1)
})
