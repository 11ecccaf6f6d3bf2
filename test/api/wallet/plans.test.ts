import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { OfferedPlan, PlanView, SubscriptionView } from '../../../contract/plans.ts'
import { signEpay } from '../../../server/services/wallet/epay.ts'
import { type Client, rootClient } from '../../client.ts'
import { settableClock } from '../../faults/settable-clock.ts'
import { type Program, ROOT_PASSWORD, startProgram, until } from '../../program.ts'
import { openRig, type Rig, SECRET_KEY } from '../../relay/rig.ts'
import { ask, chat } from '../../relay/ways.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { TokenClient } from '../rig-client.ts'
import { deliver, eventOf, type Stripe, startStripe } from './stripe-stand-in.ts'

afterAll(dropAll)

const DAY = 86_400
const epay = { PayAddress: 'https://pay.example', EpayId: '1001', EpayKey: 'a-merchants-key' }
/** What one call of the model costs; in the plan's group half of it. */
const CALL = 5000

describe.each(engines.slice(0, 2).map(engine => [engine.name, engine] as const))(
  'plans, on %s',
  (_name, engine) => {
    const clock = settableClock()
    let ahead = 0
    let rig: Rig
    let other: Program
    let fake: FakeUpstream
    let stripe: Stripe
    let root: Client

    beforeAll(async () => {
      fake = await startOpenai()
      stripe = await startStripe()
      const environment = { DATABASE_URL: await engine.freshUrl(), ...clock.environment }
      rig = await openRig(async books => {
        await books.setOption('GlobalApiRateLimit', '0')
        await books.setOption('ModelPrice', '{"m-call":0.01}')
        await books.setOption('GroupRatio', '{"default":1,"vip":0.5}')
        const groups = ['default', 'vip']
        await books.addChannel({ type: 1, baseUrl: fake.url, key: fake.key, models: ['m-call'], groups })
      }, environment)
      // On another machine, which sees to the same plans.
      other = await startProgram({ SECRET_KEY, ROOT_PASSWORD, ...environment })
      // No session lasts as long as a plan.
      root = await TokenClient.of(rig, (await rootClient(rig.url)).userId ?? 0)
    })
    afterAll(async () => {
      expect(await rig.differences()).toEqual([])
      await other.stop()
      await rig.close()
      await fake.stop()
      await stripe.stop()
    })

    const passDays = async (days: number): Promise<void> => {
      ahead += days * DAY
      await clock.set(ahead)
    }
    const api = '/api/subscription'
    const monthly = {
      ...{ title: 'Monthly', price: 300_000, duration: 30, duration_unit: 'day' },
      ...{ quota: 100_000, period: 'day', group: 'vip' },
    }
    async function addPlan(fields: object = {}): Promise<PlanView> {
      const { json } = await root.post(`${api}/admin/plans`, { ...monthly, ...fields })
      expect(json).toMatchObject({ success: true })
      return json.data
    }
    async function addBuyer(quota: number): Promise<TokenClient> {
      return TokenClient.of(rig, await rig.addUser({ quota }))
    }
    const buy = async (who: Client, { id }: PlanView) =>
      (await who.post(`${api}/balance/pay`, { plan_id: id })).json
    const own = async (who: Client): Promise<SubscriptionView[]> => (await who.get(`${api}/self`)).json.data
    const groupOf = async (who: TokenClient) => (await who.get('/api/user/self')).json.data.group as string
    const logsOf = async (who: TokenClient) =>
      (await rig.store.db.selectFrom('logs').select('content').where('user_id', '=', who.id).execute())
        .map(({ content }) => content)
        .join('\n')

    test('is paid through the gateway or by card: given once, and what cannot begin any more is credited', async () => {
      for (const [key, value] of Object.entries({ ...stripe.settings, ...epay }))
        expect((await root.saveOption(key, value)).json).toMatchObject({ success: true })
      const plan = await addPlan({ title: 'Paid', most_each: 2 })
      const other = await addPlan({ title: 'Other' })
      const free = await addPlan({ title: 'Free', price: 0 })
      const kim = await addBuyer(1000)
      const offered: OfferedPlan[] = (await kim.get(`${api}/plans`)).json.data
      const costs = { epay_money: '4.38', stripe_money: '0.72', stripe_currency: 'usd' }
      expect(offered.find(({ id }) => id === plan.id)).toMatchObject(costs)
      expect(offered.find(({ id }) => id === free.id)).toMatchObject({ epay_money: null, stripe_money: null })
      const order = async (way: string, { id }: PlanView) =>
        (await kim.post(`${api}/${way}/pay`, { plan_id: id, payment_method: 'zfb' })).json
      expect((await order('epay', free)).message).toContain('充值金额过低')
      const { form, url } = (await order('epay', plan)).data
      expect(url).toBe('https://pay.example/submit.php')
      expect(form).toMatchObject({ money: '4.38', name: 'Paid', type: 'alipay' })
      // What is ordered has the terms of its day.
      await root.put(`${api}/admin/plans/${plan.id}`, { title: 'Dearer', price: 900_000 })
      const late = (await order('epay', other)).data.form
      const told = (fields: Record<string, string>, money = fields.money ?? '') => {
        const notice = { pid: epay.EpayId, out_trade_no: fields.out_trade_no ?? '', money }
        const all: [string, string][] = Object.entries({ ...notice, trade_status: 'TRADE_SUCCESS' })
        const query = new URLSearchParams([
          ...all,
          ['sign', signEpay(all, epay.EpayKey)],
          ['sign_type', 'MD5'],
        ])
        return fetch(`${rig.url}/api/user/epay/notify?${query}`).then(answer => answer.text())
      }
      expect(await told(form, '4.37')).toBe('fail')
      expect(await own(kim)).toEqual([])
      expect(await Promise.all([form, form, form].map(one => told(one)))).toEqual(Array(3).fill('success'))
      expect(await own(kim)).toMatchObject([{ title: 'Paid', times: 1, left: 100_000, group: 'vip' }])
      expect(await rig.balance(kim.id)).toBe(101_000)
      // Another one runs by now: what was paid is the wallet's.
      expect(await told(late)).toBe('success')
      expect(await rig.balance(kim.id)).toBe(401_000)
      expect(await logsOf(kim)).toContain('套餐已无法开通，按充值入账')
      expect((await order('stripe', other)).message).toContain('「Paid」尚未到期')
      // Nor is anybody sent to pay for more of it on other terms than it was sold with.
      const path = `${api}/admin/plans/${plan.id}`
      await root.put(path, { quota: 90_000 })
      for (const way of ['stripe', 'epay']) expect((await order(way, plan)).message).toContain('内容已有变动')
      await root.put(path, { quota: 100_000 })
      await root.put(`${api}/admin/plans/${plan.id}`, { title: 'Paid', price: 300_000 })
      expect((await order('stripe', plan)).data.pay_link).toStartWith('https://')
      const session = stripe.sessions.at(-1)
      if (!session) throw new Error('there is no session')
      const event = eventOf('checkout.session.completed', session)
      for (const _ of [1, 2]) expect(await deliver(rig.url, event)).toStartWith('200')
      expect(await own(kim)).toMatchObject([{ times: 2, left: 100_000 }])
      expect(await rig.balance(kim.id)).toBe(401_000)
      expect((await order('stripe', plan)).message).toContain('最多购买 2 次')
      expect(stripe.refusals).toEqual([])
      const orders = await rig.store.db
        .selectFrom('top_ups')
        .select('status')
        .where('user_id', '=', kim.id)
        .execute()
      expect(orders.map(({ status }) => status)).toEqual(['success', 'success', 'success'])
      const shown = (await kim.get('/api/user/topup/self?p=1&page_size=10')).json.data.items
      expect(shown.map((one: { plan: string }) => one.plan)).toEqual(['Paid', '', 'Paid'])
    })

    test('nobody is sent to pay for one that is not on sale; one whose group is gone is credited', async () => {
      const hidden = await addPlan({ title: 'Withdrawn', on_sale: false })
      const lou = await addBuyer(1000)
      const order = async (way: string, { id }: PlanView) =>
        (await lou.post(`${api}/${way}/pay`, { plan_id: id, payment_method: 'zfb' })).json
      const asked = stripe.sessions.length
      for (const way of ['epay', 'stripe']) expect((await order(way, hidden)).message).toBe('该套餐未在售')
      expect(stripe.sessions).toHaveLength(asked)
      await root.saveOption('GroupRatio', '{"default":1,"vip":0.5,"gone":0.1}')
      const plan = await addPlan({ title: 'Bygone', group: 'gone' })
      expect((await order('stripe', plan)).data.pay_link).toStartWith('https://')
      const session = stripe.sessions.at(-1)
      if (!session) throw new Error('there is no session')
      await root.saveOption('GroupRatio', '{"default":1,"vip":0.5}')
      expect(await deliver(rig.url, eventOf('checkout.session.completed', session))).toStartWith('200')
      expect(await own(lou)).toEqual([])
      expect(await rig.balance(lou.id)).toBe(301_000)
      expect(await groupOf(lou)).toBe('default')
      expect(await logsOf(lou)).toContain('套餐已无法开通，按充值入账')
    })

    test('one that is on sale is bought with the balance, spent first, renewed once by two programs, and ends', async () => {
      const plan = await addPlan()
      const hidden = await addPlan({ title: 'Hidden', on_sale: false })
      const ann = await addBuyer(700_000)
      const offered: PlanView[] = (await ann.get(`${api}/plans`)).json.data
      expect(offered.map(({ id }) => id)).toContain(plan.id)
      expect(offered.map(({ id }) => id)).not.toContain(hidden.id)
      expect(await buy(ann, hidden)).toMatchObject({ success: false, message: '该套餐未在售' })
      const { data: sold } = await buy(ann, plan)
      expect(sold).toMatchObject({ title: 'Monthly', running: true, left: 100_000, group: 'vip', times: 1 })
      expect(sold.renews_at - sold.starts_at).toBeWithin(DAY - 3600, DAY + 3601)
      expect(await rig.balance(ann.id)).toBe(500_000)
      const token = await rig.addToken({ userId: ann.id })
      const answer = await ask(rig.url, chat, { key: token.key, model: 'm-call' })
      expect(answer.status).toBe(200)
      // At the ratio of the plan's group.
      await until(async () => (await own(ann))[0]?.left === 100_000 - CALL / 2)
      await passDays(1)
      await until(async () => (await own(ann))[0]?.left === 100_000)
      expect(await rig.balance(ann.id)).toBe(500_000)
      const again = await buy(ann, plan)
      expect(again.data).toMatchObject({ times: 2, left: 100_000 })
      expect(again.data.ends_at - sold.ends_at).toBeWithin(30 * DAY - 3600, 30 * DAY + 3601)
      expect(await buy(ann, await addPlan({ title: 'Else' }))).toMatchObject({ success: false })
      expect((await buy(ann, plan)).message).toContain('余额不足')
      await passDays(60)
      await until(async () => (await own(ann))[0]?.running === false)
      expect(await rig.balance(ann.id)).toBe(100_000)
      expect(await groupOf(ann)).toBe('default')
      const told = await logsOf(ann)
      for (const words of ['使用余额购买套餐「Monthly」', '进入新的周期', '「Monthly」已到期'])
        expect(told).toContain(words)
    })

    test('bought many times at once, it is paid and given as often as the balance and the plan allow', async () => {
      const plan = await addPlan({ title: 'Twice', most_each: 2, group: '' })
      const bob = await addBuyer(10_000_000)
      const answers = await Promise.all([bob, bob, bob, bob, bob].map(who => buy(who, plan)))
      expect(answers.filter(({ success }) => success)).toHaveLength(2)
      expect(await rig.balance(bob.id)).toBe(10_000_000 - 2 * 300_000 + 100_000)
      const poor = await addBuyer(400_000)
      const tries = await Promise.all([poor, poor, poor].map(who => buy(who, plan)))
      expect(tries.filter(({ success }) => success)).toHaveLength(1)
      expect(await rig.balance(poor.id)).toBe(200_000)
    })

    test('what somebody cannot have is told where it is offered, and refused in the same words', async () => {
      const [once, many] = [await addPlan({ title: 'Trial', most_each: 1, group: '' }), await addPlan()]
      const ida = await addBuyer(10_000_000)
      const refusalsOf = async (language: string) => {
        const { json } = await ida.get(`${api}/plans`, { 'accept-language': language })
        const told = (plan: PlanView) =>
          (json.data as OfferedPlan[]).find(({ id }) => id === plan.id)?.refusal
        return [once, many].map(told)
      }
      expect(await refusalsOf('en')).toEqual([null, null])
      expect(await buy(ida, once)).toMatchObject({ success: true })
      const bought = 'Each user can buy this plan at most once'
      const runs = 'The plan “Trial” is still running; another one can be bought when it has ended'
      expect(await refusalsOf('en')).toEqual([bought, runs])
      const zh = await refusalsOf('zh')
      expect(zh[0]).toBe('该套餐每人最多购买 1 次')
      for (const [at, plan] of [once, many].entries())
        expect(await buy(ida, plan)).toMatchObject({ success: false, message: zh[at] as string })
      const { id } = (await own(ida))[0] as SubscriptionView
      await root.post(`${api}/admin/user_subscriptions/${id}/invalidate`, {})
      expect(await refusalsOf('en')).toEqual([bought, null])
    })

    test('who hears nothing of a purchase and sends it again pays once', async () => {
      const plan = await addPlan({ title: 'Once', most_each: 2, group: '' })
      const [ann, ben] = [await addBuyer(1_000_000), await addBuyer(1_000_000)]
      const send = async (who: Client, purchase: string) =>
        (await who.post(`${api}/balance/pay`, { plan_id: plan.id, purchase })).json
      const answers = await Promise.all([ann, ann, ann].map(who => send(who, 'first-try')))
      for (const { data } of answers) expect(data).toMatchObject({ title: 'Once', times: 1 })
      expect(await rig.balance(ann.id)).toBe(1_000_000 - 300_000 + 100_000)
      // Another purchase is another one, and so is another's of the same name.
      expect((await send(ann, 'second-try')).data.times).toBe(2)
      expect((await send(ann, 'first-try')).data.times).toBe(2)
      expect((await send(ben, 'first-try')).data.times).toBe(1)
      expect(await rig.balance(ann.id)).toBe(1_000_000 - 600_000 + 100_000)
      for (const wrong of ['', 'short', 'a'.repeat(37), 'with blanks'])
        expect((await send(ben, wrong)).success).toBe(false)
      expect(await rig.differences()).toEqual([])
    })

    test('an administrator sees those of users, and not those of root or of other administrators', async () => {
      const admin = await TokenClient.of(rig, await rig.addUser({ role: 10 }))
      const seen = async (who: Client, id: number) =>
        (await who.get(`${api}/admin/users/${id}/subscriptions`)).json
      const ann = await addBuyer(0)
      expect(await seen(admin, ann.id)).toMatchObject({ success: true, data: [] })
      const above = [(await rootClient(rig.url)).userId ?? 0, await rig.addUser({ role: 10 })]
      for (const id of above) {
        expect(await seen(admin, id)).toMatchObject({
          success: false,
          message: '无权获取同级或更高等级用户的信息',
        })
        expect(await seen(root, id)).toMatchObject({ success: true, data: [] })
      }
      expect(await seen(admin, 999_999)).toMatchObject({ success: false })
    })

    test('an administrator gives one and ends it; what was sold keeps its terms', async () => {
      const plan = await addPlan({ title: 'Gift', on_sale: false })
      const eve = await addBuyer(50_000)
      const bind = { user_id: eve.id, plan_id: plan.id }
      expect((await eve.post(`${api}/admin/bind`, bind)).json.success).toBe(false)
      const { data: sold } = (await root.post(`${api}/admin/bind`, bind)).json
      expect(await rig.balance(eve.id)).toBe(150_000)
      const change = await root.put(`${api}/admin/plans/${plan.id}`, { quota: 7, title: 'Less' })
      expect(change.json.data).toMatchObject({ quota: 7, title: 'Less', price: 300_000 })
      expect((await own(eve))[0]).toMatchObject({ title: 'Gift', quota: 100_000 })
      expect((await root.post(`${api}/admin/bind`, bind)).json).toMatchObject({ success: false })
      expect((await root.send('DELETE', `${api}/admin/plans/${plan.id}`)).json).toMatchObject({
        success: false,
      })
      const path = `${api}/admin/user_subscriptions/${sold.id}/invalidate`
      const ended = await Promise.all([root.send('POST', path), root.send('POST', path)])
      expect(ended.map(({ json }) => json.success).sort()).toEqual([false, true])
      expect(await rig.balance(eve.id)).toBe(50_000)
      expect((await root.get(`${api}/admin/users/${eve.id}/subscriptions`)).json.data).toMatchObject([
        { running: false, left: 0 },
      ])
      expect(await logsOf(eve)).toContain('管理员结束套餐「Gift」')
      const records = (await root.get('/api/audit/?p=1&page_size=20')).json.data.items
      const actions = records.map(({ action }: { action: string }) => action)
      for (const action of ['plan.create', 'plan.update', 'plan.bind', 'plan.end'])
        expect(actions).toContain(action)
      const never = await addPlan({ title: 'Never' })
      expect((await root.send('DELETE', `${api}/admin/plans/${never.id}`)).json).toMatchObject({
        success: true,
      })
      expect((await root.get(`${api}/admin/plans/${never.id}`)).json).toMatchObject({ success: false })
      const refused = [
        { group: 'nobody' },
        { duration: 27, period: 'month' },
        { duration: 6, period: 'week' },
      ]
      for (const fields of refused)
        expect((await root.post(`${api}/admin/plans`, { ...monthly, ...fields })).json.success).toBe(false)
      // Bought twice, it would have the quota of one month.
      const month = await addPlan({ title: 'Month', duration: 1, duration_unit: 'month', period: 'month' })
      const shorter = await root.put(`${api}/admin/plans/${month.id}`, { duration_unit: 'day' })
      expect(shorter.json).toMatchObject({ success: false, message: '额度周期不能长于有效期' })
    })
  },
)
