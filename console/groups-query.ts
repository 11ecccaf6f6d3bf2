import { queryOptions } from '@tanstack/react-query'
import { channelEndpoints } from '../contract/channels.ts'
import { call } from './api.ts'

/** The names of all groups; administrators only. */
export const groupsQuery = queryOptions({
  queryKey: ['groups'],
  queryFn: ({ signal }) => call(channelEndpoints.listGroups, { signal }),
  staleTime: 60_000,
})
