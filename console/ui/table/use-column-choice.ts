import { useMemo, useState } from 'react'
import { readStored, store } from '../../storage.ts'
import type { Column } from './column.ts'

export interface ColumnChoice<Row> {
  readonly visible: readonly Column<Row>[]
  readonly hidden: ReadonlySet<string>
  toggle(id: string): void
}

/** Which columns someone wants to see, remembered under the table's name. */
export function useColumnChoice<Row>(
  name: string,
  columns: readonly Column<Row>[],
  hiddenAtFirst: readonly string[] = [],
): ColumnChoice<Row> {
  const key = `columns-${name}`
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => {
    const stored = readStored(key)
    return new Set(stored === null ? hiddenAtFirst : stored.split(','))
  })
  const visible = useMemo(
    () => columns.filter(({ id, heading }) => heading || !hidden.has(id)),
    [columns, hidden],
  )
  const toggle = (id: string) => {
    const next = new Set(hidden)
    if (!next.delete(id)) next.add(id)
    store(key, [...next].join(','))
    setHidden(next)
  }
  return { visible, hidden, toggle }
}
