import { AppError } from '../../../errors.ts'
import { lockedQuota } from '../../../ledger/entries.ts'
import { makeLasting } from '../../../ledger/lasting-hold.ts'
import { cacheStates, type GeminiCache } from '../../../relay/gemini/cache-rows.ts'
import type { RelayParts } from '../../../relay/parts.ts'
import type { FoundPlace } from '../../../relay/routing/place.ts'
import { hashAccount } from '../../../relay/routing/place.ts'

/** Of one user's. */
const MOST_CACHES = 1000

/** What is held belongs to the cache from here on: whoever finds it unfinished pays or gives back. */
export async function openCache({ store, now }: RelayParts, row: GeminiCache): Promise<void> {
  // What vendors have thrown away by now, whosever it was.
  const old = store.db.deleteFrom('gemini_caches').where('expires_at', '<=', now())
  await old.where('state', '=', cacheStates.kept).execute()
  await store.transaction(async transaction => {
    // Whoever has the user's row is alone with that user's caches.
    await lockedQuota(transaction, store, row.user_id)
    const { count } = await transaction
      .selectFrom('gemini_caches')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('user_id', '=', row.user_id)
      .executeTakeFirstOrThrow()
    if (Number(count) >= MOST_CACHES) throw new AppError('gemini.too-many-caches', { limit: MOST_CACHES })
    if (!(await makeLasting(transaction, row.request_id))) throw new AppError('task.interrupted')
    await transaction.insertInto('gemini_caches').values(row).execute()
  })
}

/** Before its vendor is asked: there somebody looks for it if nobody hears the answer. */
export async function notePlace(parts: RelayParts, id: string, { channel, key }: FoundPlace): Promise<void> {
  const { numUpdatedRows } = await parts.store.db
    .updateTable('gemini_caches')
    .set({ channel_id: channel.id, key_hash: hashAccount(parts, key), changed_at: parts.now() })
    .where('id', '=', id)
    .where('state', '=', cacheStates.making)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new AppError('task.interrupted')
}

/** A longer life, under another hold. One at a time, and from where the one before has paid until. */
export async function openExtension(
  { store, now }: RelayParts,
  { id, paid_until }: GeminiCache,
  news: Pick<GeminiCache, 'request_id' | 'storage_price' | 'token_id' | 'group' | 'wanted_until'>,
): Promise<void> {
  await store.transaction(async transaction => {
    const { numUpdatedRows } = await transaction
      .updateTable('gemini_caches')
      .set({ ...news, state: cacheStates.extending, changed_at: now() })
      .where('id', '=', id)
      .where('state', '=', cacheStates.kept)
      .where('paid_until', '=', paid_until)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new AppError('gemini.cache-busy')
    if (!(await makeLasting(transaction, news.request_id))) throw new AppError('task.interrupted')
  })
}
