import { type Kysely, type SqlBool, sql } from 'kysely'
import { splitLabels } from '../../../contract/labels.ts'
import type { Statistics, StatisticsQuery } from '../../../contract/statistics.ts'
import { AppError } from '../../errors.ts'
import { firstColumns, percentile, tookColumns } from '../../ledger/latency-buckets.ts'
import type { Schema } from '../../store/schema.ts'
import type { Caller } from '../call.ts'
import { mapInTurns, Turn } from '../give-way.ts'
import { KeptText, keptText } from '../kept-text.ts'
import { isOfMade, madeBy, markOfMade } from '../teams/team-tokens.ts'
import { Calendar } from './calendar.ts'
import type { Form, KeptDays } from './kept-days.ts'
import { KeptNames } from './kept-names.ts'
import { hasManySums } from './many-sums.ts'
import { PastDays, type Span } from './past-days.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const LONGEST = { hour: 32, day: 400, week: 400, all: 400 }
const MOST_ROWS = 20_000
/** Subjects that are told apart while a year is added up: some 30 MB. */
const MOST_SUMMED = 50_000
/** As an answer has, but of ways to be labelled, which are more than labels. */
const mostOf = { usage_hourly: MOST_ROWS, usage_labels_hourly: 50_000 } as const
const FURTHEST_OFFSET = 14 * 60

const keyColumns = {
  model: 'model_name',
  user: 'user_id',
  channel: 'channel_id',
  token: 'token_id',
  group: 'group',
  label: 'labels',
  none: undefined,
} as const

type StatisticsRow = Statistics['rows'][number]

interface Latencies {
  readonly took: readonly number[]
  readonly first: readonly number[]
}
const none: Latencies = { took: [], first: [] }

type Counts = Pick<
  StatisticsRow,
  | 'time'
  | 'key'
  | 'requests'
  | 'errors'
  | 'quota'
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'cost'
  | 'costed_quota'
>
/** The sums of an hour or a day; where they are kept, what they come to is reckoned once. */
type Counted = Counts & Latencies & { shown?: Shown | undefined }

const columns = [
  ...(['time', 'key', 'requests', 'errors', 'quota', 'prompt_tokens', 'completion_tokens'] as const),
  ...(['cost', 'costed_quota', 'took', 'first'] as const),
]
const form = { name: 'usage', columns } satisfies Form<Counted>
const ownForm = { name: 'own-usage', columns } satisfies Form<Counted>

/** What one answer leaves for the next. */
export function keptUsage(db: Kysely<Schema>, kept?: KeptDays) {
  return {
    past: new PastDays<Counted>({ books: kept && { kept, form } }),
    own: new PastDays<Counted>({ books: kept && { kept, form: ownForm } }),
    names: new KeptNames(db),
  }
}

/**
 * Calls and how long they took, by time and subject, from the hourly sums alone. With what they cost the operator,
 * which the answer to an owner has no field for.
 */
export async function countUsage(
  db: Kysely<Schema>,
  now: number,
  query: StatisticsQuery,
  owner?: Pick<Caller, 'id' | 'acting'>,
  { past, own, names } = keptUsage(db),
): Promise<Statistics> {
  const window = readWindow(query, now)
  let isCut = false
  const load = async (span: Span): Promise<Counted[]> => {
    const rows = await countSpan(db, readScope(query, span, owner, calendar))
    if (rows.length > most) isCut = true
    return rows
  }
  const { by, unit } = query
  const table = tableOf(query)
  const most = mostOf[table]
  const calendar = calendarOf(query, window)
  const name = `${by} ${unit === 'hour' ? unit : 'day'} ${calendar.name}`
  const options = { now, calendar, most: most + 1 }
  const parts = !owner
    ? past.parts(name, window, options, load)
    : (await hasManySums(db, table, owner.id, window))
      ? own.parts(`${await ownerName(db, owner)} ${name}`, window, options, load)
      : [await load(window)]
  const turn = new Turn()
  const all =
    unit === 'hour' && by !== 'label'
      ? await inOrder(parts, turn)
      : await sumUp(parts, query, startOf(unit, calendar, window), turn)
  const shown = all.rows.slice(0, MOST_ROWS)
  const nameOf = await namesOf(names, by, shown)
  const rows = await mapInTurns(shown, row => named(row, nameOf(row.key)))
  return { rows, truncated: isCut || all.isCut || all.rows.length > MOST_ROWS }
}

/** Who sees the same calls. */
async function ownerName(db: Kysely<Schema>, owner: Pick<Caller, 'id' | 'acting'>): Promise<string> {
  return `${owner.id} ${await markOfMade(db, madeBy(owner))}`
}

function readWindow(query: StatisticsQuery, now: number): Span {
  const to = query.to || now
  const from = floor(query.from || to - DAY)
  const days = LONGEST[query.unit]
  if (to - from > days * DAY + HOUR)
    throw new AppError('statistics.span', { days: LONGEST.hour, moreDays: LONGEST.day })
  return { from, before: to + 1 }
}

