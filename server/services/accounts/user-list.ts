import type { OutputOf } from '../../../contract/endpoint.ts'
import type { Endpoints } from '../../../contract/index.ts'
import { type UserSort, userSorts } from '../../../contract/list-sorts.ts'
import type { App } from '../app.ts'
import type { CallOf } from '../call.ts'
import type { KeptTotals } from '../kept-totals.ts'
import { asList, countRows, type Page, readPage, readSearchPage } from '../paging.ts'
import { indexedPage, type Order, searchedPage } from '../search-page.ts'
import type { KeptOrders } from './kept-orders.ts'
import { matchUsers, type UserSearch } from './match-users.ts'
import { viewManagedUser } from './user-view.ts'

type Listed = OutputOf<Endpoints['listUsers']>

/** What one page leaves for the next. */
interface Kept {
  readonly totals: KeptTotals
  readonly orders: KeptOrders
}

export function listUsers(app: App, kept: Kept, { query }: CallOf<Endpoints['listUsers']>): Promise<Listed> {
  const all = { keyword: '', group: '', role: '', status: '', sort: '' }
  return findUsers(app, kept, readPage(query), all)
}

export function searchUsers(
  app: App,
  kept: Kept,
  { query }: CallOf<Endpoints['searchUsers']>,
): Promise<Listed> {
  return findUsers(app, kept, readSearchPage(query), query)
}

async function findUsers(
  app: App,
  { totals, orders }: Kept,
  page: Page,
  search: UserSearch & { readonly sort: string },
): Promise<Listed> {
  const { db } = app.store
  const { keyword, group, role, status } = search
  const matching = matchUsers(app, search)
  const count = () =>
    totals.read([keyword, group, role, status], () =>
      countRows(db.selectFrom(matching.table).where(matching.where)),
    )
  const sort = readSort(search.sort)
  const sought = { ...matching, count }
  const readIds = keyword === '' ? indexedPage : searchedPage
  const { ids, total } = sort
    ? await orders.read([keyword, group, role, status, sort], page, some =>
        indexedPage(db, sought, some, sort),
      )
    : await readIds(db, sought, page)
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .where('id', 'in', [0, ...ids])
    .execute()
  const place = new Map(ids.map((id, at) => [id, at]))
  rows.sort((one, other) => (place.get(one.id) ?? 0) - (place.get(other.id) ?? 0))
  return asList(page, rows.map(viewManagedUser), total)
}

function readSort(text: string): Order | undefined {
  const sort = userSorts.find(one => one === text)
  if (!sort) return undefined
  const column = sort.replace('-', '') as Exclude<UserSort, `-${string}`>
  return { column, descending: sort !== column }
}
