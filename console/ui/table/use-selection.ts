import { useMemo, useState } from 'react'

export type RowId = number | string

export interface Selection {
  readonly ids: ReadonlySet<RowId>
  set(ids: readonly RowId[], selected: boolean): void
  clear(): void
}

/** The rows someone has ticked. They stay ticked while the list is paged through. */
export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<RowId>>(new Set())
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
