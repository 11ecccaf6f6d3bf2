import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type ManagedUser, userAdminEndpoints } from '../../../contract/user-admin.ts'
import { call } from '../../api.ts'
import { asPage, type PageOfRows } from '../../page-of-rows.ts'
import { queryClient } from '../../query-client.ts'
import type { UserSearch } from './route.ts'

export function usersQuery({ p = 1, keyword = '', group = '' }: UserSearch, pageSize: number) {
  return queryOptions({
    queryKey: ['users', { p, keyword, group, pageSize }],
    queryFn: async ({ signal }): Promise<PageOfRows<ManagedUser>> => {
      const paging = { p, page_size: pageSize }
      const found =
        keyword || group
          ? await call(userAdminEndpoints.searchUsers, { query: { ...paging, keyword, group }, signal })
          : await call(userAdminEndpoints.listUsers, { query: paging, signal })
      return asPage(found)
    },
    placeholderData: keepPreviousData,
  })
}

export function refreshUsers(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['users'] })
}
