import { queryOptions } from '@tanstack/react-query'
import { accountEndpoints } from '../../../../contract/accounts.ts'
import { pricingEndpoints } from '../../../../contract/pricing.ts'
import { call } from '../../../api.ts'
import { queryClient } from '../../../query-client.ts'

export const modelsQuery = queryOptions({
  queryKey: ['playground', 'models'],
  queryFn: ({ signal }) => call(accountEndpoints.usableModels, { query: { kind: 'chat' }, signal }),
})

export const groupsQuery = queryOptions({
  queryKey: ['playground', 'groups'],
  queryFn: ({ signal }) => call(accountEndpoints.ownGroups, { signal }),
})

export const pricesQuery = queryOptions({
  queryKey: ['playground', 'prices'],
  queryFn: ({ signal }) => call(pricingEndpoints.pricing, { signal }),
  staleTime: 60_000,
})

/** Asks for all of it while the screen is still being loaded. */
export function prefetchOffer(): void {
  queryClient.prefetchQuery(modelsQuery).catch(() => {})
  queryClient.prefetchQuery(groupsQuery).catch(() => {})
  queryClient.prefetchQuery(pricesQuery).catch(() => {})
}
