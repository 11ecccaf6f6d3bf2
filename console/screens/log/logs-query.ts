import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type LogList, logEndpoints } from '../../../contract/logs.ts'
import { call } from '../../api.ts'
import { readTeam } from '../../session.ts'
import { filtersOf, type LogSearch } from './log-search.ts'

type Paging = Readonly<Record<'p' | 'page_size' | 'before_id', number | undefined>>

export function fetchLogs(
  search: LogSearch,
  isAdmin: boolean,
  paging: Partial<Paging>,
  signal?: AbortSignal,
): Promise<LogList> {
  const pages = Object.entries(paging).map(([name, value]) => [name, String(value)])
  const query = { ...filtersOf(search, isAdmin), ...Object.fromEntries(pages) }
  return call(isAdmin ? logEndpoints.listLogs : logEndpoints.listOwnLogs, {
    query,
    ...(signal ? { signal } : {}),
  })
}

export function logsQuery({ live: _, ...search }: LogSearch, isAdmin: boolean, pageSize: number) {
  return queryOptions({
    queryKey: ['logs', { ...search, isAdmin, pageSize }],
    queryFn: ({ signal }) => fetchLogs(search, isAdmin, { p: search.p ?? 1, page_size: pageSize }, signal),
    placeholderData: keepPreviousData,
    // A log that is looked at again has gone on meanwhile.
    staleTime: 0,
  })
}

const STAT_EVERY = 10_000

/** The sums of what is shown, and what goes through right now. */
export function logStatQuery({ live: _, p: __, ...search }: LogSearch, isAdmin: boolean) {
  return queryOptions({
    queryKey: ['logs', 'stat', { ...search, isAdmin }],
    queryFn: ({ signal }) =>
      call(isAdmin ? logEndpoints.logStat : logEndpoints.ownLogStat, {
        query: filtersOf(search, isAdmin),
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: STAT_EVERY,
  })
}

/** Whether there is any row at all: an empty day is not an empty log. */
export function anyLogQuery(isAdmin: boolean) {
  return queryOptions({
    queryKey: ['logs', 'any', isAdmin],
    queryFn: async ({ signal }) =>
      (await fetchLogs({ start: 0 }, isAdmin, { p: 1, page_size: 1 }, signal)).items.length > 0,
  })
}

/** The address of the same rows as a file. */
export function exportAddress(search: LogSearch, isAdmin: boolean): string {
  const { path } = isAdmin ? logEndpoints.exportLogs : logEndpoints.exportOwnLogs
  const team = readTeam()
  const named: Record<string, string> = team ? { team: String(team.id) } : {}
  return `${path}?${new URLSearchParams({ ...filtersOf(search, isAdmin), ...named })}`
}
