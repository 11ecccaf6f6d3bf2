import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { createLazyRoute, useNavigate } from '@tanstack/react-router'
import { Download, RotateCw } from 'lucide-react'
import { Suspense, useMemo, useRef, useState } from 'react'
import type { LogView } from '../../../contract/logs.ts'
import { roles } from '../../../contract/users.ts'
import { formatTime } from '../../format.ts'
import { OptionsMenu } from '../../lists/options-menu.tsx'
import { useListOptions } from '../../lists/use-list-options.ts'
import { ViewTabs } from '../../lists/view-tabs.tsx'
import { shellText } from '../../locales/catalogue.ts'
import { usePageSize } from '../../page-size.ts'
import { useUser } from '../../session.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { Pager } from '../../ui/lists/pager.tsx'
import { useLastPage } from '../../ui/lists/use-last-page.ts'
import { lazyPart } from '../../ui/page/lazy-part.ts'
import { Page } from '../../ui/page/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Badges } from './badges.tsx'
import { logText } from './catalogue.ts'
import { hiddenAtFirst, logColumns } from './columns.tsx'
import { Filters } from './filters.tsx'
import { LiveState, LiveToggle } from './live-controls.tsx'
import styles from './log.module.css'
import type { LogSearch } from './log-search.ts'
import { exportAddress, logsQuery } from './logs-query.ts'
import { NoRows } from './no-rows.tsx'
import { RowDetail } from './row-detail.tsx'
import { useLiveLog } from './use-live-log.ts'
import { scrollToFirst, useScrolledAway } from './use-scrolled-away.ts'

/** So many pixels have room for the names of channels, and for most columns. */
const WIDE = 1680
const UserDialog = lazyPart(() => import('./user-dialog.tsx'))

function Logs() {
  const t = useText(logText)
  const shell = useText(shellText)
  const status = useStatus()
  const isAdmin = (useUser()?.role ?? 0) >= roles.admin
  const search = screen.useSearch()
  const navigate = useNavigate()
  const [pageSize, setPageSize] = usePageSize()
  const [shownUser, setShownUser] = useState<number>()
  const table = useRef<HTMLDivElement>(null)
  const paged = useQuery({ ...logsQuery(search, isAdmin, pageSize), enabled: !search.live })
  const live = useLiveLog(search, isAdmin)
  const older = useMutation({ mutationFn: async () => live?.loadOlder() })
  useScrolledAway(table, isAway => live?.hold(isAway))
  const isWide = innerWidth >= WIDE
  const columns = useMemo(
    () => logColumns({ t, status, isAdmin, isWide, showUser: setShownUser }),
    [t, status, isAdmin, isWide],
  )
  const options = useListOptions({
    name: isAdmin ? 'log' : 'log-own',
    columns,
    hiddenAtFirst: hiddenAtFirst(isAdmin, isWide),
    search,
    show: (next: LogSearch) => navigate({ to: '/log', search: next }),
  })

  const filter = (next: LogSearch) =>
    navigate({ to: '/log', search: ({ p: _, ...before }: LogSearch) => ({ ...before, ...next }) })
  const clear = () => navigate({ to: '/log', search: search.live ? { live: true } : {} })
  const total = paged.data?.total ?? 0
  useLastPage({
    page: search.p ?? 1,
    pageSize,
    total,
    count: live || paged.isPlaceholderData ? undefined : paged.data?.items.length,
  })
  const rows = live ? (live.isLoaded ? live.rows : undefined) : paged.data?.items

  return (
    <Page
      title={shell('nav.log')}
      wide
      actions={
        <>
          <LiveToggle isOn={live !== undefined} toggle={() => filter({ live: live ? undefined : true })} />
          {!live && (
            <Button
              size="xs"
              variant="default"
              leftSection={<RotateCw size={14} aria-hidden />}
              onClick={() => paged.refetch()}
            >
              {t('refresh')}
            </Button>
          )}
          <Button
            component="a"
            href={exportAddress(search, isAdmin)}
            download
            size="xs"
            variant="default"
            leftSection={<Download size={14} aria-hidden />}
          >
            CSV
          </Button>
          <OptionsMenu options={options} />
        </>
      }
    >
      <ViewTabs options={options} />
      <Badges search={search} isAdmin={isAdmin} />
      <Filters search={search} isAdmin={isAdmin} filter={filter} clear={clear} />
      {live && (
        <LiveState
          state={live.state}
          count={live.rows.length}
          waiting={live.waiting}
          showWaiting={() => scrollToFirst(table.current)}
        />
      )}
      <div ref={table} className={styles.table}>
        <DataTable
          label={shell('nav.log')}
          columns={options.choice.visible}
          rows={rows}
          rowId={({ id }) => id}
          rowName={nameOf}
          total={live ? live.rows.length : total}
          fetching={!live && paged.isPlaceholderData}
          error={live ? live.error : paged.error}
          retry={live ? live.retry : paged.refetch}
          expand={row => <RowDetail row={row} isAdmin={isAdmin} />}
          dense
          recycle
          empty={<NoRows search={search} isAdmin={isAdmin} filter={filter} clear={clear} />}
        />
      </div>
      {live?.hasOlder && live.rows.length > 0 && (
        <div className={styles.older}>
          <Button size="xs" variant="default" loading={older.isPending} onClick={() => older.mutate()}>
            {t('loadOlder')}
          </Button>
        </div>
      )}
      {!live && (
        <Pager
          page={search.p ?? 1}
          pageSize={pageSize}
          total={total}
          isEstimate={paged.data?.total_is_estimate}
          onPage={p => navigate({ to: '/log', search: before => ({ ...before, p }) })}
          onPageSize={size => {
            setPageSize(size)
            return filter({})
          }}
        />
      )}
      {shownUser !== undefined && (
        <Suspense>
          <UserDialog id={shownUser} close={() => setShownUser(undefined)} />
        </Suspense>
      )}
    </Page>
  )
}

function nameOf({ created_at, model_name, username }: LogView): string {
  return [formatTime(created_at), model_name || username].filter(Boolean).join(' ')
}

export const screen = createLazyRoute('/log')({ component: Logs })
