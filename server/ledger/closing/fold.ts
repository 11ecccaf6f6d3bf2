// A portion of calls becomes a part of the closing entries, as one decision: SQLite's thread carries it out beside the
// data, the other engines as a transaction of few statements.

import type { Decision, Row } from '../../store/batch/batch.ts'
import { type BulkRead, type BulkWrite, type Cell, integer, text } from '../../store/batch/bulk.ts'
import { thread } from '../run-moves.ts'
import {
  addToDigest,
  type BookedCall,
  entryColumns,
  type FoldedKind,
  foldedKinds,
  holdColumns,
  isOver,
  lineOf,
} from './line.ts'
import { monthStates } from './month.ts'

/** What the closing entries of users and tokens are called. */
export const CLOSED = 'closed'

export interface CallToFold {
  readonly id: string
  readonly userId: number
  readonly tokenId: number
  /** As the month's file has it: should the books say otherwise by now, the call stays. */
  readonly line?: string | undefined
}

export interface PortionToFold {
  readonly month: string
  readonly endsAt: number
  /** How many came before it. Of two who believe to be alone, one is refused. */
  readonly portion: number
  readonly calls: readonly CallToFold[]
}

interface Folded {
  /** False when somebody else has folded since, or the month is closed. */
  readonly isOurs: boolean
  readonly calls: number
}

export const fold: Decision<PortionToFold, Folded> = { thread, reads, decide }

/**
 * The month first and locked, then the users: whoever holds a user's row is alone with that user's money, and so with
 * the holds and entries of their calls.
 */
function reads({ month, calls }: PortionToFold): readonly BulkRead[] {
  const ids = calls.map(({ id }) => id)
  return [
    { table: 'closed_months', key: text('month'), columns: monthColumns, values: [month], lock: true },
    {
      table: 'users',
      key: integer('id'),
      columns: userColumns,
      values: calls.map(({ userId }) => userId),
      lock: true,
    },
    { table: 'holds', key: text('id'), columns: holdColumns, values: ids, lock: false },
    ...foldedKinds.map(kind => entriesOf(kind, ids)),
    entriesOf(CLOSED, [...new Set(calls.map(call => refOf(month, call.userId, call.tokenId)))]),
  ]
}

const userColumns = ['id']
const monthColumns = [
  'month',
  'state',
  'portions',
  'calls',
  'entries',
  'user_amount',
  'token_amount',
  'digest',
]

function entriesOf(kind: FoldedKind | typeof CLOSED, refs: readonly string[]): BulkRead {
  return {
    table: 'ledger_entries',
    key: text('ref'),
    within: { column: 'kind', value: kind },
    columns: entryColumns,
    values: refs,
    lock: false,
  }
}

const refOf = (month: string, userId: number, tokenId: number): string => `${month}:${userId}:${tokenId}`

function decide(
  [months = [], , holds = [], charges = [], refunds = [], closings = []]: readonly (readonly Row[])[],
  portion: PortionToFold,
): { writes: readonly BulkWrite[]; result: Folded } {
  const [month] = months
  if (month?.state !== monthStates.closing || Number(month.portions) !== portion.portion)
    return { writes: [], result: { isOurs: false, calls: 0 } }
  const wanted = new Map(portion.calls.map(call => [call.id, call.line]))
  const of = { charge: byRef(charges), refund: byRef(refunds) }
  const folded: { readonly call: BookedCall; readonly line: string }[] = []
  for (const hold of holds) {
    const call = bookedCall(hold, of)
    const line = lineOf(call)
    const expected = wanted.get(String(hold.id))
    if (isOver(call, portion.endsAt) && (expected === undefined || expected === line))
      folded.push({ call, line })
  }
  const isOurs = true
  if (folded.length === 0) return { writes: [], result: { isOurs, calls: 0 } }
  const known = new Set(closings.map(({ ref }) => String(ref)))
  return {
    writes: writesOf(portion, month, folded, known),
    result: { isOurs, calls: folded.length },
  }
}

