import { expect, test } from 'bun:test'
import { estimateTokens, StreamCount } from './stream-count.ts'

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

test('however small the pieces, what is held is known to the byte, and handed over in order', async () => {
  const texts: string[] = []
  const count = new StreamCount(async text => {
    texts.push(text)
    return 0
  })
  const pieces = Array.from({ length: 200 }, (_, at) => `é${at} `)
  for (const piece of pieces) count.add(piece)
  const whole = pieces.join('')
  expect(count.held).toBe(whole.length)
  expect(count.soFar).toBe(estimateTokens(Buffer.byteLength(whole)))
  await count.total()
  expect(texts).toEqual([whole])
  expect(count.held).toBe(0)
})
