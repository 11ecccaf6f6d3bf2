import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Client, rootClient } from '../client.ts'
import { until } from '../program.ts'
import type { Rig } from '../relay/rig.ts'
import { dropAll, engines } from '../services/databases.ts'
import { openApi, TokenClient } from './rig-client.ts'
import {
  deliver,
  eventOf,
  type FakeSession,
  type Stripe,
  signatureOf,
  startStripe,
  stripeSecrets,
} from './stripe-stand-in.ts'

afterAll(dropAll)

const COMPLETED = 'checkout.session.completed'
const EXPIRED = 'checkout.session.expired'
const LATE_SUCCESS = 'checkout.session.async_payment_succeeded'
const LATE_FAILURE = 'checkout.session.async_payment_failed'
const TAKEN = '200 {"received":true}'

describe.each(engines.map(engine => [engine.name, engine] as const))('Stripe on %s', (name, engine) => {
  let rig: Rig
  let root: Client
  let user: TokenClient
  let stripe: Stripe

  beforeAll(async () => {
    stripe = await startStripe()
    rig = await openApi(await engine.freshUrl())
    root = await rootClient(rig.url)
    user = await TokenClient.of(rig, await rig.addUser({ quota: 0 }))
  }, 60_000)
  afterAll(async () => {
    await rig.close()
    await stripe.stop()
  })

  const save = async (values: Record<string, string>): Promise<void> => {
    for (const [key, value] of Object.entries(values))
      expect((await root.saveOption(key, value)).json).toMatchObject({ success: true })
  }
  const price = async (amount: unknown, client = user) =>
    (await client.post('/api/user/stripe/amount', { amount })).json
  const pay = async (amount: unknown, client = user, more: object = {}) =>
    (await client.post('/api/user/stripe/pay', { amount, payment_method: 'stripe', ...more })).json
  const orderOf = (tradeNo: string) =>
    rig.store.db.selectFrom('top_ups').selectAll().where('trade_no', '=', tradeNo).executeTakeFirstOrThrow()
  const lastOrder = () =>
    rig.store.db.selectFrom('top_ups').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
  const send = (payload: string, header?: string | null) => deliver(rig.url, payload, header)
  const wasLogged = (tradeNo: string, words: string) =>
    until(() =>
      rig.program
        .output()
        .split('\n')
        .find(line => line.includes(tradeNo) && line.includes(words)),
    )

  /** An order of 5 dollars, for 6.00, by someone of their own, and the page it is paid on. */
  async function ordered(): Promise<{ session: FakeSession; tradeNo: string; buyer: TokenClient }> {
    const buyer = await TokenClient.of(rig, await rig.addUser({ quota: 7 }))
    expect(await pay(5, buyer)).toMatchObject({ message: 'success' })
    const session = stripe.sessions.at(-1)
    if (!session) throw new Error('there is no session')
    return { session, tradeNo: session.fields.client_reference_id ?? '', buyer }
  }

  test('there is nothing of it until keys, currency and price are all there', async () => {
    const { ServerAddress, StripeApiSecret, ...rest } = stripe.settings
    const early = await root.saveOption('StripeApiSecret', StripeApiSecret)
    expect(early.json).toMatchObject({ success: false, message: '请先填写服务器地址' })
    await save({ ServerAddress })
    const { StripeUnitPrice, ...others } = rest
    for (const [key, value] of Object.entries({ StripeApiSecret, ...others })) {
      expect((await user.get('/api/status')).json.data.enable_stripe_topup).toBe(false)
      expect((await user.post('/api/user/stripe/amount', { amount: 1 })).status).toBe(404)
      expect((await user.post('/api/user/stripe/pay', { amount: 1 })).status).toBe(404)
      // Its own secret is all that a webhook needs.
      const hasSecret = (await root.get('/api/option/')).json.secrets_set.includes('StripeWebhookSecret')
      expect(await send('{}', signatureOf('{}', { secret: '' }))).toStartWith(hasSecret ? '400' : '404')
      await save({ [key]: value })
    }
    expect((await user.post('/api/user/stripe/pay', { amount: 1 })).status).toBe(404)
    await save({ StripeUnitPrice })
    expect((await user.get('/api/status')).json.data).toMatchObject({
      enable_stripe_topup: true,
      enable_online_topup: false,
      stripe_min_topup: 1,
    })
    expect(await price(1)).toEqual({ message: 'success', data: '1.20', currency: 'usd' })
    expect(stripe.requests).toBe(0)
  })

  test('its secrets go in and never come out', async () => {
    const listed = (await root.get('/api/option/')).text
    for (const secret of Object.values(stripeSecrets)) expect(listed).not.toContain(secret)
    const stored = await rig.store.db.selectFrom('options').select('value').execute()
    for (const secret of Object.values(stripeSecrets)) expect(JSON.stringify(stored)).not.toContain(secret)
  })

  test('a price is exact, by group and currency, from the least amount upwards', async () => {
    await save({ TopupGroupRatio: '{"default":1,"vip":0.95,"cheap":0.00001}', StripeMinTopUp: '2' })
    const vip = await TokenClient.of(rig, await rig.addUser({ group: 'vip' }))
    expect(await price(3, vip)).toMatchObject({ data: '3.42' })
    const cheap = await TokenClient.of(rig, await rig.addUser({ group: 'cheap' }))
    expect(await price(5, cheap)).toEqual({ message: 'error', data: '充值金额过低' })
    expect(await price(1)).toEqual({ message: 'error', data: '充值数量不能小于 2' })
    await save({ StripeCurrency: 'JPY', StripeUnitPrice: '151.25' })
    expect(await price(2)).toEqual({ message: 'success', data: '303', currency: 'jpy' })
    expect(await pay(2)).toMatchObject({ message: 'success' })
    expect(await lastOrder()).toMatchObject({ money: 303, currency: 'jpy', quota: 1_000_000 })
    expect(stripe.sessions.at(-1)?.object).toMatchObject({ amount_total: 303, currency: 'jpy' })
    await save({ StripeCurrency: 'kwd', StripeUnitPrice: '0.3071' })
    expect(await price(2)).toMatchObject({ data: '0.610' })
    expect(await pay(2)).toMatchObject({ message: 'success' })
    await save({ StripeCurrency: 'isk', StripeUnitPrice: '138.4' })
    expect(await pay(2)).toMatchObject({ message: 'success' })
    expect(stripe.sessions.at(-1)?.object).toMatchObject({ amount_total: 27_700, currency: 'isk' })
    const { items } = (await user.get('/api/user/topup/self')).json.data
    expect(items).toMatchObject([
      { money: 277, currency: 'isk' },
      { money: 0.61, currency: 'kwd' },
      { money: 303, currency: 'jpy', payment_method: 'stripe', status: 'pending' },
    ])
    await save({ StripeCurrency: 'usd', StripeUnitPrice: '1.2', StripeMinTopUp: '1' })
    await save({ DisplayInCurrencyEnabled: 'false' })
    expect(await price(1)).toEqual({ message: 'error', data: '充值数量不能小于 500000' })
    expect(await price(750_000)).toMatchObject({ data: '1.80' })
    await save({ DisplayInCurrencyEnabled: 'true' })
  })

  test.each<[unknown, string]>([
    [-1, '参数错误'],
    [0, '充值数量不能小于 1'],
    [0.5, '参数错误'],
    ['5', '参数错误'],
    [null, '参数错误'],
    [2_000_000_001, '充值数量过大'],
  ])('an amount of %p is refused, and nothing is written down', async (amount, data) => {
    const { requests } = stripe
    const before = await lastOrder()
    expect(await price(amount)).toEqual({ message: 'error', data })
    expect(await pay(amount)).toEqual({ message: 'error', data })
    expect(await lastOrder()).toEqual(before)
    expect(stripe.requests).toBe(requests)
  })

  test('an order is written down before Stripe hears of it, and its page leads back here', async () => {
    let waiting: unknown
    stripe.onRequest(async fields => {
      waiting = await orderOf(fields.client_reference_id ?? '')
    })
    const elsewhere = { success_url: 'https://evil.example', cancel_url: 'https://evil.example' }
    const answer = await pay(5, user, elsewhere)
    stripe.onRequest(async () => {})
    const { fields, object } = stripe.sessions.at(-1) as FakeSession
    expect(answer).toEqual({ message: 'success', data: { pay_link: object.url } })
    const tradeNo = fields.client_reference_id ?? ''
    expect(tradeNo).toMatch(new RegExp(`^USR${user.id}NO[0-9A-Za-z]{6}\\d{10}$`))
    expect(fields).toEqual({
      mode: 'payment',
      client_reference_id: tradeNo,
      'metadata[order]': tradeNo,
      'payment_intent_data[metadata][order]': tradeNo,
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '600',
      'line_items[0][price_data][product_data][name]': 'Tollgate: $5',
      'adaptive_pricing[enabled]': 'false',
      success_url: 'https://gate.example/topup',
      cancel_url: 'https://gate.example/topup',
    })
    expect(waiting).toMatchObject({
      user_id: user.id,
      amount: 5,
      quota: 2_500_000,
      money: 600,
      currency: 'usd',
      payment_method: 'stripe',
      status: 'pending',
      complete_time: 0,
    })
    expect(await rig.balance(user.id)).toBe(0)
    const other = await pay(5, user, { payment_method: 'paypal' })
    expect(other).toEqual({ message: 'error', data: '不支持的支付方式' })
  })

  test('nothing is credited for a forged, an old or another’s signature', async () => {
    const { session, tradeNo, buyer } = await ordered()
    const payload = eventOf(COMPLETED, session)
    const now = Math.floor(Date.now() / 1000)
    const good = signatureOf(payload)
    const forged: Record<string, string | null> = {
      'no signature': null,
      'a blank one': '',
      nonsense: 'v1',
      'another secret': signatureOf(payload, { secret: 'whsec_another' }),
      'an empty secret': signatureOf(payload, { secret: '' }),
      'the API key': signatureOf(payload, { secret: stripeSecrets.api }),
      'six minutes old': signatureOf(payload, { at: now - 360 }),
      'of another event': signatureOf(eventOf(COMPLETED, session, { amount_total: 1 })),
      'the old scheme alone': good.replace('v1=', 'v0='),
      'a later time': good.replace(/t=\d+/, `t=${now + 10}`),
    }
    for (const [what, header] of Object.entries(forged))
      expect([what, await send(payload, header)]).toEqual([
        what,
        expect.stringMatching(/^400 .*"success":false/),
      ])
    expect(await send(payload.replace('"paid"', '"paid" '), good)).toStartWith('400')
    expect(await send(JSON.stringify(JSON.parse(payload)), good)).toStartWith('400')
    expect(await orderOf(tradeNo)).toMatchObject({ status: 'pending' })
    expect(await rig.balance(buyer.id)).toBe(7)
    // Two secrets are in force while one takes over.
    const stale = signatureOf(payload, { secret: 'whsec_another', at: now })
    expect(await send(payload, `${stale},${signatureOf(payload, { at: now })}`)).toBe(TAKEN)
    expect(await rig.balance(buyer.id)).toBe(2_500_007)
  })

  test('what was paid is the order’s sum in the order’s currency, or it is not credited', async () => {
    const { session, tradeNo, buyer } = await ordered()
    const wrong: Record<string, Record<string, unknown>> = {
      'less money': { amount_total: 599 },
      'more money': { amount_total: 601 },
      'no money': { amount_total: null },
      'another currency': { currency: 'jpy' },
      'no currency': { currency: null },
      'not paid': { payment_status: 'unpaid' },
      'nothing to pay': { payment_status: 'no_payment_required' },
      'an order that is not there': {
        client_reference_id: 'USR1NOabcdef1700000000',
        metadata: { order: 'USR1NOabcdef1700000000' },
      },
      // Anyone can write a reference onto a payment link of the same account.
      'another page with its reference': { metadata: {} },
      'another page without metadata': { metadata: null },
      'its order, on a page with another reference': { client_reference_id: 'x' },
      'no reference': { client_reference_id: null },
      'a reference no database takes': { client_reference_id: '\u0000', metadata: { order: '\u0000' } },
    }
    for (const type of [COMPLETED, LATE_SUCCESS])
      for (const [what, change] of Object.entries(wrong))
        expect([what, await send(eventOf(type, session, change))]).toEqual([what, TAKEN])
    await wasLogged(tradeNo, 'the money is not the order')
    await wasLogged('USR1NOabcdef1700000000', 'there is no such order')
    expect(await orderOf(tradeNo)).toMatchObject({ status: 'pending' })
    expect(await rig.balance(buyer.id)).toBe(7)
  })

  test('neither way to pay credits an order of the other', async () => {
    await save({ PayAddress: 'https://pay.example', EpayId: '1001', EpayKey: 'a-merchants-key' })
    await save({ Price: '1.2' })
    const { session, tradeNo, buyer } = await ordered()
    const form = await buyer.post('/api/user/pay', { amount: 5, payment_method: 'zfb' })
    const epayOrder = form.json.data.out_trade_no
    expect(form.json.data.money).toBe('6.00')
    const change = { client_reference_id: epayOrder, metadata: { order: epayOrder } }
    expect(await send(eventOf(COMPLETED, session, change))).toBe(TAKEN)
    expect(await send(eventOf(EXPIRED, session, change))).toBe(TAKEN)
    expect(await orderOf(epayOrder)).toMatchObject({ status: 'pending' })
    const notice = `money=6.00&out_trade_no=${tradeNo}&pid=1001&trade_status=TRADE_SUCCESS`
    const sign = new Bun.CryptoHasher('md5').update(`${notice}a-merchants-key`).digest('hex')
    const told = await fetch(`${rig.url}/api/user/epay/notify?${notice}&sign=${sign}&sign_type=MD5`)
    expect(await told.text()).toBe('fail')
    expect(await rig.balance(buyer.id)).toBe(7)
    expect(await send(eventOf(COMPLETED, session))).toBe(TAKEN)
    expect(await rig.balance(buyer.id)).toBe(2_500_007)
    await save({ EpayKey: '', Price: '7.3' })
  })

  test('fifty deliveries at once credit once, and each is thanked for', async () => {
    const { session, tradeNo, buyer } = await ordered()
    // What it credits was settled when it was ordered.
    await save({ QuotaPerUnit: '100', StripeCurrency: 'eur', StripeUnitPrice: '9' })
    const payload = eventOf(COMPLETED, session)
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(payload)))
    expect(new Set(answers)).toEqual(new Set([TAKEN]))
    expect(await send(eventOf(LATE_SUCCESS, session))).toBe(TAKEN)
    await save({ QuotaPerUnit: '500000', StripeCurrency: 'usd', StripeUnitPrice: '1.2' })
    expect(await rig.balance(buyer.id)).toBe(2_500_007)
    const order = await orderOf(tradeNo)
    expect(order.status).toBe('success')
    expect(order.complete_time).toBeGreaterThanOrEqual(order.create_time)
    const logs = await rig.store.db
      .selectFrom('logs')
      .select(['type', 'quota', 'content'])
      .where('user_id', '=', buyer.id)
      .execute()
    expect(logs).toEqual([
      {
        type: 1,
        quota: 2_500_000,
        content: '使用在线充值成功，充值金额: ＄25000.000000 额度，支付金额：6.00 USD',
      },
    ])
    const entries = await rig.store.db
      .selectFrom('ledger_entries')
      .select(['kind', 'user_amount'])
      .where('ref', '=', tradeNo)
      .execute()
    expect(entries).toEqual([{ kind: 'top-up', user_amount: 2_500_000 }])
    expect(await rig.differences()).toEqual([])
  })

  test('events come in any order: what was paid is credited, and stays paid', async () => {
    const story = async (...told: [string, Record<string, unknown>?][]): Promise<[string, number]> => {
      const { session, tradeNo, buyer } = await ordered()
      for (const [type, change] of told) expect(await send(eventOf(type, session, change))).toBe(TAKEN)
      return [(await orderOf(tradeNo)).status, (await rig.balance(buyer.id)) - 7]
    }
    const open = { payment_status: 'unpaid' }
    expect(await story([COMPLETED], [EXPIRED], [LATE_FAILURE])).toEqual(['success', 2_500_000])
    expect(await story([EXPIRED])).toEqual(['expired', 0])
    expect(await story([EXPIRED], [COMPLETED], [EXPIRED])).toEqual(['success', 2_500_000])
    // A bank transfer takes its days.
    expect(await story([COMPLETED, open])).toEqual(['pending', 0])
    expect(await story([COMPLETED, open], [LATE_SUCCESS], [COMPLETED])).toEqual(['success', 2_500_000])
    expect(await story([COMPLETED, open], [LATE_FAILURE])).toEqual(['failed', 0])
    expect(await story([LATE_FAILURE], [EXPIRED])).toEqual(['failed', 0])
    expect(await story([LATE_SUCCESS], [COMPLETED, open])).toEqual(['success', 2_500_000])
  })

  test('other events are thanked for and change nothing; what cannot be read is 400', async () => {
    const { session, tradeNo, buyer } = await ordered()
    for (const type of ['charge.refunded', 'charge.dispute.created', 'payment_intent.succeeded', 'toString'])
      expect(await send(eventOf(type, session))).toBe(TAKEN)
    for (const payload of [
      '',
      '{',
      '[]',
      '{}',
      '{"type":1,"data":{}}',
      `{"type":"${COMPLETED}","data":{"object":7}}`,
    ])
      expect([payload, await send(payload)]).toEqual([payload, expect.stringMatching(/^400 /)])
    expect(await send(`{"x":"${'x'.repeat(300_000)}"}`)).toStartWith('413')
    expect(await orderOf(tradeNo)).toMatchObject({ status: 'pending' })
    expect(await rig.balance(buyer.id)).toBe(7)
  })

  test('a payment under way is credited though card payments were turned off meanwhile', async () => {
    const { session, buyer } = await ordered()
    await save({ StripeApiSecret: '', StripeUnitPrice: '0' })
    expect((await buyer.post('/api/user/stripe/pay', { amount: 5 })).status).toBe(404)
    expect(await send(eventOf(COMPLETED, session))).toBe(TAKEN)
    expect(await rig.balance(buyer.id)).toBe(2_500_007)
    await save({ StripeWebhookSecret: '' })
    const payload = eventOf(COMPLETED, session)
    expect(await send(payload, signatureOf(payload, { secret: '' }))).toStartWith('404')
    const { StripeApiSecret, StripeWebhookSecret, StripeUnitPrice } = stripe.settings
    await save({ StripeApiSecret, StripeWebhookSecret, StripeUnitPrice })
  })

  test('a credit that cannot be held is told of again until it can', async () => {
    const { session, tradeNo, buyer } = await ordered()
    const put = (quota: number) =>
      rig.store.db.updateTable('top_ups').set({ quota }).where('trade_no', '=', tradeNo).execute()
    await put(Number.MAX_SAFE_INTEGER)
    expect(await send(eventOf(COMPLETED, session))).toStartWith('409')
    expect(await orderOf(tradeNo)).toMatchObject({ status: 'pending' })
    await put(500)
    expect(await send(eventOf(COMPLETED, session))).toBe(TAKEN)
    expect(await rig.balance(buyer.id)).toBe(507)
  })

  test('where Stripe fails or refuses, the order is closed and the customer told which it was', async () => {
    const later = '暂时无法连接支付平台，请稍后再试'
    const refused = '支付平台未接受该订单，请联系管理员'
    const told: [Parameters<Stripe['troubles']['push']>[0], string][] = [
      ['server-error', later],
      ['rate-limit', later],
      ['card-declined', refused],
      ['not-json', refused],
    ]
    for (const [trouble, data] of told) {
      stripe.troubles.push(trouble)
      expect([trouble, await pay(5)]).toEqual([trouble, { message: 'error', data }])
      expect(await lastOrder()).toMatchObject({ user_id: user.id, status: 'failed', complete_time: 0 })
    }
    const { trade_no } = await lastOrder()
    await wasLogged(trade_no, 'Stripe opened no payment page')
    // A sum that it does not take is the customer's to change.
    await save({ StripeUnitPrice: '0.1' })
    expect(await pay(1)).toEqual({ message: 'error', data: '充值金额过低' })
    await save({ StripeUnitPrice: '1000000' })
    expect(await pay(1)).toEqual({ message: 'error', data: '充值数量过大' })
    await save({ StripeUnitPrice: '1.2', StripeCurrency: 'zzz' })
    const english = await user.post('/api/user/stripe/pay', { amount: 5 }, { 'accept-language': 'en' })
    expect(english.json).toEqual({
      message: 'error',
      data: 'The payment provider did not accept this order; ask the administrator',
    })
    await save({ StripeCurrency: 'usd', StripeApiSecret: 'sk_test_not-the-one-it-knows' })
    expect(await pay(5)).toEqual({ message: 'error', data: refused })
    expect(stripe.refusals.at(-1)).toContain('sk_test_not-the-one-it-knows')
    await save({ StripeApiSecret: stripe.settings.StripeApiSecret, StripeAddress: 'http://127.0.0.1:9' })
    expect(await pay(5)).toEqual({ message: 'error', data: later })
    expect(await lastOrder()).toMatchObject({ status: 'failed' })
    await save({ StripeAddress: stripe.url })
    expect(await pay(5)).toMatchObject({ message: 'success' })
  })

  test('an answer that is lost is asked for again, and there is one page', async () => {
    const { requests } = stripe
    const pages = stripe.sessions.length
    stripe.troubles.push('hang-up')
    expect(await pay(5)).toMatchObject({ message: 'success' })
    expect([stripe.requests - requests, stripe.sessions.length - pages]).toEqual([2, 1])
    stripe.troubles.push('hang-up', 'hang-up')
    expect(await pay(5)).toMatchObject({ message: 'error' })
    const { trade_no, status } = await lastOrder()
    expect(status).toBe('failed')
    // Should the page that nobody was given be paid all the same, it is credited.
    const before = await rig.balance(user.id)
    const session = stripe.sessions.at(-1) as FakeSession
    expect(session.fields.client_reference_id).toBe(trade_no)
    expect(await send(eventOf(COMPLETED, session))).toBe(TAKEN)
    expect(await rig.balance(user.id)).toBe(before + 2_500_000)
  })

  // The wait is the same on every engine.
  if (name === 'sqlite')
    test('who never answers is given up on', async () => {
      stripe.troubles.push('silence')
      expect(await pay(5)).toEqual({ message: 'error', data: '暂时无法连接支付平台，请稍后再试' })
      expect(await lastOrder()).toMatchObject({ status: 'failed' })
    }, 60_000)

  test('administrators see everyone’s orders and how they were paid', async () => {
    const { tradeNo, buyer } = await ordered()
    const admin = await TokenClient.of(rig, await rig.addUser({ role: 10 }))
    const found = (await admin.get(`/api/user/topup?keyword=${tradeNo}`)).json.data
    expect(found).toMatchObject({
      total: 1,
      items: [{ user_id: buyer.id, payment_method: 'stripe', money: 6, currency: 'usd', status: 'pending' }],
    })
  })

  test('it is described, with the header that proves the sender', async () => {
    const { paths } = (await root.get('/api/openapi.json')).json
    expect(paths['/api/stripe/webhook'].post.parameters).toEqual([
      { name: 'stripe-signature', in: 'header', required: true, schema: { type: 'string' } },
    ])
    expect(Object.keys(paths)).toContain('/api/user/stripe/pay')
  })

  test('the books are whole, and no secret was printed', async () => {
    expect(await rig.differences()).toEqual([])
    const output = rig.program.output()
    for (const secret of [...Object.values(stripeSecrets), 'sk_test_not-the-one-it-knows'])
      expect(output).not.toContain(secret)
    expect(output.match(/.*a request failed.*/g)).toBeNull()
  })
})