function floor(time: number): number {
  return time - (((time % HOUR) + HOUR) % HOUR)
}

/** Where the reader is, as far as that is known. */
function calendarOf({ unit, offset = 0, zone }: StatisticsQuery, window: Span): Calendar {
  if (unit === 'hour') return Calendar.withShift(0)
  const shift = Math.min(Math.max(offset, -FURTHEST_OFFSET), FURTHEST_OFFSET) * 60
  return (zone ? Calendar.of(zone, window) : undefined) ?? Calendar.withShift(shift)
}

function tableOf({ by }: StatisticsQuery): Scope['table'] {
  return by === 'label' ? 'usage_labels_hourly' : 'usage_hourly'
}

interface Scope {
  readonly table: 'usage_hourly' | 'usage_labels_hourly'
  readonly time: ReturnType<typeof sql<number>>
  /** When that is. */
  timeOf(time: number): number
  readonly key: ReturnType<typeof sql<string>>
  readonly where: ReturnType<typeof sql<SqlBool>>
}

function readScope(
  query: StatisticsQuery,
  { from, before }: Span,
  caller: Pick<Caller, 'id' | 'acting'> | undefined,
  calendar: Calendar,
): Scope {
  const column = keyColumns[query.by]
  const made = caller && madeBy(caller)
  const owner = caller === undefined ? sql`` : sql`and user_id = ${caller.id}`
  const maker = made === undefined ? sql`` : sql`and ${isOfMade(made)}`
  return {
    table: tableOf(query),
    time: query.unit === 'hour' ? sql<number>`hour` : calendar.dayOfHour(),
    timeOf: time => calendar.timeOf(time),
    key: column === undefined ? sql<string>`''` : sql<string>`${sql.ref(column)}`,
    where: sql<SqlBool>`hour >= ${from} and hour < ${before} ${owner} ${maker}`,
  }
}

async function countSpan(db: Kysely<Schema>, scope: Scope): Promise<Counted[]> {
  const [counts, latencies] = await Promise.all([countsOf(db, scope), latenciesOf(db, scope)])
  return mapInTurns(counts, row => ({ ...row, ...(latencies.get(`${row.time} ${row.key}`) ?? none) }))
}

/** With the row that was last made of it: names change seldom. */
type Shown = Omit<StatisticsRow, 'name'> & { named?: StatisticsRow }

function withPercentiles(counted: Counted): Shown {
  if (counted.shown) return counted.shown
  const { took, first, shown: _, ...row } = counted
  const shown = {
    ...row,
    latency_p50: percentile(took, 0.5),
    latency_p95: percentile(took, 0.95),
    first_token_p50: percentile(first, 0.5),
    first_token_p95: percentile(first, 0.95),
  }
  counted.shown = shown
  return shown
}

function named(shown: Shown, name: string): StatisticsRow {
  if (shown.named?.name === name) return shown.named
  const { named: _, ...fields } = shown
  const row = { ...fields, name, [keptText]: new KeptText() }
  shown.named = row
  return row
}

/** When what a day's sums belong to began. */
function startOf(unit: StatisticsQuery['unit'], calendar: Calendar, window: Span): (day: number) => number {
  if (unit === 'day' || unit === 'hour') return day => day
  return unit === 'all' ? () => window.from : day => calendar.startOfWeek(day)
}

/** A call is in the sums of each of its labels. One after the other: all at once they are several times the rows. */
function* splitByLabel(rows: readonly Counted[]): Generator<Counted, void> {
  for (const row of rows) for (const key of splitLabels(row.key)) yield { ...row, key, shown: undefined }
}

/** What is counted of one span of time, by subject. */
class SpanOfUsage {
  readonly #known = new Map<string, Counted>()
  #last: string | undefined
  #isOrdered = true

