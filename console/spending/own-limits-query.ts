import { queryOptions } from '@tanstack/react-query'
import { type SpendLimitView, spendLimitEndpoints } from '../../contract/spend-limits.ts'
import { call } from '../api.ts'

/** What limits the account, or its member who looks, the plan included. */
export function ownLimitsQuery(userId: number | undefined, teamId: number | undefined) {
  return queryOptions({
    queryKey: ['spend-limits', 'own', userId, teamId],
    queryFn: async ({ signal }): Promise<SpendLimitView[]> => {
      const { member, account, plan } = await call(spendLimitEndpoints.ownSpendLimits, { signal })
      return [...member, ...account, ...plan]
    },
    gcTime: 0,
  })
}
