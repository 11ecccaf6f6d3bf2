import { logTypes } from '../../../contract/log-types.ts'
import { topUpStatuses } from '../../../contract/wallet.ts'
import { AppError } from '../../errors.ts'
import { post } from '../../ledger/entries.ts'
import type { App } from '../app.ts'
import { grantPlan } from './plans/grant-plan.ts'
import { quotaText } from './quota-text.ts'
import { sumText } from './stripe/currency.ts'

/** What whoever took the money says of it. */
interface Payment {
  readonly tradeNo: string
  /** In the currency's smallest unit; undefined when it is no exact sum. */
  readonly money: number | undefined
  /** Blank for the gateway that has but one; an order of the other way to pay is never its own. */
  readonly currency: string
}

interface Refusal {
  readonly why: string
  /** That the order is as it was paid, and the credit failed: told again, it may yet succeed. */
  readonly mayYet: boolean
}

/** Credits an order once, however often it is told of. Answers why not, if not. */
export async function creditOrder(app: App, payment: Payment): Promise<Refusal | undefined> {
  const { tradeNo, money, currency } = payment
  const order = await app.store.db
    .selectFrom('top_ups')
    .select(['user_id', 'quota', 'money', 'currency', 'status', 'plan'])
    .where('trade_no', '=', tradeNo)
    .executeTakeFirst()
  if (!order) return { why: 'there is no such order', mayYet: false }
  if (order.money !== money || order.currency !== currency)
    return { why: 'the money is not the order’s', mayYet: false }
  if (order.status === topUpStatuses.success) return undefined
  try {
    return (await complete(app, tradeNo, order)) ? undefined : { why: 'the order is gone', mayYet: false }
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return { why: error.message, mayYet: true }
    throw error
  }
}

interface Order {
  readonly user_id: number
  readonly quota: number
  readonly money: number
  readonly currency: string
  readonly plan: string | null
}

/** True when the order is paid once this returns, whoever saw to it. */
async function complete(app: App, tradeNo: string, order: Order): Promise<boolean> {
  const run: App['store']['transaction'] =
    order.plan === null ? app.store.transaction : work => app.store.change('users', work)
  const isOurs = await run(async transaction => {
    // The condition decides, not what was read: of many at once only one changes the row. One that was given
    // up is credited too: it was paid.
    const { numUpdatedRows } = await transaction
      .updateTable('top_ups')
      .set({ status: topUpStatuses.success, complete_time: app.now() })
      .where('trade_no', '=', tradeNo)
      .where('status', '!=', topUpStatuses.success)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    const { user_id: userId, quota, money, currency } = order
    const paid = currency === '' ? (money / 100).toFixed(6) : sumText(money, currency)
    if (order.plan !== null && (await grantPlan(app, transaction, { userId, plan: order.plan, paid })))
      return true
    const late = order.plan === null ? '' : '套餐已无法开通，按充值入账：'
    if (late)
      await transaction.updateTable('top_ups').set({ plan: null }).where('trade_no', '=', tradeNo).execute()
    await post(transaction, app.now(), { kind: 'top-up', ref: tradeNo, userId }, quota, {
      type: logTypes.topUp,
      content: `${late}使用在线充值成功，充值金额: ${quotaText(app, quota)}，支付金额：${paid}`,
    })
    return true
  })
  return isOurs || (await isPaid(app, tradeNo))
}

async function isPaid({ store }: App, tradeNo: string): Promise<boolean> {
  const row = await store.db
    .selectFrom('top_ups')
    .select('status')
    .where('trade_no', '=', tradeNo)
    .executeTakeFirst()
  return row?.status === topUpStatuses.success
}
