import { describe, expect, test } from 'bun:test'
import type { AppError } from '../errors.ts'
import type { Policy } from './address-rules.ts'
import { checkUrl, parseUrl, type Transport } from './url-rules.ts'

function judge(url: string, policy: Policy, transport: Transport = 'http', allowPrivate = true): string {
  try {
    return checkUrl(parseUrl(url), policy, transport, allowPrivate)
  } catch (error) {
    return (error as AppError).code
  }
}

test('no address is longer than a server would take, whoever wrote it', () => {
  const longest = `https://a.example/${'a'.repeat(16 * 1024 - 'https://a.example/'.length)}`
  for (const policy of ['user', 'operator'] as const)
    expect([longest, `${longest}a`].map(url => judge(url, policy))).toEqual(['a.example', 'outbound.bad-url'])
})

describe('a URL from a user', () => {
  test.each([
    'http://0/',
    'http://0.0.0.0/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://１２７.0.0.1/',
    'http://127.0.0.1./',
    'http://2852039166/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[64:ff9b::808:808]/',
    'http://[2002:a9fe:a9fe::]/',
    'http://[fec0::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://100.64.0.1/',
    'http://100.100.100.200/',
    'http://198.18.0.1/',
    'http://192.0.2.1/',
    'http://10.0.0.1/',
    'http://localhost/',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://a.localhost/',
    'http://printer.local/',
    'http://metadata.google.internal/',
    'http://metadata.google.internal./',
    'http://db.internal/',
    'http://intranet/',
    'http://example.com./',
    'http://example.com../',
  ])('%s is refused by its address', url => {
    expect(judge(url, 'user')).toBe('outbound.address')
  })

  test.each([
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://example.com/',
    'data:,x',
    'ws://example.com/',
  ])('%s is refused by its scheme', url => expect(judge(url, 'user')).toBe('outbound.scheme'))

  test.each(['http://example.com:22/', 'http://example.com:6379/', 'https://example.com:3000/'])(
    '%s is refused by its port',
    url => expect(judge(url, 'user')).toBe('outbound.port'),
  )

  test.each([
    'http://u:p@example.com/',
    'http://u@example.com/',
    'http://:p@example.com/',
    'no url',
    'http://',
    '',
  ])('%j is refused as a URL', url => expect(judge(url, 'user')).toBe('outbound.bad-url'))

  test.each([
    'http://example.com/',
    'https://example.com/',
    'https://EXAMPLE.com:8443/a?b',
    'http://example.com:8080/',
    'http://example.com:443/',
  ])('%s may be resolved', url => {
    expect(judge(url, 'user')).toBe('example.com')
  })

  test('a public address may be fetched', () => {
    expect(judge('http://8.8.8.8/', 'user')).toBe('8.8.8.8')
    expect(judge('http://[2606:4700::1111]/', 'user')).toBe('2606:4700::1111')
  })
})

describe('a URL from the operator', () => {
  test.each([
    ['http://localhost:11434/', 'localhost'],
    ['http://localhost./', 'localhost'],
    ['http://host.docker.internal:3000/', 'host.docker.internal'],
    ['http://ollama/', 'ollama'],
    ['http://u:p@10.0.0.1:1/', '10.0.0.1'],
    ['https://[::1]:65535/', '::1'],
    ['http://2130706433/', '127.0.0.1'],
    ['http://[64:ff9b::808:808]/', '64:ff9b::808:808'],
  ])('%s is allowed', (url, host) => {
    expect(judge(url, 'operator')).toBe(host)
  })

  test.each([
    'http://169.254.169.254/',
    'http://169.254.169.254./',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://[::ffff:169.254.169.254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[64:ff9b:1::a9fe:a9fe]/',
    'http://[2002:a9fe:a9fe::]/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
    'http://192.0.0.192/',
    'http://metadata.google.internal/',
    'http://METADATA.google.internal./',
    'http://0/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
  ])('%s is never allowed', url => {
    expect(judge(url, 'operator')).toBe('outbound.address')
  })

  test('private addresses go with the switch, public ones stay', () => {
    expect(judge('http://10.0.0.1/', 'operator', 'http', false)).toBe('outbound.address')
    expect(judge('http://[::ffff:127.0.0.1]/', 'operator', 'http', false)).toBe('outbound.address')
    expect(judge('http://8.8.8.8/', 'operator', 'http', false)).toBe('8.8.8.8')
  })

  test('port 0 and other schemes are refused', () => {
    expect(judge('http://example.com:0/', 'operator')).toBe('outbound.port')
    expect(judge('file:///etc/passwd', 'operator')).toBe('outbound.scheme')
  })
})

test('sockets take ws and wss, nothing else', () => {
  expect(judge('wss://example.com/', 'operator', 'socket')).toBe('example.com')
  expect(judge('ws://127.0.0.1:9/', 'operator', 'socket')).toBe('127.0.0.1')
  expect(judge('ws://169.254.169.254/', 'operator', 'socket')).toBe('outbound.address')
  expect(judge('https://example.com/', 'operator', 'socket')).toBe('outbound.scheme')
})
