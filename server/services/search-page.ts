import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { Schema } from '../store/schema.ts'
import { countRows, type Page, totalOf } from './paging.ts'

type Wanted = Pick<Page, 'limit' | 'offset'>

/** What is listed newest first, and in which ids rise with time. */
export type Listed =
  | 'users'
  | 'user_search'
  | 'tokens'
  | 'redemptions'
  | 'top_ups'
  | 'midjourneys'
  | 'tasks'
  | 'audit_records'

/** Which rows are meant, and how many they are. */
export interface Sought {
  readonly table: Listed
  readonly where: Expression<SqlBool>
  count(): Promise<number>
}

/** The same by its conditions, where nothing about the count is known beforehand. */
export function sought(
  db: Kysely<Schema>,
  table: Listed,
  conditions: readonly Expression<SqlBool>[],
): Sought & { readonly where: Expression<SqlBool> } {
  const where = expressionBuilder<Schema, Listed>().and([...conditions])
  return { table, where, count: () => countRows(db.selectFrom(table).where(where)) }
}

export interface FoundPage {
  /** The newest first, unless they are sorted otherwise. */
  readonly ids: readonly number[]
  total(): Promise<number>
}

/**
 * Of users, instead of the newest first. No index has these figures: all users are looked at, which takes some tens of
 * milliseconds with a hundred thousand (see `accounts/kept-orders.ts`).
 */
export interface Order {
  readonly column: 'quota' | 'used_quota' | 'request_count'
  readonly descending: boolean
}

/** A page so far from the newest row is sought from the end that is nearer. */
const FAR = 5000

/** A page of rows that an index finds, or that are not far; they are counted apart. */
export async function indexedPage(
  db: Kysely<Schema>,
  sought: Sought,
  wanted: Wanted,
  order?: Order,
): Promise<FoundPage> {
  if (!order && wanted.offset >= FAR) return farPage(db, sought, wanted)
  const found = order ? await readSorted(db, sought, wanted, order) : await readNewest(db, sought, wanted)
  const known = totalOf(wanted, found.length)
  return {
    ids: found.map(({ id }) => id),
    total: async () => known ?? sought.count(),
  }
}

/** Every row before the page is gone through: where more are before it than after it, it is read from the oldest on. */
async function farPage(db: Kysely<Schema>, sought: Sought, wanted: Wanted): Promise<FoundPage> {
  const count = await sought.count()
  const total = async () => count
  const rest = count - wanted.offset
  if (rest <= 0) return { ids: [], total }
  if (rest > wanted.offset) return { ids: (await readNewest(db, sought, wanted)).map(({ id }) => id), total }
  const limit = Math.min(wanted.limit, rest)
  const { table, where } = sought
  const found = await db
    .selectFrom(table)
    .where(where)
    .select('id')
    .orderBy('id')
    .limit(limit)
    .offset(rest - limit)
    .execute()
  return { ids: found.map(({ id }) => id).reverse(), total }
}

function readNewest(db: Kysely<Schema>, { table, where }: Sought, { limit, offset }: Wanted) {
  const matching = db.selectFrom(table).where(where).select('id')
  return matching.orderBy('id', 'desc').limit(limit).offset(offset).execute()
}

/** What `user_search` finds has its figures in `users`; SQLite goes through a cross join in the order it is written. */
function readSorted(
  db: Kysely<Schema>,
  { table, where }: Sought,
  { limit, offset }: Wanted,
  { column, descending }: Order,
) {
  const direction = descending ? 'desc' : 'asc'
  const matching = db.selectFrom(table).where(where).select('id')
  if (table !== 'user_search')
    return matching
      .orderBy(sql.ref(column), direction)
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
  return db
    .selectFrom(matching.as('found'))
    .crossJoin('users')
    .whereRef('users.id', '=', 'found.id')
    .select('found.id')
    .orderBy(`users.${column}`, direction)
    .orderBy('found.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** So many of the newest rows are looked at first. */
const NEWEST = 2000
/** More than so many rows are not gone through one by one: then all of them are looked at, and counted as well. */
const MOST_GONE_THROUGH = 30_000

/**
 * A page of rows that each has to be looked at. Of what many have, the newest rows hold it, or tell that it is not far,
 * and only the count is left; of what few have, it is counted in the same look.
 */
export async function searchedPage(db: Kysely<Schema>, sought: Sought, wanted: Wanted): Promise<FoundPage> {
  const { limit, offset } = wanted
  const newest = await findInNewest(db, sought, offset + limit)
  if (newest.length === offset + limit) return { ids: newest.slice(offset), total: () => sought.count() }
  const distance = ((offset + limit) / newest.length) * NEWEST
  if (distance <= MOST_GONE_THROUGH) return indexedPage(db, sought, wanted)
  return countedPage(db, sought, wanted)
}

async function findInNewest(
  db: Kysely<Schema>,
  { table, where }: Sought,
  most: number,
): Promise<readonly number[]> {
  const last = await db.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  const found = await db
    .selectFrom(table)
    .where(where)
    .where('id', '>', (last?.id ?? 0) - NEWEST)
    .select('id')
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  return found.map(({ id }) => id)
}

async function countedPage(
  db: Kysely<Schema>,
  { table, where, count }: Sought,
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
    total: async () => (known === undefined ? count() : Number(known)),
  }
}
