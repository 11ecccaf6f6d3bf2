import { Ledger } from '../../server/ledger/ledger.ts'
import { LedgerNode } from '../../server/ledger/node.ts'
import { Reaper } from '../../server/ledger/reaper.ts'
import type { RunBatch } from '../../server/store/batch/batch.ts'
import { isUnavailable, UniqueViolation } from '../../server/store/store-error.ts'
import { type Scheduler, SimProcess } from './scheduler.ts'
import type { SimDatabase } from './sim-database.ts'
import { SimDisk, SimJournal } from './sim-journal.ts'
import { type Gateway, type Seen, serve, wallClock } from './sim-request.ts'
import type { SimUpstream } from './sim-upstream.ts'

const BEAT_MS = 300
const REAP_MS = 500
const DEAD_AFTER_MS = 2000

export interface Surroundings {
  readonly scheduler: Scheduler
  readonly database: SimDatabase
  readonly upstream: SimUpstream
  /** Lets a test put something broken between ledger and database. */
  readonly corrupt: (batch: RunBatch) => RunBatch
  /** Something happened that must never happen. */
  failed(error: unknown): void
}

/** A machine: its disk stays, its process comes and goes. */
export class SimNode {
  readonly disk = new SimDisk()
  process: SimProcess
  /** Requests that its process is working on. */
  active = 0
  /** How often it alone fell silent or came back, so that others may take it for dead. */
  troubles = 0
  readonly #name: string
  readonly #around: Surroundings
  #lives = 0
  #gateway: Gateway | undefined
  #journal: SimJournal | undefined

  constructor(name: string, around: Surroundings) {
    this.#name = name
    this.#around = around
    this.process = new SimProcess(name)
    this.start()
  }

  start(): void {
    const { scheduler, failed } = this.#around
    this.process = new SimProcess(`${this.#name}.${++this.#lives}`)
    this.active = 0
    scheduler.note(this.process.name, () => 'starts')
    this.#live(this.process).catch(failed)
  }

  crash(): void {
    if (!this.process.alive) return
    this.#around.scheduler.note(this.process.name, () => 'crashes')
    this.process.alive = false
    this.troubles++
    this.#gateway = undefined
    this.active = 0
    this.#around.database.disconnect(this.process)
  }

  get isQuiet(): boolean {
    return this.#gateway !== undefined && this.active === 0 && this.#journal?.pending().length === 0
  }

  /** False when it is not there to take the request. */
  accept(seen: Seen): boolean {
    const gateway = this.#gateway
    if (!gateway || this.process.frozen) return false
    const { process } = this
    this.active++
    const { troubles } = this
    serve(gateway, seen)
      .catch(this.#around.failed)
      .finally(() => {
        if (this.process === process) this.active--
        seen.wasDisturbed = this.troubles !== troubles
      })
      .catch(this.#around.failed)
    return true
  }

  async #live(process: SimProcess): Promise<void> {
    const { scheduler, database, upstream, corrupt, failed } = this.#around
    const now = (): number => wallClock(scheduler)
    const nodes = database.nodesOf(process)
    let names = 0
    const newId = (): string => `${process.name}#${++names}`
    const times = { clock: () => scheduler.now, deadAfterMs: DEAD_AFTER_MS }
    let node = new LedgerNode(nodes, now, times, newId)
    while (!(await this.#tried(() => node.register()))) {
      await scheduler.sleep(process, 100)
      node = new LedgerNode(nodes, now, times, newId)
    }
    const journal = new SimJournal(scheduler, process, this.disk)
    const batch = corrupt(database.batchOf(process))
    const ledger = new Ledger({ batch, journal, now, nodeId: () => node.id })
    const reaper = new Reaper({ nodes, ledger, self: () => node.name, now, ...times })
    this.#journal = journal
    await this.#tried(() => ledger.replay())
    this.#gateway = { scheduler, process, ledger, upstream, failed }
    this.#every(process, BEAT_MS, () => node.beat())
    this.#every(process, BEAT_MS, () => ledger.replay())
    this.#every(process, REAP_MS, () => reaper.look())
  }

  #every(process: SimProcess, ms: number, work: () => Promise<unknown>): void {
    const { scheduler, failed } = this.#around
    const loop = async (): Promise<void> => {
      for (;;) {
        await scheduler.sleep(process, ms)
        await this.#tried(work)
      }
    }
    loop().catch(failed)
  }

  async #tried(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      if (isUnavailable(error) || error instanceof UniqueViolation) return false
      throw error
    }
  }
}
