import type { Endpoints } from '../../../contract/index.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../app.ts'
import type { CallOf, Handlers } from '../call.ts'
import { limitAttempts } from '../throttle.ts'
import { compareWith } from './compare.ts'
import { fetchList, type Source, sourceAt } from './fetch-list.ts'
import { listChannels, sourceOfChannel } from './list-channels.ts'
import { takePrices } from './take.ts'

/** Each goes out to somebody else's machine. */
const fetches = { most: 60, windowSeconds: 600 }

export function priceSourceHandlers(app: App): Handlers<'priceSources' | 'comparePrices' | 'takePrices'> {
  return {
    priceSources: () => listChannels(app),
    async comparePrices(call) {
      await limitAttempts(app, `price-source:${call.caller.id}`, fetches, 'request.too-many')
      const list = await fetchList(app, await sourceOf(app, call))
      return {
        form: list.form,
        listed: list.prices.size,
        left_out: list.leftOut,
        models: await compareWith(app, list),
      }
    },
    takePrices: call => takePrices(app, call),
  }
}

function sourceOf(app: App, { body }: CallOf<Endpoints['comparePrices']>): Source | Promise<Source> {
  const { channel_id, url = '' } = body
  if ((channel_id === undefined) === (url.trim() === '')) throw new AppError('price-source.one')
  return channel_id === undefined ? sourceAt(url) : sourceOfChannel(app, channel_id)
}
