import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Store } from '../../store/index.ts'
import { isOneOf } from '../../store/one-of.ts'
import type { Tokens } from '../../store/schema.ts'
import { hasManySums, withinSums } from '../statistics/many-sums.ts'
import type { Span } from '../statistics/past-days.ts'
import { newestFirst } from './log-filter.ts'
import { type Place, rowsOfStretches, type Stretch } from './rows-of-stretches.ts'

const HOUR = 3600
/** Hours that are asked after at once: a month of them are found by the key of the sums, each by itself. */
const HOURS_AT_ONCE = 744
const MONTH = HOURS_AT_ONCE * HOUR
/** Hours whose rows are read at once: each may be a part of one condition. */
const READ_AT_ONCE = 300

type Source = Pick<Store, 'db' | 'engine'>
type Token = Pick<Selectable<Tokens>, 'id' | 'user_id' | 'name' | 'created_time'>
/** An hour in which it was called, and how often. */
interface Called {
  readonly hour: number
  readonly calls: number
}

/**
 * A token's newest rows. No index of the log has its id. Those of a small account are looked through; of a large one
 * only the hours in which the token was called, which the hourly sums know by their key.
 */
export async function newestOfToken(
  source: Source,
  token: Token,
  most: number,
  now: number,
): Promise<Place[]> {
  const { db } = source
  const { id, user_id, created_time } = token
  const since = created_time - (created_time % HOUR)
  const asked = { from: since, before: Number.MAX_SAFE_INTEGER }
  if (!(await hasManySums(db, 'usage_hourly', user_id, asked)))
    return newestFirst(
      db
        .selectFrom('logs')
        .where('user_id', '=', user_id)
        .where('token_id', '=', id)
        .where('created_at', '>=', created_time),
    )
      .limit(most)
      .execute()
  const found: Place[] = []
  for await (const hours of hoursOfToken(source, token, await withinSums(db, asked, now), most)) {
    found.push(...(await rowsOfHours(source, token, hours, most)))
    if (found.length >= most) break
  }
  return found.slice(0, most)
}

/** When it was called, newest first, some at a time: about as many as have so many rows. */
async function* hoursOfToken(
  source: Source,
  token: Token,
  { from, before }: Span,
  most: number,
): AsyncGenerator<readonly Called[], void> {
  let [hours, calls, seen]: [Called[], number, number] = [[], 0, 0]
  let ahead: Promise<Called[]> | undefined
  for (let end = before; end > from; end -= MONTH) {
    const month = await (ahead ?? monthOfToken(source, token, end))
    seen += month.reduce((sum, each) => sum + each.calls, 0)
    // A call has one row at most: the month before is wanted too, and is looked up while rows of this one are read.
    ahead = seen < most && end - MONTH > from ? monthOfToken(source, token, end - MONTH) : undefined
    ahead?.catch(() => {})
    for (const called of month) {
      if (calls >= most || hours.length >= READ_AT_ONCE) {
        yield hours
        ;[hours, calls] = [[], 0]
      }
      hours.push(called)
      calls += called.calls
    }
  }
  if (hours.length > 0) yield hours
}

async function monthOfToken({ db, engine }: Source, token: Token, end: number): Promise<Called[]> {
  const hours = Array.from({ length: HOURS_AT_ONCE }, (_, at) => end - (at + 1) * HOUR)
  // MariaDB would go through all sums of the owner, of whom it does not know how many there are.
  const byKey = engine === 'mysql' ? sql`force index (primary)` : sql``
  const { rows } = await sql<Record<keyof Called, number | string>>`
    select hour, sum(requests) as calls from usage_hourly ${byKey}
    where hour ${isOneOf(hours, engine)} and user_id = ${token.user_id} and token_id = ${token.id}
    group by hour`.execute(db)
  return rows
    .map(({ hour, calls }) => ({ hour: Number(hour), calls: Number(calls) }))
    .sort((a, b) => b.hour - a.hour)
}

/** By the name that it has, which is soon done; where it has had another, all rows of its owner are looked through. */
async function rowsOfHours(
  source: Source,
  token: Token,
  hours: readonly Called[],
  most: number,
): Promise<Place[]> {
  const named = await rowsWithin(source, token, hours, sql`token_name = ${token.name}`, most)
  const counts = new Map<number, number>()
  for (const { created_at } of named) {
    const hour = created_at - (created_at % HOUR)
    counts.set(hour, (counts.get(hour) ?? 0) + 1)
  }
  // Where there are enough, what lies further back is not wanted; the hour that they end in may be known in part only.
  const oldest = named.length < most ? 0 : (named.at(-1)?.created_at ?? 0)
  const lacking = hours.filter(({ hour, calls }) => hour + HOUR > oldest && (counts.get(hour) ?? 0) < calls)
  if (lacking.length === 0) return named
  const all = [...named, ...(await rowsWithin(source, token, lacking, sql`user_id = ${token.user_id}`, most))]
  return [...new Map(all.map(row => [row.id, row])).values()].sort(
    (a, b) => b.created_at - a.created_at || b.id - a.id,
  )
}

function rowsWithin(
  source: Source,
  { id, user_id, created_time }: Token,
  hours: readonly Called[],
  isTheirs: RawBuilder<unknown>,
  most: number,
): Promise<Place[]> {
  const stretches = stretchesOf(hours).map(([from, to]): Stretch => [Math.max(from, created_time), to])
  // Written so that no engine looks for rows by their owner where it is not asked to.
  const isWanted = sql`user_id + 0 = ${user_id} and token_id = ${id}`
  return rowsOfStretches(source, stretches, { isTheirs, isWanted, most })
}

/**
 * Hours that follow one another as one stretch: to look for a stretch costs more than the rows of an hour. What lies
 * between two is passed by as long as it is no more than what is wanted of the stretch.
 */
function stretchesOf(hours: readonly Called[]): Stretch[] {
  const stretches: Stretch[] = []
  let wanted = 0
  for (const { hour } of hours) {
    const [from = 0, to = 0] = stretches.at(-1) ?? []
    const between = from / HOUR - hour / HOUR - 1
    if (between <= wanted && wanted > 0) stretches[stretches.length - 1] = [hour, to]
    else {
      stretches.push([hour, hour + HOUR - 1])
      wanted = 0
    }
    wanted++
  }
  return stretches
}
