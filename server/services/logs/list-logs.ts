import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { LogList, LogPage } from '../../../contract/logs.ts'
import type { Schema } from '../../store/schema.ts'
import { countRows, numberedPage, totalOf } from '../paging.ts'
import { narrowedToDays } from './days-in-common.ts'
import { DaysOfCalls } from './days-of-calls.ts'
import { type LogSums, type Stretch, stretchesOfLogs } from './hours-of-logs.ts'
import { type LogFilter, matching, newestFirst } from './log-filter.ts'
import { loadLogs, type Reader, viewLogs } from './view-logs.ts'

/** Counting further costs more than anyone has use for. */
const MOST_COUNTED = 100_000

export interface LogSource extends LogSums {
  /** What is known of days that are over; read anew where it is not given. */
  readonly days?: DaysOfCalls
}

/** One page of the log: by number for those who leaf, by the last row seen for those who read on. */
export async function listLogs(
  store: LogSource,
  filter: LogFilter,
  asked: LogPage,
  reader: Reader,
): Promise<LogList> {
  const { db } = store
  const page = numberedPage(asked)
  const byRow = asked.before_id !== undefined || asked.after_id !== undefined
  const { found, total, isEstimate } = byRow
    ? { found: await fromRow(db, filter, asked, page.limit), total: 0, isEstimate: true }
    : await findPage(store, filter, page)
  return {
    items: await viewLogs(db, await loadLogs(db, found), reader),
    total,
    total_is_estimate: isEstimate,
    page: byRow ? 1 : page.number,
    page_size: page.limit,
  }
}

interface Wanted {
  readonly limit: number
  readonly offset: number
}
interface Place {
  readonly id: number
  readonly created_at: number
}
interface FoundPage {
  readonly found: Place[]
  readonly total: number
  /** There are more than were counted. */
  readonly isEstimate: boolean
}

async function findPage(source: LogSource, filter: LogFilter, page: Wanted): Promise<FoundPage> {
  const { db, engine, days = new DaysOfCalls(db, engine, now) } = source
  const asked = await withModelNames(days, filter)
  const stretches = await stretchesOfLogs(source, days, asked)
  if (stretches) {
    const total = stretches.reduce((sum, { rows }) => sum + rows, 0)
    return { found: await walk(db, asked, stretches, page), total, isEstimate: false }
  }
  const narrow = await narrowedToDays(db, asked, { ...source, days })
  if (narrow.ways) return findLabelled(db, narrow, page)
  const found = await readPlaces(db, narrow, page)
  const known = totalOf(page, found.length)
  if (known !== undefined) return { found, total: known, isEstimate: false }
  const reach = filter.label === undefined ? narrow : await withinReach(db, narrow)
  const total = await count(db, reach)
  const isEstimate = reach !== narrow || total > MOST_COUNTED
  // What lies further back than was counted is there all the same.
  const seen = found.length > 0 ? page.offset + found.length : 0
  return { found, total: Math.min(Math.max(total, seen), MOST_COUNTED), isEstimate }
}

/** More than these are not sorted: they are so many that a page of them is soon found in the order of time. */
const MOST_SORTED = 20_000

