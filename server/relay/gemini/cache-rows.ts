import type { Selectable } from 'kysely'
import type { GeminiCacheState, GeminiCaches } from '../../store/gemini-schema.ts'
import type { Caller } from '../callers/caller.ts'
import { sharedTokens } from '../chat/shares-answers.ts'
import type { RelayParts } from '../parts.ts'

export type GeminiCache = Selectable<GeminiCaches>

export const cacheStates = {
  making: 'making',
  kept: 'kept',
  extending: 'extending',
} as const satisfies { readonly [State in GeminiCacheState]: State }

const cacheName = /^cachedContents\/([0-9a-f]{32})$/

/** The id of a cache of ours; undefined for any other name. */
export function cacheIdIn(name: unknown): string | undefined {
  return typeof name === 'string' ? cacheName.exec(name)?.[1] : undefined
}

/** Those of a caller's that are paid for, until their vendor throws them away. */
export async function ownCaches({ store, now }: RelayParts, caller: Caller) {
  const shared = await sharedTokens({ store }, caller)
  const own = store.db
    .selectFrom('gemini_caches')
    .selectAll()
    .where('user_id', '=', caller.userId)
    .where('state', '<>', cacheStates.making)
    .where('expires_at', '>', now())
  return { rows: shared ? own.where('made_by', 'in', shared) : own }
}

export async function findCache(
  parts: RelayParts,
  caller: Caller,
  id: string,
): Promise<GeminiCache | undefined> {
  const { rows } = await ownCaches(parts, caller)
  return rows.where('id', '=', id).executeTakeFirst()
}
