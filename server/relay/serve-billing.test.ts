import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { SettingKey } from '../../contract/settings/index.ts'
import { openSampleStore, sampleToken } from '../../test/sample-store.ts'
import { dropAll, engines } from '../../test/services/databases.ts'
import { newUser } from '../services/setup.ts'
import { readKey, tokenHash } from '../store/given-key.ts'
import type { Store } from '../store/index.ts'
import { Callers } from './callers/callers.ts'
import { serveBilling } from './serve-billing.ts'

let store: Store
let callers: Callers
beforeAll(async () => {
  const url = (await engines[0]?.freshUrl()) ?? ''
  store = await openSampleStore(url)
  callers = new Callers(store, () => 1_800_000_000)
  const user = { ...newUser('payer', 'x', 1), quota: 3_000_000, used_quota: 1_250_000 }
  await store.db.insertInto('users').values(user).execute()
  await addToken('limited', { remain_quota: 400_000, used_quota: 100_001, expired_time: 1_900_000_000 })
  await addToken('free', { remain_quota: -7, used_quota: 7, unlimited_quota: 1 })
})
afterAll(async () => {
  await store.close()
  await dropAll()
})

async function addToken(key: string, over: Record<string, number>): Promise<void> {
  const token = sampleToken({ user_id: 1, name: key, key_hash: tokenHash(store, key), ...over })
  await store.db.insertInto('tokens').values(token).execute()
}

async function set(key: SettingKey, value: string): Promise<void> {
  await store.db.deleteFrom('options').where('key', '=', key).execute()
  await store.db.insertInto('options').values({ key, value, updated_at: 1 }).execute()
  await store.settings.refresh()
}

async function ask(key: string, what: 'subscription' | 'usage'): Promise<Record<string, unknown>> {
  const caller = await callers.find(readKey(key))
  if (!caller) throw new Error(`no token ${key}`)
  const route = { kind: 'billing', dialect: 'openai-chat', what } as const
  const admitted = { caller, group: 'default', groups: undefined, pinned: undefined }
  const answer = await serveBilling({ store, settings: store.settings }, route, admitted)
  return (await answer.json()) as Record<string, unknown>
}

test('the whole of both answers', async () => {
  expect(await ask('limited', 'subscription')).toEqual({
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: 500_001 / 500_000,
    hard_limit_usd: 500_001 / 500_000,
    system_hard_limit_usd: 500_001 / 500_000,
    access_until: 1_900_000_000,
  })
  expect(await ask('limited', 'usage')).toEqual({ object: 'list', total_usage: 20.0002 })
})

test.each([
  // token figures, currency, token, limit, usage in hundredths
  ['true', 'true', 'limited', 1.000002, 20.0002],
  ['true', 'true', 'free', 100_000_000, 0.0014],
  ['true', 'false', 'limited', 500_001, 10_000_100],
  ['true', 'false', 'free', 100_000_000, 700],
  ['false', 'true', 'limited', 8.5, 250],
  ['false', 'true', 'free', 8.5, 250],
  ['false', 'false', 'free', 4_250_000, 125_000_000],
])('token figures %s, currency %s: %s has %d and used %d', async (ofToken, currency, key, limit, usage) => {
  await set('DisplayTokenStatEnabled', ofToken)
  await set('DisplayInCurrencyEnabled', currency)
  const { hard_limit_usd, access_until } = await ask(key, 'subscription')
  expect([hard_limit_usd, access_until]).toEqual([limit, key === 'free' ? 0 : 1_900_000_000])
  expect((await ask(key, 'usage')).total_usage).toBe(usage)
})

test('figures are those of this moment, not those that are remembered', async () => {
  await set('DisplayTokenStatEnabled', 'true')
  await set('DisplayInCurrencyEnabled', 'false')
  await ask('limited', 'usage')
  await store.db.updateTable('tokens').set({ used_quota: 5 }).where('name', '=', 'limited').execute()
  expect((await ask('limited', 'usage')).total_usage).toBe(500)
})
