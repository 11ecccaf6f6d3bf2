import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadFailure } from '../page/load-failure.tsx'
import { Skeleton } from '../page/skeleton.tsx'
import { FormDrawer } from './form-drawer.tsx'
import { useFocusReturn } from './use-focus-return.ts'

interface EditDrawerProps<Row> {
  title: string
  /** As its list is named, so that it goes stale with it. */
  list: string
  id: string
  read(signal: AbortSignal): Promise<Row>
  onClose(): void
  /** About how many fields there will be. */
  fields: number
  /** The form, once there is something to fill it with. */
  children(row: Row): ReactNode
}

/** The drawer of a row that has to be read before it can be edited. */
export function EditDrawer<Row>({ title, list, id, read, onClose, fields, children }: EditDrawerProps<Row>) {
  const { data, error, refetch } = useQuery({
    queryKey: [list, 'one', id],
    queryFn: ({ signal }) => read(signal),
    gcTime: 0,
  })
  // By the time there is a form, the focus is in the drawer that waits for it.
  useFocusReturn(true)
  if (data !== undefined) return children(data)
  return (
    <FormDrawer title={title} changes={0} onClose={onClose}>
      {error ? <LoadFailure error={error} retry={refetch} /> : <Skeleton rows={fields} />}
    </FormDrawer>
  )
}
