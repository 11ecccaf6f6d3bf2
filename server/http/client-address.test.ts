import { expect, test } from 'bun:test'
import { ClientAddresses, isNear } from './client-address.ts'

test('with no trusted proxy the socket is all that counts', () => {
  const addresses = new ClientAddresses([])
  expect(addresses.resolve('203.0.113.5', '1.2.3.4')).toBe('203.0.113.5')
  expect(addresses.resolve('::ffff:127.0.0.1', '1.2.3.4')).toBe('127.0.0.1')
})

test.each([
  ['10.0.0.1', '1.2.3.4', '1.2.3.4'],
  ['10.0.0.1', 'evil, 1.2.3.4', '1.2.3.4'],
  ['10.0.0.1', '6.6.6.6, 1.2.3.4', '1.2.3.4'],
  ['10.0.0.1', '1.2.3.4, 10.9.9.9', '1.2.3.4'],
  ['10.0.0.1', '10.1.1.1, 10.2.2.2', '10.1.1.1'],
  ['10.0.0.1', 'not-an-address', '10.0.0.1'],
  ['10.0.0.1', null, '10.0.0.1'],
  ['10.0.0.1', '1.2.3.4:5678', '1.2.3.4'],
  ['10.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
  ['192.168.0.1', '1.2.3.4', '192.168.0.1'],
  ['fd00::1', '1.2.3.4', '1.2.3.4'],
])('from %s with %p it is %s', (peer, forwarded, expected) => {
  expect(new ClientAddresses(['10.0.0.0/8', 'fd00::1']).resolve(peer, forwarded)).toBe(expected)
})

test('near is this machine and its private network', () => {
  for (const address of ['127.0.0.1', '10.1.2.3', '172.20.0.1', '192.168.1.1', '::1', 'fd12::1'])
    expect([address, isNear(address)]).toEqual([address, true])
  for (const address of ['8.8.8.8', '172.32.0.1', '2001:db8::1', '169.254.1.1', 'x'])
    expect([address, isNear(address)]).toEqual([address, false])
})
