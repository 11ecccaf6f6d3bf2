import { expect, test } from 'bun:test'
import { isSignedByStripe } from './signature.ts'

const secret = 'whsec_test_secret'
const payload = '{\n  "id": "evt_test_webhook",\n  "object": "event"\n}'
const at = 1_700_000_000
const hmac = (text: string, key = secret): string =>
  new Bun.CryptoHasher('sha256', key).update(text).digest('hex')
const v1 = hmac(`${at}.${payload}`)
const judge = (header: string | null, { text = payload, key = secret, now = at } = {}): boolean =>
  isSignedByStripe(text, header, { secret: key, now })

test('a signature is believed only whole, by this secret, over this time and text', () => {
  expect(judge(`t=${at},v1=${v1}`)).toBe(true)
  expect(judge(`t=${at},v1=${v1},v0=abc`)).toBe(true)
  expect(judge(`v0=abc, v1=${v1}, t=${at}`)).toBe(true)
  const wrong: (string | null)[] = [
    null,
    '',
    'nonsense',
    `t=${at}`,
    `v1=${v1}`,
    `t=${at},v1=`,
    `t=${at},v0=${v1}`,
    `t=${at},v1=${v1.slice(1)}`,
    `t=${at},v1=${v1}00`,
    `t=${at},v1=${v1.toUpperCase()}`,
    `t=${at},v1=${hmac(payload)}`,
    `t=${at},v1=${hmac(`${at}.${payload}`, 'whsec_another')}`,
    `t=${at + 1},v1=${v1}`,
    `t=0${at},v1=${v1}`,
    `t=-1,v1=${hmac(`-1.${payload}`)}`,
    `t=1e9,v1=${hmac(`1e9.${payload}`)}`,
    `t=,v1=${hmac(`.${payload}`)}`,
  ]
  for (const header of wrong) expect([header, judge(header)]).toEqual([header, false])
  expect(judge(`t=${at},v1=${v1}`, { text: payload.replace('\n', '') })).toBe(false)
  expect(judge(`t=${at},v1=${hmac(`${at}.${payload}`, '')}`, { key: '' })).toBe(false)
})

test('while one secret takes over from another, either signature does', () => {
  const other = hmac(`${at}.${payload}`, 'whsec_another')
  expect(judge(`t=${at},v1=${other},v1=${v1}`)).toBe(true)
  expect(judge(`t=${at},v1=${v1},v1=${other}`)).toBe(true)
  expect(judge(`t=${at}${`,v1=${other}`.repeat(10)},v1=${v1}`)).toBe(false)
})

test('it grows old in five minutes', () => {
  const header = `t=${at},v1=${v1}`
  expect(judge(header, { now: at + 300 })).toBe(true)
  expect(judge(header, { now: at + 301 })).toBe(false)
  expect(judge(header, { now: at - 100 })).toBe(true)
})
