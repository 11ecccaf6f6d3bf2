import { Button } from '@mantine/core'
import { Plus } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { copyText } from './copy.ts'
import { FilterBar } from './filter-bar.tsx'
import { Page } from './page.tsx'
import { Pager } from './pager.tsx'
import { DataTable } from './table/data-table.tsx'
import { Empty } from './table/empty.tsx'
import { SelectionBar } from './table/selection-bar.tsx'
import { type RowId, useSelection } from './table/use-selection.ts'
import { toast } from './toast.ts'
import type { ListPage } from './use-list-page.ts'

type TableProps<Row> = Parameters<typeof DataTable<Row>>[0]

interface ListScreenProps<Row, Search>
  extends Pick<TableProps<Row>, 'columns' | 'rowName' | 'actions' | 'actionsWidth' | 'muted' | 'onOpen'> {
  title: string
  list: ListPage<Row, Search>
  /** Said above the list. */
  notice?: ReactNode
  filters: ReactNode
  /** Beside the title, where nothing is added. */
  tools?: ReactNode
  /** Where rows are made by hand. */
  add?: { readonly label: string; readonly first?: string; act(): unknown }
  /** What is said instead of rows; without `none` a list is only ever empty because of its filters. */
  empty: {
    readonly noMatches: string
    readonly clear: string
    readonly none?: string
    readonly noneLead?: string
    /** Where a list is of recent rows at first: leads to the others. */
    readonly older?: { readonly label: string; act(): unknown }
  }
  /** Rows can be ticked and copied, one line each. */
  copy?: Copying<Row>
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
export function ListScreen<Row extends { readonly id: number }, Search>(props: ListScreenProps<Row, Search>) {
  const { title, list, notice, filters, tools, add, empty, copy, children } = props
  const { columns, rowName, actions, actionsWidth, muted, onOpen } = props
  const selection = useSelection(list.deleting)
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
        tools ??
        (add && (
          <Button size="xs" leftSection={<Plus size={16} aria-hidden />} onClick={add.act}>
            {add.label}
          </Button>
        ))
      }
    >
      {notice}
      <FilterBar clear={list.isFiltered ? list.clear : undefined}>
        {filters}
        {copyButton}
      </FilterBar>
      <DataTable
        label={title}
        columns={columns}
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
      {copy && <SelectionBar selection={selection}>{copyButton}</SelectionBar>}
      {children}
    </Page>
  )
}

type NoRowsProps = Pick<ListScreenProps<never, never>, 'empty' | 'add'> &
  Pick<ListPage<never, never>, 'isFiltered' | 'clear'>

/** No row matches, or there is none yet. */
function NoRows({ empty, add, isFiltered, clear }: NoRowsProps) {
  if (isFiltered || empty.none === undefined)
    return (
      <Empty
        title={empty.noMatches}
        actions={
          <Button size="xs" variant="default" onClick={clear}>
            {empty.clear}
          </Button>
        }
      />
    )
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
