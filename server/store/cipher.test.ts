import { expect, test } from 'bun:test'
import { Cipher } from './cipher.ts'

const place = { table: 'channels', column: 'key', row: 7 }
const cipher = new Cipher('the first key, long enough to be one')

test('what is sealed opens in its own place and nowhere else', () => {
  const sealed = cipher.seal(place, 'sk-live-key-密钥-😀')
  expect(sealed).not.toContain('sk-live')
  expect(cipher.open(place, sealed)).toBe('sk-live-key-密钥-😀')
  expect(() => cipher.open({ ...place, row: 8 }, sealed)).toThrow('unable to authenticate data')
  expect(() => cipher.open({ ...place, column: 'other' }, sealed)).toThrow('unable to authenticate data')
  expect(() => new Cipher('another key').open(place, sealed)).toThrow('unable to authenticate data')
})

test('the same text is sealed differently each time, and an altered one does not open', () => {
  const [first, second] = [cipher.seal(place, 'x'), cipher.seal(place, 'x')]
  expect(first).not.toBe(second)
  const bytes = Buffer.from(first.slice(3), 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const altered = Buffer.from(bytes)
    altered[at] = (altered[at] ?? 0) ^ 1
    expect(() => cipher.open(place, `v1.${altered.toString('base64url')}`)).toThrow(
      'unable to authenticate data',
    )
  }
  expect(() => cipher.open(place, 'v1.')).toThrow('not a sealed value')
})

test('hashes depend on key and purpose', () => {
  expect(cipher.hash('a', 'x')).toBe(cipher.hash('a', 'x'))
  expect(cipher.hash('a', 'x')).not.toBe(cipher.hash('b', 'x'))
  expect(cipher.hash('a', 'x')).not.toBe(new Cipher('another key').hash('a', 'x'))
})
