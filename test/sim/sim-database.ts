import type { NodeStore, Orphan } from '../../server/ledger/node-store.ts'
import type { Row, RunBatch } from '../../server/store/batch/batch.ts'
import type { BulkRead, BulkWrite } from '../../server/store/batch/bulk.ts'
import { UniqueViolation, unavailable } from '../../server/store/store-error.ts'
import { RowLocks, type Transaction } from './row-locks.ts'
import type { Scheduler, SimProcess } from './scheduler.ts'
import { type Change, SimTables } from './sim-tables.ts'

const LOCK_WAIT_MS = 1200
const IDLE_IN_TRANSACTION_MS = 1500

export interface DatabaseFaults {
  /** The connection breaks before the database has heard the statement. */
  refuse: number
  /** It breaks after the statement has been carried out: the reply is lost. */
  loseReply: number
  /** It breaks, and only later the database carries out what it had been sent. */
  late: number
  slow: number
}
export const noFaults: DatabaseFaults = { refuse: 0, loseReply: 0, late: 0, slow: 0 }

type Reply<T> = (answer: { value: T } | { error: unknown }) => void

/**
 * A database that several processes talk to. Its rows are in memory; its transactions are real: rows read
 * for update stay locked until the end of the transaction, others wait for them, and everything between
 * two messages can be interleaved with everyone else's.
 */
export class SimDatabase {
  readonly tables = new SimTables()
  readonly locks: RowLocks
  faults: DatabaseFaults = noFaults
  down = false
  /** Reads work, writes do not: a full disk, a replica that was not promoted. */
  readOnly = false
  /** Processes whose way to the database is interrupted. */
  readonly cutOff = new Set<SimProcess>()
  readonly #scheduler: Scheduler
  readonly #committed: (changes: readonly Change[]) => void
  readonly #open = new Set<Transaction>()
  /** What was committed of holds, and whether the process that asked for it knows. */
  readonly #holdCommits: { readonly ids: ReadonlySet<string>; readonly of: Transaction }[] = []
  readonly #heard = new Set<Transaction>()

  constructor(scheduler: Scheduler, committed: (changes: readonly Change[]) => void) {
    this.#scheduler = scheduler
    this.#committed = committed
    this.locks = new RowLocks(scheduler, LOCK_WAIT_MS)
  }

