import { createHmac } from 'node:crypto'
import { type Exchange, listen, type WireRequest } from '../../upstreams/http.ts'

export const stripeSecrets = {
  api: 'rk_test_51NotARealKey0123456789abcdef',
  webhook: 'whsec_notARealSecretEither0123456789',
}

/** Every parameter that is taken, with `#` for a place in a list and `*` for any name. */
const parameters = new Set([
  ...['mode', 'client_reference_id', 'success_url', 'cancel_url', 'locale', 'customer_email', 'expires_at'],
  ...['metadata[*]', 'payment_intent_data[metadata][*]', 'payment_intent_data[description]'],
  ...['adaptive_pricing[enabled]', 'line_items[#][quantity]', 'line_items[#][price]'],
  ...['line_items[#][price_data][currency]', 'line_items[#][price_data][unit_amount]'],
  ...[
    'line_items[#][price_data][product_data][name]',
    'line_items[#][price_data][product_data][description]',
  ],
])
const versions = new Set(['2024-11-20.acacia', '2025-03-31.basil', '2025-09-30.clover'])
/** The least that is charged, for the currencies of the tests. */
const leastCharge: Record<string, number> = { usd: 50, eur: 50, jpy: 50, kwd: 150, isk: 7000, cny: 400 }
const MOST_CHARGE = 99_999_999
const stepOf: Record<string, number> = { kwd: 10, isk: 100 }

export interface FakeSession {
  readonly id: string
  readonly fields: Readonly<Record<string, string>>
  readonly object: Record<string, unknown>
}

/** What befalls the next request: an error of Stripe's own, no answer at all, or a connection that breaks. */
export type Trouble = 'server-error' | 'rate-limit' | 'card-declined' | 'not-json' | 'silence' | 'hang-up'

interface Answer {
  readonly status: number
  readonly json: unknown
}

interface Kept {
  readonly body: string
  readonly answer: Answer
}

