import { type Kysely, sql } from 'kysely'
import { type Performance, performanceHours } from '../../../contract/performance.ts'
import { firstColumns, percentile, tookColumns } from '../../ledger/latency-buckets.ts'
import type { Schema } from '../../store/schema.ts'
import { mapInTurns, Turn } from '../give-way.ts'
import { keptFresh } from '../kept-fresh.ts'
import { addUsers, type Users } from './count-models.ts'
import { FEWEST_CALLS, FEWEST_USERS } from './enough-calls.ts'
import type { Form, KeptDays } from './kept-days.ts'
import { oneAfterAnother } from './one-after-another.ts'
import { PastDays, type Span } from './past-days.ts'

const HOUR = 3600
const DAY = 24 * HOUR
/** Anyone may read it: it is counted this often at most, however many do. */
const FRESH = { freshMs: 300_000 }

type Hours = (typeof performanceHours)[number]
export type Known = Performance & { readonly calls: number }

export interface Performances {
  /** By model. */
  readonly models: ReadonlyMap<string, Known>
  readonly all: Known | null
}

interface Counts {
  readonly requests: number
  readonly errors: number
  readonly users: Users
  readonly took: readonly number[]
  readonly first: readonly number[]
}
type DayOfModel = Counts & { readonly time: number; readonly model: string }

const form = {
  name: 'performance',
  columns: ['time', 'model', 'requests', 'errors', 'users', 'took', 'first'],
} satisfies Form<DayOfModel>

/** How the calls of each model went in the last hours, and those of all. */
export function modelPerformance(db: Kysely<Schema>, now: () => number, inBooks?: KeptDays) {
  // A day that is long over is summed once a day.
  const days = new PastDays<DayOfModel>({ longest: DAY, books: inBooks && { kept: inBooks, form } })
  const load = oneAfterAnother((span: Span) => countDays(db, span))
  const count = async (hours: number): Promise<Performances> => {
    // Of whole hours: what one call changed cannot be watched.
    const before = now() - (now() % HOUR)
    const window = { from: before - hours * HOUR, before }
    return judge(await days.read('', window, { now: now() }, load))
  }
  const kept = new Map(performanceHours.map(hours => [hours, keptFresh(FRESH, () => count(hours))]))
  return (hours: Hours): Promise<Performances> => kept.get(hours)?.() ?? count(hours)
}

/** The next that is counted; a day where nothing is said. */
export function countedHours(asked = 24): Hours {
  return performanceHours.find(hours => hours >= asked) ?? 720
}

async function judge(rows: readonly DayOfModel[]): Promise<Performances> {
  const models = new Map<string, Counts>()
  let all: Counts | undefined
  const turn = new Turn()
  for (const row of rows) {
    if (turn.isOver()) await turn.next()
    models.set(row.model, add(models.get(row.model), row))
    all = add(all, row)
  }
  const known = [...models].flatMap(([model, counts]) => {
    const figures = figuresOf(counts)
    return figures ? [[model, figures] as const] : []
  })
  return { models: new Map(known), all: (all && figuresOf(all)) ?? null }
}

function figuresOf({ requests, errors, users, took, first }: Counts): Known | undefined {
  if (requests < FEWEST_CALLS || !users.areEnough) return undefined
  return {
    success: Math.round((1 - errors / requests) * 100) / 100,
    first_token_p50: timeOf(first, 0.5),
    first_token_p95: timeOf(first, 0.95),
    latency_p50: timeOf(took, 0.5),
    latency_p95: timeOf(took, 0.95),
    calls: requests,
  }
}

function timeOf(counts: readonly number[], share: number): number | null {
  const isEnough = counts.reduce((sum, count) => sum + count, 0) >= FEWEST_CALLS
  const time = isEnough ? percentile(counts, share) : null
  return time === null ? null : Number(time.toPrecision(2))
}

function add(one: Counts | undefined, other: Counts): Counts {
  if (!one) return other
  return {
    requests: one.requests + other.requests,
    errors: one.errors + other.errors,
    users: addUsers(one.users, other.users),
    took: addEach(one.took, other.took),
    first: addEach(one.first, other.first),
  }
}

function addEach(one: readonly number[], other: readonly number[]): readonly number[] {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one
  return one.map((count, at) => count + (other[at] ?? 0))
}

/** By model and UTC day, from the hourly sums. The tools of agents are no models. */
async function countDays(db: Kysely<Schema>, span: Span): Promise<DayOfModel[]> {
  const calls = await callsOf(db, span)
  const waits = await waitsOf(db, span)
  return mapInTurns(calls, row => {
    const counts = waits.get(`${row.time} ${row.model_name}`)
    return {
      time: Number(row.time),
      model: String(row.model_name),
      requests: Number(row.requests),
      errors: Number(row.errors),
      users: {
        areEnough: Number(row.users) >= FEWEST_USERS,
        first: Number(row.first_user),
        last: Number(row.last_user),
      },
      took: counts ? tookColumns.map(name => Number(counts[name] ?? 0)) : [],
      first: counts ? firstColumns.map(name => Number(counts[name] ?? 0)) : [],
    }
  })
}

type Row = Record<string, string | number>
const day = sql`hour - (hour % ${sql.lit(DAY)}) as ${sql.ref('time')}`

async function callsOf(db: Kysely<Schema>, { from, before }: Span): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${sql.ref('time')}, model_name, sum(requests) as requests, sum(errors) as errors,
      count(distinct user_id) as users, min(user_id) as first_user, max(user_id) as last_user
    from (
      select ${day}, model_name, user_id, requests, errors from usage_hourly
      where hour >= ${from} and hour < ${before} and model_name not like 'mcp/%'
    ) hours
    group by ${sql.ref('time')}, model_name`.execute(db)
  return rows
}

async function waitsOf(db: Kysely<Schema>, { from, before }: Span): Promise<ReadonlyMap<string, Row>> {
  const buckets = [...tookColumns, ...firstColumns].map(name => sql.ref(name))
  const sums = sql.join(buckets.map(bucket => sql`sum(${bucket}) as ${bucket}`))
  const { rows } = await sql<Row>`
    select ${sql.ref('time')}, model_name, ${sums}
    from (
      select ${day}, model_name, ${sql.join(buckets)} from usage_latency_hourly
      where hour >= ${from} and hour < ${before}
    ) hours
    group by ${sql.ref('time')}, model_name`.execute(db)
  return new Map(rows.map(row => [`${row.time} ${row.model_name}`, row]))
}
