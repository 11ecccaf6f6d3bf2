import { Button } from '@mantine/core'
import { Plus } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { OptionsMenu } from '../../lists/options-menu.tsx'
import { useListOptions } from '../../lists/use-list-options.ts'
import { ViewTabs } from '../../lists/view-tabs.tsx'
import { copyText } from '../content/copy.ts'
import { toast } from '../layers/toast.ts'
import { Page } from '../page/page.tsx'
import { DataTable } from '../table/data-table.tsx'
import { Empty } from '../table/empty.tsx'
import { BeforeSelection, SelectionBar } from '../table/selection-bar.tsx'
import { type RowId, useSelection } from '../table/use-selection.ts'
import { type Filter, FilterBar } from './filter-bar.tsx'
import { NoMatches } from './no-matches.tsx'
import { Pager } from './pager.tsx'
import type { ListPage } from './use-list-page.ts'

type TableProps<Row> = Parameters<typeof DataTable<Row>>[0]

interface ListScreenProps<Row, Search>
  extends Pick<TableProps<Row>, 'columns' | 'rowName' | 'actions' | 'actionsWidth' | 'muted' | 'onOpen'> {
  /** What its columns and views are remembered under. */
  name: string
  title: string
  list: ListPage<Row, Search>
  /** Said above the list. */
  notice?: ReactNode
  filters: readonly Filter[]
  /** Columns that are left out until someone asks for them. */
  hiddenAtFirst?: readonly string[]
  /** Where rows are made by hand. */
  add?: {
    readonly label: string
    /** Where there is none yet. */
    readonly first?: string | undefined
    /** Something else on the page leads there first. */
    readonly isOffered?: boolean
    act(): unknown
  }
  /** What is said instead of rows; without `none` a list is only ever empty because of its filters. */
  empty: {
    readonly noMatches: string
    readonly none?: string
    readonly noneLead?: string
    /** Where a list is of recent rows at first: leads to the others. */
    readonly older?: { readonly label: string; act(): unknown }
  }
  /** Rows can be ticked and copied, one line each. */
  copy?: Copying<Row>
  /** What else can be done with the ticked ones. */
  bulk?(ids: readonly number[], clear: () => void): ReactNode
  /** Dialogs and the outlet for drawers. */
  children?: ReactNode
}

interface Copying<Row> {
  readonly label: string
  /** Said when there is nothing to copy. */
  readonly noneTicked: string
  line(row: Row): string
}

/** A screen that is a list: filters, rows, pages. What differs are its columns, filters, actions and words. */
export function ListScreen<Row extends { readonly id: number }, Search extends object>(
  props: ListScreenProps<Row, Search>,
) {
  const { name, title, list, notice, filters, add, empty, copy, bulk, children } = props
  const { columns, hiddenAtFirst, rowName, actions, actionsWidth, muted, onOpen } = props
  const { told: search, show } = list
  const options = useListOptions({ name, columns, hiddenAtFirst, search, show })
  const selection = useSelection(list.deleting)
  const isBare = list.rows?.length === 0 && !list.isFiltered
  // Those that were ticked on other pages are copied too.
  const seen = useRef(new Map<RowId, Row>())
  for (const row of list.rows ?? []) seen.current.set(row.id, row)
  const copySelected = ({ noneTicked, line }: Copying<Row>) => {
    const ticked = [...selection.ids].flatMap(id => seen.current.get(id) ?? [])
    return ticked.length === 0 ? toast.error(noneTicked) : copyText(ticked.map(line).join('\n'))
  }
  const copyButton = copy && (
    <Button size="xs" variant="default" onClick={() => copySelected(copy)}>
      {copy.label}
    </Button>
  )
  return (
    <Page
      title={title}
      wide
      actions={
        <>
          {add && (
            <Button
              size="xs"
              variant={add.isOffered || (isBare && add.first) ? 'default' : 'filled'}
              leftSection={<Plus size={16} aria-hidden />}
              onClick={add.act}
            >
              {add.label}
            </Button>
          )}
          <OptionsMenu options={options} />
        </>
      }
    >
      {notice}
      <ViewTabs options={options} />
      <FilterBar filters={filters} clear={list.isFiltered ? list.clear : undefined}>
        {copyButton && <BeforeSelection selection={selection}>{copyButton}</BeforeSelection>}
      </FilterBar>
      <DataTable
        label={title}
        columns={options.choice.visible}
        rows={list.rows}
        rowId={({ id }) => id}
        rowName={rowName}
        total={list.total}
        fetching={list.fetching}
        error={list.error}
        retry={list.retry}
        {...(copy ? { selection } : {})}
        actions={actions}
        actionsWidth={actionsWidth}
        muted={muted}
        onOpen={onOpen}
        empty={<NoRows empty={empty} add={add} isFiltered={list.isFiltered} clear={list.clear} />}
      />
      <Pager
        page={list.page}
        pageSize={list.pageSize}
        total={list.total}
        onPage={list.turnTo}
        onPageSize={list.resize}
      />
      {copy && (
        <SelectionBar selection={selection}>
          {copyButton}
          {bulk?.(
            [...selection.ids].flatMap(id => (typeof id === 'number' ? id : [])),
            selection.clear,
          )}
        </SelectionBar>
      )}
      {children}
    </Page>
  )
}

type NoRowsProps = Pick<ListScreenProps<never, never>, 'empty' | 'add'> &
  Pick<ListPage<never, never>, 'isFiltered' | 'clear'>

/** No row matches, or there is none yet. */
function NoRows({ empty, add, isFiltered, clear }: NoRowsProps) {
  if (isFiltered || empty.none === undefined) return <NoMatches title={empty.noMatches} clear={clear} />
  const { none, older } = empty
  return (
    <Empty
      title={none}
      actions={
        <>
          {older && (
            <Button size="xs" variant="default" onClick={older.act}>
              {older.label}
            </Button>
          )}
          {add?.first && (
            <Button size="xs" onClick={add.act}>
              {add.first}
            </Button>
          )}
        </>
      }
    >
      {empty.noneLead}
    </Empty>
  )
}
