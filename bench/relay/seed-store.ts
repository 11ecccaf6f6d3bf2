import { randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import { readEnv } from '../../server/env.ts'
import { credit } from '../../server/ledger/entries.ts'
import { newUser } from '../../server/services/setup.ts'
import { tokenHash } from '../../server/store/given-key.ts'
import { openStore, type Store } from '../../server/store/index.ts'
import type { Schema } from '../../server/store/schema.ts'
import { channelKeyPlace } from '../../server/store/sealed-places.ts'
import { models } from './requests.ts'

export const SECRET_KEY = 'wP4n-8kQz-31Vd-Gx57-tB06-mJ92-sL48-fY73'

const WEALTH = 1e15
const channelTypes = { openai: 1, anthropic: 14 } as const

/** A rich user, a token without a limit and two channels to the fake upstream. Returns the token's key. */
export async function seedStore(environment: Record<string, string>, upstream: string): Promise<string> {
  const store = await openStore({ ...readEnv(environment).database, secretKey: SECRET_KEY })
  try {
    const userId = await addUser(store)
    await addChannel(store, 'openai', upstream)
    await addChannel(store, 'anthropic', upstream)
    await store.change('options', async transaction => {
      const retries = { key: 'RetryTimes', value: '0', updated_at: now() }
      await transaction.insertInto('options').values(retries).execute()
    })
    return await addToken(store, userId)
  } finally {
    await store.close()
  }
}

async function addUser(store: Store): Promise<number> {
  await store.db
    .insertInto('users')
    .values(newUser('bench', '', now()))
    .execute()
  const { id } = await store.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'bench')
    .executeTakeFirstOrThrow()
  await credit(store, now(), { kind: 'gift', ref: 'bench', userId: id, amount: WEALTH })
  return id
}

async function addToken(store: Store, userId: number): Promise<string> {
  const key = randomBytes(24).toString('hex')
  await store.change('tokens', async transaction => {
    const unset = { accessed_time: 0, remain_quota: 0, used_quota: 0, model_limits: '', group: '' }
    const row = { ...unset, user_id: userId, name: 'bench', key_hash: tokenHash(store, key), key_sealed: '' }
    const unlimited = { status: 1, expired_time: -1, unlimited_quota: 1, model_limits_enabled: 0 }
    await transaction
      .insertInto('tokens')
      .values({ ...row, ...unlimited, created_time: now() })
      .execute()
  })
  return `sk-${key}`
}

async function addChannel(store: Store, vendor: keyof typeof channelTypes, baseUrl: string): Promise<void> {
  await store.change('channels', async transaction => {
    const unset = { key_hash: '', key_sealed: '', other: '', other_info: '', weight: 0, priority: 0 }
    const untried = { response_time: 0, test_time: 0, balance: 0, balance_updated_time: 0, used_quota: 0 }
    const row = { type: channelTypes[vendor], name: vendor, models: models[vendor], group: 'default' }
    await transaction
      .insertInto('channels')
      .values({
        ...unset,
        ...untried,
        ...row,
        base_url: baseUrl,
        status: 1,
        auto_ban: 0,
        created_time: now(),
      })
      .execute()
    await sealKey(store, transaction, vendor)
  })
}

async function sealKey(store: Store, transaction: Transaction<Schema>, name: string): Promise<void> {
  const { id } = await transaction
    .selectFrom('channels')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  await transaction
    .updateTable('channels')
    .set({ key_sealed: store.cipher.seal(channelKeyPlace(id), 'sk-upstream') })
    .where('id', '=', id)
    .execute()
}

function now(): number {
  return Math.floor(Date.now() / 1000)
}
