import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openSampleStore } from '../../test/sample-store.ts'
import { dropAll, engines } from '../../test/services/databases.ts'
import { AppError } from '../errors.ts'
import type { Store } from '../store/index.ts'
import { putRow } from '../store/upsert.ts'
import { RateLimits } from './rate-limits.ts'

let store: Store
let limits: RateLimits
let now = 1000
beforeAll(async () => {
  const url = (await engines[0]?.freshUrl()) ?? ''
  store = await openSampleStore(url)
  limits = new RateLimits({ store, settings: store.settings, now: () => now })
})
afterAll(async () => {
  await store.close()
  await dropAll()
})

async function set(key: string, value: number): Promise<void> {
  await store.change('options', transaction =>
    putRow(transaction, store.engine, 'options', { key }, { value: String(value), updated_at: 1 }),
  )
}

/** How many of ten pass. */
async function passing(take: () => Promise<void> | undefined): Promise<number> {
  let passed = 0
  for (let call = 0; call < 10; call++) {
    try {
      await take()
      passed++
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'request.too-many') throw error
    }
  }
  return passed
}

const from = (address: string, path = '/api/status') => ({ address, path })

test('each class has its own count, by address', async () => {
  await set('GlobalApiRateLimit', 4)
  await set('GlobalWebRateLimit', 6)
  await set('CriticalRateLimit', 2)
  expect(await passing(() => limits.take('api', from('a')))).toBe(4)
  expect(await passing(() => limits.take('api', from('b')))).toBe(4)
  expect(await passing(() => limits.take('critical', from('a')))).toBe(2)
  expect(await passing(() => limits.takePage(from('a', '/console')))).toBe(6)
  expect(await passing(() => limits.takePage(from('a', '/assets/index-1.js')))).toBe(10)
  expect(await passing(() => limits.take('none', from('a')))).toBe(10)
})

test('whoever has a network of IPv6 addresses has one count, whichever of them a call comes from', async () => {
  await set('GlobalApiRateLimit', 4)
  await set('CriticalRateLimit', 2)
  for (const [rate, most] of [
    ['api', 4],
    ['critical', 2],
  ] as const) {
    let host = 0
    expect(await passing(() => limits.take(rate, from(`2001:db8:7:1::${++host}`)))).toBe(most)
    expect(await passing(() => limits.take(rate, from('2001:db8:7:2::1')))).toBe(most)
  }
})

test('searches count twice: as calls, and as what they are', async () => {
  await set('GlobalApiRateLimit', 8)
  await set('SearchRateLimit', 3)
  expect(await passing(() => limits.take('api', from('c', '/api/user/search')))).toBe(3)
  expect(await passing(() => limits.take('api', from('c')))).toBe(0)
  await set('SearchRateLimit', 0)
  expect(await passing(() => limits.take('api', from('d', '/api/user/search')))).toBe(8)
})

test('0 is no limit, and costs no waiting', async () => {
  for (const key of ['GlobalApiRateLimit', 'GlobalWebRateLimit', 'CriticalRateLimit']) await set(key, 0)
  expect(await passing(() => limits.take('critical', from('a')))).toBe(10)
  expect(limits.take('api', from('a'))).toBeUndefined()
  expect(limits.take('api', from('a', '/api/user/search'))).toBeUndefined()
  expect(limits.takePage(from('a', '/'))).toBeUndefined()
})

test('what is sensitive is counted where other processes see it, and its window ends', async () => {
  await set('CriticalRateLimit', 1)
  expect(await passing(() => limits.take('critical', from('e')))).toBe(1)
  const other = new RateLimits({ store, settings: store.settings, now: () => now })
  expect(await passing(() => other.take('critical', from('e')))).toBe(0)
  now += 1200
  expect(await passing(() => other.take('critical', from('e')))).toBe(1)
})
