import { queryOptions } from '@tanstack/react-query'
import { twoFactorEndpoints } from '../../contract/sign-in.ts'
import { call } from '../api.ts'

export const twoFactorQuery = queryOptions({
  queryKey: ['two-factor'],
  queryFn: ({ signal }) => call(twoFactorEndpoints.twoFactorStatus, { signal }),
})
