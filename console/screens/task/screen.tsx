import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createLazyRoute, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { recordEndpoints } from '../../../contract/records.ts'
import { roles } from '../../../contract/users.ts'
import { call } from '../../api.ts'
import { asPage } from '../../page-of-rows.ts'
import { usePageSize } from '../../page-size.ts'
import { useUser } from '../../session.ts'
import { useText } from '../../text.ts'
import { windowOf } from '../../time-window.ts'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Empty } from '../../ui/table/empty.tsx'
import { TimeRange } from '../../ui/time-range.tsx'
import { taskText } from './catalogue.ts'
import { taskColumns } from './columns.tsx'
import type { TaskSearch } from './route.ts'

function Tasks() {
  const t = useText(taskText)
  const search = screen.useSearch()
  const navigate = useNavigate()
  const isAdmin = (useUser()?.role ?? 0) >= roles.admin
  const [pageSize, setPageSize] = usePageSize()
  const { p = 1, id, channel } = search
  const { start, end } = windowOf(search, 'midnight')
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['tasks', { isAdmin, p, id, channel, start, end, pageSize }],
    queryFn: async ({ signal }) =>
      asPage(
        await call(isAdmin ? recordEndpoints.listTasks : recordEndpoints.listOwnTasks, {
          query: {
            p,
            page_size: pageSize,
            ...(id ? { task_id: id } : {}),
            ...(isAdmin && channel !== undefined ? { channel_id: String(channel) } : {}),
            start_timestamp: String(start),
            end_timestamp: String(end),
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })
  const columns = useMemo(() => taskColumns(t, isAdmin), [t, isAdmin])
  const show = (next: TaskSearch) => navigate({ to: '/task', search: next })
  const { p: _, ...filters } = search
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Page title={t('title')} wide>
      <FilterBar clear={isFiltered ? () => show({}) : undefined}>
        <SearchBox
          main
          label={t('taskId')}
          value={id ?? ''}
          onSearch={text => {
            const { id: __, ...others } = filters
            return show(text ? { ...others, id: text } : others)
          }}
        />
        {isAdmin && (
          <SearchBox
            label={t('channelId')}
            value={channel === undefined ? '' : String(channel)}
            onSearch={text => {
              const { channel: __, ...others } = filters
              return show(/^\d+$/.test(text) ? { ...others, channel: Number(text) } : others)
            }}
          />
        )}
        <TimeRange
          label={t('window')}
          start={start || undefined}
          end={search.end}
          onChange={range => {
            const { start: __, end: ___, ...others } = filters
            // Without a start the list would be of its usual time: all of it begins at 0.
            const end = range.end === undefined ? {} : { end: range.end }
            return show({ ...others, start: range.start ?? 0, ...end })
          }}
        />
      </FilterBar>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={data?.items}
        rowId={row => row.id}
        rowName={row => row.task_id}
        total={data?.total ?? 0}
        fetching={isPlaceholderData}
        error={error}
        retry={refetch}
        empty={
          isFiltered ? (
            <Empty
              title={t('noMatches')}
              actions={
                <Button size="xs" variant="default" onClick={() => show({})}>
                  {t('clear')}
                </Button>
              }
            />
          ) : (
            <Empty title={t('none')}>{t('noneLead')}</Empty>
          )
        }
      />
      <Pager
        page={p}
        pageSize={pageSize}
        total={data?.total ?? 0}
        onPage={page => show({ ...search, p: page })}
        onPageSize={size => {
          setPageSize(size)
          return show(filters)
        }}
      />
    </Page>
  )
}

export const screen = createLazyRoute('/task')({ component: Tasks })
