import { expect, test } from 'bun:test'
import { encode } from 'uqr'
import { qrPath } from './qr-path.ts'

test('runs of dark squares become rectangles', () => {
  expect(qrPath([[true, true, false, true]])).toBe('M0 0h2v1h-2zM3 0h1v1h-1z')
  expect(qrPath([[false], [true]])).toBe('M0 1h1v1h-1z')
  expect(qrPath([])).toBe('')
})

test('a real code keeps every dark square', () => {
  const { data } = encode('otpauth://totp/Tollgate:someone?secret=ABCDEFGHIJKLMNOP', { ecc: 'M' })
  const widths = [...qrPath(data).matchAll(/h(\d+)v/g)].map(match => Number(match[1]))
  expect(widths.reduce((sum, width) => sum + width, 0)).toBe(data.flat().filter(Boolean).length)
})
