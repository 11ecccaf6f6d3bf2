import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { groupsQuery, modelsQuery, pricesQuery } from './offer-queries.ts'

const none: readonly string[] = []

/** What the reader may call, and for how much. The prices are only for the estimate: they may be missing. */
export function useOffer() {
  const models = useQuery(modelsQuery)
  const groups = useQuery(groupsQuery)
  const pricing = useQuery(pricesQuery)
  const list = pricing.data?.data
  const prices = useMemo(() => new Map(list?.map(price => [price.model_name, price])), [list])
  return {
    models: models.data,
    groups: groups.data,
    prices,
    autoGroups: pricing.data?.auto_groups ?? none,
    error: models.error ?? groups.error,
    retry: () => {
      if (models.error) models.refetch()
      if (groups.error) groups.refetch()
    },
  }
}
