import { useEffect, useMemo, useState } from 'react'
import { useDeleted } from '../layers/delete-later.ts'

export type RowId = number | string

export interface Selection {
  readonly ids: ReadonlySet<RowId>
  set(ids: readonly RowId[], selected: boolean): void
  clear(): void
}

/** The rows someone has ticked. They stay ticked while the list is paged through, until they are deleted. */
export function useSelection(kind = ''): Selection {
  const [ids, setIds] = useState<ReadonlySet<RowId>>(new Set())
  const deleted: ReadonlySet<RowId> = useDeleted(kind)
  useEffect(() => {
    if (deleted.size > 0)
      setIds(before => (before.isDisjointFrom(deleted) ? before : before.difference(deleted)))
  }, [deleted])
  return useMemo(
    () => ({
      ids,
      set: (changed, selected) =>
        setIds(before => {
          const next = new Set(before)
          for (const id of changed) selected ? next.add(id) : next.delete(id)
          return next
        }),
      clear: () => setIds(new Set()),
    }),
    [ids],
  )
}
