import { refuseField } from '../../dialects/refuse.ts'

/** Which of a list are wanted, as Google's clients ask for them. */
export interface Page {
  readonly size: number
  /** The last that the client has; '' for the first page. */
  readonly after: string
}

/** More than the most is cut, as Google does. */
export function readPage(url: string, usual: number, most: number): Page {
  const query = new URL(url).searchParams
  const size = query.get('pageSize') ?? query.get('page_size') ?? '0'
  if (!/^\d{1,9}$/.test(size)) refuseField('pageSize', 'field.whole-from', { least: 0 })
  const after = query.get('pageToken') ?? query.get('page_token') ?? ''
  if (!/^[0-9a-f]{0,32}$/.test(after)) refuseField('pageToken', 'field.page-token')
  return { size: Math.min(Number(size) || usual, most), after }
}

/** Of one row more than fits: whether there are others is seen by it. */
export function cutPage<Row extends { readonly id: string }>(
  found: readonly Row[],
  { size }: Page,
): { readonly rows: readonly Row[]; readonly next: { nextPageToken?: string } } {
  const rows = found.slice(0, size)
  const last = rows.at(-1)
  return { rows, next: found.length > size && last ? { nextPageToken: last.id } : {} }
}
