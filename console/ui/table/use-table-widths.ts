import { type RefObject, useMemo } from 'react'
import type { Column } from './column.ts'
import { atEase, leastWidth } from './column-tracks.ts'
import { useRoom } from './use-room.ts'

/** Pixels: two short words and the menu. */
const ACTIONS = 148
/** One short word and the menu. */
export const ONE_AND_MENU = 100
/** The menu alone. */
const MENU = 52

interface TableShape<Row> {
  readonly scroller: RefObject<HTMLElement | null>
  readonly columns: readonly Column<Row>[]
  readonly isShown: boolean
  readonly isCards: boolean
  readonly canSelect: boolean
  readonly canAct: boolean
  readonly actionsWidth: number | undefined
}

/** How wide columns are in the room there is; where it is scarce, all that can be done with a row is in its menu. */
export function useTableWidths<Row>(shape: TableShape<Row>) {
  const { scroller, columns, isShown, isCards, canSelect, canAct } = shape
  const unfolded = { columns, canSelect, actionsWidth: canAct ? (shape.actionsWidth ?? ACTIONS) : 0 }
  const fits = useRoom(scroller, isShown, leastWidth(unfolded), true)
  // Pinned words would cover what the table is read for.
  const isFolded = canAct && !fits && !isCards
  const wide = useMemo(() => atEase(columns), [columns])
  const isAtEase = useRoom(scroller, isShown, leastWidth({ ...unfolded, columns: wide }), false)
  const widths = {
    columns: isAtEase ? wide : columns,
    canSelect,
    actionsWidth: isFolded ? MENU : unfolded.actionsWidth,
  }
  return { widths, isFolded }
}
