import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** The names of those who made a team's tokens; nobody is asked for where all are an account's own. */
export async function creatorsOf(
  db: Kysely<Schema>,
  tokens: readonly { readonly created_by: number }[],
): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(tokens.map(({ created_by }) => created_by))].filter(id => id > 0)
  if (ids.length === 0) return new Map()
  const users = await db.selectFrom('users').select(['id', 'username']).where('id', 'in', ids).execute()
  return new Map(users.map(({ id, username }) => [id, username]))
}
