import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import type { DaysOfCalls } from './days-of-calls.ts'
import type { DaysOfLabels } from './days-of-labels.ts'
import { isOfLabelAlone } from './hours-of-label.ts'
import { ownerOf } from './hours-of-logs.ts'
import type { LogFilter } from './log-filter.ts'

const DAY = 86_400
const FOR_EVER = Number.MAX_SAFE_INTEGER - DAY

/** What is known of days that are over. */
interface Kept {
  readonly days?: DaysOfCalls
  readonly labels?: DaysOfLabels
}

/**
 * A label and a model, say, are in no sum together, but each is in one: rows that have both are of days that have had
 * either. Where there are no such days nothing has to be looked through to know it.
 */
export async function narrowedToDays(
  db: Kysely<Schema>,
  filter: LogFilter,
  { days, labels }: Kept,
): Promise<LogFilter> {
  const { label, from = 0, to = FOR_EVER, modelName, channelId, group } = filter
  const isCounted = [modelName, channelId, group].some(asked => asked !== undefined)
  if (!days || !labels || label === undefined || !isCounted || isOfLabelAlone(filter)) return filter
  // Whole days are kept already, and a day too many does no harm.
  const window = { from: from - (from % DAY), before: to - (to % DAY) + DAY }
  const labelled = await labels.read(label, window, filter)
  const owner = await ownerOf(db, filter, window)
  if (!labelled || (filter.userIds && !owner)) return filter
  const counted = new Set((await days.read(filter, window, owner)).map(({ time }) => time))
  const both = labelled.map(({ time }) => time).filter(time => counted.has(time))
  if (both.length === 0) return { ...filter, userIds: [] }
  const first = both.reduce((least, time) => Math.min(least, time))
  const last = both.reduce((most, time) => Math.max(most, time))
  return { ...filter, from: Math.max(from, first), to: Math.min(to, last + DAY - 1) }
}
