import * as z from 'zod/mini'
import { AppError } from '../../../errors.ts'
import { log } from '../../../log.ts'
import { readText } from '../../../outbound/client.ts'
import type { App } from '../../app.ts'

/** What is sent is of this version, whatever the account's own is. */
const VERSION = '2025-03-31.basil'
const WAIT_MS = 15_000
const MOST_BYTES = 256 * 1024

const session = z.object({ id: z.string(), url: z.string().check(z.regex(/^https:\/\/\S+$/)) })
const failure = z.object({
  error: z.object({
    type: z.nullish(z.string()),
    code: z.nullish(z.string()),
    param: z.nullish(z.string()),
    message: z.nullish(z.string()),
  }),
})

/** What it takes no such sum for is the customer's to know; all else is the operator's. */
const sumErrors: Readonly<Record<string, 'payment.too-cheap' | 'payment.too-many'>> = {
  amount_too_small: 'payment.too-cheap',
  amount_too_large: 'payment.too-many',
}

/** Opens a payment page, and gives its address. The order's number makes it one page, however often it is asked for. */
export async function createSession(
  app: App,
  tradeNo: string,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const { status, requestId, text } = await askTwice(app, tradeNo, new URLSearchParams(fields).toString())
  const answer = parse(text)
  const made = session.safeParse(answer)
  if (status === 200 && made.success) return made.data.url
  const { type, code, param, message } = failure.safeParse(answer).data?.error ?? {}
  log.warn('Stripe opened no payment page', {
    tradeNo,
    status,
    requestId,
    type,
    code,
    param,
    said: message?.slice(0, 300),
  })
  const isTheirs = status === 409 || status === 429 || status >= 500
  throw new AppError(isTheirs ? 'payment.unreachable' : (sumErrors[code ?? ''] ?? 'payment.refused'))
}

/** Once more where nothing came back: a connection that was at rest may have been closed at the other end. */
async function askTwice(app: App, tradeNo: string, body: string) {
  const clock = AbortSignal.timeout(WAIT_MS)
  try {
    return await ask(app, tradeNo, body, clock)
  } catch (error) {
    if (clock.aborted) throw unreachable(tradeNo, error)
  }
  return ask(app, tradeNo, body, clock).catch(error => {
    throw unreachable(tradeNo, error)
  })
}

function unreachable(tradeNo: string, error: unknown): AppError {
  log.warn('Stripe could not be reached', { tradeNo, error })
  return new AppError('payment.unreachable', {}, error)
}

async function ask({ settings, outbound }: App, tradeNo: string, body: string, signal: AbortSignal) {
  const { StripeAddress, StripeApiSecret } = settings.all
  const response = await outbound.fetch(`${StripeAddress || 'https://api.stripe.com'}/v1/checkout/sessions`, {
    policy: 'operator',
    method: 'POST',
    headers: {
      authorization: `Bearer ${StripeApiSecret}`,
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': tradeNo,
      'stripe-version': VERSION,
    },
    body,
    signal,
    maxBytes: MOST_BYTES,
  })
  const requestId = response.headers.get('request-id') ?? undefined
  return { status: response.status, requestId, text: await readText(response, MOST_BYTES) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