/** Stripe's API for payment pages, as strict about what it is sent, and the events it sends. */
export async function startStripe() {
  const sessions: FakeSession[] = []
  const refusals: string[] = []
  const troubles: Trouble[] = []
  const kept = new Map<string, Kept>()
  let requests = 0
  let beforeAnswer: (fields: Record<string, string>) => Promise<void> = async () => {}

  function refuse(status: number, error: Record<string, unknown>): Answer {
    refusals.push(`${status} ${error.code ?? error.type}: ${error.message}`)
    return { status, json: { error: { type: 'invalid_request_error', ...error } } }
  }

  function openSession(fields: Record<string, string>): Answer {
    for (const name of Object.keys(fields))
      if (!parameters.has(patternOf(name)))
        return refuse(400, {
          code: 'parameter_unknown',
          doc_url: 'https://stripe.com/docs/error-codes/parameter-unknown',
          message: `Received unknown parameter: ${name}`,
          param: name,
        })
    const price = 'line_items[0][price_data]'
    for (const param of ['mode', 'success_url', 'line_items[0][quantity]', `${price}[currency]`])
      if (!fields[param])
        return refuse(400, { code: 'parameter_missing', message: `Missing required param: ${param}.`, param })
    for (const param of [`${price}[unit_amount]`, `${price}[product_data][name]`])
      if (!fields[param])
        return refuse(400, { code: 'parameter_missing', message: `Missing required param: ${param}.`, param })
    for (const param of ['success_url', 'cancel_url'])
      if (fields[param] !== undefined && !/^https?:\/\//.test(fields[param]))
        return refuse(400, { code: 'url_invalid', message: 'Not a valid URL', param })
    if (fields.mode !== 'payment') return refuse(400, { message: 'Invalid mode', param: 'mode' })
    if (!/^[\w-]{1,200}$/.test(fields.client_reference_id ?? '-'))
      return refuse(400, { message: 'Invalid client_reference_id', param: 'client_reference_id' })
    const currency = fields[`${price}[currency]`] ?? ''
    const least = leastCharge[currency]
    if (least === undefined)
      return refuse(400, {
        message: `Invalid currency: ${currency}. Stripe currently supports these currencies: usd, eur, …`,
        param: `${price}[currency]`,
      })
    const param = `${price}[unit_amount]`
    const given = fields[param] ?? ''
    const amount = Number(given)
    if (!/^\d+$/.test(given))
      return refuse(400, { code: 'parameter_invalid_integer', message: `Invalid integer: ${given}`, param })
    if (amount % (stepOf[currency] ?? 1) !== 0)
      return refuse(400, { message: `Invalid amount for ${currency}: ${given}`, param })
    if (amount > MOST_CHARGE)
      return refuse(400, {
        code: 'amount_too_large',
        message: 'Amount must be no more than 999,999.99',
        param,
      })
    if (amount < least)
      return refuse(400, {
        code: 'amount_too_small',
        message: `The Checkout Session's total amount due must add up to at least ${least} ${currency}`,
      })
    const id = `cs_test_a1${String(sessions.length).padStart(20, '0')}`
    const object = sessionObject(id, fields, amount * Number(fields['line_items[0][quantity]']), currency)
    sessions.push({ id, fields, object })
    return { status: 200, json: object }
  }

  async function take({ headers, body: bytes }: WireRequest): Promise<Answer> {
    const { authorization } = headers
    if (authorization === undefined) return refuse(401, { message: 'You did not provide an API key.' })
    if (authorization !== `Bearer ${stripeSecrets.api}`)
      // The real one masks the key; this one says it, for those who would pass it on.
      return refuse(401, { message: `Invalid API Key provided: ${authorization.replace('Bearer ', '')}` })
    if (headers['content-type'] !== 'application/x-www-form-urlencoded')
      return refuse(400, {
        message: 'Invalid request (check that your POST content type is application/x-www-form-urlencoded).',
      })
    const version = headers['stripe-version']
    if (version !== undefined && !versions.has(version))
      return refuse(400, { message: `Invalid Stripe API version: ${version}` })
    const body = Buffer.from(bytes).toString()
    const key = headers['idempotency-key'] ?? ''
    if (key.length > 255) return refuse(400, { message: 'Idempotency key too long' })
    const before = kept.get(key)
    if (key !== '' && before)
      return before.body === body
        ? before.answer
        : refuse(400, {
            type: 'idempotency_error',
            message: 'Keys for idempotent requests can only be used with the same parameters.',
          })
    const pairs = [...new URLSearchParams(body)]
    const fields = Object.fromEntries(pairs)
    if (Object.keys(fields).length !== pairs.length) return refuse(400, { message: 'Duplicate parameters' })
    await beforeAnswer(fields)
    const answer = openSession(fields)
    if (key !== '') kept.set(key, { body, answer })
    return answer
  }

  async function answer(request: WireRequest): Promise<Answer> {
    const { method, target } = request
    if (method === 'POST' && target === '/v1/checkout/sessions') return take(request)
    return refuse(404, { message: `Unrecognized request URL (${method}: ${target}).` })
  }

  const server = await listen(async (request: WireRequest, exchange: Exchange) => {
    requests++
    const trouble = troubles.shift()
    if (trouble === 'silence') return exchange.connection.left
    const { status, json } = troubleAnswers[trouble ?? ''] ?? (await answer(request))
    const text = trouble === 'not-json' ? '<html>' : `${JSON.stringify(json, null, 2)}\n`
    const bytes = Buffer.from(text)
    const id = `req_${String(requests).padStart(14, 'x')}`
    await exchange.head(status, { 'content-type': 'application/json', 'request-id': id }, bytes.length)
    // It was heard, and its answer is lost on the way.
    if (trouble === 'hang-up') return exchange.cut()
    await exchange.body(bytes)
    await exchange.end()
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    sessions,
    refusals,
    troubles,
    /** The settings that name it. */
    settings: {
      ServerAddress: 'https://gate.example',
      StripeAddress: `http://127.0.0.1:${server.port}`,
      StripeApiSecret: stripeSecrets.api,
      StripeWebhookSecret: stripeSecrets.webhook,
      StripeCurrency: 'usd',
      StripeUnitPrice: '1.2',
    },
    get requests() {
      return requests
    },
    /** Looked at while the caller still waits for its answer. */
    onRequest(look: typeof beforeAnswer): void {
      beforeAnswer = look
    },
    stop: () => server.stop(),
  }
}

export type Stripe = Awaited<ReturnType<typeof startStripe>>

const troubleAnswers: Partial<Record<string, Answer>> = {
  'server-error': {
    status: 500,
    json: { error: { type: 'api_error', message: 'An unknown error occurred' } },
  },
  'rate-limit': {
    status: 429,
    json: { error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests' } },
  },
  'card-declined': {
    status: 402,
    json: { error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' } },
  },
}

function patternOf(name: string): string {
  return name
    .replace(/\[\d+\]/g, '[#]')
    .replace(/^((?:payment_intent_data\[)?metadata\]?)\[[^\]]{1,40}\]$/, '$1[*]')
}

function sessionObject(
  id: string,
  fields: Record<string, string>,
  amount: number,
  currency: string,
): Record<string, unknown> {
  const created = Math.floor(Date.now() / 1000)
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: fields['adaptive_pricing[enabled]'] !== 'false' },
    amount_subtotal: amount,
    amount_total: amount,
    cancel_url: fields.cancel_url ?? null,
    client_reference_id: fields.client_reference_id ?? null,
    created,
    currency,
    customer: null,
    customer_details: null,
    expires_at: created + 86_400,
    livemode: false,
    metadata: metadataOf(fields),
    mode: 'payment',
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
    success_url: fields.success_url ?? null,
    url: `https://checkout.stripe.com/c/pay/${id}#fidkdWxOYHwnPyd1blpxYHZxWjA0`,
  }
}

function metadataOf(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const key = /^metadata\[(.*)\]$/.exec(name)?.[1]
      return key === undefined ? [] : [[key, value]]
    }),
  )
}

