import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { NoMatches } from '../../ui/lists/no-matches.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { Empty } from '../../ui/table/empty.tsx'
import { logText } from './catalogue.ts'
import { FirstCall } from './first-call.tsx'
import { isNarrowed, type LogSearch } from './log-search.ts'
import { anyLogQuery } from './logs-query.ts'

interface NoRowsProps {
  search: LogSearch
  isAdmin: boolean
  filter(next: LogSearch): void
  clear(): void
}

/** Why there is nothing: no row matches, none was written today, or none ever. */
export function NoRows({ search, isAdmin, filter, clear }: NoRowsProps) {
  const t = useText(logText)
  const shell = useText(shellText)
  const isFiltered = isNarrowed(search)
  const { data: isAny, isLoading } = useQuery({ ...anyLogQuery(isAdmin), enabled: !isFiltered })
  if (isLoading) return <Skeleton rows={8} />
  if (isFiltered)
    return (
      <NoMatches title={t('noMatches')} clear={clear}>
        {search.start !== 0 && (
          <Button size="xs" variant="default" onClick={() => filter({ start: 0, end: undefined })}>
            {shell('range.all')}
          </Button>
        )}
      </NoMatches>
    )
  if (isAny === false) return <FirstCall isAdmin={isAdmin} />
  return (
    <Empty
      title={t('noneToday')}
      actions={
        <Button size="xs" variant="default" onClick={() => filter({ start: 0 })}>
          {t('showAll')}
        </Button>
      }
    />
  )
}
