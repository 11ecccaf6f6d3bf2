import { type Kysely, sql } from 'kysely'
import { type BulkWrite, integer } from '../store/batch/bulk.ts'
import type { Engine } from '../store/engine.ts'
import type { Schema } from '../store/schema.ts'
import type { LogRow } from './moves.ts'

const HOUR = 3600
const DAY = 24 * HOUR
/** So long after an hour, its rows are late: what it came to may have been added up meanwhile. */
const LATE = 60

const columns = [integer('day'), integer('changes')]

interface Logged {
  readonly row: Pick<LogRow, 'created_at'>
}

/**
 * Who adds to an hour that is over says so in the same commit, by the day: whoever has added it up before finds that it
 * has changed. Nothing is written for rows that come in time, as almost all do.
 */
export function lateDays(logs: readonly Logged[], now: number): BulkWrite[] {
  let days: Set<number> | undefined
  for (const { row } of logs) {
    const { created_at: time } = row
    if (time - (time % HOUR) + HOUR + LATE > now) continue
    days ??= new Set()
    days.add(dayOf(time))
  }
  if (!days) return []
  // In one order everywhere, so that no two batches wait for each other.
  const rows = [...days].sort((a, b) => a - b).map(day => [day, 1])
  return [{ kind: 'upsert-add', table: 'changed_days', keys: 1, columns, rows }]
}

/** The same for who changes sums by another way. */
export async function markChanged(db: Kysely<Schema>, engine: Engine, time: number): Promise<void> {
  const more =
    engine === 'mysql'
      ? sql`on duplicate key update changes = changes + 1`
      : sql`on conflict (day) do update set changes = changed_days.changes + 1`
  await sql`insert into changed_days (day, changes) values (${dayOf(time)}, 1) ${more}`.execute(db)
}

function dayOf(time: number): number {
  return time - (time % DAY)
}
