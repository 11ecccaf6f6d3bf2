import { isUnsupported } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import { counter } from '../../metrics.ts'
import type { Order } from '../order/order.ts'
import { fallbacksFor, type Lack, lacks } from '../routing/fallbacks.ts'
import { isShortOfQuota } from '../short-of-quota.ts'
import type { StopCord } from './stop-cord.ts'

const fallbacks = counter(
  'tollgate_relay_fallbacks_total',
  'Model calls that were served by another model than was asked for.',
)
fallbacks.increment({}, 0)

/** Tells clients what has served them, where it is not what they asked for. */
const MODEL_HEADER = 'x-tollgate-model'

/** Sets money aside for `order.model` and asks its channels; calls `instead` where none of them can serve it. */
export type ServeModel<Answer> = <Other>(
  instead: (failure: unknown, lack: Lack) => Promise<Other>,
) => Promise<Answer | Other>

/** Asks for the model that the client named; where it cannot be had, for its fallbacks, until one serves. */
export function tryModels<Answer>(order: Order, cord: StopCord, serve: ServeModel<Answer>): Promise<Answer> {
  const { admitted, asked, model } = order
  const instead = (failure: unknown, lack: Lack): Promise<Answer> =>
    tryFallbacks(order, cord, serve, failure, lack)
  if (model === asked) return serve(instead)
  return instead(new AppError('relay.no-channel', { group: admitted.group, model: asked }), 'unserved')
}

/** When no fallback serves either, the caller is told what the model that it asked for said (`failure`). */
async function tryFallbacks<Answer>(
  order: Order,
  cord: StopCord,
  serve: ServeModel<Answer>,
  failure: unknown,
  lack: Lack,
): Promise<Answer> {
  const { parts, asked, book, channel, group, upstreamModel } = order
  // A fallback that is unserved, too small as well, or refuses for the same reason gives way to the next. One whose
  // filter refuses although that was not the reason ends it: the request is at fault.
  const next = async (refusal: unknown, reason: Lack): Promise<undefined> => {
    if (reason === 'filtered' && lack !== 'filtered') throw refusal
  }
  for (const model of fallbacksFor(parts, order, lack, book)) {
    cord.check()
    order.turnToModel(model)
    try {
      const answer = await serve(next)
      if (answer !== undefined) return answer
    } catch (error) {
      if (!isPassedOver(error)) throw error
    }
  }
  Object.assign(order, { model: asked, channel, group, upstreamModel })
  throw failure
}

/** A fallback that is too dear for the caller, or cannot be asked for such a thing, gives way to the next. */
function isPassedOver(error: unknown): boolean {
  return isUnsupported(error) || isShortOfQuota(error)
}

/**
 * The call goes on from an answer that this channel's upstream stores. Where the channel does not have the model, a
 * fallback had stood in for it: which one that was.
 */
export function modelOfKeeper(
  order: Pick<Order, 'parts' | 'incoming' | 'admitted' | 'asked' | 'model' | 'failover' | 'book'>,
  channelId: number,
): string | undefined {
  const { parts, model, book } = order
  const keeper = parts.channels.byId(channelId)
  if (!keeper || keeper.models.has(model)) return undefined
  return lacks.flatMap(lack => fallbacksFor(parts, order, lack, book)).find(one => keeper.models.has(one))
}

/** Counts and tells the client that another model has served. */
export function tellFallback(headers: Headers, { model, asked }: Order): void {
  if (model === asked) return
  fallbacks.increment()
  headers.set(MODEL_HEADER, encodeURIComponent(model.toWellFormed()).replaceAll('%2F', '/'))
}
