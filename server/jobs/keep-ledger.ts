import { join } from 'node:path'
import { Ledger } from '../ledger/ledger.ts'
import { LedgerNode } from '../ledger/node.ts'
import { nodeStore } from '../ledger/node-store.ts'
import { adoptJournals, openJournal } from '../ledger/orphan-journals.ts'
import { Reaper } from '../ledger/reaper.ts'
import { refillDue } from '../ledger/refill.ts'
import { renewDue } from '../ledger/subscription/renew-due.ts'
import { WriteWatch } from '../ledger/write-watch.ts'
import { log } from '../log.ts'
import { gauge } from '../metrics.ts'
import { planWords } from '../services/wallet/plans/words.ts'
import type { Store } from '../store/index.ts'
import { isUnavailable } from '../store/store-error.ts'
import { settledClock } from './settled-clock.ts'

export interface LedgerTimes {
  readonly beatMs: number
  readonly reapMs: number
  /** How long a process must stand still before others finish its holds. */
  readonly deadAfterMs: number
  readonly refillMs: number
}

const TIMES: LedgerTimes = { beatMs: 2000, reapMs: 5000, deadAfterMs: 15_000, refillMs: 2000 }

/** Of the turns in which budgets are renewed: the first, and about one in an hour. */
const THOROUGH_EVERY = 1800

export interface KeptLedger {
  readonly ledger: Ledger
  /** This process' name in the books: what others find of it when it was killed hangs on that. */
  readonly nodeName: () => string
  /** False on a full disk, also where the database still answers. */
  readonly canWrite: () => boolean
  /** After the last request has settled. */
  stop(): Promise<void>
}

export function journalFolder(dataDir: string): string {
  return join(dataDir, 'journal')
}

/** The ledger of this worker with what keeps it honest: its beat, the reaper, the journal's replay; and who renews. */
export async function keepLedger(
  store: Store,
  dataDir: string,
  now: () => number,
  { beatMs, reapMs, deadAfterMs, refillMs }: LedgerTimes = TIMES,
): Promise<KeptLedger> {
  const folder = journalFolder(dataDir)
  const journal = openJournal(folder)
  const nodes = nodeStore(store.db)
  const clock = () => performance.now()
  const node = new LedgerNode(nodes, now, { clock, deadAfterMs })
  const writes = new WriteWatch(clock)
  const ledger = new Ledger({ batch: writes.batch(store.batch), journal, now, nodeId: () => node.id })
  const reaper = new Reaper({ nodes, ledger, self: () => node.name, now, deadAfterMs, clock })
  gauge('tollgate_ledger_journal_moves', 'Moves waiting for the database to come back.', () => ledger.waiting)
  gauge('tollgate_ledger_queue_moves', 'Moves waiting for the batch under way.', () => ledger.queued)
  gauge('tollgate_database_writable', '1 while the database takes writes.', () => (writes.canWrite ? 1 : 0))

  await node.register()
  await replay()
  // What a wrong clock ends or begins stays so when it is right again.
  const settled = settledClock(now, clock)
  let turns = 0
  // Apart: a replay that takes long must not silence the beat.
  const beating = every(beatMs, () => writes.beat(() => node.beat()))
  const replaying = every(beatMs, replay)
  const reaping = every(reapMs, async () => {
    await reaper.look()
  })
  const refilling = every(refillMs, async () => {
    const at = settled()
    if (at === undefined) return
    const isThorough = turns++ % THOROUGH_EVERY === 0
    await refillDue(store, at, isThorough).catch(tellRefill)
  })
  const renewing = every(refillMs, async () => {
    const at = settled()
    if (at !== undefined) await renewDue(store, at, planWords(store))
  })

  async function replay(): Promise<void> {
    const adopted = await adoptJournals(folder, journal)
    const { waiting } = ledger
    if (waiting === 0) return
    await ledger.replay()
    log.info('moves kept while the database was away have reached it', { moves: waiting, adopted })
  }

  return {
    ledger,
    nodeName: () => node.name,
    canWrite: () => writes.canWrite,
    async stop() {
      await refilling.stop()
      await renewing.stop()
      await reaping.stop()
      await replaying.stop()
      // With the database away there is no one to tell: what is owed waits in the journal for the next process.
      const away = (error: unknown): void =>
        log.warn('the ledger closed without the database', { waiting: ledger.waiting, error })
      await replay().catch(away)
      await beating.stop()
      await node.leave().catch(away)
      await journal.close()
    },
  }
}

/** Whoever waits for a new budget is to find out why it does not come; that the database is away, others tell. */
function tellRefill(error: unknown): void {
  if (isUnavailable(error)) throw error
  log.warn('budgets of tokens could not be renewed; it is tried again', { error })
}

/** Repeats without overlapping; a failure (the database is away) is tried again the next time. */
function every(ms: number, work: () => Promise<void>): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  let timer: Timer | undefined
  let stopped = false
  const again = (): void => {
    if (stopped) return
    timer = setTimeout(() => {
      running = work()
        .catch(error => log.debug('the ledger could not be kept just now', { error }))
        .finally(again)
    }, ms)
  }
  again()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
