import { expect, test } from 'bun:test'
import { cleanHeaders } from './request-headers.ts'

test('headers of the connection are not forwarded', () => {
  const cleaned = cleanHeaders({
    Connection: 'close',
    'Keep-Alive': 'timeout=5',
    'Transfer-Encoding': 'chunked',
    'Content-Length': '9',
    Host: 'evil.test',
    TE: 'trailers',
    Trailer: 'x',
    Upgrade: 'h2c',
    Expect: '100-continue',
    'Proxy-Authorization': 'Basic eA==',
    'Proxy-Connection': 'keep-alive',
    'X-Kept': '1',
  })
  expect(cleaned).toEqual({ 'accept-encoding': 'identity', 'user-agent': 'Tollgate', 'x-kept': '1' })
})

test.each([
  ['x', 'a\r\nb: c'],
  ['x', 'a\nb'],
  ['x', 'a\r'],
  ['x', 'a\n'],
  ['x', 'a\0b'],
  ['x', '中'],
  ['x\r\ny', 'a'],
  ['x y', 'a'],
  ['', 'a'],
  ['x:', 'a'],
])('%j: %j is refused', (name, value) => {
  expect(() => cleanHeaders({ [name]: value })).toThrow('not allowed')
  expect(() => cleanHeaders([[name, value]])).toThrow('not allowed')
})

test('every form of headers is read, the caller before our defaults', () => {
  const expected = { 'accept-encoding': 'gzip', 'user-agent': 'sdk/1', a: '1' }
  expect(cleanHeaders({ 'Accept-Encoding': 'gzip', 'User-Agent': 'sdk/1', A: '1', b: undefined })).toEqual(
    expected,
  )
  expect(cleanHeaders(new Headers(expected))).toEqual(expected)
  expect(cleanHeaders([...Object.entries(expected), ['A', '2']])).toEqual({ ...expected, a: '1, 2' })
  expect(cleanHeaders(undefined)).toEqual({ 'accept-encoding': 'identity', 'user-agent': 'Tollgate' })
})
