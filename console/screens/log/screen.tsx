import { createLazyRoute, useNavigate } from '@tanstack/react-router'
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
import { lazyPart } from '../../ui/page/lazy-part.ts'
import { Page } from '../../ui/page/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Badges } from './badges.tsx'
import { ExportButton, OlderRows, RefreshButton } from './buttons.tsx'
import { logText } from './catalogue.ts'
import { hiddenAtFirst, logColumns } from './columns.tsx'
import { Filters } from './filters.tsx'
import { LiveState, LiveToggle } from './live-controls.tsx'
import styles from './log.module.css'
import type { LogSearch } from './log-search.ts'
import { exportAddress } from './logs-query.ts'
import { NoRows } from './no-rows.tsx'
import { RowDetail } from './row-detail.tsx'
import { useLogRows } from './use-log-rows.ts'
import { scrollToFirst, useScrolledAway } from './use-scrolled-away.ts'

/** So many pixels have room for the names of channels, and for most columns. */
const WIDE = 1680
const UserDialog = lazyPart(() => import('./user-dialog.tsx'))

function Logs() {
  const shell = useText(shellText)
  const isAdmin = (useUser()?.role ?? 0) >= roles.admin
  const search = screen.useSearch()
  const navigate = useNavigate()
  const [pageSize, setPageSize] = usePageSize()
  const [shownUser, setShownUser] = useState<number>()
  const table = useRef<HTMLDivElement>(null)
  const { live, ...list } = useLogRows(search, isAdmin, pageSize)
  useScrolledAway(table, isAway => live?.hold(isAway))
  const options = useLogOptions(search, isAdmin, setShownUser)
  const filter = (next: LogSearch) =>
    navigate({ to: '/log', search: ({ p: _, ...before }: LogSearch) => ({ ...before, ...next }) })
  const clear = () => navigate({ to: '/log', search: search.live ? { live: true } : {} })
  return (
    <Page
      title={shell('nav.log')}
      wide
      actions={
        <>
          <LiveToggle isOn={live !== undefined} toggle={() => filter({ live: live ? undefined : true })} />
          {!live && <RefreshButton refresh={list.retry} />}
          <ExportButton address={exportAddress(search, isAdmin)} />
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
      <div ref={table} className={styles.table} data-says={!options.choice.hidden.has('content')}>
        <DataTable
          label={shell('nav.log')}
          columns={options.choice.visible}
          rows={list.rows}
          rowId={({ id }) => id}
          rowName={nameOf}
          total={list.total}
          fetching={list.fetching}
          error={list.error}
          retry={list.retry}
          expand={row => <RowDetail row={row} isAdmin={isAdmin} />}
          dense
          recycle
          empty={<NoRows search={search} isAdmin={isAdmin} filter={filter} clear={clear} />}
        />
      </div>
      {live?.hasOlder && live.rows.length > 0 && <OlderRows load={live.loadOlder} />}
      {!live && (
        <Pager
          page={search.p ?? 1}
          pageSize={pageSize}
          total={list.total}
          isEstimate={list.isEstimate}
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

/** The columns there are, and which of them this reader sees. */
function useLogOptions(search: LogSearch, isAdmin: boolean, showUser: (id: number) => void) {
  const t = useText(logText)
  const status = useStatus()
  const navigate = useNavigate()
  const isWide = innerWidth >= WIDE
  const columns = useMemo(
    () => logColumns({ t, status, isAdmin, isWide, showUser }),
    [t, status, isAdmin, isWide, showUser],
  )
  return useListOptions({
    name: isAdmin ? 'log' : 'log-own',
    columns,
    hiddenAtFirst: hiddenAtFirst(isAdmin, isWide),
    search,
    show: (next: LogSearch) => navigate({ to: '/log', search: next }),
  })
}

function nameOf({ created_at, model_name, username }: LogView): string {
  return [formatTime(created_at), model_name || username].filter(Boolean).join(' ')
}

export const screen = createLazyRoute('/log')({ component: Logs })
