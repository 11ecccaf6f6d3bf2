import type { RunBatch } from '../../server/store/batch/batch.ts'
import { integer, text } from '../../server/store/batch/bulk.ts'
import { scheduleFaults, seededFaults } from './chaos.ts'
import { Auditor, checkBooks, checkEnd } from './check-invariants.ts'
import { checkLimits } from './check-limits.ts'
import { Violation } from './must.ts'
import { type Random, Scheduler, SimProcess } from './scheduler.ts'
import { moveWallets } from './sim-admin.ts'
import { beginClosing, checkClosing, foldAll } from './sim-closing.ts'
import { noFaults, SimDatabase } from './sim-database.ts'
import { SimNode } from './sim-node.ts'
import { DEAREST_TOKEN, type Seen, type SimRequest, START } from './sim-request.ts'
import { SimUpstream } from './sim-upstream.ts'

const BUSY_MS = 5000
const HEALED_BY_MS = 60_000
const CLOSED_BY_MS = 120_000
const NEVER = 1_000_000

export interface Outcome {
  readonly seed: number
  /** Undefined when everything was as it must be. */
  readonly failure: string | undefined
  readonly requests: number
  readonly events: number
}

/** Deliberate mistakes, to see that the simulator finds them. */
export interface Mistakes {
  readonly corrupt?: (batch: RunBatch) => RunBatch
  readonly lyingDisk?: boolean
  readonly noLocks?: boolean
}

export async function runSeed(
  seed: number,
  options: Mistakes & { trace?: (line: string) => void } = {},
): Promise<Outcome> {
  const scheduler = new Scheduler(seed, options.trace)
  const { random } = scheduler
  const auditor = new Auditor(scheduler)
  let failure: unknown
  let isClosing = false
  const failed = (error: unknown): void => {
    failure ??= error
  }
  const database = new SimDatabase(scheduler, changes => {
    try {
      auditor.committed(changes)
      if (random.chance(0.1)) {
        checkBooks(database.tables)
        // Folded calls are not there any more.
        if (!isClosing) checkLimits(database.tables)
      }
    } catch (error) {
      failed(error)
    }
  })
  database.locks.enabled = !options.noLocks
  openBooks(database, random)
  const upstream = new SimUpstream(scheduler)
  const corrupt = options.corrupt ?? (batch => batch)
  const around = { scheduler, database, upstream, corrupt, failed }
  const nodes = Array.from({ length: random.between(2, 3) }, (_, at) => new SimNode(`n${at + 1}`, around))
  for (const { disk } of nodes) disk.lies = options.lyingDisk ?? false
  database.faults = seededFaults(random)
  const healed = scheduleFaults(scheduler, database, nodes, BUSY_MS)
  const seen = scheduleRequests(scheduler, nodes)
  const admin = new SimProcess('admin')
  const moves = moveWallets(scheduler, admin, database.batchOf(admin), BUSY_MS)
  let isAdminDone = false
  moves
    .then(() => {
      isAdminDone = true
    })
    .catch(failed)

  const isBroken = (): boolean => failure !== undefined
  await scheduler.run(isBroken, BUSY_MS)
  if (!isBroken()) {
    scheduler.note('', () => 'everything heals')
    database.faults = noFaults
    healed()
    const isQuiet = (): boolean =>
      isAdminDone &&
      auditor.openHolds.size === 0 &&
      nodes.every(node => node.isQuiet && node.disk.lines.length === 0)
    const isOver = await scheduler.run(() => isBroken() || isQuiet(), HEALED_BY_MS)
    try {
      if (!isBroken()) checkEnd(database, auditor, seen, upstream.produced)
      if (!isOver) throw new Violation('a request, a journal or an administrator never came to an end')
      if (!isBroken()) await close()
    } catch (error) {
      failed(error)
    }
  }

  /** At last the books are closed, by two at once whose messages are lost as before. */
  async function close(): Promise<void> {
    const calls = database.tables.rows('holds').length
    isClosing = true
    beginClosing(database.tables)
    database.faults = seededFaults(random)
    let folding = 2
    for (const name of ['closer 1', 'closer 2'])
      foldAll(scheduler, database, name)
        .catch(failed)
        .finally(() => folding--)
    await scheduler.run(() => isBroken() || folding === 0, CLOSED_BY_MS)
    if (!isBroken()) checkClosing(database.tables, calls)
  }

  return {
    seed,
    failure: failure === undefined ? undefined : describe(failure),
    requests: seen.length,
    events: scheduler.events,
  }
}

