import { createLazyRoute, Outlet, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { OptionsMenu } from '../../lists/options-menu.tsx'
import { useListOptions } from '../../lists/use-list-options.ts'
import { ViewTabs } from '../../lists/view-tabs.tsx'
import { shellText } from '../../locales/catalogue.ts'
import { currentLanguage, useText } from '../../text.ts'
import { Pager } from '../../ui/lists/pager.tsx'
import { Page } from '../../ui/page/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { SelectionBar } from '../../ui/table/selection-bar.tsx'
import { useSelection } from '../../ui/table/use-selection.ts'
import { useStable } from '../../ui/use-stable.ts'
import { Filters } from './filters.tsx'
import { HeaderActions } from './header-actions.tsx'
import { JobProgress } from './job-progress.tsx'
import { NoChannels } from './no-channels.tsx'
import { loadTagDialog, RowDialog } from './row-dialog.tsx'
import { isRowOn, isTagRow, type Row } from './rows.ts'
import { useBatch } from './use-batch.tsx'
import { useChannelActions } from './use-channel-actions.tsx'
import { useChannelColumns } from './use-channel-columns.ts'
import { useChannelList } from './use-channel-list.ts'
import { useWork } from './use-work.ts'

function Channels() {
  const shell = useText(shellText)
  const told = screen.useSearch()
  const navigate = useNavigate({ from: '/channel' })
  const work = useWork()
  const list = useChannelList(told, work.isRunning)
  const { search, show, filter, isFiltered, clear, byTag, byId, sortById, rows, rests, total } = list
  const selection = useSelection('channel')
  const batch = useBatch(selection)
  const [asked, setAsked] = useState<Row>()
  const { actions, open, test } = useChannelActions({ editTag: setAsked, pickModel: setAsked, rests })
  const openChannel = useStable(open)
  const columns = useChannelColumns(list, { hasBoxes: batch.isOn, open: openChannel })

  // Whoever gathers by tag is about to edit one; a press should not have to wait for it.
  useEffect(() => {
    if (byTag) loadTagDialog().catch(() => {})
  }, [byTag])

  const options = useListOptions({
    name: 'channel',
    columns,
    search: told,
    show,
    sort: { value: byId ? 'id' : '', set: value => sortById(value === 'id') },
  })
  const add = () => navigate({ to: '/channel/add', search: true })

  return (
    <Page
      title={shell('nav.channel')}
      wide
      actions={
        <>
          <HeaderActions
            isBare={rows?.length === 0 && !isFiltered && !byTag}
            add={add}
            refresh={() => list.refetch()}
            watch={work.watch}
          />
          <OptionsMenu options={options} />
        </>
      }
    >
      <ViewTabs options={options} />
      <Filters
        search={search}
        filter={filter}
        clear={isFiltered ? clear : undefined}
        byId={byId}
        toggleById={() => sortById(!byId)}
        batch={batch}
        selection={selection}
      />
      <JobProgress jobs={work.jobs} dismiss={work.dismiss} />
      <DataTable
        label={shell('nav.channel')}
        columns={options.choice.visible}
        rows={rows}
        rowId={row => (isTagRow(row) ? `tag:${row.tag}` : row.id)}
        rowName={row => (isTagRow(row) ? row.tag : row.name)}
        total={byTag ? (rows?.length ?? 0) : total}
        fetching={list.isPlaceholderData}
        error={list.error}
        retry={list.refetch}
        {...(batch.isOn ? { selection } : {})}
        idsOf={row => (isTagRow(row) ? row.channels.map(({ id }) => id) : [row.id])}
        actions={actions}
        actionsWidth={actionsWidth(byTag)}
        muted={row => !isRowOn(row)}
        recycle
        nested={row => byTag && !isTagRow(row)}
        onOpen={row => (isTagRow(row) ? list.toggleTag(row.tag) : openChannel(row))}
        empty={
          <NoChannels
            filtered={isFiltered}
            byTag={byTag}
            clear={clear}
            add={add}
            showAll={() => filter({ tag_mode: undefined })}
          />
        }
      />
      <Pager
        page={list.page}
        pageSize={list.pageSize}
        total={total - (byTag || !rows ? 0 : (list.channels?.length ?? 0) - rows.length)}
        onPage={p => show({ ...search, p })}
        onPageSize={list.resize}
      />
      <SelectionBar selection={selection}>{batch.buttons}</SelectionBar>
      {batch.dialogs}
      {asked && <RowDialog row={asked} test={test} close={() => setAsked(undefined)} />}
      <Outlet />
    </Page>
  )
}

/** Words are longer in English. */
function actionsWidth(byTag: boolean): number {
  if (currentLanguage() === 'zh') return byTag ? 194 : 148
  return byTag ? 168 : 166
}

export const screen = createLazyRoute('/channel')({ component: Channels })
