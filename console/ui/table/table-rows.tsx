import type { Column } from './column.ts'
import { TableRow } from './table-row.tsx'
import type { RowParts } from './use-row-parts.ts'
import type { RowId, Selection } from './use-selection.ts'

interface TableRowsProps<Row> {
  rows: readonly Row[]
  rowId(row: Row): RowId
  /** Those that are drawn, and under which keys. */
  places: readonly { readonly index: number; readonly key: RowId }[]
  columns: readonly Column<Row>[]
  parts: RowParts<Row>
  selection: Selection | undefined
  expanded: ReadonlySet<RowId>
  /** The place of the one that can be tabbed to. */
  active: number
  isFolded: boolean
  opensCards: boolean
  isRecycling: boolean
  /** Given for those whose height is not that of the others. */
  measureOf(id: RowId): ((element: HTMLElement | null) => void) | undefined
}

export function TableRows<Row>(props: TableRowsProps<Row>) {
  const { rows, rowId, places, columns, parts, selection, expanded, active } = props
  return places.map(({ index, key }) => {
    const row = rows[index]
    if (row === undefined) return null
    const id = rowId(row)
    return (
      <TableRow
        key={key}
        id={id}
        row={row}
        index={index}
        order={props.isRecycling ? index + 1 : undefined}
        columns={columns}
        parts={parts}
        active={index === active}
        expanded={expanded.has(id)}
        folded={props.isFolded}
        opensCard={props.opensCards}
        selected={selection ? tickOf(parts.idsOf(row), selection) : false}
        measure={props.measureOf(id)}
      />
    )
  })
}

function tickOf(ids: readonly RowId[], selection: Selection): boolean | 'some' {
  const ticked = ids.filter(id => selection.ids.has(id)).length
  if (ticked === 0) return false
  return ticked === ids.length ? true : 'some'
}
