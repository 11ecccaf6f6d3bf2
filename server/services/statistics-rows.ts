import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Statistics, StatisticsQuery, StatisticsRow } from '../../contract/statistics.ts'
import { AppError } from '../errors.ts'
import { firstColumns, percentile, tookColumns } from '../ledger/latency-buckets.ts'
import type { Schema } from '../store/schema.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const WEEK = 7 * DAY
/** 1970 began on a Thursday; weeks begin on Mondays. */
const TO_MONDAY = 3 * DAY
const LONGEST = { hour: 32, day: 400, week: 400 }
const MOST_ROWS = 20_000
const FURTHEST_OFFSET = 14 * 60

const keyColumns = {
  model: 'model_name',
  user: 'user_id',
  channel: 'channel_id',
  token: 'token_id',
  group: 'group',
  none: undefined,
} as const

/** Calls and how long they took, by time and subject, from the hourly sums alone. */
export async function countUsage(
  db: Kysely<Schema>,
  now: number,
  query: StatisticsQuery,
  userId?: number,
): Promise<Statistics> {
  const scope = readScope(query, now, userId)
  const [counts, latencies] = await Promise.all([countsOf(db, scope), latenciesOf(db, scope)])
  const shown = counts.slice(0, MOST_ROWS)
  const names = await namesOf(
    db,
    query.by,
    shown.map(({ key }) => key),
  )
  const rows = shown.map((row): StatisticsRow => {
    const { took, first } = latencies.get(`${row.time} ${row.key}`) ?? none
    return {
      ...row,
      name: names.get(row.key) ?? row.key,
      latency_p50: percentile(took, 0.5),
      latency_p95: percentile(took, 0.95),
      first_token_p50: percentile(first, 0.5),
      first_token_p95: percentile(first, 0.95),
    }
  })
  return { rows, truncated: counts.length > MOST_ROWS }
}

interface Scope {
  readonly time: ReturnType<typeof sql<number>>
  readonly key: ReturnType<typeof sql<string>>
  readonly where: ReturnType<typeof sql<SqlBool>>
}

function readScope(query: StatisticsQuery, now: number, userId: number | undefined): Scope {
  const to = query.to || now
  const from = floor(query.from || to - DAY)
  const days = LONGEST[query.unit]
  if (to - from > days * DAY + HOUR)
    throw new AppError('statistics.span', { days: LONGEST.hour, moreDays: LONGEST.day })
  const column = keyColumns[query.by]
  const owner = userId === undefined ? sql`` : sql`and user_id = ${userId}`
  return {
    time: beginning(query),
    key: column === undefined ? sql<string>`''` : sql<string>`${sql.ref(column)}`,
    where: sql<SqlBool>`hour >= ${from} and hour <= ${to} ${owner}`,
  }
}

function floor(time: number): number {
  return time - (((time % HOUR) + HOUR) % HOUR)
}

/** When the hour, day or week began in which an hour lies, where the reader is. */
function beginning({ unit, offset = 0 }: StatisticsQuery): Scope['time'] {
  if (unit === 'hour') return sql<number>`hour`
  const minutes = Math.min(Math.max(offset, -FURTHEST_OFFSET), FURTHEST_OFFSET)
  const shift = minutes * 60 + (unit === 'week' ? TO_MONDAY : 0)
  return sql<number>`hour - ((hour + ${sql.lit(shift)}) % ${sql.lit(unit === 'week' ? WEEK : DAY)})`
}

type Counts = Pick<
  StatisticsRow,
  'time' | 'key' | 'requests' | 'errors' | 'quota' | 'prompt_tokens' | 'completion_tokens'
>

/** One row more than is shown tells that there are more. */
async function countsOf(db: Kysely<Schema>, { time, key, where }: Scope): Promise<Counts[]> {
  const { rows } = await sql<Record<keyof Counts, string | number>>`
    select ${sql.ref('time')}, ${sql.ref('key')}, sum(requests) as requests, sum(errors) as errors,
      sum(quota) as quota, sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens
    from (
      select ${time} as ${sql.ref('time')}, ${key} as ${sql.ref('key')},
        requests, errors, quota, prompt_tokens, completion_tokens
      from usage_hourly where ${where}
    ) hours
    group by ${sql.ref('time')}, ${sql.ref('key')} order by ${sql.ref('time')}, ${sql.ref('key')}
    limit ${sql.lit(MOST_ROWS + 1)}`.execute(db)
  return rows.map(row => ({
    time: Number(row.time),
    key: String(row.key),
    requests: Number(row.requests),
    errors: Number(row.errors),
    quota: Number(row.quota),
    prompt_tokens: Number(row.prompt_tokens),
    completion_tokens: Number(row.completion_tokens),
  }))
}

interface Latencies {
  readonly took: readonly number[]
  readonly first: readonly number[]
}
const none: Latencies = { took: [], first: [] }

async function latenciesOf(
  db: Kysely<Schema>,
  { time, key, where }: Scope,
): Promise<ReadonlyMap<string, Latencies>> {
  const buckets = [...tookColumns, ...firstColumns].map(name => sql.ref(name))
  const sums = sql.join(buckets.map(bucket => sql`sum(${bucket}) as ${bucket}`))
  const { rows } = await sql<Record<string, string | number>>`
    select ${sql.ref('time')}, ${sql.ref('key')}, ${sums}
    from (
      select ${time} as ${sql.ref('time')}, ${key} as ${sql.ref('key')}, ${sql.join(buckets)}
      from usage_latency_hourly where ${where}
    ) hours
    group by ${sql.ref('time')}, ${sql.ref('key')} order by ${sql.ref('time')}, ${sql.ref('key')}
    limit ${sql.lit(MOST_ROWS + 1)}`.execute(db)
  return new Map(
    rows.map(row => [
      `${row.time} ${row.key}`,
      {
        took: tookColumns.map(name => Number(row[name] ?? 0)),
        first: firstColumns.map(name => Number(row[name] ?? 0)),
      },
    ]),
  )
}

async function namesOf(
  db: Kysely<Schema>,
  by: StatisticsQuery['by'],
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  if (by !== 'user' && by !== 'channel' && by !== 'token') return names
  const ids = [...new Set(keys)].map(Number)
  for (let at = 0; at < ids.length; at += 500) {
    const some = ids.slice(at, at + 500)
    for (const { id, name } of await readNames(db, by, some)) names.set(String(id), name)
  }
  return names
}

function readNames(
  db: Kysely<Schema>,
  of: 'user' | 'channel' | 'token',
  ids: readonly number[],
): Promise<{ id: number; name: string }[]> {
  if (of === 'user')
    return db.selectFrom('users').select(['id', 'username as name']).where('id', 'in', ids).execute()
  const table = of === 'channel' ? 'channels' : 'tokens'
  return db.selectFrom(table).select(['id', 'name']).where('id', 'in', ids).execute()
}
