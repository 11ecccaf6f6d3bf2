import type { ReactNode } from 'react'
import { roles } from '../../../contract/users.ts'
import { shellText } from '../../locales/catalogue.ts'
import type { PageOfRows } from '../../page-of-rows.ts'
import { useUser } from '../../session.ts'
import { useText } from '../../text.ts'
import { windowOf } from '../../time-window.ts'
import { timeFilter } from '../fields/time-range.tsx'
import type { Column } from '../table/column.ts'
import { columnsWithoutRoom } from '../table/column-tracks.ts'
import { channelFilter } from './channel-filter.ts'
import { ListScreen } from './list-screen.tsx'
import type { RecordSearch } from './record-search.ts'
import { textFilter } from './search-box.tsx'
import { type Paging, useListPage } from './use-list-page.ts'

/** What is asked for, besides the page. */
export interface RecordAsk {
  /** Everyone's, or one's own. */
  readonly isAdmin: boolean
  readonly id: string | undefined
  readonly channel: { readonly channel_id?: string }
  /** Seconds. */
  readonly start: number
  readonly end: number
}

interface RecordScreenProps<Row> {
  name: string
  title: string
  words: Readonly<Record<'id' | 'channel' | 'window' | 'noMatches' | 'none' | 'noneLead', string>>
  /** How far back the list goes when nobody said. */
  back: 'midnight' | 'month'
  search: RecordSearch
  show(search: RecordSearch): unknown
  read(ask: RecordAsk, paging: Paging, signal: AbortSignal): Promise<readonly Row[] | PageOfRows<Row>>
  columns: readonly Column<Row>[]
  /** The columns that are left out at first where there is no room, the least needed first. */
  spared: readonly string[]
  rowName(row: Row): string
  notice?: ReactNode
  children?: ReactNode
}

/** Pixels of the window that are not the table's: the sidebar, margins, borders and a scroll bar. */
const AROUND = 220 + 64 + 2 + 15
/** Narrower windows have cards, which have room for everything. */
const CARDS_BELOW = 768

/** A list of long jobs: found by their id, their channel and when they were begun. */
export function RecordScreen<Row extends { readonly id: number }>(props: RecordScreenProps<Row>) {
  const { name, title, words, back, search, show, read, columns, spared, rowName, notice, children } = props
  const t = useText(shellText)
  const isAdmin = useIsAdmin()
  const { id, channel } = search
  const { start, end } = windowOf(search, back)
  const ask: RecordAsk = {
    isAdmin,
    id,
    channel: isAdmin && channel !== undefined ? { channel_id: String(channel) } : {},
    start,
    end,
  }
  const list = useListPage({
    key: [name, ask],
    search,
    filters: ['id', 'channel', 'start', 'end'],
    read: (paging, signal) => read(ask, paging, signal),
    show,
  })
  const room = innerWidth < CARDS_BELOW ? Number.POSITIVE_INFINITY : innerWidth - AROUND
  return (
    <ListScreen
      name={isAdmin ? name : `${name}-own`}
      title={title}
      list={list}
      columns={columns}
      hiddenAtFirst={columnsWithoutRoom(columns, spared, room)}
      rowName={rowName}
      notice={notice}
      empty={{ ...words, older: { label: t('range.all'), act: () => list.filter({ start: 0 }) } }}
      filters={[
        textFilter('id', {
          main: true,
          label: words.id,
          value: id ?? '',
          onSearch: text => list.filter({ id: text || undefined }),
        }),
        ...(isAdmin
          ? [
              channelFilter({
                label: words.channel,
                value: channel,
                onChange: chosen => list.filter({ channel: chosen }),
              }),
            ]
          : []),
        timeFilter({
          t,
          label: words.window,
          start: (search.start ?? start) || undefined,
          end: search.end,
          isSet: search.start !== undefined || search.end !== undefined,
          // Without a start the list would be of its usual time: all of it begins at 0.
          onChange: range => list.filter({ start: range.start ?? 0, end: range.end }),
          remove: () => list.filter({ start: undefined, end: undefined }),
        }),
      ]}
    >
      {children}
    </ListScreen>
  )
}

/** Administrators see what belongs to everyone. */
export function useIsAdmin(): boolean {
  return (useUser()?.role ?? 0) >= roles.admin
}
