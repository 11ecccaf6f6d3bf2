import type { Kysely } from 'kysely'
import { logTypes } from '../../../contract/log-types.ts'
import { LOGS_KEPT_SINCE } from '../../ledger/audit.ts'
import type { Schema } from '../../store/schema.ts'
import { readFact } from '../../store/system-facts.ts'
import type { Span } from '../statistics/past-days.ts'
import { isOfMade } from '../teams/team-tokens.ts'
import { narrowedToDays } from './days-in-common.ts'
import type { DaysOfCalls } from './days-of-calls.ts'
import type { DaysOfLabels } from './days-of-labels.ts'
import { isOfLabelAlone, quotaOfLabel } from './hours-of-label.ts'
import { ownerOf } from './hours-of-logs.ts'
import { type LogFilter, matching } from './log-filter.ts'
import { isOfModel } from './model-condition.ts'

const HOUR = 3600
const MINUTE = 60

/** What is known of days that are over; read anew where it is not given. */
interface Kept {
  readonly days?: DaysOfCalls
  readonly labels?: DaysOfLabels
}

/** Quota of the answered calls that a filter means, and the pace of the last minute. */
export async function sumLogs(
  db: Kysely<Schema>,
  filter: LogFilter,
  now: number,
  kept: Kept = {},
): Promise<{ quota: number; rpm: number; tpm: number }> {
  // Whatever kind is asked for: no other costs anything.
  const narrow = await narrowedToDays(db, { ...filter, type: logTypes.consumption }, kept)
  const [quota, pace] = await Promise.all([sumQuota(db, narrow, kept), lastMinute(db, filter, now)])
  return { quota, ...pace }
}

async function lastMinute(db: Kysely<Schema>, filter: LogFilter, now: number) {
  const recent = { ...filter, type: logTypes.consumption, from: now - MINUTE, to: undefined }
  const { calls, tokens } = await matching(db, recent)
    .select(row => [
      row.fn.countAll<number>().as('calls'),
      row.fn.sum<number | null>(row('prompt_tokens', '+', row.ref('completion_tokens'))).as('tokens'),
    ])
    .executeTakeFirstOrThrow()
  return { rpm: Number(calls), tpm: Number(tokens ?? 0) }
}

/**
 * Whole hours from the hourly sums; the log itself only for the ends of the window that are parts of hours, and
 * where rows have been cleared: what is summed is what the list shows.
 */
async function sumQuota(db: Kysely<Schema>, filter: LogFilter, kept: Kept): Promise<number> {
  const { from = 0, to } = filter
  const since = Number((await readFact(db, LOGS_KEPT_SINCE)) ?? 0)
  const firstWhole = Math.max(Math.ceil(from / HOUR) * HOUR, since)
  const afterWhole = to === undefined ? Number.MAX_SAFE_INTEGER : Math.floor((to + 1) / HOUR) * HOUR
  const whole =
    firstWhole < afterWhole ? sumWhole(db, filter, { from: firstWhole, before: afterWhole }, kept) : undefined
  if (!whole) return fromLog(db, filter)
  const parts = [whole]
  if (from < firstWhole) parts.push(fromLog(db, { ...filter, to: firstWhole - 1 }))
  if (to !== undefined && to >= afterWhole) parts.push(fromLog(db, { ...filter, from: afterWhole }))
  const sums = await Promise.all(parts)
  return sums.reduce((total, sum) => total + sum, 0)
}

/** Undefined where no sums are kept of what is meant. */
function sumWhole(
  db: Kysely<Schema>,
  filter: LogFilter,
  window: Span,
  { days, labels }: Kept,
): Promise<number> | undefined {
  const { userIds, username, requestId, tokenName, modelName, channelId, group } = filter
  if (username !== undefined || requestId !== undefined) return undefined
  if (isOfLabelAlone(filter)) return quotaOfLabel(db, filter, window, labels)
  if (filter.label !== undefined) return days?.quotaOfLabelled(filter, window)
  if (tokenName === undefined)
    return days ? fromDays(db, days, filter, window) : fromHours(db, filter, window)
  const isMore = [userIds, modelName, channelId, group].some(asked => asked !== undefined)
  return days && !isMore ? days.quotaOfToken(tokenName, window) : undefined
}

async function fromLog(db: Kysely<Schema>, filter: LogFilter): Promise<number> {
  const { quota } = await matching(db, { ...filter, type: logTypes.consumption })
    .select(row => row.fn.sum<number | null>('quota').as('quota'))
    .executeTakeFirstOrThrow()
  return Number(quota ?? 0)
}

async function fromDays(
  db: Kysely<Schema>,
  days: DaysOfCalls,
  filter: LogFilter,
  window: Span,
): Promise<number> {
  const owner = await ownerOf(db, filter, window)
  if (filter.userIds && !owner) return fromHours(db, filter, window)
  const rows = await days.read({ ...filter, type: undefined }, window, owner)
  return rows.reduce((total, { quota, isSummed }) => total + (isSummed ? quota : 0), 0)
}

async function fromHours(
  db: Kysely<Schema>,
  { engine, userIds, modelName, channelId, group, made }: LogFilter,
  { from, before }: Span,
): Promise<number> {
  if (userIds?.length === 0) return 0
  let hours = db.selectFrom('usage_hourly').where('hour', '>=', from).where('hour', '<', before)
  if (userIds) hours = hours.where('user_id', 'in', userIds)
  if (made) hours = hours.where(isOfMade(made))
  if (modelName !== undefined) hours = hours.where(isOfModel(modelName, engine))
  if (channelId !== undefined) hours = hours.where('channel_id', '=', channelId)
  if (group !== undefined) hours = hours.where('group', '=', group)
  const { quota } = await hours
    .select(row => row.fn.sum<number | null>('quota').as('quota'))
    .executeTakeFirstOrThrow()
  return Number(quota ?? 0)
}
