import type { Selectable } from 'kysely'
import type { Cipher } from '../../store/cipher.ts'
import type { Store } from '../../store/index.ts'
import type { ClosedMonths } from '../../store/ledger-schema.ts'
import { lockedOn } from '../../store/lock-rows.ts'
import { readFact } from '../../store/system-facts.ts'
import { putRow } from '../../store/upsert.ts'
import { BOOKS_CLOSED_BEFORE } from '../moves.ts'
import { endOf, firstIdOf, keptSince, monthOf, monthStates, nextMonth } from './month.ts'

export type ClosedMonth = Selectable<ClosedMonths>

/** A file that what was folded was written to before. */
export interface MonthFile {
  readonly name: string
  readonly calls: number
  readonly sha256: string
}

export function lastMonth({ db }: Pick<Store, 'db'>): Promise<ClosedMonth | undefined> {
  return db.selectFrom('closed_months').selectAll().orderBy('month', 'desc').limit(1).executeTakeFirst()
}

/** What of a month can be shown, of all of them: there are twelve in a year. */
export async function listClosedMonths({ db }: Pick<Store, 'db'>) {
  const rows = await db
    .selectFrom('closed_months')
    .select(['month', 'state', 'started_at', 'closed_at', 'calls', 'user_amount', 'files', 'digest'])
    .orderBy('month', 'desc')
    .execute()
  return rows.map(row => ({ ...row, files: filesOf(row) }))
}

/** From which second on the books have every call; 0 where they have all. */
export async function closedBefore({ db }: Pick<Store, 'db'>): Promise<number> {
  return Number((await readFact(db, BOOKS_CLOSED_BEFORE)) ?? 0)
}

/** One that was begun, or the next that has calls and is old enough; undefined when there is none. */
export async function monthToClose(
  store: Pick<Store, 'db'>,
  now: number,
  keptMonths: number,
): Promise<string | undefined> {
  const last = await lastMonth(store)
  if (last?.state === monthStates.closing) return last.month
  const until = keptSince(now, keptMonths)
  const oldest = await store.db
    .selectFrom('holds')
    .select('created_at')
    .where('id', '>=', firstIdOf(last?.ends_at ?? 0))
    .where('id', '<', firstIdOf(until))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return undefined
  const soonest = last ? nextMonth(last.month) : ''
  const month = [monthOf(oldest.created_at), soonest].sort().at(-1) ?? ''
  return endOf(month) <= until ? month : undefined
}

/**
 * Says that a month is being closed before anything of it goes: from here on a charge that waited in a journal since
 * then is not taken for a new one.
 */
export async function beginMonth(store: Store, now: number, month: string): Promise<ClosedMonth> {
  await store.transaction(async transaction => {
    const last = await lastMonth({ db: transaction })
    if (last && last.month >= month) return
    const previous_hash = last?.hash ?? ''
    await transaction
      .insertInto('closed_months')
      .values({
        ...{ month, ends_at: endOf(month), state: monthStates.closing, started_at: now },
        ...{ digest: previous_hash, files: '[]', previous_hash },
      })
      .execute()
    await putRow(
      transaction,
      store.engine,
      'system',
      { key: BOOKS_CLOSED_BEFORE },
      { value: String(endOf(month)) },
    )
  })
  return readMonth(store, month)
}

export function readMonth({ db }: Pick<Store, 'db'>, month: string): Promise<ClosedMonth> {
  return db.selectFrom('closed_months').selectAll().where('month', '=', month).executeTakeFirstOrThrow()
}

export const filesOf = ({ files }: Pick<ClosedMonth, 'files'>): MonthFile[] =>
  JSON.parse(files) as MonthFile[]

/** Notes a file that is on disk, before anything in it is deleted. */
export async function noteFile(store: Store, month: string, file: MonthFile): Promise<void> {
  await store.transaction(async transaction => {
    const row = await lockMonth(transaction, store, month)
    const files = JSON.stringify([...filesOf(row), file])
    await transaction
      .updateTable('closed_months')
      .set({ files })
      .where('month', '=', month)
      .where('state', '=', monthStates.closing)
      .execute()
  })
}

/** Signs what was folded, and closes the month for good. */
export async function finishMonth(store: Store, now: number, month: string): Promise<void> {
  await store.transaction(async transaction => {
    const row = await lockMonth(transaction, store, month)
    if (row.state !== monthStates.closing) return
    const closed = { ...row, state: monthStates.closed, closed_at: now }
    await transaction
      .updateTable('closed_months')
      .set({ state: closed.state, closed_at: now, hash: signMonth(store.cipher, closed) })
      .where('month', '=', month)
      .execute()
  })
}

/** Keyed, so that whoever can write to the database still cannot write a chain that holds. */
export function signMonth(cipher: Cipher, row: ClosedMonth): string {
  const { month, ends_at, started_at, closed_at, portions, calls, entries } = row
  const { user_amount, token_amount, digest, files, previous_hash } = row
  const counted = [portions, calls, entries, user_amount, token_amount]
  return cipher.hash(
    'books',
    JSON.stringify([month, ends_at, started_at, closed_at, ...counted, digest, files, previous_hash]),
  )
}

function lockMonth(db: Store['db'], { engine }: Pick<Store, 'engine'>, month: string): Promise<ClosedMonth> {
  return db
    .selectFrom('closed_months')
    .selectAll()
    .where('month', '=', month)
    .$call(lockedOn(engine))
    .executeTakeFirstOrThrow()
}
