import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Client } from '../../client.ts'
import type { Rig } from '../../relay/rig.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { TokenClient } from '../rig-client.ts'
import { StripeHouse } from './stripe-house.ts'
import { eventOf, type FakeSession, type Stripe, signatureOf, stripeSecrets } from './stripe-stand-in.ts'

afterAll(dropAll)

describe.each(engines.map(engine => [engine.name, engine] as const))('Stripe on %s', (name, engine) => {
  let house: StripeHouse
  let rig: Rig
  let root: Client
  let user: TokenClient
  let stripe: Stripe

  beforeAll(async () => {
    house = await StripeHouse.open(await engine.freshUrl())
    ;({ rig, root, user, stripe } = house)
  })
  afterAll(() => house.close())

  const price = async (amount: unknown, client = user) =>
    (await client.post('/api/user/stripe/amount', { amount })).json

  test('there is nothing of it until keys, currency and price are all there', async () => {
    const { ServerAddress, StripeApiSecret, ...rest } = stripe.settings
    const early = await root.saveOption('StripeApiSecret', StripeApiSecret)
    expect(early.json).toMatchObject({ success: false, message: '请先填写服务器地址' })
    await house.save({ ServerAddress })
    const { StripeUnitPrice, ...others } = rest
    for (const [key, value] of Object.entries({ StripeApiSecret, ...others })) {
      expect((await user.get('/api/status')).json.data.enable_stripe_topup).toBe(false)
      const off = { success: false, message: 'The administrator has not set up this way to pay', data: null }
      for (const call of ['amount', 'pay']) {
        const asked = user.post(`/api/user/stripe/${call}`, { amount: 1 }, { 'accept-language': 'en' })
        const { status, json } = await asked
        expect([call, status, json]).toEqual([call, 404, off])
      }
      // Its own secret is all that a webhook needs.
      const hasSecret = (await root.get('/api/option/')).json.secrets_set.includes('StripeWebhookSecret')
      expect(await house.send('{}', signatureOf('{}', { secret: '' }))).toStartWith(hasSecret ? '400' : '404')
      await house.save({ [key]: value })
    }
    expect((await user.post('/api/user/stripe/pay', { amount: 1 })).status).toBe(404)
    await house.save({ StripeUnitPrice })
    expect((await user.get('/api/status')).json.data).toMatchObject({
      enable_stripe_topup: true,
      enable_online_topup: false,
      stripe_min_topup: 1,
    })
    expect((await user.get('/api/user/topup/info')).json.data).toMatchObject({
      ...{ enable_stripe_topup: true, enable_online_topup: false, stripe_min_topup: 1 },
      pay_methods: [{ type: 'stripe', name: 'Stripe', min_topup: '1' }],
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
    await house.save({ TopupGroupRatio: '{"default":1,"vip":0.95,"cheap":0.00001}', StripeMinTopUp: '2' })
    const vip = await TokenClient.of(rig, await rig.addUser({ group: 'vip' }))
    expect(await price(3, vip)).toMatchObject({ data: '3.42' })
    const cheap = await TokenClient.of(rig, await rig.addUser({ group: 'cheap' }))
    expect(await price(5, cheap)).toEqual({ message: 'error', data: '充值金额过低' })
    expect(await price(1)).toEqual({ message: 'error', data: '充值数量不能小于 2' })
    await house.save({ StripeCurrency: 'JPY', StripeUnitPrice: '151.25' })
    expect(await price(2)).toEqual({ message: 'success', data: '303', currency: 'jpy' })
    expect(await house.pay(2)).toMatchObject({ message: 'success' })
    expect(await house.lastOrder()).toMatchObject({ money: 303, currency: 'jpy', quota: 1_000_000 })
    expect(stripe.sessions.at(-1)?.object).toMatchObject({ amount_total: 303, currency: 'jpy' })
    await house.save({ StripeCurrency: 'kwd', StripeUnitPrice: '0.3071' })
    expect(await price(2)).toMatchObject({ data: '0.610' })
    expect(await house.pay(2)).toMatchObject({ message: 'success' })
    await house.save({ StripeCurrency: 'isk', StripeUnitPrice: '138.4' })
    expect(await house.pay(2)).toMatchObject({ message: 'success' })
    expect(stripe.sessions.at(-1)?.object).toMatchObject({ amount_total: 27_700, currency: 'isk' })
    const { items } = (await user.get('/api/user/topup/self')).json.data
    expect(items).toMatchObject([
      { money: 277, currency: 'isk' },
      { money: 0.61, currency: 'kwd' },
      { money: 303, currency: 'jpy', payment_method: 'stripe', status: 'pending' },
    ])
    await house.save({ StripeCurrency: 'usd', StripeUnitPrice: '1.2', StripeMinTopUp: '1' })
    await house.save({ DisplayInCurrencyEnabled: 'false' })
    expect(await price(1)).toEqual({ message: 'error', data: '充值数量不能小于 500000' })
    expect(await price(750_000)).toMatchObject({ data: '1.80' })
    await house.save({ DisplayInCurrencyEnabled: 'true' })
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
    const before = await house.lastOrder()
    expect(await price(amount)).toEqual({ message: 'error', data })
    expect(await house.pay(amount)).toEqual({ message: 'error', data })
    expect(await house.lastOrder()).toEqual(before)
    expect(stripe.requests).toBe(requests)
  })

  test('an order is written down before Stripe hears of it, and its page leads back here', async () => {
    let waiting: unknown
    stripe.onRequest(async fields => {
      waiting = await house.orderOf(fields.client_reference_id ?? '')
    })
    const elsewhere = { success_url: 'https://evil.example', cancel_url: 'https://evil.example' }
    const answer = await house.pay(5, user, elsewhere)
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
    const other = await house.pay(5, user, { payment_method: 'paypal' })
    expect(other).toEqual({ message: 'error', data: '不支持的支付方式' })
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
      expect([trouble, await house.pay(5)]).toEqual([trouble, { message: 'error', data }])
      expect(await house.lastOrder()).toMatchObject({ user_id: user.id, status: 'failed', complete_time: 0 })
    }
    const { trade_no } = await house.lastOrder()
    await house.wasLogged(trade_no, 'Stripe opened no payment page')
    // A sum that it does not take is the customer's to change.
    await house.save({ StripeUnitPrice: '0.1' })
    expect(await house.pay(1)).toEqual({ message: 'error', data: '充值金额过低' })
    await house.save({ StripeUnitPrice: '1000000' })
    expect(await house.pay(1)).toEqual({ message: 'error', data: '充值数量过大' })
    await house.save({ StripeUnitPrice: '1.2', StripeCurrency: 'zzz' })
    const english = await user.post('/api/user/stripe/pay', { amount: 5 }, { 'accept-language': 'en' })
    expect(english.json).toEqual({
      message: 'error',
      data: 'The payment provider did not accept this order; ask the administrator',
    })
    await house.save({ StripeCurrency: 'usd', StripeApiSecret: 'sk_test_not-the-one-it-knows' })
    expect(await house.pay(5)).toEqual({ message: 'error', data: refused })
    expect(stripe.refusals.at(-1)).toContain('sk_test_not-the-one-it-knows')
    await house.save({
      StripeApiSecret: stripe.settings.StripeApiSecret,
      StripeAddress: 'http://127.0.0.1:9',
    })
    expect(await house.pay(5)).toEqual({ message: 'error', data: later })
    expect(await house.lastOrder()).toMatchObject({ status: 'failed' })
    await house.save({ StripeAddress: stripe.url })
    expect(await house.pay(5)).toMatchObject({ message: 'success' })
  })

  test('an answer that is lost is asked for again, and there is one page', async () => {
    const { requests } = stripe
    const pages = stripe.sessions.length
    stripe.troubles.push('hang-up')
    expect(await house.pay(5)).toMatchObject({ message: 'success' })
    expect([stripe.requests - requests, stripe.sessions.length - pages]).toEqual([2, 1])
    stripe.troubles.push('hang-up', 'hang-up')
    expect(await house.pay(5)).toMatchObject({ message: 'error' })
    const { trade_no, status } = await house.lastOrder()
    expect(status).toBe('failed')
    // Should the page that nobody was given be paid all the same, it is credited.
    const before = await rig.balance(user.id)
    const session = stripe.sessions.at(-1) as FakeSession
    expect(session.fields.client_reference_id).toBe(trade_no)
    expect(await house.send(eventOf('checkout.session.completed', session))).toStartWith('200')
    expect(await rig.balance(user.id)).toBe(before + 2_500_000)
  })

  // The wait is the same on every engine.
  if (name === 'sqlite')
    test('who never answers is given up on', async () => {
      stripe.troubles.push('silence')
      expect(await house.pay(5)).toEqual({ message: 'error', data: '暂时无法连接支付平台，请稍后再试' })
      expect(await house.lastOrder()).toMatchObject({ status: 'failed' })
    })

  test('administrators see everyone’s orders and how they were paid', async () => {
    const { tradeNo, buyer } = await house.order()
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
