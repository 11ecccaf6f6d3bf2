import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Endpoints } from '../../contract/index.ts'
import { contains } from '../store/like.ts'
import type { Schema } from '../store/schema.ts'
import type { App } from './app.ts'
import type { CallOf } from './call.ts'
import { asList, type Page, readPage } from './paging.ts'
import { viewManagedUser } from './user-view.ts'

type Listed = OutputOf<Endpoints['listUsers']>
type Where = (users: ExpressionBuilder<Schema, 'users'>) => Expression<SqlBool>

const MOST_FOUND = 100

export function listUsers(app: App, { query }: CallOf<Endpoints['listUsers']>): Promise<Listed> {
  return readUsers(app, readPage(query), users => users.and([]))
}

/** The old form has no pages: it answers with all that is found, up to a hundred. */
export function searchUsers(app: App, { query }: CallOf<Endpoints['searchUsers']>): Promise<Listed> {
  const { keyword, group } = query
  const page = readPage(query.page_size === undefined ? {} : query, MOST_FOUND)
  return readUsers(app, page, users => {
    const conditions: Expression<SqlBool>[] = []
    if (group !== '') conditions.push(users('group', '=', group))
    if (keyword !== '') {
      const texts = ['username', 'email', 'display_name'].map(column =>
        contains(column, keyword, app.store.engine),
      )
      const byId = /^\d{1,15}$/.test(keyword) ? [users('id', '=', Number(keyword))] : []
      conditions.push(users.or([...texts, ...byId]))
    }
    return users.and(conditions)
  })
}

/** Both at once: where a text is looked for, either may have to look at every user. */
async function readUsers({ store }: App, page: Page, where: Where): Promise<Listed> {
  const counting =
    page.number === undefined
      ? undefined
      : store.db
          .selectFrom('users')
          .select(count => count.fn.countAll<number>().as('total'))
          .where(where)
          .executeTakeFirstOrThrow()
  const reading = store.db
    .selectFrom('users')
    .selectAll()
    .where(where)
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const [rows, counted] = await Promise.all([reading, counting])
  return asList(page, rows.map(viewManagedUser), async () => Number(counted?.total))
}
