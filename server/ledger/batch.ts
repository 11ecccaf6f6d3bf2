import type { Row } from '../store/batch/batch.ts'
import { type BulkRead, type BulkWrite, type Cell, type Column, integer, text } from '../store/batch/bulk.ts'
import type { Change, Decided, HoldState, State } from './decided.ts'
import { BOOKS_CLOSED_BEFORE, LASTING, type Move, REFUNDED } from './moves.ts'
import { rollUp } from './roll-up.ts'
import { readCounted, writeCounted } from './spending/counted.ts'
import type { LimitState } from './spending/decide-limits.ts'

/**
 * What a batch looks at. Users come first and locked: whoever holds a user's row is alone with that user's
 * money, so the holds need no lock of their own.
 */
export function readsOf(moves: readonly Move[]): BulkRead[] {
  const reads = readsOfMost(moves)
  if (areLimited(moves)) reads.push(limitsOf(moves))
  // After the holds: whoever does not find one that was folded finds that its month is closed.
  if (moves.some(move => move.kind === 'pay' && move.kept)) reads.push(closedBefore)
  return reads
}

/** Whoever ends a call need not know how a limit stands, only in which window the call counts: that is with its hold. */
function areLimited(moves: readonly Move[]): boolean {
  return moves.some(({ limits }) => limits !== undefined)
}

function limitsOf(moves: readonly Move[]): BulkRead {
  const ids = moves.flatMap(({ limits }) => limits ?? [])
  return { table: 'spend_limits', key: idNumber, columns: limitState, values: ids, lock: false }
}

const closedBefore: BulkRead = {
  table: 'system',
  key: text('key'),
  columns: ['value'],
  values: [BOOKS_CLOSED_BEFORE],
  lock: false,
}

function readsOfMost(moves: readonly Move[]): BulkRead[] {
  const ids = moves.map(move => move.id)
  const users = moves.map(move => move.userId)
  const tokens = moves.map(move => move.tokenId).filter(id => id !== 0)
  return [
    { table: 'users', key: idNumber, columns: userState, values: users, lock: true },
    { table: 'tokens', key: idNumber, columns: tokenState, values: tokens, lock: true },
    { table: 'holds', key: idText, columns: holdColumns(moves), values: ids, lock: false },
  ]
}

const idNumber = integer('id')
const idText = text('id')
const userState = ['id', 'quota']
const tokenState = [
  'id',
  'remain_quota',
  'unlimited_quota',
  'status',
  'expired_time',
  'created_time',
  'accessed_time',
]
const holdState = [
  'id',
  'user_id',
  'token_id',
  'amount',
  'token_amount',
  'held',
  'checkpoint',
  'charge',
  'state',
  'limits',
]
const limitState = ['id', 'subject', 'period', 'amount', 'spent', 'ends_at']
const holdStateAndNode = [...holdState, 'node_id']

function holdColumns(moves: readonly Move[]): readonly string[] {
  return moves.some(asksForNode) ? holdStateAndNode : holdState
}

function asksForNode(move: Move): boolean {
  return move.kind === 'reap' || (move.kind === 'settle' && move.kept === true)
}

/** What was found, in the order in which it was asked for. */
export function stateOf(found: readonly (readonly Row[])[], moves: readonly Move[]): State {
  const [users = [], tokens = [], holds = [], ...others] = found
  const limits = areLimited(moves) ? others.shift() : undefined
  const [closed = []] = others
  return {
    users: new Map(users.map(row => [Number(row.id), { quota: Number(row.quota) }])),
    tokens: new Map(tokens.map(row => [Number(row.id), tokenOf(row)])),
    holds: new Map(holds.map(row => [String(row.id), holdOf(row)])),
    closedBefore: Number(closed[0]?.value ?? 0),
    limits: limits && new Map(limits.map(row => [Number(row.id), limitOf(row)])),
  }
}

function limitOf(row: Row): LimitState {
  return {
    subject: String(row.subject) as LimitState['subject'],
    period: String(row.period) as LimitState['period'],
    amount: Number(row.amount),
    spent: Number(row.spent),
    endsAt: Number(row.ends_at),
  }
}

function tokenOf(row: Row) {
  return {
    remain: Number(row.remain_quota),
    unlimited: row.unlimited_quota === 1,
    status: Number(row.status),
    expiresAt: Number(row.expired_time),
    createdAt: Number(row.created_time),
    usedAt: Number(row.accessed_time),
  }
}

function holdOf(row: Row): HoldState {
  return {
    userId: Number(row.user_id),
    tokenId: Number(row.token_id),
    amount: Number(row.amount),
    tokenAmount: Number(row.token_amount),
    held: Number(row.held),
    checkpoint: Number(row.checkpoint),
    charge: Number(row.charge),
    state: String(row.state),
    isLasting: row.node_id === LASTING,
    isRefunded: row.node_id === REFUNDED,
    counted: row.limits ? readCounted(String(row.limits)) : undefined,
  }
}

/** One statement for each kind of change, whatever the number of moves. */
export function writesOf(decided: Decided, nodeId: string, now: number): BulkWrite[] {
  return [
    adds('users', userColumns, decided.users, change => [change.balance, change.used, change.requests]),
    adds('tokens', tokenColumns, decided.tokens, change => [change.balance, change.used, change.later ?? 0]),
    adds('channels', channelColumns, decided.channels, change => [change.used]),
    tokenStatuses(decided),
    insertHolds(decided, nodeId, now),
    updateHolds(decided, now),
    updatePrices(decided),
    ...limitWrites(decided),
    insertEntries(decided, now),
    raiseEntries(decided),
    ...rollUp(decided.logs, now),
  ].filter(write => write.rows.length > 0)
}

