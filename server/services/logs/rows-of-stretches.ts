import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Store } from '../../store/index.ts'
import type { Schema } from '../../store/schema.ts'
import { newestFirst } from './log-filter.ts'

export interface Place {
  readonly id: number
  readonly created_at: number
}
/** From one second to another, both included. */
export type Stretch = readonly [from: number, to: number]

interface Wanted {
  /** How an index finds them, together with the time. */
  readonly isTheirs: RawBuilder<unknown>
  /** What is looked at in each of these. */
  readonly isWanted: RawBuilder<unknown>
  readonly most: number
}

/**
 * The newest of the rows that lie in any of hundreds of stretches. As a condition of as many parts these would take
 * longer to plan than to read: where there is a way they are joined as rows of their own, each looked for by the index.
 */
export async function rowsOfStretches(
  { db, engine }: Pick<Store, 'db' | 'engine'>,
  stretches: readonly Stretch[],
  wanted: Wanted,
): Promise<Place[]> {
  if (engine === 'mysql') return inOneCondition(db, stretches, wanted)
  const joined = engine === 'sqlite' ? joinedInSqlite : joinedInPostgres
  const { rows } = await sql<Record<keyof Place, number | string>>`${joined(stretches, wanted)}
    order by created_at desc, id desc limit ${wanted.most}`.execute(db)
  return rows.map(({ id, created_at }) => ({ id: Number(id), created_at: Number(created_at) }))
}

/** SQLite leaves the two sides of a cross join in their order. */
function joinedInSqlite(stretches: readonly Stretch[], { isTheirs, isWanted }: Wanted): RawBuilder<unknown> {
  return sql`
    select logs.id, logs.created_at
    from (select value ->> 0 as first, value ->> 1 as last from json_each(${JSON.stringify(stretches)})) as stretch
    cross join logs
    where ${isTheirs} and created_at between stretch.first and stretch.last and ${isWanted}`
}

/** With a limit of its own what is joined cannot be turned round: it would go through the log for all stretches. */
function joinedInPostgres(
  stretches: readonly Stretch[],
  { isTheirs, isWanted, most }: Wanted,
): RawBuilder<unknown> {
  const [first, last] = [0, 1].map(end => stretches.map(stretch => stretch[end]).join(','))
  return sql`
    select id, created_at
    from unnest(string_to_array(${first}, ',')::bigint[], string_to_array(${last}, ',')::bigint[])
      as stretch (first, last)
    cross join lateral (
      select id, created_at from logs
      where ${isTheirs} and created_at between stretch.first and stretch.last and ${isWanted}
      order by created_at desc, id desc limit ${most}
    ) as found`
}

function inOneCondition(
  db: Kysely<Schema>,
  stretches: readonly Stretch[],
  { isTheirs, isWanted, most }: Wanted,
): Promise<Place[]> {
  const within = stretches.map(
    ([from, to]) => sql`(${isTheirs} and created_at >= ${from} and created_at <= ${to})`,
  )
  return newestFirst(
    db
      .selectFrom('logs')
      .where(sql<SqlBool>`${isWanted}`)
      .where(sql<SqlBool>`(${sql.join(within, sql` or `)})`),
  )
    .limit(most)
    .execute()
}
