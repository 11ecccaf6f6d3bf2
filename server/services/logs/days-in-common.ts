import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import type { DaysOfCalls } from './days-of-calls.ts'
import type { DaysOfLabels } from './days-of-labels.ts'
import { isOfLabelAlone } from './hours-of-label.ts'
import { ownerOf } from './hours-of-logs.ts'
import { LONGEST_WAY, type LogFilter } from './log-filter.ts'

const DAY = 86_400
const FOR_EVER = Number.MAX_SAFE_INTEGER - DAY
/** Places of the index that are looked for, and what is gone through there: in the index alone, and with the rows. */
const MOST_PLACES = 2000
const MOST_IN_INDEX = 500_000
const MOST_ROWS = 20_000

/** What is known of days that are over. */
interface Kept {
  readonly days?: DaysOfCalls
  readonly labels?: DaysOfLabels
}

type Labelled = NonNullable<Awaited<ReturnType<DaysOfLabels['read']>>>
type Counted = Awaited<ReturnType<DaysOfCalls['read']>>

/**
 * A label and a model, say, are in no sum together, but each is in one: rows that have both are of days that have had
 * either. Where there are no such days nothing has to be looked through to know it, and else an index leads to them.
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
  const changes = await days.changes(window)
  const labelled = await labels.read(label, window, filter)
  const owner = await ownerOf(db, filter, window)
  if (!labelled || (filter.userIds && !owner)) return filter
  const counted = await days.read(filter, window, owner)
  const daysOfBoth = new Set(counted.map(({ time }) => time))
  const both = labelled.filter(({ time }) => daysOfBoth.has(time))
  if (both.length === 0) return { ...filter, userIds: [] }
  const first = both.reduce((least, { time }) => Math.min(least, time), both[0]?.time ?? 0)
  const last = both.reduce((most, { time }) => Math.max(most, time), 0)
  const narrow = { ...filter, changes, from: Math.max(from, first), to: Math.min(to, last + DAY - 1) }
  // The index does not know whose calls these are before it comes to them.
  const ofAll = owner ? await labels.read(label, window, { userIds: undefined }) : labelled
  return ofAll ? withWays(narrow, both, counted, ofAll) : narrow
}

/** By the ways of labelling and the names of models that are meant, where these lead to so few rows that it is worth it. */
function withWays(filter: LogFilter, labelled: Labelled, counted: Counted, ofAll: Labelled): LogFilter {
  const { modelName, tokenName, username, requestId } = filter
  const ways = [...new Set(labelled.map(({ labels }) => labels))]
  if (ways.some(way => way.length > LONGEST_WAY)) return filter
  // These have better ways to be found.
  if ([tokenName, username, requestId].some(asked => asked !== undefined)) return filter
  const modelNames = modelName === undefined ? [] : [...new Set(counted.map(({ model = '' }) => model))]
  const places = ways.length * Math.max(modelNames.length, 1)
  if (places > MOST_PLACES || mostGoneThrough(filter, counted, ofAll) > mostWorth(filter)) return filter
  return { ...filter, ways, ...(modelName !== undefined && { modelNames }) }
}

/** MySQL's index has the models last. */
function mostGoneThrough(
  { engine, modelName, userIds }: LogFilter,
  counted: Counted,
  ofAll: Labelled,
): number {
  const ofLabel = ofAll.reduce((sum, { requests }) => sum + requests, 0)
  if (engine === 'mysql' || modelName === undefined || userIds !== undefined) return ofLabel
  const ofModel = counted.reduce((sum, { rows }) => sum + rows, 0)
  return Math.min(ofLabel, ofModel)
}

/** Of anything but a model, and whose it was, the rows themselves tell. */
function mostWorth({ modelName, channelId, group, made }: LogFilter): number {
  const isMore = [channelId, group, made].some(asked => asked !== undefined)
  return modelName === undefined || isMore ? MOST_ROWS : MOST_IN_INDEX
}
