import type { Kysely } from 'kysely'
import { logTypes } from '../../../contract/logs.ts'
import { contains } from '../../store/like.ts'
import type { Schema } from '../../store/schema.ts'
import { type LogFilter, matching } from './log-filter.ts'

const HOUR = 3600
const MINUTE = 60

/** Quota of the answered calls that a filter means, and the pace of the last minute. */
export async function sumLogs(
  db: Kysely<Schema>,
  filter: LogFilter,
  now: number,
): Promise<{ quota: number; rpm: number; tpm: number }> {
  const [quota, pace] = await Promise.all([sumQuota(db, filter), lastMinute(db, filter, now)])
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

/** Whole hours from the hourly sums; the log itself only for the ends of the window that are parts of hours. */
async function sumQuota(db: Kysely<Schema>, filter: LogFilter): Promise<number> {
  const { from = 0, to, tokenName, username, requestId } = filter
  const isInSums = tokenName === undefined && username === undefined && requestId === undefined
  const firstWhole = Math.ceil(from / HOUR) * HOUR
  const afterWhole = to === undefined ? Number.MAX_SAFE_INTEGER : Math.floor((to + 1) / HOUR) * HOUR
  if (!isInSums || firstWhole >= afterWhole) return fromLog(db, filter)
  const parts = [fromHours(db, filter, firstWhole, afterWhole)]
  if (from < firstWhole) parts.push(fromLog(db, { ...filter, to: firstWhole - 1 }))
  if (to !== undefined && to >= afterWhole) parts.push(fromLog(db, { ...filter, from: afterWhole }))
  const sums = await Promise.all(parts)
  return sums.reduce((total, sum) => total + sum, 0)
}

async function fromLog(db: Kysely<Schema>, filter: LogFilter): Promise<number> {
  const { quota } = await matching(db, { ...filter, type: logTypes.consumption })
    .select(row => row.fn.sum<number | null>('quota').as('quota'))
    .executeTakeFirstOrThrow()
  return Number(quota ?? 0)
}

async function fromHours(
  db: Kysely<Schema>,
  { userIds, modelName, channelId, group }: LogFilter,
  from: number,
  before: number,
): Promise<number> {
  if (userIds?.length === 0) return 0
  let hours = db.selectFrom('usage_hourly').where('hour', '>=', from).where('hour', '<', before)
  if (userIds) hours = hours.where('user_id', 'in', userIds)
  if (modelName !== undefined) hours = hours.where(contains('model_name', modelName))
  if (channelId !== undefined) hours = hours.where('channel_id', '=', channelId)
  if (group !== undefined) hours = hours.where('group', '=', group)
  const { quota } = await hours
    .select(row => row.fn.sum<number | null>('quota').as('quota'))
    .executeTakeFirstOrThrow()
  return Number(quota ?? 0)
}
