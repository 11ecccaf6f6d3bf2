import { useQuery } from '@tanstack/react-query'
import { useLastPage } from '../../ui/lists/use-last-page.ts'
import type { LogSearch } from './log-search.ts'
import { logsQuery } from './logs-query.ts'
import { useLiveLog } from './use-live-log.ts'

/** What the filters let through: a page of it, or the log as it is written. */
export function useLogRows(search: LogSearch, isAdmin: boolean, pageSize: number) {
  const paged = useQuery({ ...logsQuery(search, isAdmin, pageSize), enabled: !search.live })
  const live = useLiveLog(search, isAdmin)
  const { data, isPlaceholderData } = paged
  const total = data?.total ?? 0
  useLastPage({
    page: search.p ?? 1,
    pageSize,
    total,
    count: live || isPlaceholderData ? undefined : data?.items.length,
  })
  if (live) {
    const { rows, isLoaded, error, retry } = live
    return { live, rows: isLoaded ? rows : undefined, total: rows.length, error, retry, fetching: false }
  }
  return {
    live,
    rows: data?.items,
    total,
    isEstimate: data?.total_is_estimate,
    error: paged.error,
    retry: paged.refetch,
    fetching: isPlaceholderData,
  }
}
