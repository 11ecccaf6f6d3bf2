import type { Database } from 'bun:sqlite'
import type { Selectable } from 'kysely'
import type { Users } from '../../../server/store/schema.ts'

/** A user as the database has it, secrets and all; throws when there is none. */
export function userRow(database: Database, username: string): Selectable<Users> {
  const row = database
    .query<Selectable<Users>, [string]>('select * from users where username = ?')
    .get(username)
  if (!row) throw new Error(`there is no user ${username}`)
  return row
}
