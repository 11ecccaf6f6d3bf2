import { queryOptions } from '@tanstack/react-query'
import { passkeyEndpoints } from '../../contract/sign-in.ts'
import { call } from '../api.ts'

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => call(passkeyEndpoints.passkeys, { signal }),
})
