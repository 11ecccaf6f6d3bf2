import type { SelectQueryBuilder } from 'kysely'

const USUAL = 10
const MOST = 100
const LAST_PAGE = 1_000_000

export interface Page {
  readonly limit: number
  readonly offset: number
  /** Counted from 1; undefined when the caller asked in the old form and gets a plain array. */
  readonly number: number | undefined
}

interface Asked {
  readonly p?: number | undefined
  readonly page_size?: number | undefined
  /** Other names of `page_size`. */
  readonly ps?: number | undefined
  readonly size?: number | undefined
}

/** The part of a list that was asked for, at most 100 rows of it. `oldSize` is how many the old form has. */
export function readPage({ p = 0, ps, size, page_size = ps ?? size }: Asked, oldSize = USUAL): Page {
  const at = within(p, 0, LAST_PAGE)
  if (page_size === undefined) {
    const limit = sizeOf(oldSize)
    return { limit, offset: at * limit, number: undefined }
  }
  return numberedPage({ p: at, page_size })
}

/** The same for searches, whose old form has no pages: it answers with all that is found, up to a hundred. */
export function readSearchPage(asked: Asked): Page {
  const page = readPage(asked, MOST)
  return page.number === undefined ? { ...page, offset: 0 } : page
}

/** The same for lists that never had an old form. */
export function numberedPage({ p = 1, ps, size, page_size = ps ?? size ?? USUAL }: Asked): Page & {
  readonly number: number
} {
  const number = within(p, 1, LAST_PAGE)
  const limit = sizeOf(page_size)
  return { limit, offset: (number - 1) * limit, number }
}

interface Paged<T> {
  items: T[]
  total: number
  page: number
  page_size: number
}

/** In the form that was asked for; the rows are counted only where the answer says how many there are. */
export async function asList<T>(
  { number, limit }: Page,
  items: T[],
  count: () => Promise<number>,
): Promise<T[] | Paged<T>> {
  if (number === undefined) return items
  return { items, total: await count(), page: number, page_size: limit }
}

/** How many rows a query finds. */
export async function countRows<DB, Table extends keyof DB>(
  rows: SelectQueryBuilder<DB, Table, object>,
): Promise<number> {
  const counted = rows.select(row => row.fn.countAll().as('total'))
  // What a query of any table answers is more than TypeScript works out.
  const { total } = (await counted.executeTakeFirstOrThrow()) as { total: number | string | bigint }
  return Number(total)
}

/** How many rows there are in all, where the page itself tells: it is the last one, and not past the end. */
export function totalOf(
  { limit, offset }: Pick<Page, 'limit' | 'offset'>,
  found: number,
): number | undefined {
  const isLast = found < limit && (found > 0 || offset === 0)
  return isLast ? offset + found : undefined
}

function sizeOf(size: number): number {
  return size < 1 ? USUAL : within(size, 1, MOST)
}

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(Math.trunc(value), least), most)
}
