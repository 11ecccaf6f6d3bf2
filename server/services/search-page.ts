import { type Expression, type Kysely, type SqlBool, sql } from 'kysely'
import type { Schema } from '../store/schema.ts'
import { countRows, type Page, totalOf } from './paging.ts'

type Wanted = Pick<Page, 'limit' | 'offset'>

interface FoundPage {
  /** The newest first, unless they are sorted otherwise. */
  readonly ids: readonly number[]
  total(): Promise<number>
}

/** A page of rows that an index finds: the page is read at once, and counting them is cheap. */
export async function indexedPage(
  db: Kysely<Schema>,
  table: 'users' | 'tokens',
  where: Expression<SqlBool>,
  { limit, offset }: Wanted,
): Promise<FoundPage> {
  const matching = db.selectFrom(table).where(where)
  const found = await matching.select('id').orderBy('id', 'desc').limit(limit).offset(offset).execute()
  const known = totalOf({ limit, offset }, found.length)
  return {
    ids: found.map(({ id }) => id),
    total: async () => known ?? countRows(db.selectFrom(table).where(where)),
  }
}

/**
 * A page of users in the order of a figure that no index has: all of them are looked at, which takes some tens of
 * milliseconds with a hundred thousand.
 */
export async function sortedPage(
  db: Kysely<Schema>,
  where: Expression<SqlBool>,
  { column, descending }: { column: 'quota' | 'used_quota' | 'request_count'; descending: boolean },
  { limit, offset }: Wanted,
): Promise<FoundPage> {
  const matching = db.selectFrom('users').where(where)
  const found = await matching
    .select('id')
    .orderBy(column, descending ? 'desc' : 'asc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const known = totalOf({ limit, offset }, found.length)
  return {
    ids: found.map(({ id }) => id),
    total: async () => known ?? countRows(db.selectFrom('users').where(where)),
  }
}

/** So many of the newest rows are looked at first. */
const NEWEST = 2000

/**
 * A page of rows that each has to be looked at. Of what many have, the newest rows hold it, and only the count is
 * left; of what few have, it is counted in the same look.
 */
export async function searchedPage(
  db: Kysely<Schema>,
  table: 'users' | 'tokens',
  where: Expression<SqlBool>,
  wanted: Wanted,
): Promise<FoundPage> {
  const newest = await pageOfNewest(db, table, where, wanted)
  if (newest.length === wanted.limit)
    return { ids: newest, total: () => countRows(db.selectFrom(table).where(where)) }
  return countedPage(db, table, where, wanted)
}

/** Less than a whole page where the newest rows do not hold it. */
async function pageOfNewest(
  db: Kysely<Schema>,
  table: 'users' | 'tokens',
  where: Expression<SqlBool>,
  { limit, offset }: Wanted,
): Promise<readonly number[]> {
  const last = await db.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  const found = await db
    .selectFrom(table)
    .where(where)
    .where('id', '>', (last?.id ?? 0) - NEWEST)
    .select('id')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return found.map(({ id }) => id)
}

async function countedPage(
  db: Kysely<Schema>,
  table: 'users' | 'tokens',
  where: Expression<SqlBool>,
  { limit, offset }: Wanted,
): Promise<FoundPage> {
  const found = await db
    .selectFrom(table)
    .where(where)
    .select(['id', sql<number>`count(*) over ()`.as('total')])
    // Not by the bare id: PostgreSQL would go through all rows in that order, sure to find a page of them early.
    .orderBy(sql`id + 0`, 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const known = found[0]?.total ?? (offset === 0 ? 0 : undefined)
  return {
    ids: found.map(({ id }) => id),
    total: async () => (known === undefined ? countRows(db.selectFrom(table).where(where)) : Number(known)),
  }
}
