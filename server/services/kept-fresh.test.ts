import { expect, test } from 'bun:test'
import { keptFresh } from './kept-fresh.ts'

/** Answers when it is told to. */
function slowReader() {
  const waiting: PromiseWithResolvers<number>[] = []
  return {
    read: () => {
      const next = Promise.withResolvers<number>()
      waiting.push(next)
      return next.promise
    },
    get asked() {
      return waiting.length
    },
    answer: (at: number, value: number) => waiting[at]?.resolve(value),
    fail: (at: number) => waiting[at]?.reject(new Error('away')),
  }
}

test('is read once for all who ask at once, and not again while it is fresh', async () => {
  const reader = slowReader()
  const get = keptFresh({ freshMs: 60_000 }, reader.read)
  const both = Promise.all([get(), get()])
  reader.answer(0, 1)
  expect(await both).toEqual([1, 1])
  expect(await get()).toBe(1)
  expect(reader.asked).toBe(1)
})

test('what is known is given while it is read anew, and when that fails', async () => {
  const reader = slowReader()
  const get = keptFresh({ freshMs: 0 }, reader.read)
  const first = get()
  reader.answer(0, 1)
  await first
  expect([await get(), await get()]).toEqual([1, 1])
  expect(reader.asked).toBe(2)
  reader.fail(1)
  await Bun.sleep(0)
  expect(await get()).toBe(1)
  reader.answer(2, 3)
  await Bun.sleep(0)
  expect(await get()).toBe(3)
})

test('what is too old is waited for; a failure is told to whoever waits, and tried again', async () => {
  const reader = slowReader()
  const get = keptFresh({ freshMs: 0, oldestMs: 0 }, reader.read)
  const first = get()
  reader.answer(0, 1)
  expect(await first).toBe(1)
  await Bun.sleep(1)
  const second = get()
  reader.fail(1)
  expect(second).rejects.toThrow('away')
  const third = second.catch(() => get())
  await second.catch(() => {})
  reader.answer(2, 3)
  expect(await third).toBe(3)
})
