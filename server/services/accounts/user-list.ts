import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { Endpoints } from '../../../contract/index.ts'
import { type UserSort, userSorts } from '../../../contract/list-sorts.ts'
import { roles, userStatuses } from '../../../contract/users.ts'
import { contains } from '../../store/like.ts'
import type { Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import type { CallOf } from '../call.ts'
import type { KeptTotals } from '../kept-totals.ts'
import { asList, countRows, type Page, readPage } from '../paging.ts'
import { indexedPage, type Order, searchedPage } from '../search-page.ts'
import { viewManagedUser } from './user-view.ts'

type Listed = OutputOf<Endpoints['listUsers']>
interface UserSearch {
  readonly keyword: string
  readonly group: string
  readonly role: string
  readonly status: string
  readonly sort: string
}

const MOST_FOUND = 100

export function listUsers(
  app: App,
  totals: KeptTotals,
  { query }: CallOf<Endpoints['listUsers']>,
): Promise<Listed> {
  const all = { keyword: '', group: '', role: '', status: '', sort: '' }
  return findUsers(app, totals, readPage(query), all)
}

/** The old form has no pages: it answers with all that is found, up to a hundred. */
export function searchUsers(
  app: App,
  totals: KeptTotals,
  { query }: CallOf<Endpoints['searchUsers']>,
): Promise<Listed> {
  const page = readPage(query.page_size === undefined ? {} : query, MOST_FOUND)
  return findUsers(app, totals, page, query)
}

async function findUsers(app: App, totals: KeptTotals, page: Page, search: UserSearch): Promise<Listed> {
  const { db } = app.store
  const { keyword, group, role, status } = search
  const where = matching(app, search)
  const count = () =>
    totals.read([keyword, group, role, status], () => countRows(db.selectFrom('users').where(where)))
  const sort = readSort(search.sort)
  const readIds = keyword === '' || sort ? indexedPage : searchedPage
  const { ids, total } = await readIds(db, { table: 'users', where, count }, page, sort)
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

function matching({ store }: App, { keyword, group, role, status }: UserSearch): Expression<SqlBool> {
  const users = expressionBuilder<Schema, 'users'>()
  const conditions: Expression<SqlBool>[] = []
  if (group !== '') conditions.push(users('group', '=', group))
  // Whatever else older clients send under these names is not looked at.
  if (isRoleName(role)) conditions.push(users('role', '=', roles[role]))
  if (status === 'deleted') conditions.push(users('deleted_at', 'is not', null))
  if (status === 'active' || status === 'banned')
    conditions.push(users('deleted_at', 'is', null), users('status', '=', userStatuses[status]))
  if (keyword !== '') {
    const texts = ['username', 'email', 'display_name'].map(column => contains(column, keyword, store.engine))
    const byId = /^\d{1,15}$/.test(keyword) ? [users('id', '=', Number(keyword))] : []
    conditions.push(users.or([...texts, ...byId]))
  }
  return users.and(conditions)
}

function isRoleName(name: string): name is keyof typeof roles {
  return Object.hasOwn(roles, name)
}
