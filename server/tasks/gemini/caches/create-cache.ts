import { dialects } from '../../../dialects/index.ts'
import { asNumber, asObject, asText, type JsonObject } from '../../../dialects/json.ts'
import { AppError } from '../../../errors.ts'
import { inputBound } from '../../../relay/counting/estimate-input.ts'
import { cacheStates, type GeminiCache } from '../../../relay/gemini/cache-rows.ts'
import type { GeminiFile } from '../../../relay/gemini/file-rows.ts'
import { renameFiles } from '../../../relay/gemini/file-uris.ts'
import { filesNamedIn, placeOfAll, renamedFiles } from '../../../relay/gemini/lead-to-kept.ts'
import { askFirst, guardChat } from '../../../relay/guards/admit-request.ts'
import { readBody } from '../../../relay/guards/read-request.ts'
import { enterLimits, hasLimits } from '../../../relay/limits/enter-limits.ts'
import type { Order } from '../../../relay/order/order.ts'
import { lookAtRequest } from '../../../relay/request/look-at-request.ts'
import { type JsonBody, readExactly, readJsonBody } from '../../../relay/request/read-body.ts'
import { refuseAccountData } from '../../../relay/request/refuse-account-data.ts'
import type { FoundPlace } from '../../../relay/routing/place.ts'
import { tryChannels } from '../../../relay/upstream/try-channels.ts'
import { isSurelyRefused, UpstreamFailure } from '../../../relay/upstream/upstream-failure.ts'
import { Upstream } from '../../ask-upstream.ts'
import type { OwnedCall } from '../../define.ts'
import { askToKeep, cancelOrder } from '../../kept/ask-to-keep.ts'
import { account, addressOf, isGemini } from '../account.ts'
import { newFileId } from '../keep-file.ts'
import { costOfCache } from './charge-cache.ts'
import { finishCache, forgetCache, storedOf, type ToldCache } from './finish-cache.ts'
import { mayHaveSound } from './may-have-sound.ts'
import { notePlace, openCache } from './open-cache.ts'
import { orderCache } from './order-cache.ts'
import { readCache, type WantedCache } from './read-cache.ts'
import { showCache } from './show-cache.ts'

const MAKE_MS = 120_000
/** Of a small picture the vendor makes more tokens than it has bytes. */
const LEAST_FILE_TOKENS = 4096
const MOST_FILE_TOKENS = 1_048_576
/** More than any model reads. A vendor that says so is not believed. */
const MOST_TOKENS = 20_000_000

/**
 * From the most that it can cost set aside to the cache paid. In this order, so that whichever line a process dies at,
 * what is held belongs to a cache that somebody looks after: the hold; the row, to which the hold belongs from then on;
 * the vendor; the charge; the row with the vendor's name for it.
 */
export async function createCache(call: OwnedCall): Promise<Response> {
  const { parts, incoming, admitted } = call
  const sent = await readJsonBody(incoming)
  const first = readCache(sent.json, parts.now())
  const guarding = parts.guards.areIdle
    ? undefined
    : guardChat({ parts, incoming, admitted, model: first.model }, false, sent)
  const body = guarding?.body ?? sent
  const files = await filesNamedIn(parts, admitted.caller, body.json)
  const place = placeOfAll(parts, [...files.values()])
  const { order, storagePrice } = orderCache(call, first.model, body, place)
  order.guard = guarding?.guard
  if (hasLimits(parts, order.admitted)) await enterLimits(order)
  incoming.keepOpen()
  let row: GeminiCache
  let wanted: WantedCache
  try {
    const read = order.guard?.asksFirst ? await askFirst(order, order.guard, readBody(body)) : body
    const now = parts.now()
    wanted = readCache(readExactly(read).json, now)
    row = rowOf(order, wanted, { ...boundOf(order, read, wanted, files), storagePrice, now })
    const most = costOfCache(order.bill.price, storedOf(parts, row, row.tokens))
    await order.bill.hold(most, most)
    await openCache(parts, row)
  } catch (error) {
    await cancelOrder(order, error)
    throw error
  }
  const content = { ...wanted.content, ...renamedFiles(wanted.content, files) }
  const made = await make(order, row, content, place)
  await order.leave(0)
  return Response.json(showCache(made))
}

