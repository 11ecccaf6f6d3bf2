import { type Kysely, MysqlAdapter, PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { readFact } from '../../store/system-facts.ts'
import { BOOKS_CLOSED_BEFORE, holdStates } from '../moves.ts'

interface Difference {
  readonly subject: number
  readonly expected: number
  readonly found: number
}

/**
 * What limits say was spent is what calls of their windows have set aside or were charged. Limits and calls are looked at
 * in one statement, as of one moment, for calls go on meanwhile; and calls once for all limits, since there may be
 * millions of either.
 */
export async function checkSpendLimits(db: Kysely<Schema>): Promise<Difference[]> {
  const limits = await db
    .selectFrom('spend_limits as l')
    .leftJoin(callsByWindow(db), join =>
      join.onRef('calls.limit_id', '=', 'l.id').onRef('calls.ends_at', '=', 'l.ends_at'),
    )
    .select(['l.id', 'l.spent', 'l.ends_at', 'l.brought', 'l.brought_until', 'l.created_at', 'calls.amount'])
    .orderBy('l.id')
    .execute()
  const differences: (Difference & { readonly since: number })[] = []
  for (const limit of limits) {
    const brought = Number(limit.brought_until) === Number(limit.ends_at) ? Number(limit.brought) : 0
    const [expected, found] = [brought + Number(limit.amount ?? 0), Number(limit.spent)]
    if (found !== expected)
      differences.push({ subject: Number(limit.id), expected, found, since: Number(limit.created_at) })
  }
  if (differences.length === 0) return []
  // Of calls that were folded with their months nobody knows any more what they counted: an older limit may say more.
  const closedBefore = Number((await readFact(db, BOOKS_CLOSED_BEFORE)) ?? 0)
  return differences
    .filter(({ expected, found, since }) => found < expected || since >= closedBefore)
    .map(({ since: _, ...difference }) => difference)
}

interface Calls {
  readonly limit_id: number
  readonly ends_at: number
  readonly amount: string | number
}

/** What counts in each window of each limit, over, or not. */
function callsByWindow(db: Kysely<Schema>) {
  const { list, limitId, endsAt, before } = countedIn(db)
  const amount = sql`(case when h.state = ${holdStates.open} then h.amount else h.charge end)`
  return sql<Calls>`(
    select ${limitId} as limit_id, ${endsAt} as ends_at,
      sum(case when ${amount} > ${before} then ${amount} - ${before} else 0 end) as amount
    from holds h left join ledger_entries e on e.kind = 'refund' and e.ref = h.id cross join ${list}
    where h.limits is not null and h.state <> ${holdStates.released} and e.ref is null
    group by ${limitId}, ${endsAt}
  )`.as<'calls'>(sql.ref('calls'))
}

/** The list that stands beside a hold, one row for each limit that it counts in. Every database unfolds it otherwise. */
interface CountedRows {
  readonly list: RawBuilder<unknown>
  readonly limitId: RawBuilder<unknown>
  readonly endsAt: RawBuilder<unknown>
  readonly before: RawBuilder<unknown>
}

function countedIn(db: Kysely<Schema>): CountedRows {
  const { adapter } = db.getExecutor()
  if (adapter instanceof PostgresAdapter)
    return {
      list: sql`lateral json_array_elements(h.limits::json) as c(counted)`,
      limitId: sql`(c.counted->>0)::bigint`,
      endsAt: sql`(c.counted->>1)::bigint`,
      before: sql`(c.counted->>2)::bigint`,
    }
  if (adapter instanceof MysqlAdapter)
    return {
      list: sql`json_table(h.limits, '$[*]' columns (
        limit_id bigint path '$[0]', ends_at bigint path '$[1]', counted_before bigint path '$[2]')) c`,
      limitId: sql`c.limit_id`,
      endsAt: sql`c.ends_at`,
      before: sql`c.counted_before`,
    }
  return {
    list: sql`json_each(h.limits) c`,
    limitId: sql`json_extract(c.value, '$[0]')`,
    endsAt: sql`json_extract(c.value, '$[1]')`,
    before: sql`json_extract(c.value, '$[2]')`,
  }
}
