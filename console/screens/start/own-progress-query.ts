import { queryOptions } from '@tanstack/react-query'
import { accountEndpoints } from '../../../contract/accounts.ts'
import { logTypes } from '../../../contract/log-types.ts'
import { logEndpoints } from '../../../contract/logs.ts'
import { pricingEndpoints } from '../../../contract/pricing.ts'
import { call } from '../../api.ts'
import { loadEnabledTokens } from '../../enabled-tokens.ts'
import { pickCalls } from './pick-calls.ts'
import { pickChatModels } from './pick-models.ts'
import { LOOKED_AT, POLL, type Progress } from './progress-query.ts'

export type OwnProgress = Omit<Progress, 'channels'>

/** How far a user is, by what is theirs. */
export const ownProgressQuery = queryOptions({
  queryKey: ['start', 'own-progress'],
  queryFn: async ({ signal }): Promise<OwnProgress> => {
    const [usable, prices, tokens, logs] = await Promise.all([
      call(accountEndpoints.usableModels, { query: { kind: 'chat' }, signal }),
      call(pricingEndpoints.pricing, { signal }),
      loadEnabledTokens(signal),
      call(logEndpoints.listOwnLogs, {
        query: { p: '1', page_size: LOOKED_AT, type: String(logTypes.consumption) },
        signal,
      }),
    ])
    const priced = new Set(prices.data.map(({ model_name }) => model_name))
    return {
      models: pickChatModels(usable, priced),
      tokens,
      ...pickCalls(logs),
    }
  },
  staleTime: 0,
  // Keys are among it.
  gcTime: 0,
  refetchInterval: ({ state }) => (state.data?.billed ? false : POLL),
})