  /** Stops: what was not committed is gone. */
  stop(): void {
    this.down = true
    for (const transaction of [...this.#open]) this.#end(transaction)
  }

  /** A process that died: its connections break, a little later. */
  disconnect(process: SimProcess): void {
    this.#scheduler.after(this.#scheduler.random.between(0, 60), () => {
      for (const transaction of [...this.#open]) if (transaction.process === process) this.#end(transaction)
    })
  }

  batchOf(process: SimProcess): RunBatch {
    return async (decision, argument) => {
      const transaction: Transaction = { process, ended: false, locked: [] }
      const found = await this.#call<Row[][]>(
        process,
        reply => this.#begin(transaction, decision.reads(argument()), reply),
        {
          lost: () => this.#end(transaction),
        },
      )
      const { writes, result } = decision.decide(found, argument())
      await this.#call<void>(process, reply => this.#commit(transaction, writes, reply), {
        lost: () => this.#end(transaction),
      })
      this.#heard.add(transaction)
      return result
    }
  }

  /** Whether something was committed for this request that its process takes for failed. */
  isInDoubt(id: string): boolean {
    return this.#holdCommits.some(({ ids, of }) => ids.has(id) && !this.#heard.has(of))
  }

  nodesOf(process: SimProcess): NodeStore {
    const call = <T>(write: boolean, act: () => T) =>
      this.#call<T>(process, reply => reply(this.#act(write, act)))
    const { tables } = this
    return {
      add: (id, now) => call(true, () => insertNode(tables, id, now)),
      beat: id => call(true, () => beat(tables, id)),
      remove: id => call(true, () => tables.remove('nodes', id)),
      beats: async () => {
        const known = await call(false, () => tables.rows('nodes'))
        const holding = await call(false, () => tables.rows('holds').filter(({ state }) => state === 'open'))
        const beats = new Map(known.map(({ id, beat }) => [String(id), Number(beat)]))
        for (const { node_id } of holding) if (!beats.has(String(node_id))) beats.set(String(node_id), 0)
        return beats
      },
      openHolds: (node, most) => call(false, () => orphans(tables, node, most)),
    }
  }

  #act<T>(write: boolean, act: () => T): { value: T } | { error: unknown } {
    if (write && this.readOnly) return { error: unavailable('read-only') }
    try {
      return { value: act() }
    } catch (error) {
      return { error }
    }
  }

  /** A message there, what it does, and a message back; any of them may be lost or late. */
  #call<T>(
    process: SimProcess,
    serve: (reply: Reply<T>) => void,
    { lost }: { lost: () => void } = { lost: () => {} },
  ): Promise<T> {
    const { random } = this.#scheduler
    const latency = () => (random.chance(this.faults.slow) ? random.between(50, 600) : random.between(0, 4))
    const broken = (why: string) => unavailable(why)
    return new Promise((resolve, reject) => {
      const fail = (why: string): void =>
        this.#scheduler.tell(process, latency(), () => {
          this.#scheduler.note(process.name, () => `database: ${why}`)
          reject(broken(why))
        })
      const isReachable = () => !this.down && !this.cutOff.has(process)
      if (random.chance(this.faults.refuse)) {
        this.#scheduler.after(latency(), lost)
        fail('the connection broke before the statement')
        return
      }
      if (random.chance(this.faults.late)) {
        // The process hears of a broken connection; the database has the statement, and gets to it later.
        this.#scheduler.after(random.between(20, 900), () => {
          if (this.down) return
          serve(() => {})
          lost()
        })
        fail('the connection broke; the statement is still on its way')
        return
      }
      const losesReply = random.chance(this.faults.loseReply)
      this.#scheduler.after(latency(), () => {
        if (!isReachable()) {
          lost()
          fail('not reachable')
          return
        }
        serve(answer => {
          if (losesReply || !isReachable()) {
            lost()
            fail('the reply was lost')
          } else if ('error' in answer) this.#scheduler.tell(process, latency(), () => reject(answer.error))
          else this.#scheduler.tell(process, latency(), () => resolve(answer.value))
        })
      })
    })
  }

  /** One statement after the other; where rows are locked by someone else, it waits. */
  #begin(transaction: Transaction, reads: readonly BulkRead[], reply: Reply<Row[][]>): void {
    const { random } = this.#scheduler
    const found: Row[][] = []
    this.#open.add(transaction)
    const next = (): void => {
      if (transaction.ended) return reply({ error: unavailable('the transaction was ended') })
      const read = reads[found.length]
      if (!read) {
        this.#scheduler.after(IDLE_IN_TRANSACTION_MS, () => this.#end(transaction))
        return reply({ value: found })
      }
      const proceed = (): void => {
        found.push(this.tables.read(read))
        if (random.chance(0.1)) this.#scheduler.after(random.between(1, 5), next)
        else next()
      }
      if (!read.lock) return proceed()
      this.locks.acquire(transaction, lockNames(this.tables, read), {
        granted: proceed,
        refused: () => {
          this.#end(transaction)
          reply({ error: unavailable('waited too long for a lock') })
        },
      })
    }
    next()
  }

  #commit(transaction: Transaction, writes: readonly BulkWrite[], reply: Reply<void>): void {
    if (transaction.ended) return reply({ error: unavailable('the transaction was ended') })
    try {
      if (this.readOnly && writes.length > 0) throw unavailable('read-only')
      const changes = this.tables.write(writes)
      this.#scheduler.note(
        transaction.process.name,
        () => `commits ${changes.map(describeChange).join(', ')}`,
      )
      this.#committed(changes)
      const ids = changes.filter(({ table }) => table === 'holds').map(({ after }) => String(after.id))
      if (ids.length > 0) this.#holdCommits.push({ ids: new Set(ids), of: transaction })
      this.#end(transaction)
      reply({ value: undefined })
    } catch (error) {
      this.#end(transaction)
      reply({ error })
    }
  }

  #end(transaction: Transaction): void {
    if (transaction.ended) return
    transaction.ended = true
    this.#open.delete(transaction)
    this.locks.release(transaction)
  }
}

function lockNames(tables: SimTables, read: BulkRead): string[] {
  return tables.read({ ...read, columns: [read.key.name] }).map(row => `${read.table} ${row[read.key.name]}`)
}

function insertNode(tables: SimTables, id: string, now: number): void {
  if (tables.get('nodes', id)) throw new UniqueViolation(`nodes ${id}`)
  const columns = ['id', 'started_at', 'beat'].map(name => ({ name, type: 'text' }) as const)
  tables.write([{ kind: 'insert', table: 'nodes', keys: 1, columns, rows: [[id, now, 1]] }])
}

function beat(tables: SimTables, id: string): boolean {
  const known = tables.get('nodes', id)
  if (!known) return false
  const columns = ['id', 'beat'].map(name => ({ name, type: 'text' }) as const)
  tables.write([{ kind: 'add', table: 'nodes', keys: 1, columns, rows: [[id, 1]] }])
  return true
}

function orphans(tables: SimTables, node: string, most: number): Orphan[] {
  return tables
    .rows('holds')
    .filter(hold => hold.state === 'open' && hold.node_id === node)
    .slice(0, most)
    .map(hold => ({
      id: String(hold.id),
      user_id: Number(hold.user_id),
      token_id: Number(hold.token_id),
      price: String(hold.price),
      labels: hold.labels ? String(hold.labels) : null,
      username: `user ${hold.user_id}`,
      token_name: `token ${hold.token_id}`,
    }))
}

function describeChange({ table, after }: Change): string {
  if (table === 'users') return `wallet ${after.id}=${after.quota}`
  if (table === 'tokens') return `token ${after.id}=${after.remain_quota}`
  if (table === 'holds')
    return `hold ${after.id} of ${after.node_id} ${after.state} amount=${after.amount} checkpoint=${after.checkpoint} charge=${after.charge}`
  if (table === 'ledger_entries') return `entry ${after.kind} ${after.ref} ${after.user_amount}`
  return table
}
