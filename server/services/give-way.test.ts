import { expect, test } from 'bun:test'
import { filterInTurns, giveWay, mapInTurns, noteModelCall } from './give-way.ts'

const numbers = Array.from({ length: 5000 }, (_, at) => at)

/** A tenth of a millisecond, so that sixteen are longer than a turn. */
function workALittle(): void {
  for (const until = performance.now() + 0.1; performance.now() < until; );
}

async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isOver = true
  return turns
}

test('rows are mapped and filtered as ever', async () => {
  expect(await mapInTurns(numbers, at => at * 2)).toEqual(numbers.map(at => at * 2))
  expect(await filterInTurns(numbers, at => at % 3 === 0)).toEqual(numbers.filter(at => at % 3 === 0))
  expect(await mapInTurns([], String)).toEqual([])
})

test.each([
  ['nobody calls', Number.NEGATIVE_INFINITY],
  ['models are called', Number.POSITIVE_INFINITY],
])('others have their turns while %s', async (_, lastCall) => {
  noteModelCall(lastCall)
  const some = numbers.slice(0, 320)
  expect(await countTurns(() => mapInTurns(some, workALittle))).toBeGreaterThanOrEqual(10)
  const isWanted = () => {
    workALittle()
    return true
  }
  expect(await countTurns(() => filterInTurns(some, isWanted))).toBeGreaterThanOrEqual(10)
  noteModelCall(Number.NEGATIVE_INFINITY)
})

test('most of the time is that of the calls while models are called', async () => {
  noteModelCall(Number.POSITIVE_INFINITY)
  const some = numbers.slice(0, 320)
  const began = performance.now()
  await mapInTurns(some, workALittle)
  const worked = some.length * 0.1
  // The last turn is followed by no rest.
  expect(performance.now() - began).toBeGreaterThan(worked * 3)
  noteModelCall(Number.NEGATIVE_INFINITY)
})

test('long work rests while models are called, however short its part was', async () => {
  noteModelCall(Number.POSITIVE_INFINITY)
  let isLater = false
  setImmediate(() => {
    isLater = true
  })
  await giveWay(0, 2)
  expect(isLater).toBe(true)
  noteModelCall(Number.NEGATIVE_INFINITY)
})
