import { asArray, asObject, asText, type JsonObject } from '../../../dialects/json.ts'
import { AppError } from '../../../errors.ts'
import { log } from '../../../log.ts'
import { cacheStates, type GeminiCache } from '../../../relay/gemini/cache-rows.ts'
import type { RelayParts } from '../../../relay/parts.ts'
import type { Upstream } from '../../ask-upstream.ts'
import { addressOf, asOwner, upstreamAt } from '../account.ts'
import { readTold } from './create-cache.ts'
import { finishCache, giveUpCache } from './finish-cache.ts'

/** What is under way for longer has died with its process, or its answer was lost. */
const LOST_SECONDS = 180
/** Nothing changes so far ahead: what does was written before a clock was set back. */
const FAR_SECONDS = 1200
const AT_A_TURN = 20
/** Of a thousand. */
const MOST_PAGES = 50
/** A vendor that cannot be asked for so long will not tell any more. */
const GIVEN_UP_SECONDS = 86_400

/** Finds out what became of caches that nobody heard of. Any number of nodes may do so. */
export async function lookAfterCaches(parts: RelayParts): Promise<number> {
  const now = parts.now()
  const lost = await parts.store.db
    .selectFrom('gemini_caches')
    .selectAll()
    .where('state', 'in', [cacheStates.making, cacheStates.extending])
    .where(row =>
      row.or([row('changed_at', '<=', now - LOST_SECONDS), row('changed_at', '>', now + FAR_SECONDS)]),
    )
    .orderBy('changed_at')
    .limit(AT_A_TURN)
    .execute()
  for (const cache of lost)
    if (await take(parts, cache, now))
      await resolve(parts, cache).catch(error =>
        log.warn('a cache could not be asked after; it is again', { cache: cache.id, error }),
      )
  return lost.length
}

/** Whoever is the first to say so looks; the next may when that is as old again. */
async function take(
  { store }: RelayParts,
  { id, state, changed_at }: GeminiCache,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await store.db
    .updateTable('gemini_caches')
    .set({ changed_at: now })
    .where('id', '=', id)
    .where('state', '=', state)
    .where('changed_at', '=', changed_at)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function resolve(parts: RelayParts, cache: GeminiCache): Promise<void> {
  const upstream = upstreamAt(parts, cache)
  if (!upstream) return giveUpCache(parts, cache, new AppError('task.interrupted').text('zh'))
  try {
    const found =
      cache.state === cacheStates.making ? await findMade(upstream, cache) : await findLonger(upstream, cache)
    const told = found && readTold(found, cache.tokens)
    if (!told || !(await finishCache(parts, cache, told)))
      await giveUpCache(parts, cache, new AppError('task.interrupted').text('zh'))
  } catch (error) {
    // Until it has run out there, one that is to last longer may do so.
    const since = cache.state === cacheStates.extending ? cache.wanted_until : cache.created_at
    if (since + GIVEN_UP_SECONDS > parts.steadyNow()) throw error
    await giveUpCache(parts, cache, new AppError('task.interrupted').text('zh'))
  }
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
