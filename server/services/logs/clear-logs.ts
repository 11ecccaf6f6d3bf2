import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { LOGS_KEPT_SINCE } from '../../ledger/audit.ts'
import { dropCost } from '../../ledger/drop-cost.ts'
import { log } from '../../log.ts'
import type { Store } from '../../store/index.ts'
import { dropLogPartitions } from '../../store/log-partitions.ts'
import { readFact } from '../../store/system-facts.ts'
import { putRow } from '../../store/upsert.ts'
import type { BackgroundWork } from '../background-work.ts'
import { giveWay } from '../give-way.ts'
import { countRows } from '../paging.ts'
import { clearContents } from './clear-contents.ts'
import { ClearingPace, gentleRest } from './clearing-pace.ts'

const HOUR = 3600
const COUNTED_AT_ONCE = 50_000
/** After that the answer is given, and the rest goes on by itself. */
const WAIT_MS = 20_000

/** What it is called among the work in the background. */
const WORK = 'clear-logs'

let underWay: Promise<unknown> = Promise.resolve()

interface Clearing {
  /** As many as are gone once it has ended, which someone may have made it do early; before that, as there were. */
  readonly rows: number
  readonly hasEnded: boolean
}

/** What is to go. */
interface Old {
  readonly before: number
  /** The number of the last row that may; what comes after it is still to be delivered somewhere. */
  readonly upTo: number
}

/** Clears the rows before a time, one clearing after the other. `begin` hears how many there are before any is gone. */
export async function clearLogs(
  store: Store,
  work: BackgroundWork,
  old: Old,
  begin: (rows: number) => Promise<void> = async () => {},
): Promise<Clearing> {
  const total = await countOld(store, old)
  await begin(total)
  const clearing = underWay.then(() => clearInSight(store, work, old, total))
  underWay = clearing.catch(error => log.error('the log could not be cleared', { error }))
  const gone = await Promise.race([clearing, Bun.sleep(WAIT_MS).then(() => undefined)])
  return { rows: gone ?? total, hasEnded: gone !== undefined }
}

/** How far it has come can be seen, unless another worker of the house is at it too. */
async function clearInSight(store: Store, work: BackgroundWork, old: Old, total: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const started = await work.start(WORK, async progress => {
    progress.total = total
    const ended = clear(store, old, total, rows => {
      progress.done = Math.min(total, progress.done + rows)
      return !progress.signal.aborted
    })
    await ended.then(resolve, reject)
  })
  return started ? promise : clear(store, old, total, () => true)
}

/** How many rows are gone by it. */
async function clear(
  store: Store,
  old: Old,
  total: number,
  goOn: (rows: number) => boolean,
): Promise<number> {
  const { before } = old
  let gone = 0
  await clearContents(store, before, () => goOn(0))
  await markKept(store, before)
  await forgetCosts(store, before)
  const pace = new ClearingPace(store.engine, total)
  if (store.engine === 'postgres' && (await dropMonths(store, old))) {
    gone = Math.max(0, total - (await countOld(store, old)))
    pace.noteGone(gone)
    if (!goOn(gone)) return gone
  }
  for (let place = beginning; ; ) {
    const rest = { ...old, place }
    const edge = (await findEdge(store, { ...rest, many: pace.rows })) ?? (await findLast(store, rest))
    const began = performance.now()
    const rows = edge ? await deleteUpTo(store, { ...rest, edge }) : 0
    const took = performance.now() - began
    gone += rows
    // Rows may have come in behind: it is over when there are none from the beginning on.
    if (!goOn(rows) || (rows === 0 && place === beginning)) return gone
    place = edge ?? beginning
    pace.noteDeletion(rows, took)
    // Even where nobody calls: other nodes write to the same database.
    await Promise.all([giveWay(took, pace.rest), Bun.sleep(took * Math.min(pace.rest, 1))])
  }
}

