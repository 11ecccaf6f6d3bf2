import { cacheStates, type GeminiCache } from '../../../relay/gemini/cache-rows.ts'
import type { RelayParts } from '../../../relay/parts.ts'
import { giveBackKept, payKept } from '../../kept/pay-kept.ts'
import { chargeCache } from './charge-cache.ts'

/** What its vendor tells of a cache that it has. */
export interface ToldCache {
  readonly name: string
  readonly tokens: number
}

/**
 * It is there, or there for longer: it is paid, and then its owner may use it. Whoever dies in between leaves it for the
 * next, who finds the same, and the hold closed or not: it closes once. False when it was given up before.
 */
export async function finishCache(parts: RelayParts, cache: GeminiCache, told: ToldCache): Promise<boolean> {
  const isPaid = await payKept(
    parts,
    cache,
    (price, costRatio) => chargeCache(price, storedOf(parts, cache, told.tokens), costRatio),
    { cache_id: cache.id },
  )
  if (!isPaid) return false
  const isClosed = await close(parts, cache, {
    upstream_name: told.name.slice(0, 191),
    tokens: told.tokens,
    paid_until: cache.wanted_until,
    expires_at: cache.wanted_until,
  })
  return isClosed || isKept(parts, cache)
}

/** Whoever looks after it was faster than the answer of its vendor. */
async function isKept({ store }: RelayParts, { id, request_id }: GeminiCache): Promise<boolean> {
  const kept = await store.db
    .selectFrom('gemini_caches')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', cacheStates.kept)
    .where('request_id', '=', request_id)
    .executeTakeFirst()
  return kept !== undefined
}

/** What it costs from now on: all of it, or the time that is not paid yet. */
export function storedOf({ prices }: RelayParts, cache: GeminiCache, tokens: number) {
  const isNew = cache.state === cacheStates.making
  return {
    written: isNew ? tokens : 0,
    tokens,
    seconds: cache.wanted_until - (isNew ? cache.created_at : cache.paid_until),
    hasSound: cache.has_sound === 1,
    storagePrice: cache.storage_price,
    quotaPerUnit: prices().quotaPerUnit,
  }
}

/** Nothing has come of it: what was held comes back, unless it has already. */
export async function giveUpCache(parts: RelayParts, cache: GeminiCache, why: string): Promise<void> {
  await giveBackKept(parts, cache, why, { cache_id: cache.id })
  await forgetCache(parts, cache)
}

/** What was held has come back: one that was to be made is none, and one that was to last longer is as it was. */
export async function forgetCache(parts: RelayParts, cache: GeminiCache): Promise<void> {
  if (cache.state === cacheStates.extending) await close(parts, cache, {})
  else
    await parts.store.db
      .deleteFrom('gemini_caches')
      .where('id', '=', cache.id)
      .where('state', '=', cacheStates.making)
      .execute()
}

async function close(
  { store }: RelayParts,
  cache: GeminiCache,
  news: Partial<GeminiCache>,
): Promise<boolean> {
  const { numUpdatedRows } = await store.db
    .updateTable('gemini_caches')
    .set({ ...news, state: cacheStates.kept })
    .where('id', '=', cache.id)
    .where('state', '=', cache.state)
    .where('request_id', '=', cache.request_id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
