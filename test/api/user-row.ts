import type { Database } from 'bun:sqlite'

/** A user as the database has it, secrets and all. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at every column
export function userRow(database: Database, username: string): any {
  return database.query('select * from users where username = ?').get(username)
}
