import { EXPIRED, redemptionEndpoints, redemptionStatuses } from '../../../contract/redemptions.ts'
import { call } from '../../api.ts'
import { mayBeKey } from '../../may-be-key.ts'
import { queryClient } from '../../query-client.ts'
import type { Paging } from '../../ui/lists/use-list-page.ts'
import type { RedemptionSearch } from './route.ts'

const states = { ...redemptionStatuses, expired: EXPIRED }

export function readRedemptions(
  { keyword = '', status }: RedemptionSearch,
  paging: Paging,
  signal: AbortSignal,
) {
  if (!keyword && !status) return call(redemptionEndpoints.listRedemptions, { query: paging, signal })
  const query = { ...paging, keyword, ...(status && { status: String(states[status]) }) }
  if (mayBeKey(keyword)) return call(redemptionEndpoints.findRedemptions, { body: query, signal })
  return call(redemptionEndpoints.searchRedemptions, { query, signal })
}

export function refreshRedemptions(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['redemptions'] })
}
