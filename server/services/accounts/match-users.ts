import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import { roles, userStatuses } from '../../../contract/users.ts'
import { contains } from '../../store/like.ts'
import type { Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import type { Sought } from '../search-page.ts'

export interface UserSearch {
  readonly keyword: string
  readonly group: string
  readonly role: string
  readonly status: string
}

export type Matching = Pick<Sought, 'table' | 'where'>

/** Which users are meant, and in which table that is soonest seen. Both name alike what they both have. */
export function matchUsers({ store }: App, search: UserSearch): Matching {
  const { keyword } = search
  const users = expressionBuilder<Schema, 'users'>()
  const filters = filtersOf(search)
  if (keyword === '') return { table: 'users', where: users.and(filters) }
  const inOneText = store.engine === 'sqlite'
  const columns = inOneText ? ['words'] : ['username', 'email', 'display_name']
  const texts = columns.map(column => contains(column, keyword, store.engine))
  const byId = /^\d{1,15}$/.test(keyword) ? [users('id', '=', Number(keyword))] : []
  const where = users.and([...filters, users.or([...texts, ...byId])])
  return { table: inOneText ? 'user_search' : 'users', where }
}

function filtersOf({ group, role, status }: UserSearch): Expression<SqlBool>[] {
  const users = expressionBuilder<Schema, 'users'>()
  const filters: Expression<SqlBool>[] = []
  if (group !== '') filters.push(users('group', '=', group))
  // Whatever else older clients send under these names is not looked at.
  if (isRoleName(role)) filters.push(users('role', '=', roles[role]))
  if (status === 'deleted') filters.push(users('deleted_at', 'is not', null))
  if (status === 'active' || status === 'banned')
    filters.push(users('deleted_at', 'is', null), users('status', '=', userStatuses[status]))
  return filters
}

function isRoleName(name: string): name is keyof typeof roles {
  return Object.hasOwn(roles, name)
}