let events = 0

/** An event as it is written on the wire: spread over lines, with much that nobody looks at. */
export function eventOf(
  type: string,
  { object }: Pick<FakeSession, 'object'>,
  change: Record<string, unknown> = {},
): string {
  const isPaid = /completed|succeeded/.test(type)
  const paid = isPaid ? { payment_status: 'paid', status: 'complete', payment_intent: 'pi_3Nabc' } : {}
  events++
  return JSON.stringify(
    {
      id: `evt_1N${String(events).padStart(16, '0')}`,
      object: 'event',
      api_version: '2024-06-20',
      created: Math.floor(Date.now() / 1000),
      data: { object: { ...object, ...paid, customer_details: { name: 'Zoë Müller 王' }, ...change } },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    },
    null,
    2,
  )
}

interface Signing {
  readonly secret?: string
  /** Seconds since 1970. */
  readonly at?: number
}

/** The header of a delivery, with a signature of the old scheme that tells nothing. */
export function signatureOf(payload: string, { secret = stripeSecrets.webhook, at }: Signing = {}): string {
  const time = at ?? Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex')
  return `t=${time},v1=${v1},v0=${'6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39'}`
}

/** Delivers an event as Stripe's server does. */
export async function deliver(
  gatewayUrl: string,
  payload: string,
  header: string | null = signatureOf(payload),
): Promise<string> {
  const answer = await fetch(`${gatewayUrl}/api/stripe/webhook`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      ...(header === null ? {} : { 'stripe-signature': header }),
    },
    body: payload,
  })
  return `${answer.status} ${await answer.text()}`
}
