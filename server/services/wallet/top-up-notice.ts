import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import type { App } from '../app.ts'
import { creditOrder } from './credit-order.ts'
import { isSigned, readCents, readFields } from './epay.ts'

const PAID = 'TRADE_SUCCESS'

/** Takes a gateway's notice. `success` is said when the credit is in the books, now or from before. */
export async function takeNotice(
  app: App,
  pairs: readonly (readonly [string, string])[],
): Promise<'success' | 'fail'> {
  const { EpayId, EpayKey } = app.settings.all
  // The gateway's address may be gone by now: what was ordered before is credited.
  if (EpayId === '' || EpayKey === '') throw new AppError('top-up.off')
  const fields = readFields(pairs)
  // Only what is signed is looked at, let alone logged.
  if (!fields || !isSigned(fields, EpayKey) || fields.get('pid') !== EpayId) return 'fail'
  if (fields.get('trade_status') !== PAID) return 'fail'
  const tradeNo = fields.get('out_trade_no') ?? ''
  const money = readCents(fields.get('money') ?? '')
  const refused = await creditOrder(app, { tradeNo, money, currency: '' })
  if (refused === undefined) return 'success'
  log.warn('a payment was not credited', { tradeNo, money: fields.get('money'), refused: refused.why })
  return 'fail'
}
