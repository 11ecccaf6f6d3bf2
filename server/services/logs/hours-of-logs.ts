import { type Kysely, sql } from 'kysely'
import { logTypes } from '../../../contract/logs.ts'
import { LOGS_KEPT_SINCE } from '../../ledger/audit.ts'
import type { Engine } from '../../store/engine.ts'
import { contains } from '../../store/like.ts'
import type { Schema } from '../../store/schema.ts'
import { readFact } from '../../store/system-facts.ts'
import { type LogFilter, matching } from './log-filter.ts'

const HOUR = 3600
const hourOf = sql<number>`(created_at - (created_at % 3600))`

/** A stretch of time, both ends included, and how many of the rows that are meant lie in it. */
export interface Stretch {
  readonly from: number
  readonly to: number | undefined
  readonly rows: number
}

/**
 * Where the rows lie that no index tells, newest first: the hourly sums know how many calls of a model, channel,
 * group or kind each hour had, and rows that are in no sum are few and have an index of their own. Undefined
 * where this is of no use: then the log itself is looked through.
 */
export async function hoursOfLogs(
  db: Kysely<Schema>,
  engine: Engine,
  filter: LogFilter,
): Promise<Stretch[] | undefined> {
  if (engine === 'mysql' || !isInSums(filter)) return undefined
  const { from = 0, to } = filter
  const kept = Number((await readFact(db, LOGS_KEPT_SINCE)) ?? 0)
  const firstWhole = Math.max(Math.ceil(from / HOUR) * HOUR, kept)
  const afterWhole = to === undefined ? Number.MAX_SAFE_INTEGER : Math.floor((to + 1) / HOUR) * HOUR
  if (firstWhole >= afterWhole) return undefined
  const [newest, hours, oldest] = await Promise.all([
    to !== undefined && to >= afterWhole ? countRows(db, filter, afterWhole, to) : [],
    wholeHours(db, filter, firstWhole, afterWhole),
    from < firstWhole ? countRows(db, filter, from, firstWhole - 1) : [],
  ])
  return [...newest, ...hours, ...oldest]
}

/** Only filters that read rows to judge them gain by it, and only those that the sums can judge. */
function isInSums({ type, tokenName, username, requestId, modelName, channelId, group }: LogFilter): boolean {
  if (tokenName !== undefined || username !== undefined || requestId !== undefined) return false
  if (type !== undefined && type > logTypes.error) return false
  return [type, modelName, channelId, group].some(asked => asked !== undefined)
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

async function wholeHours(
  db: Kysely<Schema>,
  filter: LogFilter,
  from: number,
  before: number,
): Promise<Stretch[]> {
  const found = await Promise.all([summed(db, filter, from, before), unsummed(db, filter, from, before)])
  const counts = new Map<number, number>()
  for (const { hour, rows } of found.flat())
    if (Number(rows) > 0) counts.set(Number(hour), (counts.get(Number(hour)) ?? 0) + Number(rows))
  return [...counts]
    .sort(([a], [b]) => b - a)
    .map(([hour, rows]) => ({ from: hour, to: hour + HOUR - 1, rows }))
}

type HourCount = { hour: number | string; rows: number | string }

async function summed(
  db: Kysely<Schema>,
  { type, userIds, modelName, channelId, group }: LogFilter,
  from: number,
  before: number,
): Promise<HourCount[]> {
  const isOfCalls = type === undefined || type === logTypes.consumption || type === logTypes.error
  if (!isOfCalls || userIds?.length === 0) return []
  const calls = {
    all: sql<number>`sum(requests)`,
    [logTypes.consumption]: sql<number>`sum(requests - errors)`,
    [logTypes.error]: sql<number>`sum(errors)`,
  }[type ?? 'all']
  let hours = db.selectFrom('usage_hourly').where('hour', '>=', from).where('hour', '<', before)
  if (userIds) hours = hours.where('user_id', 'in', userIds)
  if (modelName !== undefined) hours = hours.where(contains('model_name', modelName))
  if (channelId !== undefined) hours = hours.where('channel_id', '=', channelId)
  if (group !== undefined) hours = hours.where('group', '=', group)
  return hours
    .select(['hour', calls.as('rows')])
    .groupBy('hour')
    .execute()
}

/** The blank is written out: only then is the index of these rows taken. */
function unsummed(db: Kysely<Schema>, filter: LogFilter, from: number, before: number): Promise<HourCount[]> {
  return matching(db, { ...filter, from, to: before - 1 })
    .where(sql<boolean>`request_id = ''`)
    .select(row => [hourOf.as('hour'), row.fn.countAll<number>().as('rows')])
    .groupBy(hourOf)
    .execute()
}
