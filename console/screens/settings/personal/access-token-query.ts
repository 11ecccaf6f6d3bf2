import { queryOptions } from '@tanstack/react-query'
import { userEndpoints } from '../../../../contract/users.ts'
import { call } from '../../../api.ts'

/** Whether there is one. Nothing of it is kept: a script may have made one, or another session may have revoked it. */
export const accessTokenQuery = queryOptions({
  queryKey: ['access-token'],
  queryFn: ({ signal }) => call(userEndpoints.accessTokenStatus, { signal }),
  staleTime: 0,
  gcTime: 0,
})
