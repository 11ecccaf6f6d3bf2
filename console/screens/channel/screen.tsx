import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Outlet, useNavigate } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { OptionsMenu } from '../../lists/options-menu.tsx'
import { useListOptions } from '../../lists/use-list-options.ts'
import { ViewTabs } from '../../lists/view-tabs.tsx'
import { shellText } from '../../locales/catalogue.ts'
import { mayBeKey } from '../../may-be-key.ts'
import { usePageSize } from '../../page-size.ts'
import { useStatus } from '../../status.ts'
import { readStored, store } from '../../storage.ts'
import { currentLanguage, loadText, useText } from '../../text.ts'
import { useDeleted } from '../../ui/layers/delete-later.ts'
import { Pager } from '../../ui/lists/pager.tsx'
import { useLastPage } from '../../ui/lists/use-last-page.ts'
import { useUntold } from '../../ui/lists/use-untold.ts'
import { lazyPart } from '../../ui/page/lazy-part.ts'
import { Page } from '../../ui/page/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { SelectionBar } from '../../ui/table/selection-bar.tsx'
import { sortBy } from '../../ui/table/sort-by.ts'
import { useSelection } from '../../ui/table/use-selection.ts'
import { useNarrow, useSpacious } from '../../ui/use-narrow.ts'
import { useStable } from '../../ui/use-stable.ts'
import { channelText } from './catalogue.ts'
import { channelsQuery, watchQuery } from './channels-query.ts'
import { channelColumns } from './columns.tsx'
import { Filters } from './filters.tsx'
import { formText } from './form/catalogue.ts'
import { HeaderActions } from './header-actions.tsx'
import { healthQuery } from './health-query.ts'
import { JobProgress } from './job-progress.tsx'
import { NoChannels } from './no-channels.tsx'
import type { ChannelSearch } from './route.ts'
import { gatherByTag, isRowOn, isTagRow, mostDigits, type TagRow } from './rows.ts'
import { useBatch } from './use-batch.tsx'
import { useChannelActions } from './use-channel-actions.tsx'
import { useChannelEdits } from './use-channel-edits.ts'
import { useRests } from './use-rests.ts'
import { useWork } from './use-work.ts'

const loadTagDialog = async () => {
  const [part] = await Promise.all([import('./form/tag-dialog.tsx'), loadText(formText)])
  return part
}
const TagDialog = lazyPart(loadTagDialog)
const TestDialog = lazyPart(() => import('./test-dialog.tsx'))

/** With more channels than this their hours are not asked for. */
const MOST_WITH_HEALTH = 200
const WHILE_WORKING_MS = 3000

