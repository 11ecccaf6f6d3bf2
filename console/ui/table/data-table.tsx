import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { LoadFailure } from '../load-failure.tsx'
import { Skeleton } from '../skeleton.tsx'
import type { Column, RowAction } from './column.ts'
import styles from './data-table.module.css'
import { TableHead } from './table-head.tsx'
import { type RowParts, TableRow } from './table-row.tsx'
import { useRowKeys } from './use-row-keys.ts'
import type { RowId, Selection } from './use-selection.ts'

interface DataTableProps<Row> {
  /** Names the table for those who do not see it. */
  label: string
  /** Kept in a `useMemo`: new columns draw every row anew. */
  columns: readonly Column<Row>[]
  /** Undefined until they are there. */
  rows: readonly Row[] | undefined
  rowId(row: Row): RowId
  /** Names the row in the labels of its controls. */
  rowName(row: Row): string
  /** How many there are in all, where the rows are a page of them. */
  total?: number
  /** Other rows are on their way; these stay until then. */
  fetching?: boolean
  error?: unknown
  retry?(): void
  /** What to show when there is nothing: see `Empty`. */
  empty: ReactNode
  selection?: Selection
  /** Ticking a row may tick others, as a tag's row does with its channels. */
  idsOf?(row: Row): readonly RowId[]
  actions?(row: Row): readonly RowAction[]
  /** Room for them; two short words and the menu fit when nothing else is said. */
  actionsWidth?: number
  /** What opens under a row. */
  expand?(row: Row): ReactNode
  /** Enter on a row, and a click on its heading. */
  onOpen?(row: Row): void
  muted?(row: Row): boolean
  /** Belongs to the row above it. */
  nested?(row: Row): boolean
  /** Lower rows, for lists that are skimmed. */
  dense?: boolean
}

/** Fewer rows than this are simply drawn. */
const VIRTUAL_FROM = 120
/** As the styles have it; whatever turns out otherwise is measured. */
const ROW_HEIGHT = 44
const DENSE_HEIGHT = 36
/** Where the styles make cards of rows. */
const CARDS = '(max-width: 47.99em)'

/** Every list of the console: a table on wide screens, cards on phones; only what is in sight is drawn. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowId, selection, fetching, error, retry, empty } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [expanded, setExpanded] = useState<ReadonlySet<RowId>>(new Set())
  const opened = useRef(new Set<RowId>())
  const count = rows?.length ?? 0
  const isVirtual = count > VIRTUAL_FROM
  // The virtualizer goes through all rows again whenever it gets another function.
  const idOf = useRef(rowId)
  idOf.current = rowId
  const getItemKey = useCallback(
    (index: number) => (rows?.[index] === undefined ? index : idOf.current(rows[index])),
    [rows],
  )
  const virtualizer = useVirtualizer({
    count,
    enabled: isVirtual,
    getScrollElement: () => scroller.current,
    estimateSize: () => (props.dense ? DENSE_HEIGHT : ROW_HEIGHT),
    getItemKey,
    overscan: 6,
  })
  const holdScroller = useCallback((element: HTMLDivElement) => {
    scroller.current = element
    const forget = markFit(element)
    return () => {
      forget()
      scroller.current = null
    }
  }, [])
  const parts = useRowParts(props, setExpanded)
  const actionsWidth = props.actions ? (props.actionsWidth ?? ACTIONS) : 0
  const { active, onKeyDown } = useRowKeys({
    count,
    scroller,
    scrollTo: index => isVirtual && virtualizer.scrollToIndex(index),
    open: index => {
      const row = rows?.[index]
      if (row === undefined) return
      props.expand ? parts.toggle(row) : props.onOpen?.(row)
    },
    select: index => {
      const row = rows?.[index]
      if (row !== undefined && selection) parts.select(row)
    },
  })

  if (error !== undefined && error !== null && rows === undefined)
    return <LoadFailure error={error} retry={() => retry?.()} />
  if (rows === undefined) return <Skeleton rows={8} />
  if (count === 0) return <>{empty}</>

  const items = isVirtual
    ? virtualizer.getVirtualItems()
    : rows.map((_, index) => ({ index, start: 0, end: 0 }))
  const before = isVirtual ? (items[0]?.start ?? 0) : 0
  const after = isVirtual ? virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0) : 0
  const span = columns.length + (selection ? 1 : 0) + (props.actions ? 1 : 0)
  const isCards = matchMedia(CARDS).matches
  // Low rows are all of one height until they are opened; measuring each would lay the table out twice.
  const isUneven = (id: RowId) => {
    if (expanded.has(id)) opened.current.add(id)
    return isCards || !props.dense || opened.current.has(id)
  }
  return (
    <div className={styles.frame} data-fetching={fetching || undefined}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the rows inside */}
      <div
        ref={holdScroller}
        className={styles.scroller}
        data-virtual={isVirtual || undefined}
        onKeyDown={onKeyDown}
      >
        {/* Roles are spelt out because cards on phones take the table's own away. */}
        <table
          className={styles.table}
          data-dense={props.dense || undefined}
          style={
            {
              '--table-width': `${leastWidth(columns) + (selection ? TICK : 0) + actionsWidth}px`,
            } as CSSProperties
          }
          role="table"
          aria-label={label}
          aria-rowcount={(props.total ?? count) + 1}
        >
          <TableHead
            columns={columns}
            rows={rows}
            idsOf={parts.idsOf}
            selection={selection}
            actionsWidth={actionsWidth}
          />
          <Spacer height={before} span={span} />
          {items.map(({ index }) => {
            const row = rows[index]
            if (row === undefined) return null
            const id = rowId(row)
            const ids = selection ? parts.idsOf(row) : []
            const ticked = selection ? ids.filter(one => selection.ids.has(one)).length : 0
            return (
              <TableRow
                key={id}
                row={row}
                index={index}
                columns={columns}
                parts={parts}
                active={index === active}
                expanded={expanded.has(id)}
                selected={ticked === 0 ? false : ticked === ids.length ? true : 'some'}
                measure={isVirtual && isUneven(id) ? virtualizer.measureElement : undefined}
              />
            )
          })}
          <Spacer height={after} span={span} />
        </table>
      </div>
    </div>
  )
}

