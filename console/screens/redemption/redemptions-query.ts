import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type RedemptionView, redemptionEndpoints } from '../../../contract/redemptions.ts'
import { call } from '../../api.ts'
import { asPage, type PageOfRows } from '../../page-of-rows.ts'
import { queryClient } from '../../query-client.ts'
import type { RedemptionSearch } from './route.ts'

export function redemptionsQuery({ p = 1, keyword = '' }: RedemptionSearch, pageSize: number) {
  return queryOptions({
    queryKey: ['redemptions', { p, keyword, pageSize }],
    queryFn: async ({ signal }): Promise<PageOfRows<RedemptionView>> => {
      const paging = { p, page_size: pageSize }
      const found = keyword
        ? await call(redemptionEndpoints.searchRedemptions, { query: { ...paging, keyword }, signal })
        : await call(redemptionEndpoints.listRedemptions, { query: paging, signal })
      return asPage(found)
    },
    placeholderData: keepPreviousData,
  })
}

export function refreshRedemptions(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['redemptions'] })
}
