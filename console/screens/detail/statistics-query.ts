import { queryOptions } from '@tanstack/react-query'
import { type StatisticsQuery, statisticsEndpoints } from '../../../contract/statistics.ts'
import { call } from '../../api.ts'

const MINUTE = 60_000

/** Some browsers do not tell. */
const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone ?? ''

/** Of the whole site, or of the reader alone. Fresh every minute while it is looked at. */
export function statisticsQuery(wholeSite: boolean, query: Required<Omit<StatisticsQuery, 'zone'>>) {
  const { from, to, offset } = query
  return queryOptions({
    queryKey: ['statistics', wholeSite, query],
    queryFn: ({ signal }) =>
      call(wholeSite ? statisticsEndpoints.statistics : statisticsEndpoints.ownStatistics, {
        query: { ...query, from: String(from), to: String(to), offset: String(offset), zone: zoneHere() },
        signal,
      }),
    staleTime: MINUTE,
    refetchInterval: MINUTE,
  })
}