function Channels() {
  const t = useText(channelText)
  const shell = useText(shellText)
  const status = useStatus()
  const told = screen.useSearch()
  const navigate = useNavigate({ from: '/channel' })
  const { search, show } = useUntold<ChannelSearch, 'keyword'>(told, 'keyword', mayBeKey, (next, replace) =>
    navigate({ to: '/channel', search: next, replace }),
  )
  const [pageSize, setPageSize] = usePageSize()
  const [byId, setById] = useState(() => readStored('id-sort') === 'true')
  const work = useWork()
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...channelsQuery(search, pageSize, byId),
    refetchInterval: work.isRunning ? WHILE_WORKING_MS : false,
  })
  const health = useQuery({ ...healthQuery, enabled: (data?.total ?? Infinity) <= MOST_WITH_HEALTH }).data
  const rests = useRests(watchQuery(search, pageSize, byId), isPlaceholderData ? undefined : data)
  const deleted = useDeleted('channel')
  const selection = useSelection('channel')
  const batch = useBatch(selection)
  const byTag = search.tag_mode === true
  // Tags have no ids, and beside the boxes there is no room for a column of them.
  const withoutIds = byTag || batch.isOn
  const isNarrow = useNarrow()
  const isSpacious = useSpacious()
  const mostGroups = isNarrow ? Infinity : isSpacious ? 3 : 1
  const [openTags, setOpenTags] = useState<ReadonlySet<string>>(new Set())
  const [editedTag, setEditedTag] = useState<TagRow>()
  const [tested, setTested] = useState<ChannelView>()
  const { actions, open, test } = useChannelActions({ editTag: setEditedTag, pickModel: setTested, rests })
  const edits = useChannelEdits()
  const openChannel = useStable(open)
  const toggleTag = useCallback(
    (tag: string) => setOpenTags(before => before.symmetricDifference(new Set([tag]))),
    [],
  )
  const { saveNumber, refreshBalance } = edits
  const filter = (next: ChannelSearch) => show({ ...search, p: undefined, ...next })
  const showSorted = useStable(filter)
  const sort = useMemo(
    () => (byTag ? undefined : sortBy('used_quota', search.order, next => showSorted({ order: next }))),
    [byTag, search.order, showSorted],
  )
  const priorityDigits = mostDigits(data?.items, 'priority')
  const weightDigits = mostDigits(data?.items, 'weight')
  const columns = useMemo(
    () =>
      channelColumns({
        ...{ t, status, health, rests, byTag, withoutIds, mostGroups, sort },
        digits: { priority: priorityDigits, weight: weightDigits },
        ...{ toggleTag, open: openChannel, saveNumber, refreshBalance },
      }),
    [
      t,
      status,
      health,
      rests,
      byTag,
      withoutIds,
      mostGroups,
      priorityDigits,
      weightDigits,
      sort,
      toggleTag,
      openChannel,
      saveNumber,
      refreshBalance,
    ],
  )
  const rows = useMemo(() => {
    const shown = data?.items.filter(({ id }) => !deleted.has(id))
    return shown && byTag ? gatherByTag(shown, openTags) : shown
  }, [data, deleted, byTag, openTags])

  // Whoever gathers by tag is about to edit one; a press should not have to wait for it.
  useEffect(() => {
    if (byTag) loadTagDialog().catch(() => {})
  }, [byTag])

  useLastPage({
    page: search.p ?? 1,
    pageSize,
    total: data?.total ?? 0,
    count: isPlaceholderData ? undefined : rows?.length,
  })

  const sortById = (isOn: boolean) => {
    store('id-sort', String(isOn))
    setById(isOn)
  }
  const options = useListOptions({
    name: 'channel',
    columns,
    search: told,
    show,
    sort: { value: byId ? 'id' : '', set: value => sortById(value === 'id') },
  })
  const { keyword, model, group, type, status: state } = search
  const isFiltered = [keyword, model, group, type, state].some(value => value !== undefined)
  const clear = () => show(byTag ? { tag_mode: true } : {})
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
            refresh={() => refetch()}
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
        total={byTag ? (rows?.length ?? 0) : (data?.total ?? 0)}
        fetching={isPlaceholderData}
        error={error}
        retry={refetch}
        {...(batch.isOn ? { selection } : {})}
        idsOf={row => (isTagRow(row) ? row.channels.map(({ id }) => id) : [row.id])}
        actions={actions}
        actionsWidth={actionsWidth(byTag)}
        muted={row => !isRowOn(row)}
        recycle
        nested={row => byTag && !isTagRow(row)}
        onOpen={row => (isTagRow(row) ? toggleTag(row.tag) : openChannel(row))}
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
        page={search.p ?? 1}
        pageSize={pageSize}
        total={(data?.total ?? 0) - (byTag || !rows ? 0 : (data?.items.length ?? 0) - rows.length)}
        onPage={p => show({ ...search, p })}
        onPageSize={size => {
          setPageSize(size)
          return filter({})
        }}
      />
      <SelectionBar selection={selection}>{batch.buttons}</SelectionBar>
      {batch.dialogs}
      <Suspense>
        {editedTag && <TagDialog row={editedTag} close={() => setEditedTag(undefined)} />}
        {tested && (
          <TestDialog
            channel={tested}
            test={name => test({ channel: tested, model: name })}
            close={() => setTested(undefined)}
          />
        )}
      </Suspense>
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
