import { expect, test } from 'bun:test'
import { TokenCache } from './token-cache.ts'

test('one exchange serves all who wait, and everybody until shortly before its end', async () => {
  const cache = new TokenCache(1000)
  let fetched = 0
  const fetchToken = async () => ({ value: `token-${++fetched}`, expiresAt: 10_000 })
  const both = await Promise.all([cache.get('a', 0, fetchToken), cache.get('a', 0, fetchToken)])
  expect(both).toEqual(['token-1', 'token-1'])
  // Without waiting.
  expect(cache.get('a', 8999, fetchToken)).toBe('token-1')
  expect(await cache.get('a', 9000, fetchToken)).toBe('token-2')
  expect(await cache.get('b', 0, fetchToken)).toBe('token-3')
  cache.forget('b')
  expect(await cache.get('b', 0, fetchToken)).toBe('token-4')
})

test('a failed exchange is not kept', async () => {
  const cache = new TokenCache()
  const fail = () => Promise.reject(new Error('no'))
  const failures = await Promise.allSettled([cache.get('a', 0, fail), cache.get('a', 0, fail)])
  expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await cache.get('a', 0, async () => ({ value: 'x', expiresAt: 1e9 }))).toBe('x')
})
