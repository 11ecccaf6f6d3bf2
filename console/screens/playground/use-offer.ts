import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { accountEndpoints } from '../../../contract/accounts.ts'
import { pricingEndpoints } from '../../../contract/pricing.ts'
import { call } from '../../api.ts'

/** What the reader may call, and for how much. The prices are only for the estimate: they may be missing. */
export function useOffer() {
  const models = useQuery({
    queryKey: ['playground', 'models'],
    queryFn: ({ signal }) => call(accountEndpoints.usableModels, { signal }),
  })
  const groups = useQuery({
    queryKey: ['playground', 'groups'],
    queryFn: ({ signal }) => call(accountEndpoints.ownGroups, { signal }),
  })
  const pricing = useQuery({
    queryKey: ['playground', 'prices'],
    queryFn: ({ signal }) => call(pricingEndpoints.pricing, { signal }),
    staleTime: 60_000,
  })
  const list = pricing.data?.data
  const prices = useMemo(() => new Map(list?.map(price => [price.model_name, price])), [list])
  return {
    models: models.data,
    groups: groups.data,
    prices,
    error: models.error ?? groups.error,
    retry: () => {
      if (models.error) models.refetch()
      if (groups.error) groups.refetch()
    },
  }
}
