import { afterAll, beforeAll, expect, test } from 'bun:test'
import { endpoints } from '../../../contract/index.ts'
import { openSampleStore, sampleToken } from '../../../test/sample-store.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import { AppError } from '../../errors.ts'
import type { Store } from '../../store/index.ts'
import { newUser } from '../setup.ts'
import { tokenUsageHandlers } from './token-usage.ts'

let store: Store
beforeAll(async () => {
  const url = (await engines[0]?.freshUrl()) ?? ''
  store = await openSampleStore(url)
  await store.db
    .insertInto('users')
    .values(newUser('owner', 'x', 1))
    .execute()
  const banned = { ...newUser('banned', 'x', 1), status: 2 }
  await store.db.insertInto('users').values(banned).execute()
  await addToken('good', { model_limits_enabled: 1, model_limits: 'gpt-4o, claude-x,' })
  await addToken('used', { status: 4, remain_quota: 0, used_quota: 900, expired_time: 1_800_000_000 })
  await addToken('free', { unlimited_quota: 1 })
  await addToken('off', { status: 2 })
  await addToken('gone', { deleted_at: 5 })
  await addToken('theirs', { user_id: 2 })
})
afterAll(async () => {
  await store.close()
  await dropAll()
})

async function addToken(key: string, over: Record<string, number | string>): Promise<void> {
  const figures = { remain_quota: 70, used_quota: 30 }
  const key_hash = store.cipher.hash('token', key)
  const token = sampleToken({ user_id: 1, name: `token ${key}`, key_hash, ...figures, ...over })
  await store.db.insertInto('tokens').values(token).execute()
}

async function ask(authorization: string | null) {
  const call = {
    query: undefined,
    body: undefined,
    params: {},
    caller: undefined,
    language: 'en',
    address: '192.0.2.1',
    userAgent: '',
    signature: null,
    session: { token: undefined, set() {}, clear() {} },
    browser: { token: undefined, set() {}, clear() {} },
    authorization,
  } as const
  return endpoints.tokenUsage.output.parse(await tokenUsageHandlers({ store }).tokenUsage(call))
}

test('a token is told its figures', async () => {
  const expected = {
    code: true,
    message: 'ok',
    data: {
      object: 'token_usage',
      name: 'token good',
      total_granted: 100,
      total_used: 30,
      total_available: 70,
      unlimited_quota: false,
      model_limits: { 'gpt-4o': true, 'claude-x': true },
      model_limits_enabled: true,
      expires_at: 0,
      refill_quota: 0,
      refill_period: 'none',
      refill_at: 0,
    },
  } as const
  for (const header of ['Bearer sk-good', 'bearer  good', 'Bearer sk-good-17', 'sk-good'])
    expect(await ask(header)).toEqual(expected)
})

test('one that is used up or unlimited too', async () => {
  const used = (await ask('Bearer sk-used')).data
  expect([used.total_granted, used.total_used, used.total_available, used.expires_at]).toEqual([
    900, 900, 0, 1_800_000_000,
  ])
  const free = (await ask('Bearer sk-free')).data
  expect([free.unlimited_quota, free.model_limits, free.model_limits_enabled]).toEqual([true, {}, false])
})

test.each([
  [null, 'relay.no-key', 401],
  ['', 'relay.no-key', 401],
  ['Bearer ', 'relay.no-key', 401],
  ['Bearer sk-nobody', 'relay.bad-key', 401],
  ['Bearer sk-', 'relay.bad-key', 401],
  ['Basic Z29vZA==', 'relay.bad-key', 401],
  [`Bearer ${'x'.repeat(513)}`, 'relay.bad-key', 401],
  ['Bearer sk-gone', 'relay.bad-key', 401],
  ['Bearer sk-off', 'token.unavailable', 401],
  ['Bearer sk-theirs', 'relay.user-banned', 403],
] as const)('%p is refused', async (header, code, status) => {
  const error = await ask(header).catch(error => error)
  expect(error).toBeInstanceOf(AppError)
  expect([error.code, error.status]).toEqual([code, status])
})
