import type { Row } from '../../server/store/batch/batch.ts'
import { checkLimits, checkWithinLimits } from './check-limits.ts'
import { must } from './must.ts'
import type { Scheduler } from './scheduler.ts'
import type { SimDatabase } from './sim-database.ts'
import type { Seen } from './sim-request.ts'
import type { Change, SimTables } from './sim-tables.ts'

/** Watches every commit. */
export class Auditor {
  readonly openHolds = new Set<string>()
  /** The greatest checkpoint that was committed for a request. */
  readonly checkpoints = new Map<string, number>()
  /** How much was last set aside for a request. */
  readonly held = new Map<string, number>()
  /** When a wallet was last found empty. */
  readonly emptyAt = new Map<number, number>()
  readonly #scheduler: Scheduler

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  committed(changes: readonly Change[]): void {
    checkWithinLimits(changes)
    for (const change of changes) {
      for (const [column, cell] of Object.entries(change.after))
        must(
          typeof cell !== 'number' || Number.isSafeInteger(cell),
          'I8',
          () => `${change.table}.${column} = ${cell}`,
        )
      if (change.table === 'users') this.#wallet(change.after)
      if (change.table === 'tokens')
        must(
          Number(change.after.remain_quota) >= 0,
          'I5',
          () => `token ${change.after.id} is at ${change.after.remain_quota}`,
        )
      if (change.table === 'holds') this.#hold(change)
    }
  }

  #wallet({ id, quota }: Row): void {
    must(Number(quota) >= 0, 'I5', () => `the wallet of user ${id} is at ${quota}`)
    if (quota === 0) this.emptyAt.set(Number(id), this.#scheduler.now)
  }

  #hold({ before, after }: Change): void {
    const id = String(after.id)
    must(Number(after.amount) >= 0 && Number(after.token_amount) >= 0, 'I5', () => `hold ${id} is negative`)
    must(
      !before || before.state === 'open' || Number(after.charge) > Number(before.charge),
      'I7',
      () => `the closed hold ${id} was changed`,
    )
    if (after.state === 'open') {
      this.openHolds.add(id)
      this.held.set(id, Number(after.amount))
      this.checkpoints.set(id, Math.max(this.checkpoints.get(id) ?? 0, Number(after.checkpoint)))
      return
    }
    this.openHolds.delete(id)
  }
}

/** What holds at all times: I1, for every user and token. */
export function checkBooks(tables: SimTables): void {
  const wallets = new Map<Row[string], number>()
  const budgets = new Map<Row[string], number>()
  const add = (sums: Map<Row[string], number>, key: Row[string], by: number): void => {
    sums.set(key, (sums.get(key) ?? 0) + by)
  }
  for (const entry of tables.rows('ledger_entries')) {
    add(wallets, entry.user_id ?? 0, Number(entry.user_amount))
    add(budgets, entry.token_id ?? 0, Number(entry.token_amount))
  }
  for (const hold of tables.rows('holds')) {
    if (hold.state !== 'open') continue
    add(wallets, hold.user_id ?? 0, -Number(hold.amount))
    add(budgets, hold.token_id ?? 0, -Number(hold.token_amount))
  }
  for (const { id, quota } of tables.rows('users'))
    must(
      quota === (wallets.get(id ?? 0) ?? 0),
      'I1',
      () => `user ${id} has ${quota}, entries less holds say ${wallets.get(id ?? 0)}`,
    )
  for (const { id, remain_quota } of tables.rows('tokens'))
    must(
      remain_quota === (budgets.get(id ?? 0) ?? 0),
      'I1',
      () => `token ${id} has ${remain_quota}, entries less holds say ${budgets.get(id ?? 0)}`,
    )
}

/** After everything has healed: what the client saw, what the upstream produced and what the books say. */
export function checkEnd(
  database: SimDatabase,
  auditor: Auditor,
  seen: readonly Seen[],
  produced: ReadonlyMap<string, number>,
): void {
  const { tables } = database
  checkBooks(tables)
  checkLimits(tables)
  must(auditor.openHolds.size === 0, 'I7', () => `still open: ${[...auditor.openHolds].join(' ')}`)
  for (const one of seen) {
    checkRequest(tables, auditor, one, produced.get(one.request.id) ?? 0)
    if (one.ending === 'withheld' && !database.isInDoubt(one.request.id)) checkFree(tables, one)
  }
  checkSums(tables, new Set(seen.filter(({ request }) => request.isMad).map(({ request }) => request.id)))
}

