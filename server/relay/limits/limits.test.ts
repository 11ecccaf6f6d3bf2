import { expect, test } from 'bun:test'
import { settings } from '../../../contract/settings/index.ts'
import { type Claim, isRefusal } from '../../store/counters/counters.ts'
import { MemoryCounters } from '../../store/counters/memory-counters.ts'
import { Claims } from './claims.ts'
import { secondsOf } from './enter-limits.ts'
import { writeLimitHeaders } from './limit-headers.ts'

const counters = new MemoryCounters(() => 0)
const one = (name: string) => [{ name, limits: { rpm: 0, tpm: 0, concurrency: 1 } }]

function claimOf(name: string): Claim {
  const taken = counters.take(one(name), 0)
  if (isRefusal(taken)) throw new Error('refused')
  return taken
}
const isFree = (name: string): boolean => {
  const taken = counters.take(one(name), 0)
  if (isRefusal(taken)) return false
  void taken.end(0)
  return true
}

test('a call gives back all that it holds, once; a channel that did not serve it, at once', async () => {
  const claims = new Claims()
  claims.addCaller(claimOf('token:1'))
  const channel = claimOf('channel:1')
  claims.add(channel)
  expect([isFree('token:1'), isFree('channel:1')]).toEqual([false, false])
  await claims.drop(channel)
  expect([isFree('token:1'), isFree('channel:1')]).toEqual([false, true])
  claims.add(claimOf('channel:2'))
  await claims.end(5)
  expect([isFree('token:1'), isFree('channel:2')]).toEqual([true, true])
  const again = claimOf('token:1')
  await claims.end(5)
  await claims.drop(channel)
  expect(isFree('token:1')).toBe(false)
  await again.end(0)
})

test('headers tell what is limited and nothing else', () => {
  const headers = new Headers()
  writeLimitHeaders(headers, {})
  expect([...headers]).toEqual([])
  writeLimitHeaders(headers, { requests: { limit: 10, left: 3, resetMs: 1500 } })
  expect(Object.fromEntries(headers)).toEqual({
    'x-ratelimit-limit-requests': '10',
    'x-ratelimit-remaining-requests': '3',
    'x-ratelimit-reset-requests': '2s',
  })
})

test('nobody is told to come back at once', () => {
  expect([0, 1, 1000, 1001, 59_999].map(secondsOf)).toEqual([1, 1, 1, 2, 60])
})

test('a group’s limits say what is limited and leave out the rest', () => {
  expect(settings.GroupLimits.decode('{"vip":{"rpm":5}}')).toEqual({
    vip: { rpm: 5, tpm: 0, concurrency: 0 },
  })
})
