import { type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react'
import type { RowId } from './use-selection.ts'

interface VirtualRowsOptions<Row> {
  rows: readonly Row[]
  rowId(row: Row): RowId
  scroller: RefObject<HTMLElement | null>
  enabled: boolean
  /** Pixels; opened rows and cards are measured. */
  rowHeight: number
  /** Rows that leave lend their elements to those that come. */
  recycle: boolean
}

interface DrawnRow {
  readonly index: number
  readonly key: string | number
}

const OVERSCAN = 4

/**
 * Which rows are drawn, and under which keys. Making a row's elements anew costs several times what filling them
 * anew does, so where rows may be recycled a fixed number of them goes round. Where each stands is then said by
 * `order`; at rest the document has them in their order too, for those who read or tab through it.
 */
export function useVirtualRows<Row>(options: VirtualRowsOptions<Row>) {
  const { rows, rowId, scroller, enabled, rowHeight, recycle } = options
  const count = rows.length
  // The virtualizer goes through all rows again whenever it gets another function.
  const idOf = useRef(rowId)
  idOf.current = rowId
  const getItemKey = useCallback(
    (index: number) => (rows[index] === undefined ? index : idOf.current(rows[index])),
    [rows],
  )
  const most = useRef(0)
  const rangeExtractor = useCallback((range: Range) => {
    most.current = Math.max(most.current, range.endIndex - range.startIndex + 1 + 2 * OVERSCAN)
    const length = Math.min(range.count, most.current)
    const first = Math.max(0, Math.min(range.startIndex - OVERSCAN, range.count - length))
    return Array.from({ length }, (_, at) => first + at)
  }, [])
  const virtualizer = useVirtualizer({
    count,
    enabled,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey,
    rangeExtractor,
    overscan: OVERSCAN,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are all measured anew
  useLayoutEffect(() => virtualizer.measure(), [rowHeight])
  const items = virtualizer.getVirtualItems()
  const isRecycling = enabled && recycle
  const drawn = useRecycled(items, count, isRecycling && !virtualizer.isScrolling)
  useLooseFocus(scroller, isRecycling, index => (rows[index] === undefined ? undefined : rowId(rows[index])))
  return {
    virtualizer,
    isRecycling,
    drawn: isRecycling
      ? drawn.map(({ index, slot }): DrawnRow => ({ index, key: `slot ${slot}` }))
      : items.map(({ index }): DrawnRow => ({ index, key: String(getItemKey(index)) })),
    before: items[0]?.start ?? 0,
    after: virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0),
  }
}

/** Slots are counted from the end, so that rows which come before the others leave these in theirs. */
function useRecycled(items: readonly { index: number }[], count: number, isAtRest: boolean) {
  const pivot = useRef(0)
  const length = Math.max(1, items.length)
  const round = (value: number) => ((value % length) + length) % length
  const drawn = items.map(({ index }) => ({ index, slot: round(index - count) }))
  if (isAtRest) pivot.current = drawn[0]?.slot ?? 0
  const place = ({ slot }: { slot: number }) => round(slot - pivot.current)
  return drawn.sort((one, other) => place(one) - place(other))
}

/** Whoever stands on a row does not find themselves on another because this one has been scrolled away. */
function useLooseFocus(
  scroller: RefObject<HTMLElement | null>,
  enabled: boolean,
  idAt: (index: number) => RowId | undefined,
): void {
  const stood = useRef<{ element: Element; id: RowId | undefined }>(undefined)
  useLayoutEffect(() => {
    if (!enabled) return
    const focused = document.activeElement
    if (!(focused instanceof HTMLElement) || !scroller.current?.contains(focused)) {
      stood.current = undefined
      return
    }
    const row = focused.closest<HTMLElement>('[data-row]')
    const id = row ? idAt(Number(row.dataset.row)) : undefined
    if (stood.current?.element === focused && stood.current.id !== id) focused.blur()
    stood.current = { element: focused, id }
  })
}
