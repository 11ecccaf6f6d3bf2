import { describe, expect, test } from 'bun:test'
import { followRedirect, type Hop, isRedirect } from './redirect-rules.ts'

const hop = (over: Partial<Hop> = {}): Hop => ({
  url: new URL('https://a.test/v1/x?q'),
  method: 'POST',
  headers: { accept: '*/*', 'content-type': 'application/json', authorization: 'Bearer k' },
  body: '{}',
  ...over,
})

describe('followRedirect', () => {
  test.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [301, 'PUT', 'PUT'],
    [302, 'DELETE', 'DELETE'],
    [307, 'POST', 'POST'],
    [308, 'POST', 'POST'],
  ])('%i turns %s into %s', (status, method, expected) => {
    expect(followRedirect(hop({ method }), status, '/y', []).method).toBe(expected)
  })

  test('the body goes with the method', () => {
    const dropped = followRedirect(hop(), 302, '/y', [])
    expect(dropped.body).toBeUndefined()
    expect(dropped.headers).toEqual({ accept: '*/*', authorization: 'Bearer k' })
    expect(followRedirect(hop(), 307, '/y', [])).toMatchObject({ body: '{}', headers: hop().headers })
  })

  test('locations are read against the hop they came from', () => {
    expect(followRedirect(hop(), 302, 'y', []).url.href).toBe('https://a.test/v1/y')
    expect(followRedirect(hop(), 302, '//b.test/y', []).url.href).toBe('https://b.test/y')
  })

  test('credentials do not leave the origin', () => {
    const secrets = {
      Authorization: '1',
      cookie: '1',
      'x-api-key': '1',
      'x-goog-api-key': '1',
      'api-key': '1',
      'proxy-authorization': '1',
      'x-auth-token': '1',
      'x-tenant': '1',
    }
    const headers = Object.fromEntries(
      Object.entries({ ...secrets, accept: '*/*' }).map(([k, v]) => [k.toLowerCase(), v]),
    )
    for (const location of ['https://b.test/', 'https://a.test:8443/', 'https://sub.a.test/']) {
      expect(followRedirect(hop({ headers }), 307, location, ['X-Tenant']).headers).toEqual({ accept: '*/*' })
    }
    expect(followRedirect(hop({ headers }), 307, '/same', ['X-Tenant']).headers).toEqual(headers)
  })

  test.each(['http://a.test/', 'http://['])('%s is refused', location => {
    expect(() => followRedirect(hop(), 302, location, [])).toThrow('redirects where it may not')
  })

  test('a stream that was sent cannot be sent again', () => {
    const body = new ReadableStream<Uint8Array>()
    expect(() => followRedirect(hop({ body }), 307, '/y', [])).toThrow('redirects where it may not')
    expect(followRedirect(hop({ body }), 303, '/y', []).body).toBeUndefined()
  })
})

test('304 and 300 are answers, not redirects', () => {
  expect([300, 301, 302, 303, 304, 305, 307, 308].filter(isRedirect)).toEqual([301, 302, 303, 307, 308])
})
