import { expect, test } from 'bun:test'
import { crc32 } from 'node:zlib'
import { sumAgain } from './sum-again.ts'

test.each(['', 'a', 'message', '\u0000\u0000', 'é中😀', 'x'.repeat(1000)])('%j and its sum', text => {
  const sum = crc32(text)
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(sum)
  expect(sumAgain(sum)).toBe(crc32(Buffer.concat([Buffer.from(text), bytes])))
})