/** What rows need of their table, the same object for as long as the table stands: rows are drawn once. */
function useRowParts<Row>(
  props: DataTableProps<Row>,
  setExpanded: (change: (before: ReadonlySet<RowId>) => ReadonlySet<RowId>) => void,
): RowParts<Row> {
  const latest = useRef(props)
  latest.current = props
  const { selection, actions, expand, onOpen } = props
  const [canSelect, canAct, canExpand, canOpen] = [selection, actions, expand, onOpen].map(Boolean)
  return useMemo(() => {
    const idsOf = (row: Row) => latest.current.idsOf?.(row) ?? [latest.current.rowId(row)]
    return {
      canSelect: canSelect === true,
      canAct: canAct === true,
      canExpand: canExpand === true,
      canOpen: canOpen === true,
      idsOf,
      name: row => latest.current.rowName(row),
      actions: row => latest.current.actions?.(row) ?? [],
      detail: row => latest.current.expand?.(row),
      open: row => latest.current.onOpen?.(row),
      muted: row => latest.current.muted?.(row) === true,
      nested: row => latest.current.nested?.(row) === true,
      select: row => {
        const chosen = latest.current.selection
        const ids = idsOf(row)
        chosen?.set(ids, !ids.every(id => chosen.ids.has(id)))
      },
      toggle: row => {
        const id = latest.current.rowId(row)
        setExpanded(now => {
          const next = new Set(now)
          if (!next.delete(id)) next.add(id)
          return next
        })
      },
    }
  }, [canSelect, canAct, canExpand, canOpen, setExpanded])
}

/** Columns without a width get at least this much; a narrower window scrolls. */
const FLEXIBLE = 160
const TICK = 40
const ACTIONS = 148

function leastWidth(columns: readonly { width?: number }[]): number {
  return columns.reduce((sum, { width = FLEXIBLE }) => sum + width, 0)
}

/** Columns are pinned only where the table is wider than its room: every pinned cell is a layer of its own. */
function markFit(scroller: HTMLElement): () => void {
  const observer = new ResizeObserver(() =>
    scroller.toggleAttribute('data-fits', scroller.scrollWidth <= scroller.clientWidth),
  )
  observer.observe(scroller)
  if (scroller.firstElementChild) observer.observe(scroller.firstElementChild)
  return () => observer.disconnect()
}

function Spacer({ height, span }: { height: number; span: number }) {
  if (height <= 0) return null
  return (
    <tbody aria-hidden>
      <tr>
        <td colSpan={span} style={{ height, padding: 0, border: 0 }} />
      </tr>
    </tbody>
  )
}
