import { describe, expect, test } from 'bun:test'
import { type AddressKind, classifyAddress, isAddressAllowed, parseV6 } from './address-rules.ts'

const samples: Record<AddressKind, string[]> = {
  global: [
    '8.8.8.8',
    '1.1.1.1',
    '100.63.255.255',
    '100.128.0.0',
    '172.32.0.1',
    '198.20.0.0',
    '2606:4700::1111',
  ],
  wrapped: [
    '::ffff:8.8.8.8',
    '::ffff:0:8.8.8.8',
    '64:ff9b::808:808',
    '64:ff9b:1::8.8.8.8',
    '2002:808:808::1',
    '2001:0:808:808:0:0:f7f7:f7f7',
    '2606:4700::5efe:808:808',
  ],
  local: [
    '10.1.2.3',
    '127.0.0.1',
    '127.255.255.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '100.127.255.255',
    '198.18.0.1',
    '198.19.255.255',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '::1',
    'fc00::1',
    'fd12:3456::1',
    'fec0::1',
    '2001:db8::1',
    '3fff::1',
    '2001:2::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1:a00:1:100::',
    '2002:7f00:1::',
    '2001:0:808:808:0:0:80ff:fffe',
    'fd00::5efe:808:808',
    '2606:4700::5efe:10.0.0.1',
  ],
  never: [
    '0.0.0.0',
    '0.1.2.3',
    '169.254.0.1',
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    'fe80::1',
    'febf::1',
    'ff02::1',
    'fd00:ec2::254',
    '::ffff:169.254.169.254',
    '::ffff:0.0.0.0',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1:a9fe:a9:fe00::',
    '64:ff9b:1::a9fe:a9fe',
    '64:ff9b:1:a9:fe:a9fe::',
    '64:ff9b:1:0:a9:fea9:fe00:0',
    '2002:a9fe:a9fe::',
    '2001:0:a9fe:a9fe::1',
    '2001:0:808:808:0:0:5601:5601',
    '2606:4700::5efe:a9fe:a9fe',
    '2606:4700::200:5efe:a9fe:a9fe',
    '::a9fe:a9fe',
    '::8.8.8.8',
    '4000::1',
  ],
}

describe('classifyAddress', () => {
  for (const [kind, addresses] of Object.entries(samples)) {
    for (const address of addresses) {
      test(`${address} is ${kind}`, () => {
        expect(classifyAddress(address)).toBe(kind as AddressKind)
      })
    }
  }

  test.each([
    '',
    'localhost',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '127.0.0.01',
    '256.1.1.1',
    '1.2.3.4.5',
    ' 8.8.8.8',
    '8.8.8.8\n',
    'fe80::1%eth0',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1::2::3',
    '12345::',
    '::1.2.3',
    '1.2.3.4::',
    ':::',
  ])('%j is no address, so never', text => {
    expect(classifyAddress(text)).toBe('never')
  })
})

test('parseV6 reads every way of writing one', () => {
  expect(parseV6('::')).toBe(0n)
  expect(parseV6('::1')).toBe(1n)
  expect(parseV6('1::')).toBe(1n << 112n)
  expect(parseV6('0:0:0:0:0:FFFF:127.0.0.1')).toBe(0xffff7f000001n)
  expect(parseV6('2001:DB8:0:0:0:0:0:1')).toBe(parseV6('2001:db8::1'))
})

test('each policy allows its kinds', () => {
  const allowed = (address: string) => [
    isAddressAllowed(address, 'user', true),
    isAddressAllowed(address, 'operator', true),
    isAddressAllowed(address, 'operator', false),
  ]
  expect(allowed('8.8.8.8')).toEqual([true, true, true])
  expect(allowed('64:ff9b::808:808')).toEqual([false, true, true])
  expect(allowed('127.0.0.1')).toEqual([false, true, false])
  expect(allowed('169.254.169.254')).toEqual([false, false, false])
})
