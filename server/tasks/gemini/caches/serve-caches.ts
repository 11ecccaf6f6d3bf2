import { AppError } from '../../../errors.ts'
import { cacheStates, findCache, type GeminiCache, ownCaches } from '../../../relay/gemini/cache-rows.ts'
import type { OwnedCall } from '../../define.ts'
import { deleteThere } from '../account.ts'
import { cutPage, readPage } from '../page.ts'
import { showCache } from './show-cache.ts'

const USUAL = 50
const MOST = 1000

/** The caller's own, the newest first. */
export async function listCaches({ parts, incoming, admitted }: OwnedCall): Promise<Response> {
  const page = readPage(incoming.request.url, USUAL, MOST)
  let own = (await ownCaches(parts, admitted.caller)).rows
  if (page.after) own = own.where('id', '<', page.after)
  const found = await own
    .orderBy('id', 'desc')
    .limit(page.size + 1)
    .execute()
  const { rows, next } = cutPage(found, page)
  return Response.json({ ...(rows.length > 0 && { cachedContents: rows.map(showCache) }), ...next })
}

export async function retrieveCache(call: OwnedCall): Promise<Response> {
  return Response.json(showCache(await ownCache(call)))
}

/** At the vendor, then here. What was paid for the rest of its time is not given back. */
export async function deleteCache(call: OwnedCall): Promise<Response> {
  const cache = await ownCache(call)
  if (cache.state !== cacheStates.kept) throw new AppError('gemini.cache-busy')
  await deleteThere(call, cache, new AppError('gemini.no-cache'))
  await call.parts.store.db
    .deleteFrom('gemini_caches')
    .where('id', '=', cache.id)
    .where('state', '=', cacheStates.kept)
    .execute()
  return Response.json({})
}

export async function ownCache({ parts, admitted, params }: OwnedCall): Promise<GeminiCache> {
  const cache = await findCache(parts, admitted.caller, params.id ?? '')
  if (!cache) throw new AppError('gemini.no-cache')
  return cache
}
