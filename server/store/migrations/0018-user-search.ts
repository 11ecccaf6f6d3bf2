import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** What people are told apart by in a search, besides their names. */
const filters = ['role', 'status', 'group', 'deleted_at']
const names = ['username', 'email', 'display_name']

const listed = (columns: readonly string[]) => sql.join(columns.map(column => sql.ref(column)))

/** What `user_search` has of a row. A name is a line: what is looked for is one line, and reaches across none. */
const searched = (row: string) => {
  const words = names.map(name => sql`coalesce(${sql.ref(`${row}.${name}`)}, '')`)
  return sql.join([
    ...['id', ...filters].map(column => sql.ref(`${row}.${column}`)),
    sql.join(words, sql` || char(10) || `),
  ])
}

/**
 * For a part of a name SQLite looks at every user, and what costs is to take columns out of rows and to compare each.
 * With one text for each user, and nothing beside it but what else a search asks for, a look costs half of what it did
 * with an index of the three names. (FTS5, its own index of parts, knows none of fewer than three characters, as many
 * Chinese names have, and takes longer than the look where nearly everybody has the word.) Triggers keep it, so that
 * nobody who writes users can forget it; no charge names these columns.
 */
export async function userSearch(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine !== 'sqlite') return
  const { integer, longText, text, required, dropIndex } = columnsFor(engine, db)
  await db.schema
    .createTable('user_search')
    .addColumn('id', 'integer', column => column.primaryKey())
    .addColumn('role', integer, required)
    .addColumn('status', integer, required)
    .addColumn('group', text(64), required)
    .addColumn('deleted_at', integer)
    .addColumn('words', longText, required)
    .execute()
  const columns = listed(['id', ...filters, 'words'])
  await sql`insert into user_search (${columns}) select ${searched('users')} from users order by id`.execute(
    db,
  )
  const put = sql`replace into user_search (${columns}) values (${searched('new')})`
  for (const trigger of [
    sql`user_search_insert after insert on users begin ${put}; end`,
    sql`user_search_update after update of ${listed([...names, ...filters])} on users begin ${put}; end`,
    sql`user_search_delete after delete on users begin delete from user_search where id = old.id; end`,
  ])
    await sql`create trigger ${trigger}`.execute(db)
  await dropIndex('users_words', 'users')
}
