import { refuseFeature, refuseField } from '../../../dialects/refuse.ts'
import { AppError } from '../../../errors.ts'
import { cacheStates, type GeminiCache } from '../../../relay/gemini/cache-rows.ts'
import { enterLimits, hasLimits } from '../../../relay/limits/enter-limits.ts'
import type { Order } from '../../../relay/order/order.ts'
import { readJsonBody } from '../../../relay/request/read-body.ts'
import { type FoundPlace, findPlace } from '../../../relay/routing/place.ts'
import { tryChannels } from '../../../relay/upstream/try-channels.ts'
import { isSurelyRefused } from '../../../relay/upstream/upstream-failure.ts'
import { Upstream } from '../../ask-upstream.ts'
import type { OwnedCall } from '../../define.ts'
import { askToKeep, cancelOrder, surelyRefused } from '../../kept/ask-to-keep.ts'
import { account, addressOf, asOwner, isGemini } from '../account.ts'
import { costOfCache } from './charge-cache.ts'
import { finishCache, forgetCache, storedOf } from './finish-cache.ts'
import { openExtension } from './open-cache.ts'
import { orderCache } from './order-cache.ts'
import { readUntil } from './read-cache.ts'
import { ownCache } from './serve-caches.ts'
import { showCache } from './show-cache.ts'

const known: ReadonlySet<string> = new Set(['ttl', 'expireTime', 'name', 'updateMask'])

/**
 * How long it is to be there is all that can be changed. Time that is not paid yet is paid before it counts; less time
 * gives nothing back, and what was paid once is not paid again.
 */
export async function updateCache(call: OwnedCall): Promise<Response> {
  const { parts, incoming } = call
  const body = await readJsonBody(incoming)
  // As it is once all has been said: until when it is paid may have changed while that came.
  const cache = await ownCache(call)
  for (const name of Object.keys(body.json))
    if (!known.has(name)) refuseFeature('feature.named', { name: name.slice(0, 60) })
  const until = readUntil(body.json, parts.now())
  if (until === undefined) refuseField('ttl', 'field.required')
  if (cache.state !== cacheStates.kept) throw new AppError('gemini.cache-busy')
  const place = findPlace(parts, cache)
  if (!place) throw new AppError('gemini.no-cache')
  incoming.keepOpen()
  if (until <= cache.paid_until) return shorten(call, cache, place, until)
  const { order, storagePrice } = orderCache(call, cache.model, { text: '{}', json: {} }, place)
  if (hasLimits(parts, order.admitted)) await enterLimits(order)
  const longer: GeminiCache = {
    ...cache,
    ...{ state: cacheStates.extending, wanted_until: until, request_id: incoming.requestId },
    ...{ storage_price: storagePrice, token_id: order.admitted.caller.tokenId, group: order.group },
  }
  try {
    const charge = costOfCache(order.bill.price, storedOf(parts, longer, cache.tokens))
    await order.bill.hold(charge, charge)
    await openExtension(parts, cache, longer)
  } catch (error) {
    await cancelOrder(order, error)
    throw error
  }
  await extend(order, longer, place)
  await order.leave(0)
  return Response.json(showCache(await ownCache(call)))
}

/** Within what is paid. */
async function shorten(
  { parts, incoming }: OwnedCall,
  cache: GeminiCache,
  place: FoundPlace,
  until: number,
): Promise<Response> {
  await ask(new Upstream(parts, account, place, incoming.request), cache, until)
  const news = { expires_at: until, changed_at: parts.now() }
  await parts.store.db
    .updateTable('gemini_caches')
    .set(news)
    .where('id', '=', cache.id)
    .where('state', '=', cacheStates.kept)
    .execute()
  return Response.json(showCache({ ...cache, ...news }))
}

function extend(order: Order, cache: GeminiCache, place: FoundPlace): Promise<void> {
  const { parts } = order
  const forget = () => forgetCache(parts, cache)
  return askToKeep(order, { what: 'cache', id: cache.id, forget, isRefused }, async asking => {
    await tryChannels(
      order,
      { can: isGemini, errand: 'caches', isSurelyRefused, keyOf: () => place.key },
      ({ channel, key }) => {
        const upstream = new Upstream(parts, account, { channel, key }, order.incoming.request)
        return asking(() => ask(upstream, cache, cache.wanted_until))
      },
    )
    const told = { name: cache.upstream_name, tokens: cache.tokens }
    if (!(await finishCache(parts, cache, told))) throw new AppError('task.interrupted')
  })
}

/** Also where the vendor does not know it any more. */
function isRefused(error: unknown): boolean {
  return error instanceof AppError || surelyRefused(error)
}

async function ask(upstream: Upstream, { upstream_name }: GeminiCache, until: number): Promise<void> {
  const asked = upstream.json({
    method: 'PATCH',
    path: addressOf(upstream.channel, `/v1beta/${upstream_name}?updateMask=expireTime`),
    body: { expireTime: new Date(until * 1000).toISOString() },
  })
  await asOwner(asked, new AppError('gemini.no-cache'))
}
