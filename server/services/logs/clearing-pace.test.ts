import { expect, test } from 'bun:test'
import { ClearingPace } from './clearing-pace.ts'

const MINUTE = 60_000
const TOTAL = 1_000_000

function start(isBusy: boolean) {
  const around = { busy: isBusy, at: 0 }
  const pace = new ClearingPace('sqlite', TOTAL, { isBusy: () => around.busy, now: () => around.at })
  return { around, pace }
}

test('while models are called it grows as long as deletions are short, and shrinks when one is not', () => {
  const { pace } = start(true)
  const first = pace.rows
  for (let time = 0; time < 20; time++) pace.noteDeletion(pace.rows, 0.4)
  const grown = pace.rows
  expect(grown).toBeGreaterThan(first * 10)
  expect(pace.rest).toBe(4)
  pace.noteDeletion(grown, 0.6)
  expect(pace.rows).toBe(Math.floor(grown / 2))
  for (let time = 0; time < 20; time++) pace.noteDeletion(pace.rows, 50)
  expect(pace.rows).toBe(first)
})

test('behind its hour it hurries, and is gentle again when it has caught up', () => {
  const { around, pace } = start(true)
  around.at = MINUTE
  pace.noteDeletion(0, 0.4)
  expect(pace.rest).toBe(4)
  // A tenth of the hour has passed and nothing is done.
  around.at = 6 * MINUTE
  pace.noteDeletion(0, 0.4)
  expect(pace.rest).toBe(2)
  const hurried = pace.rows
  pace.noteDeletion(10, 2)
  expect(pace.rows).toBeGreaterThan(hurried)
  pace.noteDeletion(TOTAL / 10, 2)
  expect(pace.rest).toBe(4)
  expect(pace.rows).toBe(start(true).pace.rows)
})

test('rows that are gone by the month count as done', () => {
  const { around, pace } = start(true)
  around.at = 30 * MINUTE
  pace.noteGone(TOTAL / 2)
  pace.noteDeletion(1, 0.4)
  expect(pace.rest).toBe(4)
})

test('where nobody calls it does not rest; whoever calls then meets a small deletion', () => {
  const { around, pace } = start(false)
  for (let time = 0; time < 60; time++) pace.noteDeletion(pace.rows, 5)
  expect(pace.rest).toBe(0)
  expect(pace.rows).toBe(5000)
  around.busy = true
  pace.noteDeletion(pace.rows, 5)
  expect(pace.rows).toBe(start(true).pace.rows)
  expect(pace.rest).toBe(4)
})

test('where every commit waits for the disk it does not end with a commit for each row', () => {
  const { around, pace } = start(false)
  for (let time = 0; time < 20; time++) pace.noteDeletion(pace.rows, 50)
  expect(pace.rows).toBe(500)
  around.busy = true
  for (let time = 0; time < 20; time++) pace.noteDeletion(pace.rows, 50)
  expect(pace.rows).toBe(40)
})