function checkRequest(tables: SimTables, auditor: Auditor, seen: Seen, produced: number): void {
  const { id, userId } = seen.request
  const entries = tables.rows('ledger_entries').filter(({ ref, user_id }) => ref === id && user_id === userId)
  must(entries.length <= 1, 'I2', () => `${id} was charged ${entries.length} times`)
  const charge = -Number(entries[0]?.user_amount ?? 0)
  const checkpoint = Math.max(auditor.checkpoints.get(id) ?? 0, seen.acknowledged)
  must(checkpoint <= charge, 'I4', () => `${id} was charged ${charge}, its last checkpoint was ${checkpoint}`)
  must(charge <= produced, 'I4', () => `${id} was charged ${charge}, the upstream produced ${produced}`)
  // Whoever ended it: the gateway, a journal or a reaper.
  for (const row of tables.rows('logs'))
    must(
      row.request_id !== id || (row.labels ?? undefined) === seen.request.labels,
      'labels',
      () => `${id} is labelled ${row.labels} instead of ${seen.request.labels}`,
    )
  const { ending } = seen
  if (ending === undefined || ending === 'unsettled' || ending === 'withheld') return
  if (ending === 'refused' || ending === 'failed') return checkFree(tables, seen)
  // What was held is there, unless a reaper gave it back after the client had been told and it was spent
  // elsewhere. Beyond what was held, a wallet pays what is in it.
  const wasEmpty = (auditor.emptyAt.get(userId) ?? -1) >= seen.at
  const overruns = seen.request.overruns || seen.request.isWhole
  const isCovered = overruns && charge >= (auditor.held.get(id) ?? 0)
  must(
    charge === seen.amount || (charge < seen.amount && (wasEmpty || isCovered)),
    'I3',
    () => `${id}: the client was told ${seen.amount}, the books say ${charge}`,
  )
  if (seen.wasDisturbed || charge !== seen.amount) return
  must(
    charge === seen.received || overruns,
    'I3',
    () => `${id} used ${seen.received} and was charged ${charge}`,
  )
}

/** Who was given nothing pays nothing. */
function checkFree(tables: SimTables, { request: { id, userId }, ending }: Seen): void {
  const entry = tables.rows('ledger_entries').find(({ ref, user_id }) => ref === id && user_id === userId)
  must(entry === undefined, 'I6', () => `${id} ended as ${ending} and was charged ${entry?.user_amount}`)
}

/** Everything that is counted twice agrees. */
function checkSums(tables: SimTables, unlogged: ReadonlySet<string>): void {
  const logs = tables.rows('logs')
  const charges = tables
    .rows('ledger_entries')
    .filter(({ kind }) => kind === 'charge')
    .map(entry => ({ ...entry, charge: -Number(entry.user_amount), requests: 1 }))
  const ofToken = charges.filter(({ token_id }: Row) => token_id !== 0)
  const ofChannel = logs.filter(({ channel_id }) => channel_id !== 0)
  const hours = logs.map(row => ({ ...row, hour: hourOf(Number(row.created_at)), requests: 1 }))
  const logged = (column: string) => (row: Row) => !unlogged.has(String(row[column]))
  same(
    'log rows',
    tally(logs.filter(logged('request_id')), ['request_id'], 'quota'),
    tally(charges.filter(logged('ref')), ['ref'], 'charge'),
  )
  same('users', tally(tables.rows('users'), ['id'], 'used_quota'), tally(charges, ['user_id'], 'charge'))
  same(
    'requests',
    tally(tables.rows('users'), ['id'], 'request_count'),
    tally(charges, ['user_id'], 'requests'),
  )
  same('tokens', tally(tables.rows('tokens'), ['id'], 'used_quota'), tally(ofToken, ['token_id'], 'charge'))
  same(
    'channels',
    tally(tables.rows('channels'), ['id'], 'used_quota'),
    tally(ofChannel, ['channel_id'], 'quota'),
  )
  for (const column of ['quota', 'requests', 'prompt_tokens'])
    same(
      `hourly ${column}`,
      tally(tables.rows('usage_hourly'), hourKeys, column),
      tally(hours, hourKeys, column),
    )
  const labelled = hours.filter(({ labels }: Row) => Boolean(labels))
  for (const column of ['quota', 'requests', 'prompt_tokens'])
    same(
      `labels' ${column}`,
      tally(tables.rows('usage_labels_hourly'), labelKeys, column),
      tally(labelled, labelKeys, column),
    )
}

const hourOf = (seconds: number): number => seconds - (seconds % 3600)
const labelKeys = ['hour', 'user_id', 'token_id', 'labels']
const hourKeys = ['hour', 'user_id', 'token_id', 'channel_id', 'model_name', 'group']

function tally(rows: readonly Row[], keys: readonly string[], column: string): Map<string, number> {
  const sums = new Map<string, number>()
  for (const row of rows) {
    const key = keys.map(name => row[name]).join(' ')
    sums.set(key, (sums.get(key) ?? 0) + Number(row[column]))
  }
  return sums
}

function same(what: string, found: Map<string, number>, expected: Map<string, number>): void {
  for (const key of new Set([...found.keys(), ...expected.keys()])) {
    const [one, other] = [found.get(key) ?? 0, expected.get(key) ?? 0]
    must(one === other, 'sums', () => `${what} ${key}: ${one} instead of ${other}`)
  }
}
