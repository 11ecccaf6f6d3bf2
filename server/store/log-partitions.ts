import { type Kysely, sql, type Transaction } from 'kysely'
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
  await sql`create table if not exists ${sql.id(name)} partition of logs
    for values from (${sql.lit(from.getTime() / 1000)}) to (${sql.lit(to.getTime() / 1000)})`.execute(
    transaction,
  )
}

/**
 * Drops the months that lie wholly before a time and have no row beyond a number (PostgreSQL only), and answers how many.
 * One that someone is reading is not waited for long: whoever waits for it holds up everyone who writes.
 */
export async function dropLogPartitions(db: Kysely<Schema>, before: number, upTo: number): Promise<number> {
  let dropped = 0
  for (const { name, until } of await monthsOf(db)) {
    if (until > before || (await hasBeyond(db, name, upTo))) continue
    dropped += await db.transaction().execute(async transaction => {
      await sql`set local lock_timeout = '2s'`.execute(transaction)
      // The month, and the log it is a part of: nobody else writes from here on, and what came late is seen.
      await sql`lock table only logs, ${sql.id(name)} in access exclusive mode`.execute(transaction)
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