function describe(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure)
  return failure.name === 'Violation' ? failure.message : `${failure.stack}`
}

/** Wallets that suffice for some of what is asked of them, and tokens with and without a budget. */
function openBooks(database: SimDatabase, random: Random): void {
  const users = [1, 2].map(id => [id, random.between(30, 1500), 0, 0])
  const tokens = [
    [1, 1, random.between(20, 900), 0, 0, 1, -1, 0, 0],
    [2, 1, 0, 1, 0, 1, -1, 0, 0],
    [3, 2, random.between(20, 900), 0, 0, 1, -1, 0, 0],
  ]
  const entries = [
    ...users.map(([id = 0, quota = 0]) => ['gift', `user ${id}`, id, 0, quota, 0, 0]),
    ...tokens.map(([id = 0, user = 0, budget = 0]) => ['budget', `token ${id}`, user, id, 0, budget, 0]),
  ]
  // One whose window ends while requests run, and one for good.
  const limits = [
    [1, 1, 'account', 'five-hours', random.between(30, 900), 0, START + random.between(50, 1800)],
    [2, 1, 'member', 'none', random.between(30, 600), 0, 0],
  ]
  const insert = (
    table: 'users' | 'tokens' | 'channels' | 'ledger_entries' | 'spend_limits',
    names: string[],
    rows: (string | number)[][],
  ) =>
    ({
      kind: 'insert',
      table,
      keys: 1,
      columns: names.map(name => (name === 'ref' ? text(name) : integer(name))),
      rows,
    }) as const
  database.tables.write([
    insert('users', ['id', 'quota', 'used_quota', 'request_count'], users),
    insert(
      'tokens',
      [
        ...['id', 'user_id', 'remain_quota', 'unlimited_quota', 'used_quota', 'status', 'expired_time'],
        ...['created_time', 'accessed_time'],
      ],
      tokens,
    ),
    insert('channels', ['id', 'used_quota'], [[1, 0]]),
    insert('spend_limits', ['id', 'user_id', 'subject', 'period', 'amount', 'spent', 'ends_at'], limits),
    insert(
      'ledger_entries',
      ['kind', 'ref', 'user_id', 'token_id', 'user_amount', 'token_amount', 'created_at'],
      entries,
    ),
  ])
}

function scheduleRequests(scheduler: Scheduler, nodes: readonly SimNode[]): Seen[] {
  const { random } = scheduler
  const all: Seen[] = []
  const count = random.between(6, 16)
  for (let at = 1; at <= count; at++) {
    const request = seededRequest(random, `r${at}`)
    const first = random.between(0, nodes.length - 1)
    scheduler.after(random.between(0, BUSY_MS * 0.8), () => {
      const seen: Seen = { request, received: 0, acknowledged: 0, amount: 0, at: 0 }
      // As a balancer does: to the next one when this one does not answer.
      for (let step = 0; step < nodes.length; step++)
        if (nodes[(first + step) % nodes.length]?.accept(seen)) {
          all.push(seen)
          return
        }
    })
  }
  return all
}

function seededRequest(random: Random, id: string): SimRequest {
  const tokens = random.chance(0.1) ? 0 : random.between(1, 20)
  const tokenId = random.between(0, 3)
  const userId = tokenId === 3 || (tokenId === 0 && random.chance(0.5)) ? 2 : 1
  const limits = userId === 1 ? (tokenId === 2 ? [1, 2] : [1]) : undefined
  return {
    id,
    userId,
    tokenId,
    limits,
    labels: tokenId === 1 ? undefined : tokenId === 2 ? 'env:prod' : 'env:prod,user:alice',
    most: random.between(20, 150),
    least: random.between(1, 20),
    tokenCosts: Array.from({ length: tokens }, () => random.between(1, DEAREST_TOKEN)),
    pace: random.pick([20, 60, 60, 400]),
    failedAttempts: random.chance(0.15) ? random.between(1, 2) : 0,
    breaksAfter: random.chance(0.1) ? random.between(0, tokens) : NEVER,
    leavesAfter: random.chance(0.15) ? random.between(1, tokens + 1) : NEVER,
    checkpointEvery: random.between(1, 6),
    overruns: random.chance(0.1),
    isMad: random.chance(0.03),
    // Who is limited is never let out on credit.
    isPaidAtOnce: random.chance(0.3) && limits === undefined,
    isWhole: random.chance(0.3),
    patience: random.chance(0.2) ? 1 : NEVER,
  }
}
