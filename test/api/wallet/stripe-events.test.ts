import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Rig } from '../../relay/rig.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { StripeHouse } from './stripe-house.ts'
import { eventOf, signatureOf, stripeSecrets } from './stripe-stand-in.ts'

afterAll(dropAll)

const COMPLETED = 'checkout.session.completed'
const EXPIRED = 'checkout.session.expired'
const LATE_SUCCESS = 'checkout.session.async_payment_succeeded'
const LATE_FAILURE = 'checkout.session.async_payment_failed'
const TAKEN = '200 {"received":true}'

describe.each(engines.map(engine => [engine.name, engine] as const))(
  'Stripe’s events on %s',
  (_name, engine) => {
    let house: StripeHouse
    let rig: Rig

    beforeAll(async () => {
      house = await StripeHouse.open(await engine.freshUrl())
      ;({ rig } = house)
      await house.save(house.stripe.settings)
    })
    afterAll(() => house.close())

    test('nothing is credited for a forged, an old or another’s signature', async () => {
      const { session, tradeNo, buyer } = await house.order()
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
        expect([what, await house.send(payload, header)]).toEqual([
          what,
          expect.stringMatching(/^400 .*"success":false/),
        ])
      expect(await house.send(payload.replace('"paid"', '"paid" '), good)).toStartWith('400')
      expect(await house.send(JSON.stringify(JSON.parse(payload)), good)).toStartWith('400')
      expect(await house.orderOf(tradeNo)).toMatchObject({ status: 'pending' })
      expect(await rig.balance(buyer.id)).toBe(7)
      // Two secrets are in force while one takes over.
      const stale = signatureOf(payload, { secret: 'whsec_another', at: now })
      expect(await house.send(payload, `${stale},${signatureOf(payload, { at: now })}`)).toBe(TAKEN)
      expect(await rig.balance(buyer.id)).toBe(2_500_007)
    })

    test('what was paid is the order’s sum in the order’s currency, or it is not credited', async () => {
      const { session, tradeNo, buyer } = await house.order()
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
          expect([what, await house.send(eventOf(type, session, change))]).toEqual([what, TAKEN])
      await house.wasLogged(tradeNo, 'the money is not the order')
      await house.wasLogged('USR1NOabcdef1700000000', 'there is no such order')
      expect(await house.orderOf(tradeNo)).toMatchObject({ status: 'pending' })
      expect(await rig.balance(buyer.id)).toBe(7)
    })

    test('neither way to pay credits an order of the other', async () => {
      await house.save({ PayAddress: 'https://pay.example', EpayId: '1001', EpayKey: 'a-merchants-key' })
      await house.save({ Price: '1.2' })
      const { session, tradeNo, buyer } = await house.order()
      const form = await buyer.post('/api/user/pay', { amount: 5, payment_method: 'zfb' })
      const epayOrder = form.json.data.out_trade_no
      expect(form.json.data.money).toBe('6.00')
      const change = { client_reference_id: epayOrder, metadata: { order: epayOrder } }
      expect(await house.send(eventOf(COMPLETED, session, change))).toBe(TAKEN)
      expect(await house.send(eventOf(EXPIRED, session, change))).toBe(TAKEN)
      expect(await house.orderOf(epayOrder)).toMatchObject({ status: 'pending' })
      const notice = `money=6.00&out_trade_no=${tradeNo}&pid=1001&trade_status=TRADE_SUCCESS`
      const sign = new Bun.CryptoHasher('md5').update(`${notice}a-merchants-key`).digest('hex')
      const told = await fetch(`${rig.url}/api/user/epay/notify?${notice}&sign=${sign}&sign_type=MD5`)
      expect(await told.text()).toBe('fail')
      expect(await rig.balance(buyer.id)).toBe(7)
      expect(await house.send(eventOf(COMPLETED, session))).toBe(TAKEN)
      expect(await rig.balance(buyer.id)).toBe(2_500_007)
      await house.save({ EpayKey: '', Price: '7.3' })
    })

    test('fifty deliveries at once credit once, and each is thanked for', async () => {
      const { session, tradeNo, buyer } = await house.order()
      // What it credits was settled when it was ordered.
      await house.save({ QuotaPerUnit: '100', StripeCurrency: 'eur', StripeUnitPrice: '9' })
      const payload = eventOf(COMPLETED, session)
      const answers = await Promise.all(Array.from({ length: 50 }, () => house.send(payload)))
      expect(new Set(answers)).toEqual(new Set([TAKEN]))
      expect(await house.send(eventOf(LATE_SUCCESS, session))).toBe(TAKEN)
      await house.save({ QuotaPerUnit: '500000', StripeCurrency: 'usd', StripeUnitPrice: '1.2' })
      expect(await rig.balance(buyer.id)).toBe(2_500_007)
      const order = await house.orderOf(tradeNo)
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
        const { session, tradeNo, buyer } = await house.order()
        for (const [type, change] of told)
          expect(await house.send(eventOf(type, session, change))).toBe(TAKEN)
        return [(await house.orderOf(tradeNo)).status, (await rig.balance(buyer.id)) - 7]
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
      const { session, tradeNo, buyer } = await house.order()
      for (const type of [
        'charge.refunded',
        'charge.dispute.created',
        'payment_intent.succeeded',
        'toString',
      ])
        expect(await house.send(eventOf(type, session))).toBe(TAKEN)
      for (const payload of [
        '',
        '{',
        '[]',
        '{}',
        '{"type":1,"data":{}}',
        `{"type":"${COMPLETED}","data":{"object":7}}`,
      ])
        expect([payload, await house.send(payload)]).toEqual([payload, expect.stringMatching(/^400 /)])
      expect(await house.send(`{"x":"${'x'.repeat(300_000)}"}`)).toStartWith('413')
      expect(await house.orderOf(tradeNo)).toMatchObject({ status: 'pending' })
      expect(await rig.balance(buyer.id)).toBe(7)
    })

    test('a payment under way is credited though card payments were turned off meanwhile', async () => {
      const { session, buyer } = await house.order()
      await house.save({ StripeApiSecret: '', StripeUnitPrice: '0' })
      expect((await buyer.post('/api/user/stripe/pay', { amount: 5 })).status).toBe(404)
      expect(await house.send(eventOf(COMPLETED, session))).toBe(TAKEN)
      expect(await rig.balance(buyer.id)).toBe(2_500_007)
      await house.save({ StripeWebhookSecret: '' })
      const payload = eventOf(COMPLETED, session)
      expect(await house.send(payload, signatureOf(payload, { secret: '' }))).toStartWith('404')
      const { StripeApiSecret, StripeWebhookSecret, StripeUnitPrice } = house.stripe.settings
      await house.save({ StripeApiSecret, StripeWebhookSecret, StripeUnitPrice })
    })

    test('a credit that cannot be held is told of again until it can', async () => {
      const { session, tradeNo, buyer } = await house.order()
      const put = (quota: number) =>
        rig.store.db.updateTable('top_ups').set({ quota }).where('trade_no', '=', tradeNo).execute()
      await put(Number.MAX_SAFE_INTEGER)
      expect(await house.send(eventOf(COMPLETED, session))).toStartWith('409')
      expect(await house.orderOf(tradeNo)).toMatchObject({ status: 'pending' })
      await put(500)
      expect(await house.send(eventOf(COMPLETED, session))).toBe(TAKEN)
      expect(await rig.balance(buyer.id)).toBe(507)
    })

    test('the books are whole, and no secret was printed', async () => {
      expect(await rig.differences()).toEqual([])
      const output = rig.program.output()
      for (const secret of [...Object.values(stripeSecrets), 'sk_test_not-the-one-it-knows'])
        expect(output).not.toContain(secret)
      expect(output.match(/.*a request failed.*/g)).toBeNull()
    })
  },
)
