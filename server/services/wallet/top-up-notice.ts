import { logTypes } from '../../../contract/log-types.ts'
import { topUpStatuses } from '../../../contract/wallet.ts'
import { AppError } from '../../errors.ts'
import { post } from '../../ledger/entries.ts'
import { log } from '../../log.ts'
import type { App } from '../app.ts'
import { isSigned, readCents, readFields } from './epay.ts'
import { quotaText } from './quota-text.ts'
import { requirePayment } from './top-up.ts'

const PAID = 'TRADE_SUCCESS'

/** Takes a gateway's notice. `success` is said when the credit is in the books, now or from before. */
export async function takeNotice(
  app: App,
  pairs: readonly (readonly [string, string])[],
): Promise<'success' | 'fail'> {
  requirePayment(app.settings)
  const { EpayId, EpayKey } = app.settings.all
  const fields = readFields(pairs)
  // Only what is signed is looked at, let alone logged.
  if (!fields || !isSigned(fields, EpayKey) || fields.get('pid') !== EpayId) return 'fail'
  if (fields.get('trade_status') !== PAID) return 'fail'
  const tradeNo = fields.get('out_trade_no') ?? ''
  const refused = await creditOrder(app, tradeNo, readCents(fields.get('money') ?? ''))
  if (refused === undefined) return 'success'
  log.warn('a payment was not credited', { tradeNo, money: fields.get('money'), refused })
  return 'fail'
}

/** Credits an order once, however often it is told of. Answers why not, if not. */
async function creditOrder(
  app: App,
  tradeNo: string,
  money: number | undefined,
): Promise<string | undefined> {
  const order = await app.store.db
    .selectFrom('top_ups')
    .select(['user_id', 'quota', 'money', 'status'])
    .where('trade_no', '=', tradeNo)
    .executeTakeFirst()
  if (!order) return 'there is no such order'
  if (order.money !== money) return 'the money is not the order’s'
  if (order.status === topUpStatuses.success) return undefined
  try {
    return (await complete(app, tradeNo, order)) ? undefined : 'the order is closed'
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return error.message
    throw error
  }
}

interface Order {
  readonly user_id: number
  readonly quota: number
  /** Cents. */
  readonly money: number
}

/** True when the order is paid once this returns, whoever saw to it. */
async function complete(app: App, tradeNo: string, order: Order): Promise<boolean> {
  const isOurs = await app.store.transaction(async transaction => {
    // The condition decides, not what was read: of many at once only one changes the row.
    const { numUpdatedRows } = await transaction
      .updateTable('top_ups')
      .set({ status: topUpStatuses.success, complete_time: app.now() })
      .where('trade_no', '=', tradeNo)
      .where('status', '=', topUpStatuses.pending)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    const { user_id: userId, quota, money } = order
    await post(transaction, app.now(), { kind: 'top-up', ref: tradeNo, userId }, quota, {
      type: logTypes.topUp,
      content: `使用在线充值成功，充值金额: ${quotaText(app, quota)}，支付金额：${(money / 100).toFixed(6)}`,
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
