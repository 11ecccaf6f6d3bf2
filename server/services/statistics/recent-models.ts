import { type Kysely, sql } from 'kysely'
import type { RecentCalls } from '../../../contract/pricing.ts'
import { firstColumns, percentile } from '../../ledger/latency-buckets.ts'
import type { Schema } from '../../store/schema.ts'
import { keptFresh } from '../kept-fresh.ts'
import { FEWEST_CALLS, FEWEST_USERS } from './enough-calls.ts'

const HOUR = 3600
const DAY = 24 * HOUR
/** Anyone may read it: it is counted this often at most, however many do. */
const FRESH_MS = 300_000

type Recent = ReadonlyMap<string, RecentCalls>

/** How the calls of each model went in the last day. Prices are shown also while the database is away. */
export function recentModels(db: Kysely<Schema>, now: () => number): () => Promise<Recent> {
  const read = keptFresh({ freshMs: FRESH_MS }, () => countRecent(db, now()))
  return () => read().catch((): Recent => new Map())
}

/** From whole hours: what one call changed cannot be watched. */
async function countRecent(db: Kysely<Schema>, now: number): Promise<Recent> {
  const before = now - (now % HOUR)
  const from = before - DAY
  const [calls, firsts] = await Promise.all([callsOf(db, from, before), firstTokensOf(db, from, before)])
  return new Map(
    calls.map(({ model_name, requests, errors }) => [
      model_name,
      {
        success: Math.round((1 - Number(errors) / Number(requests)) * 100) / 100,
        first_token: firsts.get(model_name) ?? null,
      },
    ]),
  )
}

function callsOf(db: Kysely<Schema>, from: number, before: number) {
  return db
    .selectFrom('usage_hourly')
    .where('hour', '>=', from)
    .where('hour', '<', before)
    .select('model_name')
    .select(({ fn }) => [fn.sum<number>('requests').as('requests'), fn.sum<number>('errors').as('errors')])
    .groupBy('model_name')
    .having(({ fn }) => fn.sum('requests'), '>=', FEWEST_CALLS)
    .having(({ fn }) => fn.count('user_id').distinct(), '>=', FEWEST_USERS)
    .execute()
}

/** Milliseconds until half of the answers had begun. */
async function firstTokensOf(
  db: Kysely<Schema>,
  from: number,
  before: number,
): Promise<ReadonlyMap<string, number>> {
  const sums = sql.join(firstColumns.map(name => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))
  const { rows } = await sql<Record<string, string | number>>`
    select model_name, ${sums} from usage_latency_hourly
    where hour >= ${from} and hour < ${before} group by model_name`.execute(db)
  return new Map(
    rows.flatMap(row => {
      const counts = firstColumns.map(name => Number(row[name] ?? 0))
      const isEnough = counts.reduce((sum, count) => sum + count, 0) >= FEWEST_CALLS
      const median = isEnough ? percentile(counts, 0.5) : null
      return median === null ? [] : [[String(row.model_name), Number(median.toPrecision(2))] as const]
    }),
  )
}
