import { expect, test } from 'bun:test'
import { StreamCount } from './stream-count.ts'

test('what comes faster than it can be counted is estimated, and no more than a little waits', async () => {
  const waiting: (() => void)[] = []
  let handedOver = 0
  const count = new StreamCount(text => {
    handedOver += text.length
    return new Promise(resolve => waiting.push(() => resolve(text.length / 4)))
  })
  const piece = 'word'.repeat(1024)
  for (let at = 0; at < 1024; at++) count.add(piece)
  expect(handedOver).toBeLessThan(1.2 * 1024 * 1024)
  expect(count.certain).toBe(0)
  const total = count.total()
  for (const come of waiting) come()
  expect(await total).toBe(1024 * 1024)
})
