import { userAdminEndpoints } from '../../../contract/user-admin.ts'
import { call } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import type { Paging } from '../../ui/lists/use-list-page.ts'
import type { UserSearch } from './route.ts'

export function readUsers({ p: _, order, ...filters }: UserSearch, paging: Paging, signal: AbortSignal) {
  const search = { ...filters, ...(order ? { sort: order } : {}) }
  return Object.values(search).some(Boolean)
    ? call(userAdminEndpoints.searchUsers, { query: { ...paging, ...search }, signal })
    : call(userAdminEndpoints.listUsers, { query: paging, signal })
}

export function refreshUsers(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['users'] })
}
