import { asArray, asObject, asText, type JsonObject } from '../../../dialects/json.ts'
import { AppError } from '../../../errors.ts'
import { cacheStates, type GeminiCache } from '../../../relay/gemini/cache-rows.ts'
import type { RelayParts } from '../../../relay/parts.ts'
import type { Upstream } from '../../ask-upstream.ts'
import { lookAfterKept } from '../../kept/look-after-kept.ts'
import { addressOf, asOwner, upstreamAt } from '../account.ts'
import { readTold } from './create-cache.ts'
import { finishCache, giveUpCache, type ToldCache } from './finish-cache.ts'

/** Of a thousand. */
const MOST_PAGES = 50

/** Finds out what became of caches that nobody heard of. */
export function lookAfterCaches(parts: RelayParts): Promise<number> {
  const { db } = parts.store
  return lookAfterKept<GeminiCache, ToldCache>(parts, {
    what: 'cache',
    nameOf: ({ id }) => id,
    lost: (isLost, most) =>
      db
        .selectFrom('gemini_caches')
        .selectAll()
        .where('state', 'in', [cacheStates.making, cacheStates.extending])
        .where(isLost)
        .orderBy('changed_at')
        .limit(most)
        .execute(),
    async take({ id, state, changed_at }, now) {
      const { numUpdatedRows } = await db
        .updateTable('gemini_caches')
        .set({ changed_at: now })
        .where('id', '=', id)
        .where('state', '=', state)
        .where('changed_at', '=', changed_at)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    find: cache => find(parts, cache),
    finish: (cache, told) => finishCache(parts, cache, told),
    giveUp: (cache, why) => giveUpCache(parts, cache, why),
    // Until it has run out there, one that is to last longer may do so.
    since: ({ state, wanted_until, created_at }) =>
      state === cacheStates.extending ? wanted_until : created_at,
  })
}

async function find(parts: RelayParts, cache: GeminiCache): Promise<ToldCache | undefined> {
  const upstream = upstreamAt(parts, cache)
  if (!upstream) return undefined
  const isNew = cache.state === cacheStates.making
  const found = isNew ? await findMade(upstream, cache) : await findLonger(upstream, cache)
  return found && readTold(found, cache.tokens)
}

/** By our name for it. */
async function findMade(upstream: Upstream, { id }: GeminiCache): Promise<JsonObject | undefined> {
  let token = ''
  for (let page = 0; page < MOST_PAGES; page++) {
    const from = token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`
    const path = addressOf(upstream.channel, `/v1beta/cachedContents?pageSize=1000${from}`)
    const list = asObject(await upstream.json({ path }))
    const found = asArray(list?.cachedContents).find(one => asObject(one)?.displayName === id)
    const next = asText(list?.nextPageToken) ?? ''
    if (found || next === '' || next === token) return asObject(found)
    token = next
  }
  return undefined
}

/** If it is there for as long as was wanted. */
async function findLonger(
  upstream: Upstream,
  { upstream_name, wanted_until }: GeminiCache,
): Promise<JsonObject | undefined> {
  const gone = new AppError('gemini.no-cache')
  try {
    const path = addressOf(upstream.channel, `/v1beta/${upstream_name}`)
    const told = asObject(await asOwner(upstream.json({ path }), gone))
    const until = Date.parse(asText(told?.expireTime) ?? '') / 1000
    return until >= wanted_until - 1 ? told : undefined
  } catch (error) {
    if (error === gone) return undefined
    throw error
  }
}
