import { expect, test } from 'bun:test'
import { atEase, columnsWithoutRoom, columnTracks, leastWidth } from './column-tracks.ts'

test('columns without a width share what is left, and have enough', () => {
  const widths = { columns: [{ width: 52 }, {}, { width: 96 }], canSelect: true, actionsWidth: 148 }
  expect(columnTracks(widths)).toBe('40px 52px minmax(148px, 1fr) 96px 148px')
  expect(leastWidth(widths)).toBe(484)
})

test('where all have a width, all grow alike', () => {
  const widths = { columns: [{ width: 50 }, { width: 100 }], canSelect: false, actionsWidth: 0 }
  expect(columnTracks(widths)).toBe('minmax(50px, 50fr) minmax(100px, 100fr)')
  expect(leastWidth(widths)).toBe(150)
})

test('in a wide window the one without a width grows with the others instead of alone', () => {
  const columns = atEase([{}, { width: 90 }])
  expect(columnTracks({ columns, canSelect: false, actionsWidth: 0 })).toBe(
    'minmax(360px, 360fr) minmax(90px, 90fr)',
  )
})

test('columns give way in the order given, and no more of them than have to', () => {
  const columns = [{ id: 'name' }, { id: 'end', width: 100 }, { id: 'kind', width: 80 }]
  expect(columnsWithoutRoom(columns, ['end', 'kind'], 328)).toEqual([])
  expect(columnsWithoutRoom(columns, ['end', 'kind'], 327)).toEqual(['end'])
  expect(columnsWithoutRoom(columns, ['end', 'kind'], 200)).toEqual(['end', 'kind'])
})
