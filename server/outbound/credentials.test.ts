import { expect, test } from 'bun:test'
import {
  hideCredentials,
  hideInAddress,
  restoreAmong,
  restoreCredentials,
  secretsInAddress,
} from './credentials.ts'

test.each([
  ['https://reader:pass@host/x', 'https://reader:***@host/x'],
  ['https://p@ss:wo@rd@host:8443/x?y=a@b', 'https://p@ss:***@host:8443/x?y=a@b'],
  ['https://token-alone@host', 'https://***@host'],
  ['{"proxy":"socks5://me:word@10.0.0.1:1080"}', '{"proxy":"socks5://me:***@10.0.0.1:1080"}'],
  ['https://host/a@b', 'https://host/a@b'],
  ['https://{model}.host', 'https://{model}.host'],
])('%s is shown as %s', (address, shown) => {
  expect(hideCredentials(address)).toBe(shown)
})

test('a long text of short words is read through once', () => {
  const words = 'a-'.repeat(100_000)
  expect(hideCredentials(`${words} https://me:word@host`)).toBe(`${words} https://me:***@host`)
})

test('a hidden password comes back for its own host and user alone', () => {
  const known = 'https://reader:pass@host:8443/x'
  const shown = hideCredentials(known)
  expect(restoreCredentials(shown, known)).toBe(known)
  expect(restoreCredentials('https://reader:***@HOST:8443/other?q=1', known)).toBe(
    'https://reader:pass@HOST:8443/other?q=1',
  )
  for (const given of [
    'https://reader:***@evil.example/x',
    'https://reader:***@host:8443.evil.example/x',
    'https://other:***@host:8443/x',
    'http://reader:***@host:8443/x',
    'https://***@host:8443/x',
  ])
    expect(restoreCredentials(given, known)).toBeUndefined()
  expect(restoreCredentials(shown, null)).toBeUndefined()
  for (const given of ['https://host/x', 'https://reader:new@host/x'])
    expect(restoreCredentials(given, known)).toBe(given)
})

test('what proves who asks is known in every spelling in which it is sent', () => {
  const pair = Buffer.from('reader:s3cret/word').toString('base64')
  expect(secretsInAddress('https://reader:s3cret%2Fword@host/x?code=abcdefgh&version=2024-02-01')).toEqual([
    'reader:s3cret%2Fword',
    'reader:s3cret/word',
    's3cret%2Fword',
    's3cret/word',
    pair,
    'abcdefgh',
  ])
  expect(secretsInAddress('https://host/x?api-version=2024-02-01')).toEqual([])
})

test.each([
  ['https://host/mcp?tavilyApiKey=abc&x=1#f', 'https://host/mcp?tavilyApiKey=***&x=1#f'],
  ['https://me:word@host/?token=a&token=b', 'https://me:***@host/?token=***&token=***'],
  ['https://host/?api-version=2024-02-01', 'https://host/?api-version=2024-02-01'],
  ['https://host/a?b=c#token=d', 'https://host/a?b=c#token=d'],
])('the address %s is shown as %s, and comes back as it was', (address, shown) => {
  expect(hideInAddress(address)).toBe(shown)
  expect(restoreCredentials(shown, address)).toBe(address)
})

test('a hidden key comes back for its own host and name alone', () => {
  const known = 'https://host/mcp?key=first&key=second'
  expect(restoreCredentials('https://host/other?a=b&key=***', known)).toBe('https://host/other?a=b&key=first')
  for (const given of [
    'https://evil.example/mcp?key=***',
    'http://host/mcp?key=***',
    'https://host:444/mcp?key=***',
    'https://host@evil.example/mcp?key=***',
    'https://host\\@evil.example/mcp?key=***',
    'https:evil.example/mcp?key=***',
    'https://host/mcp?token=***',
    'https://host/mcp?key=***&key=***&key=***',
  ])
    expect([given, restoreCredentials(given, known)]).toEqual([given, undefined])
  expect(restoreCredentials('https://evil.example/mcp?key=new', known)).toBe(
    'https://evil.example/mcp?key=new',
  )
})

test('nothing comes back for an address whose host cannot be told', () => {
  expect(restoreCredentials('https:evil.example/?key=***', 'https:host/?key=first')).toBeUndefined()
})

test('of several at one host each gets its own back, renamed or moved; what may be either’s is not guessed', () => {
  const known = [
    { of: 'a', address: 'https://host/a?key=first' },
    { of: 'b', address: 'https://host/b?key=second' },
    { of: 'c', address: 'https://host/b?key=third' },
  ]
  const restored = (of: string, address: string, at?: number) => restoreAmong({ of, address }, known, at)
  for (const [at, { of, address }] of known.entries()) {
    expect(restored(of, hideInAddress(address), 2 - at)).toBe(address)
    expect(restored('renamed', hideInAddress(address), at)).toBe(address)
  }
  expect(restored('a', 'https://host/other?key=***')).toBe('https://host/other?key=first')
  expect(restored('renamed', 'https://host/a?key=***')).toBe('https://host/a?key=first')
  for (const [of, address] of [
    ['new', 'https://host/b?key=***'],
    ['new', 'https://host/other?key=***'],
    ['a', 'https://host/b?key=***'],
    ['a', 'https://evil.example/a?key=***'],
  ] as const)
    expect([of, address, restored(of, address)]).toEqual([of, address, undefined])
  expect(restored('new', 'https://host/b?key=typed')).toBe('https://host/b?key=typed')
})
