import { sql } from 'kysely'
import { LOGS_KEPT_SINCE } from '../../ledger/audit.ts'
import { log } from '../../log.ts'
import type { Store } from '../../store/index.ts'
import { dropLogPartitions } from '../../store/log-partitions.ts'
import { readFact } from '../../store/system-facts.ts'
import { putRow } from '../../store/upsert.ts'
import type { BackgroundWork } from '../background-work.ts'

const HOUR = 3600
/** What a transaction may take, so that those who write in between hardly wait; more when they are many. */
const SHORT_MS = 4
const FEWEST = 25
const MOST = 5000
/** After that the answer is given, and the rest goes on by itself. */
const WAIT_MS = 20_000

/** What it is called among the work in the background. */
const WORK = 'clear-logs'

let underWay: Promise<unknown> = Promise.resolve()

/** Clears the rows before a time, one clearing after the other, and answers how many they are. */
export async function clearLogs(store: Store, work: BackgroundWork, before: number): Promise<number> {
  const { total } = await store.db
    .selectFrom('logs')
    .select(rows => rows.fn.countAll<number>().as('total'))
    .where('created_at', '<', before)
    .executeTakeFirstOrThrow()
  const clearing = underWay.then(() => clearInSight(store, work, before, Number(total)))
  underWay = clearing.catch(error => log.error('the log could not be cleared', { error }))
  await Promise.race([clearing, Bun.sleep(WAIT_MS)])
  return Number(total)
}

/** How far it has come can be seen, unless another worker of the house is at it too. */
async function clearInSight(
  store: Store,
  work: BackgroundWork,
  before: number,
  total: number,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const started = await work.start(WORK, async progress => {
    progress.total = total
    const ended = clear(store, before, rows => {
      progress.done = Math.min(total, progress.done + rows)
      return !progress.signal.aborted
    })
    await ended.then(resolve, reject)
  })
  return started ? promise : clear(store, before, () => true)
}

async function clear(store: Store, before: number, goOn: (rows: number) => boolean): Promise<void> {
  await markKept(store, before)
  if (store.engine === 'postgres')
    await dropLogPartitions(store.db, before).catch(error =>
      log.warn('months of the log could not be dropped; their rows are deleted instead', { error }),
    )
  for (let many = FEWEST; ; ) {
    const began = performance.now()
    const rows = await deleteSome(store, before, many)
    if (!goOn(rows) || rows === 0) return
    const took = performance.now() - began
    many = took > SHORT_MS ? Math.max(FEWEST, Math.floor(many / 2)) : Math.min(MOST, Math.ceil(many * 1.2))
    await Bun.sleep(took)
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

async function deleteSome({ db, engine }: Store, before: number, many: number): Promise<number> {
  const { numAffectedRows } = await deletion(engine, before, many).execute(db)
  return Number(numAffectedRows ?? 0)
}

function deletion(engine: Store['engine'], before: number, many: number) {
  const oldest = sql`created_at < ${before} order by created_at, id limit ${many}`
  if (engine === 'mysql') return sql`delete from logs where ${oldest}`
  if (engine === 'sqlite') return sql`delete from logs where id in (select id from logs where ${oldest})`
  return sql`delete from logs where (id, created_at) in (select id, created_at from logs where ${oldest})`
}
