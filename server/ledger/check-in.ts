import type { Store } from '../store/index.ts'
import { credit, type EntryKind, type EntryLog } from './entries.ts'

const KIND: EntryKind = 'check-in'

/** As a calendar on the server's wall has it, like the periods of budgets: `2026-11-17`. */
export function dayOf(now: number): string {
  const at = new Date(now * 1000)
  const part = (value: number, digits: number) => String(value).padStart(digits, '0')
  return `${part(at.getFullYear(), 4)}-${part(at.getMonth() + 1, 2)}-${part(at.getDate(), 2)}`
}

/** Padded to one length: so those of a user, and of a month, are neighbours whatever the engine's collation. */
const refOf = (userId: number, day: string): string => `${String(userId).padStart(16, '0')}:${day}`

/** Adds what a check-in brings, once a day; false when there has been one. */
export function checkIn(
  store: Store,
  now: number,
  { userId, amount }: { userId: number; amount: number },
  row: EntryLog,
): Promise<boolean> {
  return credit(store, now, { kind: KIND, ref: refOf(userId, dayOf(now)), userId, amount }, row)
}

/** Those of the days that begin with this text, the newest first. */
export async function checkInsOf({ db }: Pick<Store, 'db'>, userId: number, month: string) {
  const rows = await entriesOf(db, userId, `${month}-00`, `${month}-99`)
    .select(['ref', 'user_amount'])
    .orderBy('ref', 'desc')
    .execute()
  return rows.map(({ ref, user_amount }) => ({ day: ref.slice(-10), amount: user_amount }))
}

export async function sumCheckIns({ db }: Pick<Store, 'db'>, userId: number) {
  const { count, amount } = await entriesOf(db, userId, '0000-00-00', '9999-99-99')
    .select(entry => [
      entry.fn.countAll<number>().as('count'),
      entry.fn.sum<number | null>('user_amount').as('amount'),
    ])
    .executeTakeFirstOrThrow()
  return { count: Number(count), amount: Number(amount ?? 0) }
}

function entriesOf(db: Store['db'], userId: number, first: string, last: string) {
  return db
    .selectFrom('ledger_entries')
    .where('kind', '=', KIND)
    .where('ref', '>=', refOf(userId, first))
    .where('ref', '<=', refOf(userId, last))
}
