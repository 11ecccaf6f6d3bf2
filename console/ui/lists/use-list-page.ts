import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { asPage, type PageOfRows } from '../../page-of-rows.ts'
import { usePageSize } from '../../page-size.ts'
import { useDeleted } from '../layers/delete-later.ts'
import { useLastPage } from './use-last-page.ts'

export interface Paging {
  readonly p: number
  readonly page_size: number
}

interface ListSource<Row, Search> {
  /** What the rows are kept under; whatever asks for other rows belongs in it. */
  key: readonly [string, ...unknown[]]
  /** The page and the filters. */
  search: Search
  /** The same as far as the address has them, where that is not all. */
  told?: Search
  /** Those of the search that narrow the list down. */
  filters: readonly (keyof Search)[]
  read(paging: Paging, signal: AbortSignal): Promise<readonly Row[] | PageOfRows<Row>>
  /** Goes to the list as this search has it. */
  show(search: Partial<Search>): unknown
  /** Rows of this kind that are about to be deleted are left out. */
  deleting?: string
}

export interface ListPage<Row, Search> {
  /** Undefined until they are there. */
  readonly rows: readonly Row[] | undefined
  readonly total: number
  /** Other rows are on their way; these stay until then. */
  readonly fetching: boolean
  readonly error: unknown
  retry(): unknown
  readonly page: number
  readonly pageSize: number
  readonly isFiltered: boolean
  /** As the address has it. */
  readonly told: Search
  show(search: Partial<Search>): unknown
  /** The kind of rows whose deletion waits; '' where none are. */
  readonly deleting: string
  /** Changes some filters; the list begins anew. */
  filter(changes: Partial<Search>): unknown
  clear(): unknown
  turnTo(page: number): unknown
  resize(pageSize: number): unknown
}

/** A list that comes page by page: its rows, and the ways through it. All of it stands in the address. */
export function useListPage<Row extends { readonly id: number }, Search extends { p?: number }>(
  source: ListSource<Row, Search>,
): ListPage<Row, Search> {
  const { key, search, told = search, filters, read, show, deleting = '' } = source
  const [pageSize, setPageSize] = usePageSize()
  const page = search.p ?? 1
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: [...key, { ...search, page, pageSize }],
    queryFn: async ({ signal }) => asPage(await read({ p: page, page_size: pageSize }, signal)),
    placeholderData: keepPreviousData,
  })
  const deleted = useDeleted(deleting)
  const rows = useMemo(() => data?.items.filter(({ id }) => !deleted.has(id)), [data, deleted])
  const total = data?.total ?? 0
  useLastPage({ page, pageSize, total, count: isPlaceholderData ? undefined : rows?.length })
  const filter = (changes: Partial<Search>) => show({ ...search, p: undefined, ...changes })
  return {
    rows,
    total: total - ((data?.items.length ?? 0) - (rows?.length ?? 0)),
    fetching: isPlaceholderData,
    error,
    retry: refetch,
    page,
    pageSize,
    deleting,
    told,
    show,
    isFiltered: filters.some(name => search[name] !== undefined),
    filter,
    clear: () => show({}),
    turnTo: next => show({ ...search, p: next > 1 ? next : undefined }),
    resize: size => {
      setPageSize(size)
      return filter({})
    },
  }
}
