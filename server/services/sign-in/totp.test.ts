import { describe, expect, test } from 'bun:test'
import { base32, findStep, fromBase32, otpauthUrl, totpCode } from './totp.ts'

/** The secret and the last six digits of the table in RFC 6238, appendix B. */
const secret = Buffer.from('12345678901234567890')
const table = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
] as const

describe('time-based codes', () => {
  for (const [at, code] of table)
    test(`at ${at} the code is ${code}`, () => {
      expect(totpCode(secret, Math.floor(at / 30))).toBe(code)
      expect(findStep(secret, code, at)).toBe(Math.floor(at / 30))
    })

  test('one step to either side is taken, two are not', () => {
    const at = 1234567890
    const step = at / 30
    expect([-2, -1, 0, 1, 2].map(off => findStep(secret, totpCode(secret, step + off), at))).toEqual([
      undefined,
      step - 1,
      step,
      step + 1,
      undefined,
    ])
  })

  test('what is no six digits is no code', () => {
    for (const code of ['', '5924', '0059240', 'abcdef', '００５９２４', ' 05924'])
      expect(findStep(secret, code, 1234567890)).toBeUndefined()
  })
})

test('base32 as RFC 4648 has it, without padding', () => {
  const words = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar']
  expect(words.map(word => base32(Buffer.from(word)))).toEqual([
    '',
    'MY',
    'MZXQ',
    'MZXW6',
    'MZXW6YQ',
    'MZXW6YTB',
    'MZXW6YTBOI',
  ])
})

test('what it stands for, however it is written; what is none is nothing', () => {
  const words = ['f', 'fo', 'foo', 'foob', 'fooba', 'foobar', '\0\xff\x80']
  for (const word of words) {
    const bytes = Buffer.from(word, 'latin1')
    expect(fromBase32(base32(bytes))).toEqual(Uint8Array.from(bytes))
    expect(fromBase32(`${base32(bytes).toLowerCase()}==`)).toEqual(Uint8Array.from(bytes))
  }
  expect(fromBase32('MZXW 6YTB-OI======')).toEqual(Uint8Array.from(Buffer.from('foobar')))
  for (const none of ['', '=', 'MZXW1', 'ünd', 'a$b']) expect(fromBase32(none)).toBeUndefined()
})

test('the address for authenticator apps holds no bare separators', () => {
  expect(otpauthUrl('Gate & Co', 'a:b?', secret)).toBe(
    'otpauth://totp/Gate%20%26%20Co:a%3Ab%3F?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' +
      '&issuer=Gate%20%26%20Co&algorithm=SHA1&digits=6&period=30',
  )
})