interface Terms extends Bound {
  readonly storagePrice: string
  readonly now: number
}

function rowOf(order: Order, { model, title, until }: WantedCache, terms: Terms): GeminiCache {
  const { incoming, admitted, group } = order
  const { userId, tokenId } = admitted.caller
  const { most, hasSound, storagePrice, now } = terms
  return {
    ...{ id: newFileId(), user_id: userId, made_by: tokenId, token_id: tokenId },
    ...{ channel_id: 0, key_hash: '', upstream_name: '' },
    ...{ model, group, title, state: cacheStates.making, request_id: incoming.requestId },
    ...{ storage_price: storagePrice, has_sound: hasSound ? 1 : 0, tokens: most },
    ...{ created_at: now, changed_at: now, expires_at: until, paid_until: now, wanted_until: until },
  }
}

interface Bound {
  readonly most: number
  readonly hasSound: boolean
}

/** The most tokens that it can be. Of files that were uploaded here it is known how large they are, each time they are named. */
function boundOf(
  order: Order,
  body: JsonBody,
  { model, content }: WantedCache,
  files: ReadonlyMap<string, GeminiFile>,
): Bound {
  const { media, textLength } = lookAtRequest('gemini', body, { model, stream: false })
  let kept = 0
  renameFiles(body.json, uri => {
    const bytes = files.get(uri)?.bytes ?? MOST_FILE_TOKENS
    kept += Math.min(MOST_FILE_TOKENS, Math.max(bytes, LEAST_FILE_TOKENS))
    return undefined
  })
  const inFiles = Math.min(kept, media.files.most)
  const most = inputBound(textLength, media, inFiles, order.parts.pictures.mostOf(model))
  return { most, hasSound: media.sound > 0 || mayHaveSound(content, files) }
}

function make(
  order: Order,
  row: GeminiCache,
  content: JsonObject,
  place: FoundPlace | undefined,
): Promise<GeminiCache> {
  const { parts } = order
  const forget = () => forgetCache(parts, row)
  return askToKeep(order, { what: 'cache', id: row.id, forget }, async asking => {
    const asked = await tryChannels(
      order,
      { can: isGemini, errand: 'caches', isSurelyRefused, ...(place && { keyOf: () => place.key }) },
      async ({ channel, key, model }) => {
        refuseAccountData(dialects.gemini.accountData, content, channel.setting)
        await notePlace(parts, row.id, { channel, key })
        const upstream = new Upstream(parts, account, { channel, key }, order.incoming.request)
        return { told: await asking(() => ask(upstream, row, model, content)), upstream }
      },
    )
    const placed = { ...row, channel_id: asked.upstream.channel.id }
    if (await finishCache(parts, placed, asked.told))
      return { ...placed, tokens: asked.told.tokens, state: cacheStates.kept }
    // It was given up while this process slept: nobody would pay for it.
    await asked.upstream.send({
      method: 'DELETE',
      path: addressOf(asked.upstream.channel, `/v1beta/${asked.told.name}`),
    })
    throw new AppError('task.interrupted')
  })
}

async function ask(
  upstream: Upstream,
  { id, wanted_until, tokens }: GeminiCache,
  model: string,
  content: JsonObject,
): Promise<ToldCache> {
  const expireTime = new Date(wanted_until * 1000).toISOString()
  const answer = await upstream.json({
    method: 'POST',
    path: addressOf(upstream.channel, '/v1beta/cachedContents'),
    // Our name for it, by which it is found whose answer was lost.
    body: { ...content, model: `models/${model}`, displayName: id, expireTime },
    timeoutMs: MAKE_MS,
  })
  const told = readTold(answer, tokens)
  if (!told) throw new UpstreamFailure({ without: 'empty' })
  return told
}

/** `most` is what it is taken for that a vendor does not count. */
export function readTold(answer: unknown, most: number): ToldCache | undefined {
  const told = asObject(answer)
  const name = asText(told?.name) ?? ''
  if (!/^cachedContents\/[\w.-]{1,150}$/.test(name)) return undefined
  const count = asNumber(asObject(told?.usageMetadata)?.totalTokenCount)
  const isCount = count !== undefined && Number.isSafeInteger(count) && count > 0 && count <= MOST_TOKENS
  return { name, tokens: isCount ? count : most }
}
