import { type Kysely, type SqlBool, sql } from 'kysely'
import { logTypes } from '../../../contract/log-types.ts'
import { LOGS_KEPT_SINCE } from '../../ledger/audit.ts'
import type { Store } from '../../store/index.ts'
import type { Schema } from '../../store/schema.ts'
import { readFact } from '../../store/system-facts.ts'
import { hasManySums } from '../statistics/many-sums.ts'
import type { Span } from '../statistics/past-days.ts'
import { isOfMade } from '../teams/team-tokens.ts'
import type { DaysOfCalls, Owner, RowsOfHour, TokenAndModel } from './days-of-calls.ts'
import type { DaysOfLabels } from './days-of-labels.ts'
import { countLabelled, daysOfLabel, isOfLabelAlone, type OfLabel } from './hours-of-label.ts'
import { type LogFilter, matching } from './log-filter.ts'
import { isOfModel } from './model-condition.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const hourOf = sql<number>`(created_at - (created_at % 3600))`
/** Of so many users the rows of an hour are found one by one; of more, in the hour itself. */
const FEW_USERS = 10
/** A busy token's longer past is not counted as a whole: the first to ask would wait for all of it. */
const LONGEST_OF_TOKEN = 32 * DAY

/** A stretch of time, both ends included, and how many of the rows that are meant lie in it. */
export interface Stretch {
  readonly from: number
  readonly to: number | undefined
  readonly rows: number
  /** Whose rows these are, where that is known. */
  readonly userIds?: readonly number[] | undefined
  /** The same in smaller parts, newest first. */
  split?(): Promise<Stretch[]>
}

/** Where sums are, and what is known of them. */
export interface LogSums extends Pick<Store, 'db' | 'engine'> {
  readonly labels?: DaysOfLabels
}

/**
 * Where the rows lie that no index tells, newest first: the hourly sums know how many calls of a model, channel,
 * group or kind each hour had, and rows that are in no sum are few and have an index of their own. What models
 * a token called is counted once for each day. Undefined where this is of no use: then the log itself is looked
 * through.
 */
export async function stretchesOfLogs(
  { db, labels }: LogSums,
  days: DaysOfCalls,
  filter: LogFilter,
): Promise<Stretch[] | undefined> {
  const ofLabel = isOfLabelAlone(filter)
  if (filter.label !== undefined && !ofLabel) return undefined
  const ofToken = tokenAndModel(filter)
  if (!(ofLabel || ofToken || isInSums(filter))) return undefined
  const { from = 0, to } = filter
  const kept = Number((await readFact(db, LOGS_KEPT_SINCE)) ?? 0)
  const firstWhole = Math.max(Math.ceil(from / HOUR) * HOUR, kept)
  const afterWhole = to === undefined ? Number.MAX_SAFE_INTEGER : Math.floor((to + 1) / HOUR) * HOUR
  if (firstWhole >= afterWhole) return undefined
  const window = { from: firstWhole, before: afterWhole }
  const [newest, whole, oldest] = await Promise.all([
    to !== undefined && to >= afterWhole ? countRows(db, filter, afterWhole, to) : [],
    ofToken
      ? daysOfToken(days, ofToken, window)
      : ofLabel
        ? wholeDaysOfLabel(db, labels, filter, window)
        : wholeDays(db, days, filter, window),
    from < firstWhole ? countRows(db, filter, from, firstWhole - 1) : [],
  ])
  return [...newest, ...whole, ...oldest]
}

/** Only filters that read rows to judge them gain by it, and only those that the sums can judge. */
function isInSums(filter: LogFilter): boolean {
  const { type, tokenName, username, requestId, modelName, channelId, group, made } = filter
  if (tokenName !== undefined || username !== undefined || requestId !== undefined) return false
  return [type, modelName, channelId, group, made].some(asked => asked !== undefined)
}

/** Where nothing but these two is asked of a month at most. */
function tokenAndModel(filter: LogFilter): TokenAndModel | undefined {
  const { tokenName, modelName, from = 0, to = Math.floor(Date.now() / 1000) } = filter
  if (tokenName === undefined || modelName === undefined || to - from > LONGEST_OF_TOKEN) return undefined
  const { userIds, username, type, channelId, group, requestId } = filter
  const isMore = [userIds, username, type, channelId, group, requestId].some(asked => asked !== undefined)
  return isMore ? undefined : { ...filter, tokenName, modelName }
}

async function daysOfToken(days: DaysOfCalls, filter: TokenAndModel, window: Span): Promise<Stretch[]> {
  const counts = new Map<number, number>()
  for (const { time, rows } of await days.rowsOfToken(filter, window))
    counts.set(time, (counts.get(time) ?? 0) + rows)
  return newestDays(counts, window)
}

/** The days that have rows, as far as the window reaches into them. */
function newestDays(counts: ReadonlyMap<number, number>, window: Span): (Stretch & { to: number })[] {
  return [...counts]
    .filter(([, rows]) => rows > 0)
    .sort(([a], [b]) => b - a)
    .map(([day, rows]) => ({
      from: Math.max(day, window.from),
      to: Math.min(day + DAY, window.before) - 1,
      rows,
    }))
}

