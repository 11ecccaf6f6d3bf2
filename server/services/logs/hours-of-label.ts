import { type Kysely, type RawBuilder, sql } from 'kysely'
import { logTypes } from '../../../contract/log-types.ts'
import { listHolds } from '../../store/like.ts'
import type { Schema } from '../../store/schema.ts'
import type { Span } from '../statistics/past-days.ts'
import { isOfMade } from '../teams/team-tokens.ts'
import type { DaysOfLabels } from './days-of-labels.ts'
import type { LogFilter } from './log-filter.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const FOR_EVER = Number.MAX_SAFE_INTEGER - HOUR

export type OfLabel = LogFilter & { readonly label: string }

/** Whether nothing else is asked of the rows than what the sums of labels know. */
export function isOfLabelAlone(filter: LogFilter): filter is OfLabel {
  const { label, username, tokenName, modelName, channelId, group, requestId } = filter
  const isMore = [username, tokenName, modelName, channelId, group, requestId].some(it => it !== undefined)
  return label !== undefined && !isMore
}

/** Every labelled row is in a sum: nothing lies outside the hours, or the days, that have one. */
export async function narrowedToLabel(
  db: Kysely<Schema>,
  filter: OfLabel,
  labels?: DaysOfLabels,
): Promise<LogFilter> {
  const { from = 0, to = FOR_EVER } = filter
  const window = { from: from - HOUR, before: to + 1 }
  const days = await labels?.read(filter.label, window, filter)
  const ends = days ? endsOf(days) : await firstAndLast(db, filter, window)
  if (ends.first === null || ends.last === null) return { ...filter, userIds: [] }
  return {
    ...filter,
    from: Math.max(from, Number(ends.first)),
    to: Math.min(to, Number(ends.last) + HOUR - 1),
  }
}

function endsOf(days: readonly { readonly time: number }[]) {
  let [first, last] = [Number.POSITIVE_INFINITY, 0]
  for (const { time } of days) {
    first = Math.min(first, time)
    last = Math.max(last, time)
  }
  return days.length === 0 ? { first: null, last: null } : { first, last: last + DAY - HOUR }
}

function firstAndLast(db: Kysely<Schema>, filter: OfLabel, window: Span) {
  return hoursOf(db, filter, window)
    .select(row => [
      row.fn.min<number | null>('hour').as('first'),
      row.fn.max<number | null>('hour').as('last'),
    ])
    .executeTakeFirstOrThrow()
}

/** How many rows the days have, where that is kept. */
export async function daysOfLabel(
  labels: DaysOfLabels | undefined,
  filter: OfLabel,
  window: Span,
): Promise<ReadonlyMap<number, number> | undefined> {
  const days = await labels?.read(filter.label, window, filter)
  if (!days) return undefined
  const counts = new Map<number, number>()
  for (const { time, requests, errors } of days) {
    const rows = { [logTypes.consumption]: requests - errors, [logTypes.error]: errors }[filter.type ?? 0]
    const meant = rows ?? (filter.type === undefined ? requests : 0)
    counts.set(time, (counts.get(time) ?? 0) + meant)
  }
  return counts
}

/** How many rows of each user the hours of a window have. */
export function countLabelled(db: Kysely<Schema>, filter: OfLabel, window: Span) {
  const calls = new Map<number | undefined, RawBuilder<number>>([
    [undefined, sql<number>`sum(requests)`],
    [logTypes.consumption, sql<number>`sum(requests - errors)`],
    [logTypes.error, sql<number>`sum(errors)`],
  ])
  return hoursOf(db, filter, window)
    .select(['hour', 'user_id', (calls.get(filter.type) ?? sql<number>`0`).as('rows')])
    .groupBy(['hour', 'user_id'])
    .execute()
}

export async function quotaOfLabel(
  db: Kysely<Schema>,
  filter: OfLabel,
  window: Span,
  labels?: DaysOfLabels,
): Promise<number> {
  const days = await labels?.read(filter.label, window, filter)
  if (days) return days.reduce((sum, day) => sum + day.quota, 0)
  const { quota } = await hoursOf(db, filter, window)
    .select(row => row.fn.sum<number | null>('quota').as('quota'))
    .executeTakeFirstOrThrow()
  return Number(quota ?? 0)
}

function hoursOf(db: Kysely<Schema>, { engine, label, userIds, made }: OfLabel, { from, before }: Span) {
  let hours = db.selectFrom('usage_labels_hourly').where('hour', '>=', from).where('hour', '<', before)
  if (userIds) hours = hours.where('user_id', 'in', userIds.length === 0 ? [0] : userIds)
  if (made) hours = hours.where(isOfMade(made))
  return hours.where(listHolds(engine, 'labels', label))
}
