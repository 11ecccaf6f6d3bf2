import { expect, test } from 'bun:test'
import { findBytes } from './find-bytes.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

test('finds what a Buffer finds, in any view', () => {
  const whole = bytes('…"usage":null,"usage":{}')
  for (const view of [whole, whole.subarray(3), new Uint8Array(whole)])
    for (const sign of ['"usage"', 'null', '}', '…', 'none', '"usage":null,"usage":{} and more'])
      for (const from of [0, 1, 8, 22, 100])
        expect(findBytes(view, bytes(sign), from)).toBe(Buffer.from(view).indexOf(Buffer.from(sign), from))
})