/** An index leads to the rows of a label and a model, say, but not in the order of time. */
async function findLabelled(db: Kysely<Schema>, filter: LogFilter, page: Wanted): Promise<FoundPage> {
  const total = await count(db, filter)
  const isEstimate = total > MOST_COUNTED
  if (total > MOST_SORTED) {
    const { ways: _, ...inTime } = filter
    return { found: await readPlaces(db, inTime, page), total: Math.min(total, MOST_COUNTED), isEstimate }
  }
  const found = await matching(db, filter)
    .select(['id', 'created_at'])
    // Not by the bare time: an engine would go through all rows in that order, sure to find a page of these early.
    .orderBy(sql`created_at + 0`, 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return { found, total, isEstimate }
}

/**
 * What is labelled, and something besides, is known by no sum and told by no index: of the rows that each have to be
 * looked at the newest are counted.
 */
async function withinReach(db: Kysely<Schema>, filter: LogFilter): Promise<LogFilter> {
  const { engine, userIds, from, to } = filter
  const all = { ...anything, engine, userIds, from, to }
  const oldest = await newestFirst(matching(db, all)).limit(1).offset(MOST_COUNTED).executeTakeFirst()
  return oldest ? { ...filter, from: oldest.created_at } : filter
}

const anything = {
  ...{ type: undefined, username: undefined, tokenName: undefined, modelName: undefined },
  ...{ channelId: undefined, group: undefined, requestId: undefined, label: undefined },
}

/** More are not named but looked for by the text that means them. */
const MOST_NAMES = 100
const DAY = 86_400
const FOR_EVER = Number.MAX_SAFE_INTEGER - DAY

/** A busy token has rows by the hundred thousand, and to compare a name costs less than to look into it. */
export async function withModelNames(days: DaysOfCalls, filter: LogFilter): Promise<LogFilter> {
  const { tokenName, modelName, label, made, from = 0, to = FOR_EVER } = filter
  if (made || label !== undefined || tokenName === undefined || modelName === undefined) return filter
  const alike = { ...filter, type: undefined, channelId: undefined, group: undefined }
  // Whole days are known already, and a name too many does no harm.
  const window = { from: from - (from % DAY), before: to - (to % DAY) + DAY }
  const changes = await days.changes(window)
  const rows = await days.read(alike, window)
  const modelNames = [...new Set(rows.map(({ model = '' }) => model))]
  if (modelNames.length === 0 || modelNames.length > MOST_NAMES) return filter
  return { ...filter, modelNames, changes }
}

/** Hours that are read at once: the rows of a page may lie in as many hours as it has rows. */
const HOURS_AT_ONCE = 3

/** Passes over the days and hours before the page, and reads only those it lies in. */
async function walk(
  db: Kysely<Schema>,
  filter: LogFilter,
  stretches: readonly Stretch[],
  { limit, offset }: Wanted,
): Promise<Place[]> {
  const found: Place[] = []
  let reads: Promise<Place[]>[] = []
  let [skip, expected] = [offset, 0]
  const finish = async (): Promise<void> => {
    for (const places of await Promise.all(reads)) found.push(...places)
    reads = []
    expected = found.length
  }
  for (const { from, to, rows, userIds = filter.userIds, split } of stretches) {
    if (skip >= rows) {
      skip -= rows
      continue
    }
    // What was counted may have been cleared since: what is found tells whether it is enough.
    if (expected >= limit || reads.length >= HOURS_AT_ONCE || split) await finish()
    if (found.length >= limit) break
    const wanted = { limit: limit - found.length, offset: skip }
    reads.push(
      split
        ? split().then(parts => walk(db, filter, parts, wanted))
        : readPlaces(db, { ...filter, from, to, userIds }, wanted),
    )
    expected += rows - skip
    skip = 0
  }
  await finish()
  return found.slice(0, limit)
}

function readPlaces(db: Kysely<Schema>, filter: LogFilter, { limit, offset }: Wanted): Promise<Place[]> {
  return newestFirst(matching(db, filter)).limit(limit).offset(offset).execute()
}

function now(): number {
  return Math.floor(Date.now() / 1000)
}

/** The rows just older than one, or just newer; still newest first. */
async function fromRow(db: Kysely<Schema>, filter: LogFilter, asked: LogPage, limit: number) {
  const older = asked.before_id !== undefined
  const id = asked.before_id ?? asked.after_id ?? 0
  const row = await db.selectFrom('logs').select('created_at').where('id', '=', id).executeTakeFirst()
  const rows = matching(db, filter)
  // A row that has been cleared has no time any more, but the others still have their ids.
  if (!row)
    return newestFirst(rows.where('id', older ? '<' : '>', id))
      .limit(limit)
      .execute()
  const at = row.created_at
  const side = older ? '<' : '>'
  const beyond = rows
    .where('created_at', older ? '<=' : '>=', at)
    .where(log => log.or([log('created_at', side, at), log('id', side, id)]))
  if (older) return newestFirst(beyond).limit(limit).execute()
  const newer = await beyond
    .select(['id', 'created_at'])
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return newer.reverse()
}

/** How many rows there are, one more than the most when there are more. */
function count(db: Kysely<Schema>, filter: LogFilter): Promise<number> {
  const some = matching(db, filter)
    .select(sql`1`.as('one'))
    .limit(MOST_COUNTED + 1)
  return countRows(db.selectFrom(some.as('some')))
}
