import { expect, test } from 'bun:test'
import { Readings } from './readings.ts'

/** A source that is read slowly, and what came of each reading. */
function slowSource() {
  const begun: PromiseWithResolvers<void>[] = []
  const readings = new Readings(() => {
    const reading = Promise.withResolvers<void>()
    begun.push(reading)
    return reading.promise
  })
  return { begun, readings }
}

test('readings never overlap, and all who ask during one share the next', async () => {
  const { begun, readings } = slowSource()
  const first = readings.again()
  await Promise.resolve()
  expect(begun.length).toBe(1)
  const second = readings.again()
  expect(readings.again()).toBe(second)
  await Bun.sleep(1)
  expect(begun.length).toBe(1)
  begun[0]?.resolve()
  await first
  await Bun.sleep(1)
  expect(begun.length).toBe(2)
  begun[1]?.resolve()
  await second
})

test('one that fails tells those who waited for it, and the next is made all the same', async () => {
  const { begun, readings } = slowSource()
  const first = readings.again().catch(error => error)
  await Promise.resolve()
  const second = readings.again()
  begun[0]?.reject(new Error('away'))
  expect(await first).toEqual(new Error('away'))
  await Bun.sleep(1)
  begun[1]?.resolve()
  await second
  expect(begun.length).toBe(2)
})
