import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useRef,
  useState,
} from 'react'
import { LoadFailure } from '../page/load-failure.tsx'
import { Skeleton } from '../page/skeleton.tsx'
import { useNarrow } from '../use-narrow.ts'
import cards from './cards.module.css'
import type { Column, RowAction } from './column.ts'
import { columnTracks, leastWidth } from './column-tracks.ts'
import styles from './data-table.module.css'
import heights from './density.module.css'
import { rowHeights, useDensity } from './density.ts'
import { TableHead } from './table-head.tsx'
import { TableRows } from './table-rows.tsx'
import { useRowKeys } from './use-row-keys.ts'
import { useRowParts } from './use-row-parts.ts'
import type { RowId, Selection } from './use-selection.ts'
import { useTableWidths } from './use-table-widths.ts'
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
const none: readonly never[] = []
const look = `${styles.table} ${heights.table} ${cards.table}`

/** Every list of the console: a table on wide screens, cards on phones; only what is in sight is drawn. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, rowId, selection, error, retry, empty } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [expanded, setExpanded] = useState<ReadonlySet<RowId>>(new Set())
  const opened = useRef(new Set<RowId>())
  const [density] = useDensity()
  const count = rows?.length ?? 0
  const isVirtual = count > VIRTUAL_FROM
  const isCards = useNarrow()
  const virtual = useVirtualRows({
    rows: rows ?? none,
    rowId,
    scroller,
    enabled: isVirtual,
    rowHeight: rowHeights[density],
    recycle: props.recycle === true && !isCards,
  })
  // Rows are all of one height until they are opened; measuring each would lay the table out twice.
  const measureOf = (id: RowId) => {
    if (!isVirtual) return undefined
    if (expanded.has(id)) opened.current.add(id)
    return isCards || opened.current.has(id) ? virtual.virtualizer.measureElement : undefined
  }
  const parts = useRowParts(props, setExpanded)
  const { widths, isFolded } = useTableWidths({
    ...{ scroller, columns, isCards, isShown: count > 0 },
    ...{ canSelect: parts.canSelect, canAct: parts.canAct, actionsWidth: props.actionsWidth },
  })
  const withRow = (index: number, act: (row: Row) => void) => {
    const row = rows?.[index]
    if (row !== undefined) act(row)
  }
  const { active, onKeyDown } = useRowKeys({
    count,
    scroller,
    scrollTo: index => isVirtual && virtual.virtualizer.scrollToIndex(index),
    open: index => withRow(index, props.expand ? parts.toggle : parts.open),
    select: index => selection && withRow(index, parts.select),
  })

  const failure = error ? <LoadFailure error={error} retry={() => retry?.()} /> : null
  if (rows === undefined) return failure ?? <Skeleton rows={8} />
  if (count === 0) return <>{failure ?? empty}</>

  const opensCards = isCards && columns.some(({ inCard }) => inCard === 'behind')
  const open = (target: EventTarget) => {
    const row = rows[clickedRow(target)]
    if (row && (props.expand || opensCards)) parts.toggle(row)
  }
  return (
    <>
      {/* The rows at hand stay; that they could not be read again is said above them. */}
      {failure && <div className={styles.failure}>{failure}</div>}
      <Frame scroller={scroller} isFetching={props.fetching} {...{ isVirtual, open, onKeyDown }}>
        {/* Roles are spelt out because cards on phones take the table's own away. */}
        <table
          className={isVirtual ? `${look} ${styles.virtual}` : look}
          data-dense={props.dense || undefined}
          data-density={density}
          style={styleOf(widths, isVirtual)}
          role="table"
          aria-label={props.label}
          aria-rowcount={(props.total ?? count) + 1}
        >
          <TableHead
            columns={widths.columns}
            rows={rows}
            idsOf={parts.idsOf}
            selection={selection}
            actionsWidth={widths.actionsWidth}
          />
          {isVirtual && <Spacer height={virtual.before} order={0} />}
          <TableRows
            {...{ rows, rowId, columns, parts, selection, expanded, active }}
            {...{ isFolded, opensCards, measureOf, isRecycling: virtual.isRecycling }}
            places={isVirtual ? virtual.drawn : rows.map((row, index) => ({ index, key: rowId(row) }))}
          />
          {isVirtual && <Spacer height={virtual.after} order={count + 1} />}
        </table>
      </Frame>
    </>
  )
}

interface FrameProps {
  scroller: RefObject<HTMLDivElement | null>
  isVirtual: boolean
  isFetching: boolean | undefined
  open(target: EventTarget): void
  onKeyDown(event: KeyboardEvent): void
  children: ReactNode
}

/** Scrolls what is wider than its room; keys and clicks are those of the rows inside. */
function Frame({ scroller, isVirtual, isFetching, open, onKeyDown, children }: FrameProps) {
  const hold = useCallback(
    (element: HTMLDivElement) => {
      scroller.current = element
      const forget = markFit(element)
      return () => {
        forget()
        scroller.current = null
      }
    },
    [scroller],
  )
  return (
    <div className={styles.frame} data-fetching={isFetching || undefined}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the rows are what is pressed */}
      <div
        ref={hold}
        className={styles.scroller}
        data-virtual={isVirtual || undefined}
        onKeyDown={onKeyDown}
        onClick={event => open(event.target)}
      >
        {children}
      </div>
    </div>
  )
}

function styleOf(widths: Parameters<typeof columnTracks>[0], isVirtual: boolean): CSSProperties {
  return {
    '--table-width': `${leastWidth(widths)}px`,
    ...(isVirtual ? { '--columns': columnTracks(widths) } : {}),
  } as CSSProperties
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
