import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/**
 * SQLite looks at every user for a part of a name, and reads a third as much when the names stand by themselves.
 * No call writes to it: only who renames themselves does.
 */
export async function userWords(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === 'sqlite')
    await columnsFor(engine, db).index('users_words', 'users', ['username', 'email', 'display_name'])
}
