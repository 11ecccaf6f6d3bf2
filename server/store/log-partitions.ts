import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

const MONTHS_AHEAD = 2

/** Makes this month's and the coming months' partitions of the log (PostgreSQL only). */
export async function ensureLogPartitions(db: Kysely<Schema>, now: Date): Promise<void> {
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1))
    const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead + 1, 1))
    const name = `logs_${from.getUTCFullYear()}_${String(from.getUTCMonth() + 1).padStart(2, '0')}`
    await db.transaction().execute(async transaction => {
      // Two nodes may want the same partition at the same moment; "if not exists" alone can still collide.
      await sql`select pg_advisory_xact_lock(hashtext('tollgate:log-partitions'))`.execute(transaction)
      await sql`create table if not exists ${sql.id(name)} partition of logs
        for values from (${sql.lit(from.getTime() / 1000)}) to (${sql.lit(to.getTime() / 1000)})`.execute(
        transaction,
      )
    })
  }
}
