import { redemptionEndpoints } from '../../../contract/redemptions.ts'
import { call } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import type { Paging } from '../../ui/use-list-page.ts'
import type { RedemptionSearch } from './route.ts'

export function readRedemptions({ keyword = '' }: RedemptionSearch, paging: Paging, signal: AbortSignal) {
  return keyword
    ? call(redemptionEndpoints.searchRedemptions, { query: { ...paging, keyword }, signal })
    : call(redemptionEndpoints.listRedemptions, { query: paging, signal })
}

export function refreshRedemptions(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['redemptions'] })
}
