import { useMemo, useState } from 'react'
import { readStored, store } from '../../storage.ts'
import type { Column } from './column.ts'

export interface ColumnChoice<Row> {
  readonly visible: readonly Column<Row>[]
  readonly hidden: ReadonlySet<string>
  /** They are those of a view; one's own choice is still remembered. */
  readonly isBorrowed: boolean
  toggle(id: string): void
  borrow(hidden: readonly string[]): void
  giveBack(): void
}

/** Which columns someone wants to see, remembered under the table's name. */
export function useColumnChoice<Row>(
  name: string,
  columns: readonly Column<Row>[],
  hiddenAtFirst: readonly string[] = [],
  borrowedAtFirst?: readonly string[],
): ColumnChoice<Row> {
  const key = `columns-${name}`
  const [own, setOwn] = useState<ReadonlySet<string>>(() => {
    const stored = readStored(key)
    return new Set(stored === null ? hiddenAtFirst : stored.split(',').filter(Boolean))
  })
  const [borrowed, setBorrowed] = useState(() => borrowedAtFirst && unlessSame(borrowedAtFirst, own))
  const hidden = borrowed ?? own
  const visible = useMemo(
    () => columns.filter(({ id, heading }) => heading || !hidden.has(id)),
    [columns, hidden],
  )
  const toggle = (id: string) => {
    const next = hidden.symmetricDifference(new Set([id]))
    if (borrowed) return setBorrowed(next)
    store(key, [...next].join(','))
    setOwn(next)
  }
  return {
    visible,
    hidden,
    isBorrowed: borrowed !== undefined,
    toggle,
    borrow: ids => setBorrowed(unlessSame(ids, own)),
    giveBack: () => setBorrowed(undefined),
  }
}

function unlessSame(ids: readonly string[], own: ReadonlySet<string>): ReadonlySet<string> | undefined {
  const borrowed = new Set(ids)
  return borrowed.symmetricDifference(own).size > 0 ? borrowed : undefined
}
