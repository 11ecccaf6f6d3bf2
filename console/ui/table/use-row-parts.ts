import { type ReactNode, useMemo, useRef } from 'react'
import type { RowAction } from './column.ts'
import type { RowId, Selection } from './use-selection.ts'

/** What rows need of their table. */
export interface RowParts<Row> {
  readonly canSelect: boolean
  readonly canAct: boolean
  readonly canExpand: boolean
  readonly canOpen: boolean
  idsOf(row: Row): readonly RowId[]
  name(row: Row): string
  actions(row: Row): readonly RowAction[]
  detail(row: Row): ReactNode
  open(row: Row): void
  muted(row: Row): boolean
  nested(row: Row): boolean
  select(row: Row): void
  toggle(row: Row): void
}

/** What the table was given to know of its rows. */
interface RowFacts<Row> {
  rowId(row: Row): RowId
  rowName(row: Row): string
  selection?: Selection
  idsOf?(row: Row): readonly RowId[]
  actions?(row: Row): readonly RowAction[]
  expand?(row: Row): ReactNode
  onOpen?(row: Row): void
  muted?(row: Row): boolean
  nested?(row: Row): boolean
}

/** The same object for as long as the table stands: rows are drawn once. */
export function useRowParts<Row>(
  facts: RowFacts<Row>,
  setExpanded: (change: (before: ReadonlySet<RowId>) => ReadonlySet<RowId>) => void,
): RowParts<Row> {
  const latest = useRef(facts)
  latest.current = facts
  const { selection, actions, expand, onOpen } = facts
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