const byRef = (rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map(row => [String(row.ref), row]))

export function bookedCall(
  hold: Row,
  of: Readonly<Record<FoldedKind, ReadonlyMap<string, Row>>>,
): BookedCall {
  const entries = foldedKinds.flatMap(kind => {
    const row = of[kind].get(String(hold.id))
    return row ? [{ kind, row }] : []
  })
  return { hold, entries }
}

interface Sum {
  readonly userId: number
  readonly tokenId: number
  user: number
  token: number
}

function writesOf(
  { month, endsAt }: PortionToFold,
  before: Row,
  folded: readonly { readonly call: BookedCall; readonly line: string }[],
  known: ReadonlySet<string>,
): BulkWrite[] {
  const entries = folded.flatMap(({ call }) => call.entries)
  const sums = sumUp(
    month,
    entries.map(({ row }) => row),
  )
  const ids = folded.map(({ call }): Cell[] => [String(call.hold.id)])
  const after = (name: string, by: number): number => Number(before[name]) + by
  const total = (of: 'user' | 'token') => [...sums.values()].reduce((sum, one) => sum + one[of], 0)
  const digest = folded.reduce((last, { line }) => addToDigest(last, line), String(before.digest))
  return [
    {
      ...{ kind: 'insert', table: 'ledger_entries', keys: 2, columns: newClosing },
      rows: [...sums]
        .filter(([ref]) => !known.has(ref))
        .map(([ref, sum]) => [CLOSED, ref, sum.userId, sum.tokenId, sum.user, sum.token, endsAt]),
    },
    { kind: 'delete', table: 'holds', keys: 1, columns: holdKey, rows: ids },
    { kind: 'delete', table: 'subscription_holds', keys: 1, columns: coveredKey, rows: ids },
    {
      ...{ kind: 'set', table: 'closed_months', keys: 1, columns: countedColumns },
      rows: [
        [
          month,
          after('portions', 1),
          after('calls', folded.length),
          after('entries', entries.length),
          after('user_amount', total('user')),
          after('token_amount', total('token')),
          digest,
        ],
      ],
    },
    {
      ...{ kind: 'add', table: 'ledger_entries', keys: 2, columns: addedClosing },
      rows: [...sums]
        .filter(([ref]) => known.has(ref))
        .map(([ref, sum]) => [CLOSED, ref, sum.user, sum.token]),
    },
    {
      ...{ kind: 'delete', table: 'ledger_entries', keys: 2, columns: entryKey },
      rows: entries.map(({ kind, row }) => [kind, String(row.ref)]),
    },
  ]
}

/** By what the entries say of whose they are. Calls that came to nothing leave no sum. */
function sumUp(month: string, entries: readonly Row[]): Map<string, Sum> {
  const sums = new Map<string, Sum>()
  for (const row of entries) {
    const userId = Number(row.user_id)
    const tokenId = Number(row.token_id)
    const ref = refOf(month, userId, tokenId)
    const sum = sums.get(ref) ?? { userId, tokenId, user: 0, token: 0 }
    sum.user += Number(row.user_amount)
    sum.token += Number(row.token_amount)
    sums.set(ref, sum)
  }
  return sums
}

const entryKey = [text('kind'), text('ref')]
const holdKey = [text('id')]
const coveredKey = [text('hold_id')]
const newClosing = [
  text('kind'),
  text('ref'),
  integer('user_id'),
  integer('token_id'),
  integer('user_amount'),
  integer('token_amount'),
  integer('created_at'),
]
const addedClosing = [text('kind'), text('ref'), integer('user_amount'), integer('token_amount')]
const countedColumns = [
  text('month'),
  integer('portions'),
  integer('calls'),
  integer('entries'),
  integer('user_amount'),
  integer('token_amount'),
  text('digest'),
]
