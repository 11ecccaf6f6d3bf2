import { type Selectable, sql, type Transaction } from 'kysely'
import type { Store } from '../store/index.ts'
import type { Holds } from '../store/ledger-schema.ts'
import { lockedOn } from '../store/lock-rows.ts'
import type { Schema } from '../store/schema.ts'
import { dropCost } from './drop-cost.ts'
import { type EntryLog, writeLog } from './entries.ts'
import { holdStates, REFUNDED, tokenStates } from './moves.ts'
import { readCounted, shareOf } from './spending/counted.ts'
import { refundPeriod } from './subscription/refund-period.ts'
import { lockWallet } from './subscription/wallet.ts'

interface Refund {
  /** The request whose charge is given back. */
  readonly requestId: string
  /** The channel that was asked for it; 0 when none was. */
  readonly channelId: number
  describe(amount: number): EntryLog
}

/**
 * Gives back what a request was charged: to the wallet, and to its token what came from the token. A second
 * refund of the same request is refused by the books themselves. Answers what was given back, which is 0 when
 * nothing had been charged; undefined while that is not decided yet.
 */
export async function refundCharge(
  transaction: Transaction<Schema>,
  store: Pick<Store, 'engine'>,
  now: number,
  { requestId, channelId, describe }: Refund,
): Promise<number | undefined> {
  const found = await holdOf(transaction, requestId).executeTakeFirst()
  if (found?.state === holdStates.open) return undefined
  if (!found) return 0
  // In the order in which the ledger locks: wallet, then token.
  const books = { transaction, engine: store.engine, now }
  const wallet = await lockWallet(books, found.user_id)
  // A charge that waited in a journal may have come meanwhile. One that is still to come finds this mark.
  const hold = await holdOf(transaction, requestId).$call(lockedOn(store.engine)).executeTakeFirstOrThrow()
  await transaction.updateTable('holds').set({ node_id: REFUNDED }).where('id', '=', requestId).execute()
  if (hold.state !== holdStates.settled) return 0
  if (hold.charge === 0) {
    await dropCost(transaction, store.engine, hold)
    return 0
  }
  const tokenAmount = await ofThisPeriod(transaction, store, hold)
  await transaction
    .insertInto('ledger_entries')
    .values({
      kind: 'refund',
      ref: requestId,
      user_id: hold.user_id,
      token_id: hold.token_id,
      user_amount: hold.charge,
      token_amount: tokenAmount,
      created_at: now,
    })
    .execute()
  await giveBack(transaction, hold, tokenAmount, channelId)
  await giveToLimits(transaction, hold)
  if (wallet) await refundPeriod(books, { ...wallet, quota: wallet.quota + hold.charge }, hold)
  await dropCost(transaction, store.engine, hold)
  await writeLog(transaction, now, hold.user_id, describe(hold.charge), hold.charge)
  return hold.charge
}

function holdOf(transaction: Transaction<Schema>, id: string) {
  return transaction.selectFrom('holds').selectAll().where('id', '=', id)
}

/** What came from a budget that has been renewed since is gone with it. */
async function ofThisPeriod(
  transaction: Transaction<Schema>,
  { engine }: Pick<Store, 'engine'>,
  { token_id, token_amount, updated_at }: Selectable<Holds>,
): Promise<number> {
  if (token_amount === 0) return 0
  const row = await transaction
    .selectFrom('tokens')
    .select('refilled_at')
    .where('id', '=', token_id)
    .$call(lockedOn(engine))
    .executeTakeFirst()
  return row && row.refilled_at >= updated_at ? 0 : token_amount
}

/** What was used is taken back as well, so that granted stays remaining plus used. */
async function giveBack(
  transaction: Transaction<Schema>,
  hold: Selectable<Holds>,
  tokenAmount: number,
  channelId: number,
): Promise<void> {
  await transaction
    .updateTable('users')
    .set(user => ({
      quota: user('quota', '+', hold.charge),
      used_quota: user('used_quota', '-', hold.charge),
    }))
    .where('id', '=', hold.user_id)
    .execute()
  if (hold.token_id !== 0) await giveToToken(transaction, hold, tokenAmount)
  await transaction
    .updateTable('channels')
    .set(channel => ({ used_quota: channel('used_quota', '-', hold.charge) }))
    .where('id', '=', channelId)
    // What a process that died had not counted there cannot be taken off.
    .where('used_quota', '>=', hold.charge)
    .execute()
}

/** What was refunded was not spent, in the windows that still run. */
async function giveToLimits(
  transaction: Transaction<Schema>,
  { limits, charge }: Selectable<Holds>,
): Promise<void> {
  if (limits === null) return
  for (const counted of readCounted(limits))
    await transaction
      .updateTable('spend_limits')
      .set(limit => ({ spent: limit('spent', '-', shareOf(counted, charge)) }))
      .where('id', '=', counted.limitId)
      .where('ends_at', '=', counted.window)
      .execute()
}

async function giveToToken(
  transaction: Transaction<Schema>,
  hold: Selectable<Holds>,
  tokenAmount: number,
): Promise<void> {
  await transaction
    .updateTable('tokens')
    .set(token => ({
      remain_quota: token('remain_quota', '+', tokenAmount),
      used_quota: token('used_quota', '-', hold.charge),
      // It was out of budget only because of what it gets back.
      status: tokenAmount > 0 ? reopened : token.ref('status'),
    }))
    .where('id', '=', hold.token_id)
    .execute()
}

const reopened = sql<number>`case when status = ${sql.lit(tokenStates.exhausted)} then ${sql.lit(tokenStates.enabled)} else status end`
