import { type CSSProperties, type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { LoadFailure } from '../page/load-failure.tsx'
import { Skeleton } from '../page/skeleton.tsx'
import { useNarrow } from '../use-narrow.ts'
import cards from './cards.module.css'
import type { Column, RowAction } from './column.ts'
import { atEase, columnTracks, leastWidth } from './column-tracks.ts'
import styles from './data-table.module.css'
import heights from './density.module.css'
import { rowHeights, useDensity } from './density.ts'
import { TableHead } from './table-head.tsx'
import { TableRow } from './table-row.tsx'
import { useRoom } from './use-room.ts'
import { useRowKeys } from './use-row-keys.ts'
import { useRowParts } from './use-row-parts.ts'
import type { RowId, Selection } from './use-selection.ts'
import { useVirtualRows } from './use-virtual-rows.ts'

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
  /** Less room between columns, for lists that have many and are skimmed. */
  dense?: boolean
  /**
   * Of very many rows those that are scrolled away lend their elements to those that come. Columns whose cells
   * keep something of their own say so.
   */
  recycle?: boolean
}

/** Fewer rows than this are simply drawn. */
const VIRTUAL_FROM = 120

/** Pixels: two short words and the menu. */
const ACTIONS = 148
/** The menu alone. */
const MENU = 52
const none: readonly never[] = []

/** Every list of the console: a table on wide screens, cards on phones; only what is in sight is drawn. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowId, selection, fetching, error, retry, empty } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [expanded, setExpanded] = useState<ReadonlySet<RowId>>(new Set())
  const opened = useRef(new Set<RowId>())
  const [density] = useDensity()
  const count = rows?.length ?? 0
  const isVirtual = count > VIRTUAL_FROM
  const isCards = useNarrow()
  // Rows are all of one height until they are opened; measuring each would lay the table out twice.
  const isUneven = (id: RowId) => {
    if (expanded.has(id)) opened.current.add(id)
    return isCards || opened.current.has(id)
  }
  const { virtualizer, drawn, before, after, isRecycling } = useVirtualRows({
    rows: rows ?? none,
    rowId,
    scroller,
    enabled: isVirtual,
    rowHeight: rowHeights[density],
    recycle: props.recycle === true && !isCards,
  })
  const holdScroller = useCallback((element: HTMLDivElement) => {
    scroller.current = element
    const forget = markFit(element)
    return () => {
      forget()
      scroller.current = null
    }
  }, [])
  const opensCards = isCards && columns.some(({ inCard }) => inCard === 'behind')
  const parts = useRowParts(props, setExpanded)
  const canSelect = selection !== undefined
  const unfolded = { columns, canSelect, actionsWidth: props.actions ? (props.actionsWidth ?? ACTIONS) : 0 }
  const fits = useRoom(scroller, count > 0, leastWidth(unfolded), true)
  // Pinned words would cover what the table is read for.
  const isFolded = props.actions !== undefined && !fits && !isCards
  const actionsWidth = isFolded ? MENU : unfolded.actionsWidth
  const wide = useMemo(() => atEase(columns), [columns])
  const isAtEase = useRoom(scroller, count > 0, leastWidth({ ...unfolded, columns: wide }), false)
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

  const failure = error ? <LoadFailure error={error} retry={() => retry?.()} /> : null
  if (rows === undefined && failure) return failure
  if (rows === undefined) return <Skeleton rows={8} />
  if (count === 0) return <>{failure ?? empty}</>

  const widths = { columns: isAtEase ? wide : columns, canSelect, actionsWidth }
  const tableStyle = {
    '--table-width': `${leastWidth(widths)}px`,
    ...(isVirtual ? { '--columns': columnTracks(widths) } : {}),
  } as CSSProperties
  return (
    <>
      {/* The rows at hand stay; that they could not be read again is said above them. */}
      {failure && <div className={styles.failure}>{failure}</div>}
      <div className={styles.frame} data-fetching={fetching || undefined}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: keys and clicks are those of the rows inside */}
        <div
          ref={holdScroller}
          className={styles.scroller}
          data-virtual={isVirtual || undefined}
          onKeyDown={onKeyDown}
          onClick={event => {
            const row = rows[clickedRow(event.target)]
            if (row && (props.expand || opensCards)) parts.toggle(row)
          }}
        >
          {/* Roles are spelt out because cards on phones take the table's own away. */}
          <table
            className={[styles.table, heights.table, cards.table, isVirtual && styles.virtual]
              .filter(Boolean)
              .join(' ')}
            data-dense={props.dense || undefined}
            data-density={density}
            style={tableStyle}
            role="table"
            aria-label={label}
            aria-rowcount={(props.total ?? count) + 1}
          >
            <TableHead
              columns={widths.columns}
              rows={rows}
              idsOf={parts.idsOf}
              selection={selection}
              actionsWidth={actionsWidth}
            />
            {isVirtual && <Spacer height={before} order={0} />}
            {(isVirtual ? drawn : rows.map((row, index) => ({ index, key: rowId(row) }))).map(
              ({ index, key }) => {
                const row = rows[index]
                if (row === undefined) return null
                const id = rowId(row)
                const ids = selection ? parts.idsOf(row) : []
                const ticked = selection ? ids.filter(one => selection.ids.has(one)).length : 0
                return (
                  <TableRow
                    key={key}
                    id={id}
                    row={row}
                    index={index}
                    order={isRecycling ? index + 1 : undefined}
                    columns={columns}
                    parts={parts}
                    active={index === active}
                    expanded={expanded.has(id)}
                    folded={isFolded}
                    opensCard={opensCards}
                    selected={ticked === 0 ? false : ticked === ids.length ? true : 'some'}
                    measure={isVirtual && isUneven(id) ? virtualizer.measureElement : undefined}
                  />
                )
              },
            )}
            {isVirtual && <Spacer height={after} order={count + 1} />}
          </table>
        </div>
      </div>
    </>
  )
}

/** Which row was meant by a click; none where something in it was, or where its words were being selected. */
function clickedRow(target: EventTarget): number {
  if (!(target instanceof Element) || target.closest('button, a, input, label, select, textarea')) return -1
  if (getSelection()?.isCollapsed === false) return -1
  return Number(target.closest<HTMLElement>('[data-row]')?.dataset.row ?? -1)
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

function Spacer({ height, order }: { height: number; order: number }) {
  return <tbody aria-hidden className={styles.spacer} style={{ height, order }} />
}
