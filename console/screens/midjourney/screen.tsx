import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createLazyRoute, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type DrawingView, recordEndpoints } from '../../../contract/records.ts'
import { roles } from '../../../contract/users.ts'
import { call } from '../../api.ts'
import { asPage } from '../../page-of-rows.ts'
import { usePageSize } from '../../page-size.ts'
import { useUser } from '../../session.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { windowOf } from '../../time-window.ts'
import { Callout } from '../../ui/callout.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Empty } from '../../ui/table/empty.tsx'
import { TimeRange } from '../../ui/time-range.tsx'
import { midjourneyText } from './catalogue.ts'
import { drawingColumns } from './columns.tsx'
import styles from './midjourney.module.css'
import type { DrawingSearch } from './route.ts'

function Drawings() {
  const t = useText(midjourneyText)
  const search = screen.useSearch()
  const navigate = useNavigate()
  const status = useStatus()
  const isAdmin = (useUser()?.role ?? 0) >= roles.admin
  const [pageSize, setPageSize] = usePageSize()
  const [shown, setShown] = useState<DrawingView>()
  const { p = 1, id, channel } = search
  const { start, end } = windowOf(search, 'month')
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['drawings', { isAdmin, p, id, channel, start, end, pageSize }],
    queryFn: async ({ signal }) =>
      asPage(
        await call(isAdmin ? recordEndpoints.listDrawings : recordEndpoints.listOwnDrawings, {
          query: {
            p,
            page_size: pageSize,
            ...(id ? { mj_id: id } : {}),
            ...(isAdmin && channel !== undefined ? { channel_id: String(channel) } : {}),
            start_timestamp: String(start * 1000),
            end_timestamp: String(end * 1000),
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })
  const columns = useMemo(() => drawingColumns(t, { isAdmin, show: setShown }), [t, isAdmin])
  const show = (next: DrawingSearch) => navigate({ to: '/midjourney', search: next })
  const { p: _, ...filters } = search
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Page title={t('title')} wide>
      {isAdmin && status && !status.mj_notify_enabled && <Callout tone="warning">{t('notice')}</Callout>}
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
        rowName={row => row.mj_id}
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
      {shown && (
        <Dialog opened onClose={() => setShown(undefined)} title={t('image')} size="auto">
          <img className={styles.image} src={shown.image_url} alt={shown.prompt} />
        </Dialog>
      )}
    </Page>
  )
}

export const screen = createLazyRoute('/midjourney')({ component: Drawings })
