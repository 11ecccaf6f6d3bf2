import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Schema } from '../store/schema.ts'
import { checkAmount } from './amount.ts'
import type { EntryKind } from './entries.ts'

const KIND: EntryKind = 'import'

/** What an account brings from elsewhere, on the day that it comes. */
export interface Opening {
  readonly userId: number
  /** 0 where it is a wallet. */
  readonly tokenId: number
  readonly amount: number
}

/** Puts into new wallets and budgets what their owners had before, each with the entry that says so, once. */
export async function openBalances(
  transaction: Transaction<Schema>,
  now: number,
  openings: readonly Opening[],
): Promise<void> {
  const some = openings.filter(({ amount }) => checkAmount(amount) > 0)
  if (some.length === 0) return
  await transaction
    .insertInto('ledger_entries')
    .values(
      some.map(({ userId, tokenId, amount }) => ({
        kind: KIND,
        ref: tokenId === 0 ? `user:${userId}` : `token:${tokenId}`,
        user_id: userId,
        token_id: tokenId,
        user_amount: tokenId === 0 ? amount : 0,
        token_amount: tokenId === 0 ? 0 : amount,
        created_at: now,
      })),
    )
    .execute()
  const wallets = some.filter(({ tokenId }) => tokenId === 0)
  const budgets = some.filter(({ tokenId }) => tokenId !== 0)
  await add(transaction, sql`users set quota = quota`, wallets, ({ userId }) => userId)
  await add(transaction, sql`tokens set remain_quota = remain_quota`, budgets, ({ tokenId }) => tokenId)
}

async function add(
  transaction: Transaction<Schema>,
  target: RawBuilder<unknown>,
  openings: readonly Opening[],
  idOf: (opening: Opening) => number,
): Promise<void> {
  if (openings.length === 0) return
  const cases = openings.map(one => sql`when ${sql.lit(idOf(one))} then ${sql.lit(one.amount)}`)
  const ids = openings.map(one => sql.lit(idOf(one)))
  await sql`update ${target} + case id ${sql.join(cases, sql` `)} end where id in (${sql.join(ids)})`.execute(
    transaction,
  )
}
