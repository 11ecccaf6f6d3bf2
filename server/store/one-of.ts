import { type RawBuilder, sql } from 'kysely'
import type { Engine } from './engine.ts'

/**
 * That a number is one of hundreds: all of them as one parameter, where there is a way. To bind each costs SQLite more
 * than to look for it, and PostgreSQL would plan for any such list at all after some calls, not knowing that it is long.
 */
export function isOneOf(numbers: readonly number[], engine: Engine): RawBuilder<unknown> {
  if (engine === 'sqlite') return sql`in (select value from json_each(${JSON.stringify(numbers)}))`
  if (engine === 'postgres') return sql`= any(string_to_array(${numbers.join(',')}, ',')::bigint[])`
  return sql`in (${sql.join(numbers)})`
}
