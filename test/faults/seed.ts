import { credit } from '../../server/ledger/entries.ts'
import { newUser } from '../../server/services/setup.ts'
import { tokenHash } from '../../server/store/given-key.ts'
import type { Store } from '../../server/store/index.ts'
import { channelKeyPlace } from '../../server/store/sealed-places.ts'
import { plainChannel } from '../relay/sample-channels.ts'
import { models, type Payer } from './load.ts'

/**
 * What one token of an answer costs. One of the prompt costs 1, and no prompt here has so many: so a charge
 * can be read as both, the thousands and the rest.
 */
export const PRICE = 1000

export const now = (): number => Math.floor(Date.now() / 1000)

/** Two channels at the same provider, so that a call can move from one to the other. */
export async function addChannels(store: Store, urls: readonly string[]): Promise<void> {
  for (const [at, url] of urls.entries()) {
    const row = {
      ...plainChannel,
      name: `channel ${at}`,
      base_url: url,
      models: models.join(','),
      weight: 1,
      auto_ban: 0,
      created_time: now(),
    }
    await store.db.insertInto('channels').values(row).execute()
    const { id } = await store.db
      .selectFrom('channels')
      .select('id')
      .where('name', '=', row.name)
      .executeTakeFirstOrThrow()
    const key_sealed = store.cipher.seal(channelKeyPlace(id), `sk-provider-${at}`)
    await store.db.updateTable('channels').set({ key_sealed }).where('id', '=', id).execute()
  }
}

export function ratios(value: number): string {
  return JSON.stringify(Object.fromEntries(models.map(model => [model, value])))
}

export async function setOptions(store: Store): Promise<void> {
  const options = {
    ModelRatio: ratios(1),
    CompletionRatio: ratios(PRICE),
    RetryTimes: '1',
    GlobalApiRateLimit: '0',
    CriticalRateLimit: '0',
  }
  const rows = Object.entries(options).map(([key, value]) => ({ key, value, updated_at: now() }))
  await store.db.insertInto('options').values(rows).execute()
}

/** People with a balance; the books know where it came from. */
export async function addUsers(
  store: Store,
  name: string,
  count: number,
  quota: number,
  more: (at: number) => { access_token_hash?: string } = () => ({}),
): Promise<number[]> {
  const names = Array.from({ length: count }, (_, at) => `${name}-${at}`)
  await store.db
    .insertInto('users')
    .values(names.map((username, at) => ({ ...newUser(username, 'x', now()), ...more(at) })))
    .execute()
  const users = await store.db
    .selectFrom('users')
    .select('id')
    .where('username', 'in', names)
    .orderBy('id')
    .execute()
  for (const { id } of users)
    await credit(store, now(), { kind: 'gift', ref: `user ${id}`, userId: id, amount: quota })
  return users.map(({ id }) => id)
}

/** A token to call models with; without a budget it has no limit of its own. */
export async function addToken(store: Store, userId: number, budget = 0): Promise<Payer> {
  const key = crypto.randomUUID().replaceAll('-', '')
  const key_hash = tokenHash(store, key)
  await store.db
    .insertInto('tokens')
    .values({
      user_id: userId,
      name: `token of ${userId}`,
      key_hash,
      key_sealed: '',
      status: 1,
      created_time: now(),
      accessed_time: 0,
      expired_time: -1,
      remain_quota: budget,
      used_quota: 0,
      unlimited_quota: budget === 0 ? 1 : 0,
      model_limits_enabled: 0,
      model_limits: '',
      group: '',
    })
    .execute()
  const { id } = await store.db
    .selectFrom('tokens')
    .select('id')
    .where('key_hash', '=', key_hash)
    .executeTakeFirstOrThrow()
  const entry = { kind: 'budget', ref: `token ${id}`, user_id: userId, user_amount: 0, created_at: now() }
  await store.db
    .insertInto('ledger_entries')
    .values({ ...entry, token_id: id, token_amount: budget })
    .execute()
  return { userId, tokenId: id, key: `sk-${key}` }
}

/** Rich and poor, with a budget that lasts, without any limit, or with a budget that will run out. */
export async function addPayers(store: Store): Promise<Payer[]> {
  const users = [
    ...(await addUsers(store, 'rich', 6, 10_000_000 * PRICE)),
    ...(await addUsers(store, 'poor', 2, 700 * PRICE)),
  ]
  const payers: Payer[] = []
  for (const [at, userId] of users.entries())
    payers.push(await addToken(store, userId, ([5_000_000, 0, 4000][at % 3] ?? 0) * PRICE))
  return payers
}