  /** Whether it is the first of its subject. */
  add(part: Counted, time: number): boolean {
    const known = this.#known.get(part.key)
    const whole = known ? add(known, part) : time === part.time ? part : { ...part, time, shown: undefined }
    if (!known && this.#last !== undefined && compareKeys(this.#last, part.key) > 0) this.#isOrdered = false
    if (!known) this.#last = part.key
    this.#known.set(part.key, whole)
    return known === undefined
  }

  /** Mostly they have come in order: then thousands need not be sorted while every stream waits. */
  rows(): readonly Counted[] {
    const rows = [...this.#known.values()]
    return this.#isOrdered ? rows : rows.sort((a, b) => compareKeys(a.key, b.key))
  }
}

type Parts = Iterable<readonly Counted[]> | AsyncIterable<readonly Counted[]>

interface Summed {
  readonly rows: Shown[]
  /** There were more than are added up. */
  readonly isCut: boolean
}

/** Hours as they come, as long as an answer has room for them. */
async function inOrder(parts: Parts, turn: Turn): Promise<Summed> {
  const rows: Shown[] = []
  for await (const part of parts) {
    for (const row of await mapInTurns(part, withPercentiles, turn)) rows.push(row)
    if (rows.length > MOST_ROWS) break
  }
  return { rows, isCut: false }
}

/** Parts of days as days, as weeks, or all together. Of a year no more is held than what it comes to. */
async function sumUp(
  parts: Parts,
  { by, unit }: StatisticsQuery,
  startOfDay: (day: number) => number,
  turn: Turn,
): Promise<Summed> {
  const spans = new Map<number, SpanOfUsage>()
  let subjects = 0
  const add = (row: Counted): void => {
    const time = startOfDay(row.time)
    const span = spans.get(time) ?? new SpanOfUsage()
    if (span.add(row, time)) subjects++
    spans.set(time, span)
  }
  for await (const part of parts) {
    for (const row of by === 'label' ? splitByLabel(part) : part) {
      if (turn.isOver()) await turn.next()
      add(row)
      if (subjects > MOST_SUMMED) break
    }
    // Days come one after the other; what is further away is not shown.
    if (subjects > (unit === 'day' ? MOST_ROWS : MOST_SUMMED)) break
  }
  const rows: Shown[] = []
  for (const [, span] of [...spans].sort(([a], [b]) => a - b)) {
    await turn.next()
    for (const counted of span.rows()) {
      if (turn.isOver()) await turn.next()
      rows.push(withPercentiles(counted))
    }
  }
  return { rows, isCut: subjects > MOST_SUMMED }
}

/** As the database orders them: ids as numbers, names by their letters. */
function compareKeys(a: string, b: string): number {
  const difference = Number(a) - Number(b)
  if (!Number.isNaN(difference)) return difference
  return a === b ? 0 : a < b ? -1 : 1
}

function add(a: Counted, b: Counted): Counted {
  return {
    time: a.time,
    key: a.key,
    requests: a.requests + b.requests,
    errors: a.errors + b.errors,
    quota: a.quota + b.quota,
    prompt_tokens: a.prompt_tokens + b.prompt_tokens,
    completion_tokens: a.completion_tokens + b.completion_tokens,
    cost: a.cost + b.cost,
    costed_quota: a.costed_quota + b.costed_quota,
    took: addEach(a.took, b.took),
    first: addEach(a.first, b.first),
  }
}

function addEach(a: readonly number[], b: readonly number[]): readonly number[] {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a
  return a.map((count, at) => count + (b[at] ?? 0))
}

/** One row more than is shown tells that there are more. */
async function countsOf(db: Kysely<Schema>, { table, time, timeOf, key, where }: Scope): Promise<Counts[]> {
  const { rows } = await sql<Record<keyof Counts, string | number>>`
    select ${sql.ref('time')}, ${sql.ref('key')}, sum(requests) as requests, sum(errors) as errors,
      sum(quota) as quota, sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens,
      sum(cost) as cost, sum(costed_quota) as costed_quota
    from (
      select ${time} as ${sql.ref('time')}, ${key} as ${sql.ref('key')},
        requests, errors, quota, prompt_tokens, completion_tokens, cost, costed_quota
      from ${sql.table(table)} where ${where}
    ) hours
    group by ${sql.ref('time')}, ${sql.ref('key')} order by ${sql.ref('time')}, ${sql.ref('key')}
    limit ${sql.lit(mostOf[table] + 1)}`.execute(db)
  return mapInTurns(rows, row => ({
    time: timeOf(Number(row.time)),
    key: String(row.key),
    requests: Number(row.requests),
    errors: Number(row.errors),
    quota: Number(row.quota),
    prompt_tokens: Number(row.prompt_tokens),
    completion_tokens: Number(row.completion_tokens),
    cost: Number(row.cost),
    costed_quota: Number(row.costed_quota),
  }))
}

async function latenciesOf(
  db: Kysely<Schema>,
  { table, time, timeOf, key, where }: Scope,
): Promise<ReadonlyMap<string, Latencies>> {
  // How long labelled calls took is not counted apart.
  if (table === 'usage_labels_hourly') return new Map()
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
  const latencies = new Map<string, Latencies>()
  await mapInTurns(rows, row => {
    const took = tookColumns.map(name => Number(row[name] ?? 0))
    const first = firstColumns.map(name => Number(row[name] ?? 0))
    latencies.set(`${timeOf(Number(row.time))} ${row.key}`, { took, first })
  })
  return latencies
}

/** By key; what has no name of its own, or none any more, is called by its key. */
async function namesOf(
  kept: KeptNames,
  by: StatisticsQuery['by'],
  rows: readonly Shown[],
): Promise<(key: string) => string> {
  if (by !== 'user' && by !== 'channel' && by !== 'token') return key => key
  const keys = new Set<string>()
  const turn = new Turn()
  for (const { key } of rows) {
    if (turn.isOver()) await turn.next()
    keys.add(key)
  }
  const names = await kept.read(by, [...keys].map(Number))
  return key => names.get(Number(key)) ?? key
}
