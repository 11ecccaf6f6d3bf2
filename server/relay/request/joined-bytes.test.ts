import { expect, test } from 'bun:test'
import { JoinedBytes } from './joined-bytes.ts'

test.each([1, 7, 1024, 70_000])('what comes %d bytes at a time is had as one', size => {
  const all = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7) % 251))
  const bytes = new JoinedBytes()
  for (let at = 0; at < all.length; at += size) bytes.add(all.subarray(at, at + size))
  expect(bytes.length).toBe(all.length)
  expect(bytes.whole().equals(all)).toBe(true)
  bytes.clear()
  expect([bytes.length, bytes.whole().length]).toEqual([0, 0])
})

test('of many small pieces few are held', () => {
  const bytes = new JoinedBytes()
  for (let at = 0; at < 300_000; at++) bytes.add(new Uint8Array([at]))
  expect(bytes.pieces).toBeLessThan(2000)
})
