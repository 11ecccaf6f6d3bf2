import { queryOptions } from '@tanstack/react-query'
import { channelEndpoints } from '../../../contract/channels.ts'
import { logTypes } from '../../../contract/log-types.ts'
import { type LogView, logEndpoints } from '../../../contract/logs.ts'
import { pricingEndpoints } from '../../../contract/pricing.ts'
import { servesModels } from '../../../contract/service-types.ts'
import type { TokenView } from '../../../contract/tokens.ts'
import { call } from '../../api.ts'
import { loadEnabledTokens } from '../../enabled-tokens.ts'
import { asPage } from '../../page-of-rows.ts'
import { pickCalls } from './pick-calls.ts'
import { pickChatModels } from './pick-models.ts'

export const POLL = 3000
/** Enough to look past the tests of channels, which stand among the calls. */
export const LOOKED_AT = '50'

export interface Progress {
  readonly channels: number
  readonly models: readonly string[]
  readonly tokens: readonly TokenView[]
  readonly calls: number
  /** The newest billed call; there is nothing to wait for once there is one. */
  readonly billed: LogView | undefined
}

/** How far the installation is, by what it has. */
export const progressQuery = queryOptions({
  queryKey: ['start', 'progress'],
  queryFn: async ({ signal }): Promise<Progress> => {
    const paged = { p: '1', page_size: '20', form: 'paged', status: 'enabled' } as const
    const [found, prices, tokens, logs] = await Promise.all([
      call(channelEndpoints.listChannels, { query: paged, signal }),
      call(pricingEndpoints.pricing, { signal }),
      loadEnabledTokens(signal),
      call(logEndpoints.listLogs, {
        query: { p: '1', page_size: LOOKED_AT, type: String(logTypes.consumption) },
        signal,
      }),
    ])
    const { items, total } = asPage(found)
    const priced = new Set(prices.data.map(({ model_name }) => model_name))
    return {
      channels: total,
      models: pickChatModels(
        items.flatMap(({ type, models }) => (servesModels(type) ? models : [])),
        priced,
      ),
      tokens,
      ...pickCalls(logs),
    }
  },
  staleTime: 0,
  // Keys are among it.
  gcTime: 0,
  refetchInterval: ({ state }) => (state.data && isDone(state.data) ? false : POLL),
})

export function isDone({ channels, tokens, billed }: Progress): boolean {
  return channels > 0 && tokens.length > 0 && billed !== undefined
}
