import { queryOptions } from '@tanstack/react-query'
import { accountEndpoints } from '../../../../contract/accounts.ts'
import { call } from '../../../api.ts'

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call(accountEndpoints.listSessions, { signal }),
})
