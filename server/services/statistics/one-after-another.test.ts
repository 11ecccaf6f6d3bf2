import { expect, test } from 'bun:test'
import { oneAfterAnother } from './one-after-another.ts'

test('what is asked at once is read one after another, also after one that failed', async () => {
  let [running, most] = [0, 0]
  const read = oneAfterAnother(async (name: string) => {
    running++
    most = Math.max(most, running)
    await Bun.sleep(1)
    running--
    if (name === 'fails') throw new Error(name)
    return name
  })
  const all = await Promise.allSettled(['one', 'fails', 'other'].map(read))
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(most).toBe(1)
})
