import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { countRows } from '../paging.ts'
import type { Span } from './past-days.ts'

const HOUR = 3600
const DAY = 24 * HOUR
/** So many are added up in a few milliseconds. */
const FEW = 2000

type Sums = 'usage_hourly' | 'usage_labels_hourly'

/**
 * Whether an account has so many hourly sums that what its days came to is worth keeping, as it is for all accounts
 * together: those of a large team are as many as those of a whole house. An index alone tells.
 */
export async function hasManySums(
  db: Kysely<Schema>,
  table: Sums,
  userId: number,
  { from, before }: Span,
): Promise<boolean> {
  const some = db
    .selectFrom(table)
    .where('user_id', '=', userId)
    .where('hour', '>=', from)
    .where('hour', '<', before)
    .select(sql`1`.as('one'))
    .limit(FEW + 1)
  return (await countRows(db.selectFrom(some.as('some')))) > FEW
}

/**
 * The whole hours of a window, from when there are sums until they may end: clocks of nodes differ, and a window may be
 * asked for that has no beginning.
 */
export async function withinSums(db: Kysely<Schema>, window: Span, now: number): Promise<Span> {
  const { first } = await db
    .selectFrom('usage_hourly')
    .select(row => row.fn.min<number | null>('hour').as('first'))
    .executeTakeFirstOrThrow()
  const end = wholeHour(Math.min(window.before, now + DAY))
  return { from: Math.max(wholeHour(window.from), Number(first ?? end)), before: end }
}

/** Sums are of whole hours: whatever lies between two of them means the later one. */
function wholeHour(time: number): number {
  return Math.ceil(time / HOUR) * HOUR
}