async function countRows(
  db: Kysely<Schema>,
  filter: LogFilter,
  from: number,
  to: number,
): Promise<Stretch[]> {
  const { rows } = await matching(db, { ...filter, from, to })
    .select(row => row.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return Number(rows) === 0 ? [] : [{ from, to, rows: Number(rows) }]
}

async function wholeDays(
  db: Kysely<Schema>,
  days: DaysOfCalls,
  filter: LogFilter,
  window: Span,
): Promise<Stretch[]> {
  const owner = await ownerOf(db, filter, window)
  if (filter.userIds && !owner) return wholeHours(db, filter, window)
  const counts = new Map<number, number>()
  for (const { time, rows } of await days.read(filter, window, owner))
    counts.set(time, (counts.get(time) ?? 0) + rows)
  // Who leafs comes to the same days again, and so does who reads the first page anew.
  return daysToSplit(counts, window, async day =>
    stretchesOf(filter, await days.hours(filter, day, span => readHours(db, filter, span))),
  )
}

function daysToSplit(
  counts: ReadonlyMap<number, number>,
  window: Span,
  split: (day: Span) => Promise<Stretch[]>,
): Stretch[] {
  return newestDays(counts, window).map(day => ({
    ...day,
    split: () => split({ from: day.from, before: day.to + 1 }),
  }))
}

async function wholeDaysOfLabel(
  db: Kysely<Schema>,
  labels: DaysOfLabels | undefined,
  filter: OfLabel,
  window: Span,
): Promise<Stretch[]> {
  const counts = await daysOfLabel(labels, filter, window)
  if (!counts) return wholeHours(db, filter, window)
  return daysToSplit(counts, window, day => wholeHours(db, filter, day))
}

/** The account that a filter means, where it has so many sums that they are not gone through each time. */
export async function ownerOf(
  db: Kysely<Schema>,
  { userIds, made }: Pick<LogFilter, 'userIds' | 'made'>,
  window: Span,
): Promise<Owner | undefined> {
  const [userId, ...others] = userIds ?? []
  if (userId === undefined || others.length > 0) return undefined
  return (await hasManySums(db, 'usage_hourly', userId, window)) ? { userId, made } : undefined
}

async function wholeHours(db: Kysely<Schema>, filter: LogFilter, window: Span): Promise<Stretch[]> {
  return stretchesOf(filter, await readHours(db, filter, window))
}

async function readHours(db: Kysely<Schema>, filter: LogFilter, window: Span): Promise<RowsOfHour[]> {
  const found = isOfLabelAlone(filter)
    ? [await countLabelled(db, filter, window)]
    : await Promise.all([summed(db, filter, window), unsummed(db, filter, window)])
  return found.flat().map(({ hour, user_id, rows }) => ({
    time: Number(hour),
    user: user_id,
    rows: Number(rows),
  }))
}

/** The newest first. */
function stretchesOf(filter: LogFilter, found: readonly RowsOfHour[]): Stretch[] {
  const hours = new Map<number, { rows: number; users: Set<number> }>()
  for (const { time, user, rows } of found) {
    if (rows <= 0) continue
    const known = hours.get(time) ?? { rows: 0, users: new Set() }
    known.rows += rows
    known.users.add(user)
    hours.set(time, known)
  }
  return [...hours]
    .sort(([a], [b]) => b - a)
    .map(([hour, { rows, users }]) => {
      const userIds = users.size <= FEW_USERS ? [...users] : filter.userIds
      return { from: hour, to: hour + HOUR - 1, rows, userIds }
    })
}

interface OfHour {
  readonly hour: number | string
  readonly user_id: number
  readonly rows: number | string
}

async function summed(
  db: Kysely<Schema>,
  { engine, type, userIds, modelName, channelId, group, made }: LogFilter,
  { from, before }: Span,
): Promise<OfHour[]> {
  const isOfCalls = type === undefined || type === logTypes.consumption || type === logTypes.error
  if (!isOfCalls || userIds?.length === 0) return []
  const calls = {
    all: sql<number>`sum(requests)`,
    [logTypes.consumption]: sql<number>`sum(requests - errors)`,
    [logTypes.error]: sql<number>`sum(errors)`,
  }[type ?? 'all']
  let hours = db.selectFrom('usage_hourly').where('hour', '>=', from).where('hour', '<', before)
  if (userIds) hours = hours.where('user_id', 'in', userIds)
  if (made) hours = hours.where(isOfMade(made))
  if (modelName !== undefined) hours = hours.where(isOfModel(modelName, engine))
  if (channelId !== undefined) hours = hours.where('channel_id', '=', channelId)
  if (group !== undefined) hours = hours.where('group', '=', group)
  return hours
    .select(['hour', 'user_id', calls.as('rows')])
    .groupBy(['hour', 'user_id'])
    .execute()
}

/** The blank is written out: only then is the index of these rows taken. */
function unsummed(db: Kysely<Schema>, filter: LogFilter, { from, before }: Span): Promise<OfHour[]> {
  return matching(db, { ...filter, from, to: before - 1 })
    .where(sql<SqlBool>`request_id = ''`)
    .select(row => [hourOf.as('hour'), 'user_id', row.fn.countAll<number>().as('rows')])
    .groupBy([hourOf, 'user_id'])
    .execute()
}
