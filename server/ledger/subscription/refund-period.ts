import type { Selectable } from 'kysely'
import type { Holds } from '../../store/ledger-schema.ts'
import { lockedOn } from '../../store/lock-rows.ts'
import { cover } from './claim.ts'
import {
  type Books,
  lastPeriod,
  move,
  type Period,
  setPeriod,
  setSubscription,
  subscriptionsOf,
  type Wallet,
} from './wallet.ts'

type Charged = Pick<Selectable<Holds>, 'id' | 'charge' | 'updated_at'>

/**
 * After a charge was given back: what of it a plan had paid in a period that is over is gone with that period, and
 * leaves the wallet again. What was charged before the running period is none of what was spent in this one.
 * `wallet` is as it was before the refund, but for its quota.
 */
export async function refundPeriod(books: Books, wallet: Wallet, hold: Charged): Promise<void> {
  const periods = await periodsSince(books, wallet, hold)
  if (periods.length === 0) return
  const { covered, leftOut, by } = await uncover(books, wallet, hold)
  const counted = hold.charge - leftOut
  const [running] = periods.filter(({ ended_at }) => ended_at === 0)
  const spentIn = (period: Period): number =>
    period === running ? wallet.used_quota - period.used_before : period.spent
  const others = periods.filter(({ subscription_id }) => !by.includes(subscription_id))
  // Clocks of several machines are not quite one: what was not spent in a period was charged before it, or after.
  const has = (period: Period | undefined): boolean => period !== undefined && spentIn(period) >= counted
  const at = others.findIndex(
    period => period.began_at < hold.updated_at && (period !== running || has(period)),
  )
  let own = others[at]
  if (own && own.ended_at >= hold.updated_at && !has(own))
    own = has(others[at - 1]) ? others[at - 1] : undefined
  if (running) {
    const before = own === running ? leftOut : hold.charge
    await setPeriod(books, running, { used_before: running.used_before - before })
    if (own === running) return
  }
  if (!own || own.ended_at < hold.updated_at) return
  const wasLeft = Math.max(0, own.quota - own.spent)
  const spent = own.spent - counted
  const gone = Math.min(Math.max(0, own.quota - spent) - wasLeft, hold.charge - covered)
  await takeAgain(books, wallet, own, hold, gone)
  await setPeriod(books, own, { spent, returned: own.returned + gone })
}

/** The newest first, until the one before the charge. */
async function periodsSince(
  { transaction, engine }: Books,
  { userId }: Wallet,
  { updated_at }: Charged,
): Promise<Period[]> {
  const rows = (wanted: 'since' | 'before') =>
    transaction
      .selectFrom('subscription_periods')
      .selectAll()
      .where('user_id', '=', userId)
      .where('began_at', wanted === 'since' ? '>=' : '<', updated_at)
      .orderBy('began_at', 'desc')
      .orderBy('subscription_id', 'desc')
      .orderBy('no', 'desc')
      .$if(wanted === 'before', query => query.limit(2))
      .$call(lockedOn(engine))
      .execute()
  return [...(await rows('since')), ...(await rows('before'))]
}

/**
 * Of a call that was under way when plans ended: what these have paid of it, what of that is left out of what was spent
 * in the period of another, and which they are.
 */
async function uncover(
  books: Books,
  wallet: Wallet,
  hold: Charged,
): Promise<{ covered: number; leftOut: number; by: readonly number[] }> {
  const { transaction, engine } = books
  const rows = await transaction
    .selectFrom('subscription_holds')
    .selectAll()
    .where('hold_id', '=', hold.id)
    .$call(lockedOn(engine))
    .execute()
  let sum = 0
  let leftOut = 0
  for (const row of rows) {
    const subscription = await subscriptionsOf(books, wallet.userId)
      .where('id', '=', row.subscription_id)
      .$call(lockedOn(engine))
      .executeTakeFirstOrThrow()
    let { covered } = row
    if (row.waiting === 1) {
      covered = Math.min(hold.charge, subscription.owed)
      await setSubscription(books, subscription, { owed: subscription.owed - covered })
    }
    covered = Math.min(covered, hold.charge - sum)
    sum += covered
    if (row.waiting === 0) leftOut += covered
    await cover(transaction, subscription, hold.id, 0)
    const period = await lastPeriod(books, subscription)
    await takeAgain(books, wallet, period, hold, covered)
    await setPeriod(books, period, { returned: period.returned + covered })
  }
  return { covered: sum, leftOut, by: rows.map(({ subscription_id }) => subscription_id) }
}

async function takeAgain(
  books: Books,
  wallet: Wallet,
  { subscription_id, no }: Period,
  { id }: Charged,
  amount: number,
): Promise<void> {
  if (amount === 0) return
  await move(books, wallet, { kind: 'allowance-end', ref: `${subscription_id}:${no}:${id}` }, -amount)
}
