import { queryOptions } from '@tanstack/react-query'
import { statisticsEndpoints } from '../../../contract/statistics.ts'
import { call } from '../../api.ts'
import { readHealth } from './read-health.ts'

/** The last day of all channels in one call. */
export const healthQuery = queryOptions({
  queryKey: ['channels', 'health'],
  queryFn: async ({ signal }) => {
    const { rows } = await call(statisticsEndpoints.statistics, {
      query: { by: 'channel', unit: 'hour' },
      signal,
    })
    return readHealth(rows, Date.now() / 1000)
  },
  staleTime: 60_000,
})
