import { queryOptions } from '@tanstack/react-query'
import { type StatisticsQuery, statisticsEndpoints } from '../../../contract/statistics.ts'
import { call } from '../../api.ts'

const MINUTE = 60_000

/** Of the whole site, or of the reader alone. Fresh every minute while it is looked at. */
export function statisticsQuery(wholeSite: boolean, query: Required<StatisticsQuery>) {
  return queryOptions({
    queryKey: ['statistics', wholeSite, query],
    queryFn: ({ signal }) =>
      call(wholeSite ? statisticsEndpoints.statistics : statisticsEndpoints.ownStatistics, {
        query: { ...query, from: String(query.from), to: String(query.to), offset: String(query.offset) },
        signal,
      }),
    staleTime: MINUTE,
    refetchInterval: MINUTE,
  })
}
