import { isUnsupported } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import { counter } from '../../metrics.ts'
import type { Order } from '../order/order.ts'
import { fallbacksFor, type Lack, lacks } from '../routing/fallbacks.ts'
import type { StopCord } from './stop-cord.ts'

const fallbacks = counter(
  'tollgate_relay_fallbacks_total',
  'Model calls that were served by another model than was asked for.',
)
fallbacks.increment({}, 0)

/** Tells clients what has served them, where it is not what they asked for. */
const MODEL_HEADER = 'x-tollgate-model'

/** Sets money aside for the model that the order is at, and asks its channels; `instead` where none can serve it. */
export type ServeModel<Answer> = <Other>(
  instead: (failure: unknown, lack: Lack) => Promise<Other>,
) => Promise<Answer | Other>

/** The model that was asked for, or where it cannot be had the first that is named for that and can. */
export function tryModels<Answer>(order: Order, cord: StopCord, serve: ServeModel<Answer>): Promise<Answer> {
  const { admitted, asked, model } = order
  const instead = (failure: unknown, lack: Lack): Promise<Answer> =>
    tryFallbacks(order, cord, serve, failure, lack)
  if (model === asked) return serve(instead)
  return instead(new AppError('relay.no-channel', { group: admitted.group, model: asked }), 'unserved')
}

/** What a model refuses because of the request itself the caller is told; when none can be had, what the first said. */
async function tryFallbacks<Answer>(
  order: Order,
  cord: StopCord,
  serve: ServeModel<Answer>,
  failure: unknown,
  lack: Lack,
): Promise<Answer> {
  const { parts, asked, book, channel, group, upstreamModel } = order
  // One that is too small as well says nothing of those after it, and neither does what the first was left for.
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

const passedOver: readonly string[] = ['ledger.user-quota', 'ledger.token-quota']

/** Who could have paid for the model that was asked for is not refused for the price of another. */
function isPassedOver(error: unknown): boolean {
  return isUnsupported(error) || (error instanceof AppError && passedOver.includes(error.code))
}

/** A channel that has not the model which is asked for may keep an answer of one that stood in for it. */
export function modelOfKeeper(order: Order, channelId: number): string | undefined {
  const { parts, model, book } = order
  const keeper = parts.channels.byId(channelId)
  if (!keeper || keeper.models.has(model)) return undefined
  return lacks.flatMap(lack => fallbacksFor(parts, order, lack, book)).find(one => keeper.models.has(one))
}

/** For an answer that is handed over. */
export function tellFallback(headers: Headers, { model, asked }: Order): void {
  if (model === asked) return
  fallbacks.increment()
  headers.set(MODEL_HEADER, encodeURIComponent(model.toWellFormed()).replaceAll('%2F', '/'))
}
