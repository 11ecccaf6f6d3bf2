import { type Kysely, sql, type Transaction } from 'kysely'
import { AppError } from '../errors.ts'
import type { Store } from '../store/index.ts'
import type { Schema } from '../store/schema.ts'
import { UniqueViolation } from '../store/store-error.ts'
import { checkAmount } from './amount.ts'

/** Why money moved outside of a request. */
export type EntryKind =
  | 'redeem'
  | 'top-up'
  | 'refund'
  | 'gift'
  | 'check-in'
  | 'invite'
  | 'earnings'
  | 'admin'
  | 'budget'
  | 'refill'
  | 'import'
  // What a plan costs, puts into the wallet for a period, and takes back of that.
  | 'plan'
  | 'allowance'
  | 'allowance-end'

export interface Entry {
  readonly kind: EntryKind
  /** What it is for: a second entry of the same kind and ref moves nothing. */
  readonly ref: string
  readonly userId: number
  readonly amount: number
}

/** The log row that goes with an entry, for the owner to read. */
export interface EntryLog {
  readonly type: number
  readonly content: string
}

/** Adds to a wallet, once; false when it had been done before. */
export async function credit(store: Store, now: number, entry: Entry, row?: EntryLog): Promise<boolean> {
  checkAmount(entry.amount)
  try {
    await store.transaction(transaction => post(transaction, now, entry, entry.amount, row))
    return true
  } catch (error) {
    if (error instanceof UniqueViolation) return false
    throw error
  }
}

/** Writes the entry and moves the balance, inside a transaction of the caller's. */
export async function post(
  transaction: Transaction<Schema>,
  now: number,
  { kind, ref, userId }: Omit<Entry, 'amount'>,
  by: number,
  row?: EntryLog,
): Promise<void> {
  await transaction
    .insertInto('ledger_entries')
    .values({ kind, ref, user_id: userId, token_id: 0, user_amount: by, token_amount: 0, created_at: now })
    .execute()
  if (by !== 0) await moveQuota(transaction, userId, by)
  if (row) await writeLog(transaction, now, userId, row, Math.abs(by))
}

/** The wallet never goes below zero, and never beyond what a number can hold. */
async function moveQuota(transaction: Transaction<Schema>, userId: number, by: number): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set(user => ({ quota: user('quota', '+', by) }))
    .where('id', '=', userId)
    .where(user => user(user('quota', '+', by), '>=', 0))
    .where('quota', '<=', Number.MAX_SAFE_INTEGER - Math.max(by, 0))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new AppError(by < 0 ? 'ledger.user-quota' : 'ledger.amount')
}

export async function writeLog(
  transaction: Kysely<Schema>,
  now: number,
  userId: number,
  { type, content }: EntryLog,
  quota: number,
): Promise<void> {
  const user = await transaction
    .selectFrom('users')
    .select(['username', 'group'])
    .where('id', '=', userId)
    .executeTakeFirst()
  await transaction
    .insertInto('logs')
    .values({
      created_at: now,
      type,
      user_id: userId,
      username: user?.username ?? '',
      token_id: 0,
      token_name: '',
      model_name: '',
      channel_id: 0,
      group: user?.group ?? '',
      is_stream: 0,
      use_time: 0,
      prompt_tokens: 0,
      completion_tokens: 0,
      quota,
      request_id: '',
      content,
      other: '',
    })
    .execute()
}

/** The row's own words, locked until the transaction ends where the engine locks rows. */
export async function lockedQuota(
  transaction: Transaction<Schema>,
  store: Pick<Store, 'engine'>,
  userId: number,
): Promise<number> {
  const lock = store.engine === 'sqlite' ? sql`` : sql`for update`
  const { rows } = await sql<{ quota: number }>`select quota from users where id = ${userId} ${lock}`.execute(
    transaction,
  )
  const [row] = rows
  if (!row) throw new AppError('row.not-found')
  return row.quota
}
