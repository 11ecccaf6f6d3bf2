import { expect, test } from 'bun:test'
import { isSigned, moneyText, readCents, readFields, signEpay } from './epay.ts'

/** The protocol's own example of what is signed, written out by hand. */
const fields = new Map([
  ['money', '1.00'],
  ['name', 'VIP会员'],
  ['notify_url', 'http://www.pay.com/notify_url.php'],
  ['out_trade_no', '20160806151343349'],
  ['pid', '1001'],
  ['return_url', 'http://www.pay.com/return_url.php'],
  ['type', 'alipay'],
])
const written =
  'money=1.00&name=VIP会员&notify_url=http://www.pay.com/notify_url.php&out_trade_no=20160806151343349&pid=1001&return_url=http://www.pay.com/return_url.php&type=alipay'
const key = '89unJUB8HZ54Hj7x4nUj56HN4nUzUJ8i'
const md5 = (text: string): string => new Bun.CryptoHasher('md5').update(text).digest('hex')

test('what is signed: the fields by name, unescaped, without blanks and the signature itself', () => {
  expect(signEpay(fields, key)).toBe(md5(written + key))
  const shuffled = [...fields].reverse()
  expect(signEpay([...shuffled, ['param', ''], ['sign', 'x'], ['sign_type', 'MD5']], key)).toBe(
    md5(written + key),
  )
})

test('a signature is believed only whole, by this key, over these fields', () => {
  const sign = md5(written + key)
  const signed = (more: Record<string, string>) => new Map([...fields, ...Object.entries(more)])
  expect(isSigned(signed({ sign, sign_type: 'MD5' }), key)).toBe(true)
  expect(isSigned(signed({ sign: sign.toUpperCase() }), key)).toBe(true)
  expect(isSigned(signed({}), key)).toBe(false)
  expect(isSigned(signed({ sign: '' }), key)).toBe(false)
  expect(isSigned(signed({ sign: sign.slice(1) }), key)).toBe(false)
  expect(isSigned(signed({ sign: 'é'.repeat(16) }), key)).toBe(false)
  expect(isSigned(signed({ sign, sign_type: 'RSA' }), key)).toBe(false)
  expect(isSigned(signed({ sign, money: '0.01' }), key)).toBe(false)
  expect(isSigned(signed({ sign, extra: '1' }), key)).toBe(false)
  expect(isSigned(signed({ sign: md5(written) }), '')).toBe(false)
})

test('a name that comes twice is nobody’s to choose from', () => {
  expect(readFields([['a', '1']])).toEqual(new Map([['a', '1']]))
  expect(
    readFields([
      ['a', '1'],
      ['a', '1'],
    ]),
  ).toBeUndefined()
})

test.each<[string, number | undefined]>([
  ['7.30', 730],
  ['7.3', 730],
  ['7', 700],
  ['7.300', 730],
  ['0.01', 1],
  ['7.305', undefined],
  ['7.', undefined],
  ['.3', undefined],
  ['-7.30', undefined],
  ['7,30', undefined],
  ['7.3e1', undefined],
  [' 7.30', undefined],
  ['9999999999999', undefined],
  ['', undefined],
])('%p is %p cents', (text, cents) => {
  expect(readCents(text)).toBe(cents as number)
})

test('money is written with two decimals', () => {
  expect([1, 10, 730, 69_350_001].map(moneyText)).toEqual(['0.01', '0.10', '7.30', '693500.01'])
})