/** Everyone writes rows in the same order, so that no two wait for each other. */
function sorted<V>(map: Map<number, V>): [number, V][] {
  return [...map].sort(([a], [b]) => a - b)
}

const userColumns = ['id', 'quota', 'used_quota', 'request_count'].map(integer)
const tokenColumns = ['id', 'remain_quota', 'used_quota', 'accessed_time'].map(integer)
const channelColumns = ['id', 'used_quota'].map(integer)

function adds(
  table: 'users' | 'tokens' | 'channels',
  columns: readonly Column[],
  changes: Map<number, Change>,
  cells: (change: Change) => number[],
): BulkWrite {
  const rows = sorted(changes)
    .map(([id, change]): Cell[] => [id, ...cells(change)])
    .filter(row => row.some((cell, at) => at > 0 && cell !== 0))
  return { kind: 'add', table, keys: 1, columns, rows }
}

const tokenStatusColumns = ['id', 'status'].map(integer)

function tokenStatuses({ tokenStatuses: changes }: Decided): BulkWrite {
  const rows = sorted(changes)
  return { kind: 'set', table: 'tokens', keys: 1, columns: tokenStatusColumns, rows }
}

const newHoldColumns = [
  text('id'),
  text('node_id'),
  integer('user_id'),
  integer('token_id'),
  integer('amount'),
  integer('token_amount'),
  integer('held'),
  integer('checkpoint'),
  integer('charge'),
  text('state'),
  text('price'),
  integer('created_at'),
  integer('updated_at'),
]

/** With what few holds have: whose batch has none of it writes nothing of it. */
const moreHoldColumns = [...newHoldColumns, text('limits'), text('labels')]

function insertHolds({ newHolds }: Decided, nodeId: string, now: number): BulkWrite {
  const haveMore = newHolds.some(({ move, hold }) => hold.counted !== undefined || move.labels !== undefined)
  const columns = haveMore ? moreHoldColumns : newHoldColumns
  const rows = newHolds.map(({ move, hold }): Cell[] => {
    const { userId, tokenId, amount, tokenAmount, held, checkpoint, charge, state } = hold
    return [
      move.id,
      nodeId,
      userId,
      tokenId,
      amount,
      tokenAmount,
      held,
      checkpoint,
      charge,
      state,
      move.price,
      move.kind === 'pay' ? move.began : now,
      now,
      ...(haveMore ? [hold.counted?.length ? writeCounted(hold.counted) : null, move.labels ?? null] : []),
    ]
  })
  return { kind: 'insert', table: 'holds', keys: 1, columns, rows }
}

const changedHoldColumns = [
  text('id'),
  integer('amount'),
  integer('token_amount'),
  integer('held'),
  integer('checkpoint'),
  integer('charge'),
  text('state'),
  integer('updated_at'),
]

function updateHolds({ changedHolds }: Decided, now: number): BulkWrite {
  const rows = [...changedHolds].map(
    ([id, { amount, tokenAmount, held, checkpoint, charge, state }]): Cell[] => [
      id,
      amount,
      tokenAmount,
      held,
      checkpoint,
      charge,
      state,
      now,
    ],
  )
  return { kind: 'set', table: 'holds', keys: 1, columns: changedHoldColumns, rows }
}

const priceColumns = [text('id'), text('price')]

function updatePrices({ prices }: Decided): BulkWrite {
  return { kind: 'set', table: 'holds', keys: 1, columns: priceColumns, rows: [...prices] }
}

const turnedColumns = ['id', 'ends_at', 'spent'].map(integer)
const spentColumns = ['id', 'ends_at', 'spent'].map(integer)
const recountedColumns = [text('id'), text('limits')]

/** First the windows that begin; then what is spent in them, which finds no row where a window is over. */
function limitWrites({ limits, recounted }: Decided): BulkWrite[] {
  if (!limits) return []
  const turned = sorted(limits.turned).map(([id, endsAt]): Cell[] => [id, endsAt, 0])
  const spent = [...limits.spent.values()]
    .filter(({ by }) => by !== 0)
    .sort((a, b) => a.limitId - b.limitId)
    .map(({ limitId, window, by }): Cell[] => [limitId, window, by])
  const holds = [...recounted].map(([id, { counted = [] }]): Cell[] => [id, writeCounted(counted)])
  return [
    { kind: 'set', table: 'spend_limits', keys: 1, columns: turnedColumns, rows: turned },
    { kind: 'add', table: 'spend_limits', keys: 2, columns: spentColumns, rows: spent },
    { kind: 'set', table: 'holds', keys: 1, columns: recountedColumns, rows: holds },
  ]
}

const entryColumns = [
  text('kind'),
  text('ref'),
  integer('user_id'),
  integer('token_id'),
  integer('user_amount'),
  integer('token_amount'),
  integer('created_at'),
]

function insertEntries({ settled }: Decided, now: number): BulkWrite {
  const rows = settled.map(({ id, hold }): Cell[] => [
    'charge',
    id,
    hold.userId,
    hold.tokenId,
    -hold.charge,
    -hold.tokenAmount,
    now,
  ])
  return { kind: 'insert', table: 'ledger_entries', keys: 2, columns: entryColumns, rows }
}

const raisedColumns = [text('kind'), text('ref'), integer('user_amount'), integer('token_amount')]

function raiseEntries({ raised }: Decided): BulkWrite {
  const rows = [...raised].map(([id, { charge, tokenCharge }]): Cell[] => [
    'charge',
    id,
    -charge,
    -tokenCharge,
  ])
  return { kind: 'add', table: 'ledger_entries', keys: 2, columns: raisedColumns, rows }
}
