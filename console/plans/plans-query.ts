import { queryOptions } from '@tanstack/react-query'
import { planEndpoints } from '../../contract/plans.ts'
import { call } from '../api.ts'
import { queryClient } from '../query-client.ts'

export const offeredPlansQuery = queryOptions({
  queryKey: ['plans', 'offered'],
  queryFn: ({ signal }) => call(planEndpoints.offeredPlans, { signal }),
})

export const ownPlanQuery = queryOptions({
  queryKey: ['plans', 'own'],
  queryFn: async ({ signal }) =>
    (await call(planEndpoints.ownSubscriptions, { signal })).find(({ running }) => running) ?? null,
})

export function refreshPlans(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['plans'] })
}
