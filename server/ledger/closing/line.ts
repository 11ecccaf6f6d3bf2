import { createHash } from 'node:crypto'
import type { Row } from '../../store/batch/batch.ts'

/** What is read of a call's hold and of its entries: all that there is. */
export const holdColumns = [
  'id',
  'node_id',
  'user_id',
  'token_id',
  'amount',
  'token_amount',
  'held',
  'checkpoint',
  'charge',
  'state',
  'price',
  'created_at',
  'updated_at',
  'limits',
  'labels',
] as const
export const entryColumns = [
  'ref',
  'user_id',
  'token_id',
  'user_amount',
  'token_amount',
  'created_at',
] as const

export const foldedKinds = ['charge', 'refund'] as const
export type FoldedKind = (typeof foldedKinds)[number]

/** A call as the books have it, before it becomes a part of a sum. */
export interface BookedCall {
  readonly hold: Row
  readonly entries: readonly { readonly kind: FoldedKind; readonly row: Row }[]
}

/** One line of a month's file, the same whoever reads the call, from whichever engine. */
export function lineOf({ hold, entries }: BookedCall): string {
  const number = (row: Row, name: string): number => Number(row[name])
  return JSON.stringify({
    id: String(hold.id),
    user_id: number(hold, 'user_id'),
    token_id: number(hold, 'token_id'),
    state: String(hold.state),
    held: number(hold, 'held'),
    charge: number(hold, 'charge'),
    amount: number(hold, 'amount'),
    token_amount: number(hold, 'token_amount'),
    checkpoint: number(hold, 'checkpoint'),
    node_id: String(hold.node_id),
    created_at: number(hold, 'created_at'),
    updated_at: number(hold, 'updated_at'),
    price: String(hold.price),
    // What few have stands only with them.
    ...(hold.limits && { limits: String(hold.limits) }),
    ...(hold.labels && { labels: String(hold.labels) }),
    entries: entries.map(({ kind, row }) => ({
      kind,
      user_id: number(row, 'user_id'),
      token_id: number(row, 'token_id'),
      user_amount: number(row, 'user_amount'),
      token_amount: number(row, 'token_amount'),
      created_at: number(row, 'created_at'),
    })),
  })
}

/** Line by line, so that whoever goes on after a crash needs to know nothing but the last digest. */
export function addToDigest(digest: string, line: string): string {
  return createHash('sha256').update(digest).update('\n').update(line).digest('hex')
}

/**
 * Whether all that there is of a call was written before a month's end. What was refunded since, or charged late, is
 * folded with the month in which that was.
 */
export function isOver({ hold, entries }: BookedCall, endsAt: number): boolean {
  return (
    hold.state !== 'open' &&
    Number(hold.updated_at) < endsAt &&
    entries.every(({ row }) => Number(row.created_at) < endsAt)
  )
}
