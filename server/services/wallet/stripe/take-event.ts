import * as z from 'zod/mini'
import { topUpStatuses } from '../../../../contract/wallet.ts'
import { AppError } from '../../../errors.ts'
import { log } from '../../../log.ts'
import type { App } from '../../app.ts'
import { creditOrder } from '../credit-order.ts'
import { closeOrder } from './close-order.ts'
import { isSignedByStripe } from './signature.ts'

const event = z.object({ type: z.string(), data: z.object({ object: z.unknown() }) })

/** Of a session, what is looked at. Other pages of the same account have no order of ours in them. */
const session = z.object({
  client_reference_id: z.nullish(z.string()),
  metadata: z.nullish(z.record(z.string(), z.string())),
  payment_status: z.string(),
  amount_total: z.nullish(z.int()),
  currency: z.nullish(z.string().check(z.length(3))),
})
type Session = z.output<typeof session>

type Take = (app: App, tradeNo: string, session: Session) => Promise<void>

/** What is not here is nothing to us: refunds and disputes are for people to judge. */
const takes: Readonly<Record<string, Take>> = {
  'checkout.session.completed': creditPaid,
  'checkout.session.async_payment_succeeded': creditPaid,
  'checkout.session.async_payment_failed': (app, tradeNo) => closeOrder(app, tradeNo, topUpStatuses.failed),
  'checkout.session.expired': (app, tradeNo) => closeOrder(app, tradeNo, topUpStatuses.expired),
}

/**
 * Takes what Stripe tells. It is told again what it is not thanked for, so thanks are said when the credit is in
 * the books, or when telling again would change nothing.
 */
export async function takeEvent(app: App, payload: string, signature: string | null): Promise<void> {
  // The other settings may be gone by now: what was ordered before is credited.
  const secret = app.settings.get('StripeWebhookSecret')
  if (secret === '') throw new AppError('top-up.off')
  if (!isSignedByStripe(payload, signature, { secret, now: app.now() }))
    throw new AppError('payment.signature')
  const { type, data } = read(event, parse(payload))
  const take = Object.hasOwn(takes, type) ? takes[type] : undefined
  if (!take) return
  const about = read(session, data.object)
  const tradeNo = about.metadata?.order
  if (tradeNo === undefined || tradeNo !== about.client_reference_id || !/^\w{1,100}$/.test(tradeNo)) return
  await take(app, tradeNo, about)
}

async function creditPaid(app: App, tradeNo: string, about: Session): Promise<void> {
  // A bank transfer is on its way when the page is done with, and there is another event when it is here.
  if (about.payment_status !== 'paid') return
  const money = about.amount_total ?? undefined
  const currency = about.currency ?? '-'
  const refused = await creditOrder(app, { tradeNo, money, currency })
  if (!refused) return
  log.warn('a card payment was not credited', { tradeNo, money, currency, refused: refused.why })
  if (refused.mayYet) throw new AppError('payment.not-credited')
}

function read<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new AppError('payment.event')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
