import { sql } from 'kysely'
import type { Row } from '../../store/batch/batch.ts'
import type { Store } from '../../store/index.ts'
import { bookedCall, type CallToFold } from './fold.ts'
import { entryColumns, type FoldedKind, holdColumns, isOver, lineOf } from './line.ts'
import { firstIdOf } from './month.ts'

/** A stretch of a month's calls in the order of their ids. */
export interface Stretch {
  readonly calls: readonly Required<CallToFold>[]
  /** Where the next one begins; undefined after the last. */
  readonly next: string | undefined
}

/** Calls that somebody is not done with, though their money is settled: a refund or a claim will look for them. */
export type Unfinished = ReadonlySet<string>

/**
 * Read once before a pass over the month: what runs may end meanwhile and is left for later, but nothing begins to run
 * under an id that is months old, and a claim waits only for what was open at its plan's end.
 */
export async function unfinishedCalls({ db }: Pick<Store, 'db'>, endsAt: number): Promise<Unfinished> {
  const { rows } = await sql<{ id: string }>`
    select request_id as id from task_runs
      where state in ('submitting', 'running') and request_id < ${firstIdOf(endsAt)}
    union all select request_id from batches
      where state in ('submitting', 'running', 'abandoned') and request_id < ${firstIdOf(endsAt)}
    union all select request_id from background_responses
      where state = 'running' and request_id < ${firstIdOf(endsAt)}
    union all select request_id from gemini_caches
      where state in ('making', 'extending') and request_id < ${firstIdOf(endsAt)}
    union all select request_id from openai_containers
      where state = 'making' and request_id < ${firstIdOf(endsAt)}
    union all select hold_id from subscription_holds where waiting = 1`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** All of a month and of those before it that were not over then, from a place on. */
export async function readStretch(
  { db }: Pick<Store, 'db'>,
  {
    endsAt,
    unfinished,
    after,
    many,
  }: { endsAt: number; unfinished: Unfinished; after: string; many: number },
): Promise<Stretch> {
  const holds = await db
    .selectFrom('holds')
    .select(holdColumns)
    .where('id', '>', after)
    .where('id', '<', firstIdOf(endsAt))
    .where('state', '<>', 'open')
    .where('updated_at', '<', endsAt)
    .orderBy('id')
    .limit(many)
    .execute()
  const ids = holds.map(({ id }) => id)
  const of = { charge: await entriesOf(db, 'charge', ids), refund: await entriesOf(db, 'refund', ids) }
  const calls = holds
    .filter(({ id }) => !unfinished.has(id))
    .map(hold => bookedCall(hold as Row, of))
    .filter(call => isOver(call, endsAt))
    .map(call => ({
      id: String(call.hold.id),
      userId: Number(call.hold.user_id),
      tokenId: Number(call.hold.token_id),
      line: lineOf(call),
    }))
  return { calls, next: holds.length < many ? undefined : ids.at(-1) }
}

async function entriesOf(
  db: Store['db'],
  kind: FoldedKind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Row>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('ledger_entries')
    .select(entryColumns)
    .where('kind', '=', kind)
    .where('ref', 'in', ids)
    .execute()
  return new Map(rows.map(row => [row.ref, row as Row]))
}
