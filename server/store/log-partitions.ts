import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Schema } from './schema.ts'

const MONTHS_AHEAD = 2

/** Makes this month's and the coming months' partitions of the log (PostgreSQL only). */
export async function ensureLogPartitions(db: Kysely<Schema>, now: Date): Promise<void> {
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1))
    await db.transaction().execute(transaction => createLogMonth(transaction, month))
  }
}

/** The partition that a time belongs to, unless it is there (PostgreSQL only). */
export async function createLogMonth(transaction: Transaction<Schema>, at: Date): Promise<void> {
  const from = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))
  const to = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
  const name = `logs_${from.getUTCFullYear()}_${String(from.getUTCMonth() + 1).padStart(2, '0')}`
  // Two nodes may want the same partition at the same moment; "if not exists" alone can still collide.
  await sql`select pg_advisory_xact_lock(hashtext('tollgate:log-partitions'))`.execute(transaction)
  const span = { from: from.getTime() / 1000, before: to.getTime() / 1000 }
  const create = sql`create table if not exists ${sql.id(name)} partition of logs
    for values from (${sql.lit(span.from)}) to (${sql.lit(span.before)})`
  if (await hasEarlyRows(transaction, span)) await besideEarlyRows(transaction, span, create)
  else await create.execute(transaction)
}

interface MonthSpan {
  readonly from: number
  readonly before: number
}

const ofMonth = ({ from, before }: MonthSpan) => sql`created_at >= ${from} and created_at < ${before}`

/** A clock was ahead, or stood still with its machine for months: rows came before there was a partition for them. */
async function hasEarlyRows(transaction: Transaction<Schema>, span: MonthSpan): Promise<boolean> {
  const { rows } = await sql`select 1 from logs_other where ${ofMonth(span)} limit 1`.execute(transaction)
  return rows.length > 0
}

/** PostgreSQL makes no partition of which another has rows: they are taken out, and put in again where they belong. */
async function besideEarlyRows(
  transaction: Transaction<Schema>,
  span: MonthSpan,
  create: RawBuilder<unknown>,
): Promise<void> {
  await lockWithPart(transaction, 'logs_other')
  await sql`create temporary table early_logs on commit drop as
    select * from logs_other where created_at >= ${sql.lit(span.from)} and created_at < ${sql.lit(span.before)}`.execute(
    transaction,
  )
  await sql`delete from logs_other where ${ofMonth(span)}`.execute(transaction)
  await create.execute(transaction)
  await sql`insert into logs select * from early_logs`.execute(transaction)
  await sql`drop table early_logs`.execute(transaction)
}

/**
 * A part of the log, and the log itself: nobody else writes from here on, and what came late is seen. One that someone
 * is reading is not waited for long: whoever waits for it holds up everyone who writes.
 */
async function lockWithPart(transaction: Transaction<Schema>, part: string): Promise<void> {
  await sql`set local lock_timeout = '2s'`.execute(transaction)
  await sql`lock table only logs, ${sql.id(part)} in access exclusive mode`.execute(transaction)
}

/** Drops the months that lie wholly before a time and have no row beyond a number (PostgreSQL only); answers how many. */
export async function dropLogPartitions(db: Kysely<Schema>, before: number, upTo: number): Promise<number> {
  let dropped = 0
  for (const { name, until } of await monthsOf(db)) {
    if (until > before || (await hasBeyond(db, name, upTo))) continue
    dropped += await db.transaction().execute(async transaction => {
      await lockWithPart(transaction, name)
      if (await hasBeyond(transaction, name, upTo)) return 0
      await sql`drop table ${sql.id(name)}`.execute(transaction)
      return 1
    })
  }
  return dropped
}

async function hasBeyond(db: Kysely<Schema>, month: string, upTo: number): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.id(month)} where id > ${upTo} limit 1`.execute(db)
  return rows.length > 0
}

async function monthsOf(db: Kysely<Schema>): Promise<{ name: string; until: number }[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'logs'::regclass order by c.relname`.execute(db)
  return rows.flatMap(({ name }) => {
    const [, year, month] = /^logs_(\d{4})_(\d{2})$/.exec(name) ?? []
    return year && month ? [{ name, until: Date.UTC(Number(year), Number(month), 1) / 1000 }] : []
  })
}
