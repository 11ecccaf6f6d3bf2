import { expect, test } from 'bun:test'
import type { Caller } from '../callers/caller.ts'
import { Credit } from './credit.ts'

const callerOf = (userId: number, balance: number): Caller => ({
  userId,
  username: '',
  role: 1,
  userStatus: 1,
  userGroup: 'default',
  tokenId: 1,
  tokenName: '',
  tokenStatus: 1,
  hasMoved: false,
  expiresAt: -1,
  tokenGroup: '',
  models: undefined,
  addresses: undefined,
  tokenLimits: undefined,
  userLimits: undefined,
  spendLimits: undefined,
  labels: undefined,
  balance,
})

test('all calls of a user that are under way stay small beside the balance', () => {
  const credit = new Credit()
  const caller = callerOf(1, 1600)
  expect([credit.take(caller, 60), credit.take(caller, 40), credit.take(caller, 1)]).toEqual([
    true,
    true,
    false,
  ])
  expect(credit.take(callerOf(2, 16), 1)).toBe(true)
  // Another key of the same user, or the same one read again.
  expect(credit.take(callerOf(1, 1615), 1)).toBe(false)
  credit.end(caller, 60, 10)
  expect(caller.balance).toBe(1590)
  expect(credit.take(caller, 59)).toBe(true)
  expect(credit.take(caller, 1)).toBe(false)
})

test('who was refused gets none until the balance is read again', () => {
  const credit = new Credit()
  const caller = callerOf(1, 1600)
  credit.take(caller, 10)
  credit.end(caller, 10, 'refused')
  expect(credit.take(caller, 1)).toBe(false)
  expect(credit.take(callerOf(1, 160), 10)).toBe(true)
})

test('what costs nothing is let out whatever the balance', () => {
  const credit = new Credit()
  expect(credit.take(callerOf(1, 0), 0)).toBe(true)
})