/** Whether any were dropped. */
async function dropMonths({ db }: Store, { before, upTo }: Old): Promise<boolean> {
  try {
    return (await dropLogPartitions(db, before, upTo)) > 0
  } catch (error) {
    log.warn('months of the log could not be dropped; their rows are deleted instead', { error })
    return false
  }
}

/**
 * The audit compares the hourly sums with the log, and must know from where on the log is whole. It is told
 * first: rows that are still there do no harm.
 */
async function markKept({ db, engine }: Store, before: number): Promise<void> {
  const since = Math.ceil(before / HOUR) * HOUR
  const known = Number((await readFact(db, LOGS_KEPT_SINCE)) ?? 0)
  if (since > known) await putRow(db, engine, 'system', { key: LOGS_KEPT_SINCE }, { value: String(since) })
}

/**
 * A task that fails takes its cost out of the hourly sums, by its row. Of one that goes on without that, the cost is
 * not known from now on.
 */
async function forgetCosts(store: Store, before: number): Promise<void> {
  const holds = await store.db
    .selectFrom('task_runs')
    .innerJoin('holds', 'holds.id', 'task_runs.request_id')
    .select(['holds.id', 'holds.user_id', 'holds.created_at', 'holds.updated_at'])
    .where('task_runs.state', 'in', ['submitting', 'running'])
    .where('holds.created_at', '<', before)
    .execute()
  for (const hold of holds)
    await store.transaction(transaction => dropCost(transaction, store.engine, hold, before))
}

interface Place {
  readonly created_at: number
  readonly id: number
}
const beginning: Place = { created_at: Number.MIN_SAFE_INTEGER, id: 0 }

/** By parts: to count millions at one go takes a whole core, or two where PostgreSQL shares the work out. */
async function countOld(store: Store, old: Old): Promise<number> {
  let place = beginning
  for (let total = 0; ; total += COUNTED_AT_ONCE) {
    const began = performance.now()
    const edge = await findEdge(store, { ...old, place, many: COUNTED_AT_ONCE })
    if (!edge) return total + (await countRows(rowsAfter(store.db, place, old)))
    place = edge
    await giveWay(performance.now() - began, gentleRest(store.engine))
  }
}

/** The last of so many of the oldest rows after a place; undefined where there are fewer. */
function findEdge(
  { db }: Store,
  { place, many, ...old }: Old & { place: Place; many: number },
): Promise<Place | undefined> {
  return rowsAfter(db, place, old)
    .select(['created_at', 'id'])
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .offset(many - 1)
    .executeTakeFirst()
}

/**
 * The last of all rows after a place; undefined where there are none. What stays behind it may be the most of the log:
 * to look through that is for those who read, for whoever deletes holds up or waits for everyone who writes.
 */
function findLast({ db }: Store, { place, ...old }: Old & { place: Place }): Promise<Place | undefined> {
  return rowsAfter(db, place, old)
    .select(['created_at', 'id'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Written so that no engine looks for rows by it: they are found by their time. */
function isUpTo(id: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`id + 0 <= ${id}`
}

function rowsAfter(db: Store['db'], { created_at, id }: Place, { before, upTo }: Old) {
  return db
    .selectFrom('logs')
    .where('created_at', '>=', created_at)
    .where('created_at', '<', before)
    .where(sql<SqlBool>`(created_at, id) > (${created_at}, ${id})`)
    .where(isUpTo(upTo))
}

/** From a place on and not from the beginning: PostgreSQL would pass by all rows that it has just deleted. */
async function deleteUpTo(
  { db }: Store,
  { place, upTo, edge }: Old & { place: Place; edge: Place },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('logs')
    .where('created_at', '>=', place.created_at)
    .where('created_at', '<=', edge.created_at)
    .where(sql<SqlBool>`(created_at, id) <= (${edge.created_at}, ${edge.id})`)
    .where(isUpTo(upTo))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
