import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Client, rootClient } from '../../client.ts'
import type { Rig } from '../../relay/rig.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { openApi, TokenClient } from '../rig-client.ts'

afterAll(dropAll)

const merchant = { id: '1001', key: 'a-merchants-key-of-some-length' }
const settings = {
  ServerAddress: 'https://gate.example',
  PayAddress: 'https://pay.example/gate/',
  EpayId: merchant.id,
  EpayKey: merchant.key,
}

/** The gateway's side of the protocol, in the test's own words. */
function sign(fields: Record<string, string>, key = merchant.key): Record<string, string> {
  const written = Object.keys(fields)
    .filter(name => fields[name] !== '' && name !== 'sign' && name !== 'sign_type')
    .sort()
    .map(name => `${name}=${fields[name]}`)
    .join('&')
  const md5 = new Bun.CryptoHasher('md5').update(written + key).digest('hex')
  return { ...fields, sign: md5, sign_type: 'MD5' }
}

describe.each(engines.map(engine => [engine.name, engine] as const))('top-up on %s', (_name, engine) => {
  let rig: Rig
  let root: Client
  let user: TokenClient

  beforeAll(async () => {
    rig = await openApi(await engine.freshUrl())
    root = await rootClient(rig.url)
    user = await TokenClient.of(rig, await rig.addUser({ quota: 0 }))
  })
  afterAll(() => rig.close())

  const save = async (values: Record<string, string>): Promise<void> => {
    for (const [key, value] of Object.entries(values))
      expect((await root.saveOption(key, value)).json).toMatchObject({ success: true })
  }
  const price = async (amount: unknown, client = user) =>
    (await client.post('/api/user/amount', { amount, top_up_code: '' })).json
  const pay = async (amount: unknown, payment_method = 'zfb', client = user) =>
    (await client.post('/api/user/pay', { amount, payment_method, top_up_code: '' })).json
  const get = async (query: string): Promise<string> => {
    const answer = await fetch(`${rig.url}/api/user/epay/notify?${query}`)
    return `${answer.status} ${await answer.text()}`
  }
  const post = async (body: string): Promise<string> => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await fetch(`${rig.url}/api/user/epay/notify`, { method: 'POST', headers, body })
    return `${answer.status} ${await answer.text()}`
  }
  const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString()
  const orderOf = (tradeNo: string) =>
    rig.store.db.selectFrom('top_ups').selectAll().where('trade_no', '=', tradeNo).executeTakeFirstOrThrow()

  /** An order of 2 dollars, 14.60, and the notice that it was paid. */
  async function ordered(): Promise<Record<string, string>> {
    const { data } = await pay(2)
    return {
      pid: merchant.id,
      trade_no: '2024080622001',
      out_trade_no: data.out_trade_no,
      type: 'alipay',
      name: data.name,
      money: data.money,
      trade_status: 'TRADE_SUCCESS',
    }
  }

  test('there is nothing to pay with until all three settings are there', async () => {
    const { ServerAddress, PayAddress, EpayId, EpayKey } = settings
    const steps: Record<string, string>[] = [{}, { ServerAddress, PayAddress }, { EpayId }]
    for (const values of steps) {
      await save(values)
      const off = { success: false, message: '当前管理员未配置支付信息', data: null }
      for (const call of ['amount', 'pay']) {
        const { status, json } = await user.post(`/api/user/${call}`, { amount: 1 })
        expect([call, status, json]).toEqual([call, 404, off])
      }
      expect(await get(form(sign({ pid: EpayId, trade_status: 'TRADE_SUCCESS' }, '')))).toStartWith('404')
      expect(await post('')).toStartWith('404')
      expect((await user.get('/api/user/topup/info')).json.data).toMatchObject({
        ...{ enable_online_topup: false, enable_stripe_topup: false, pay_methods: [] },
      })
    }
    await save({ EpayKey })
    expect(await price(1)).toEqual({ message: 'success', data: '7.30' })
  })

  test('tools are told the ways to pay, each by the name that an order is then opened with', async () => {
    await save({ MinTopUp: '2' })
    const { json } = await user.get('/api/user/topup/info', { 'accept-language': 'en' })
    expect(json).toEqual({
      success: true,
      message: '',
      data: {
        ...{ enable_online_topup: true, enable_stripe_topup: false, min_topup: 2, stripe_min_topup: 1 },
        pay_methods: [
          { type: 'alipay', name: 'Alipay', color: expect.stringMatching(/^#\w{6}$/), min_topup: '2' },
          { type: 'wxpay', name: 'WeChat Pay', color: expect.stringMatching(/^#\w{6}$/), min_topup: '2' },
        ],
        ...{ amount_options: [], discount: {} },
      },
    })
    for (const { type } of json.data.pay_methods) expect((await pay(2, type)).data.type).toBe(type)
    await save({ MinTopUp: '1' })
    expect((await fetch(`${rig.url}/api/user/topup/info`)).status).toBe(401)
  })

  test('a price is exact, by the user’s group, from the least amount upwards', async () => {
    await save({ TopupGroupRatio: '{"default":1,"vip":0.95,"cheap":0.0001}', MinTopUp: '2' })
    expect(await price(10)).toEqual({ message: 'success', data: '73.00' })
    const vip = await TokenClient.of(rig, await rig.addUser({ group: 'vip' }))
    expect(await price(10, vip)).toEqual({ message: 'success', data: '69.35' })
    const cheap = await TokenClient.of(rig, await rig.addUser({ group: 'cheap' }))
    expect(await price(5, cheap)).toEqual({ message: 'error', data: '充值金额过低' })
    expect(await price(1)).toEqual({ message: 'error', data: '充值数量不能小于 2' })
    await save({ MinTopUp: '1', DisplayInCurrencyEnabled: 'false' })
    expect(await price(1)).toEqual({ message: 'error', data: '充值数量不能小于 500000' })
    expect(await price(750_000)).toEqual({ message: 'success', data: '10.95' })
    const { data } = await pay(750_000)
    expect(await orderOf(data.out_trade_no)).toMatchObject({ amount: 750_000, quota: 750_000, money: 1095 })
    await save({ DisplayInCurrencyEnabled: 'true', TopupGroupRatio: '{"default":1}' })
    const english = await user.post('/api/user/amount', { amount: 0 }, { 'accept-language': 'en' })
    expect(english.json).toEqual({ message: 'error', data: 'The smallest top-up is 1' })
  })

  test.each<[unknown, string]>([
    [-1, '参数错误'],
    [0, '充值数量不能小于 1'],
    [0.5, '参数错误'],
    [2 ** 53, '参数错误'],
    [Number('18446744073686646784'), '参数错误'],
    ['5', '参数错误'],
    [null, '参数错误'],
    [[5], '参数错误'],
    [Number.MAX_SAFE_INTEGER, '充值数量过大'],
    [2_000_000_001, '充值数量过大'],
  ])('an amount of %p is refused', async (amount, data) => {
    expect(await price(amount)).toEqual({ message: 'error', data })
    expect(await pay(amount)).toEqual({ message: 'error', data })
  })

  test('an amount beyond numbers is refused too', async () => {
    for (const path of ['/api/user/amount', '/api/user/pay'])
      expect(await user.sendText('POST', path, '{"amount":1e400}')).toEqual({
        message: 'error',
        data: '参数错误',
      })
  })

  test('addresses that were copied with their calls lead to them once', async () => {
    const CustomCallbackAddress = 'https://hooks.example/api/user/epay/notify'
    await save({ PayAddress: 'https://pay.example/gate/submit.php', CustomCallbackAddress })
    const { data, url } = await pay(2)
    expect([url, data.notify_url]).toEqual(['https://pay.example/gate/submit.php', CustomCallbackAddress])
    await save({ PayAddress: settings.PayAddress, CustomCallbackAddress: '' })
  })

  test('an order is the gateway’s form, signed, and a row that waits', async () => {
    const { message, data, url } = await pay(2)
    expect([message, url]).toEqual(['success', 'https://pay.example/gate/submit.php'])
    const { sign: given, ...fields } = data
    expect(fields).toEqual({
      pid: '1001',
      type: 'alipay',
      out_trade_no: fields.out_trade_no,
      notify_url: 'https://gate.example/api/user/epay/notify',
      return_url: 'https://gate.example/log',
      name: 'TUC2',
      money: '14.60',
      device: 'pc',
      sign_type: 'MD5',
    })
    expect(fields.out_trade_no).toMatch(new RegExp(`^USR${user.id}NO[0-9A-Za-z]{6}\\d{10}$`))
    expect(given).toBe(sign(fields).sign)
    expect(await orderOf(fields.out_trade_no)).toMatchObject({
      user_id: user.id,
      amount: 2,
      quota: 1_000_000,
      money: 1460,
      payment_method: 'alipay',
      status: 'pending',
      complete_time: 0,
    })
    expect(await rig.balance(user.id)).toBe(0)
    await save({ CustomCallbackAddress: 'https://callback.example' })
    const other = (await pay(2, 'wx')).data
    expect(other).toMatchObject({
      type: 'wxpay',
      notify_url: 'https://callback.example/api/user/epay/notify',
      return_url: 'https://gate.example/log',
    })
    await save({ CustomCallbackAddress: '' })
  })

  test('nothing is credited for a forged or wrong notice', async () => {
    const notice = await ordered()
    const signed = sign(notice)
    const without = (name: string) =>
      Object.fromEntries(Object.entries(notice).filter(([key]) => key !== name))
    const forged: Record<string, string> = {
      nothing: '',
      unsigned: form(notice),
      'a blank signature': form({ ...notice, sign: '', sign_type: 'MD5' }),
      'signed with an empty key': form(sign(notice, '')),
      'signed with another key': form(sign(notice, 'another-key')),
      'another merchant': form(sign({ ...notice, pid: '1002' })),
      'no merchant': form(sign(without('pid'))),
      'less money': form(sign({ ...notice, money: '0.01' })),
      'more money': form(sign({ ...notice, money: '14.61' })),
      'money that is nearly it': form(sign({ ...notice, money: '14.601' })),
      'no money': form(sign(without('money'))),
      'another order': form(sign({ ...notice, out_trade_no: 'USR1NOabcdef1700000000' })),
      'no order': form(sign(without('out_trade_no'))),
      'not paid': form(sign({ ...notice, trade_status: 'TRADE_CLOSED' })),
      'no status': form(sign(without('trade_status'))),
      'changed after signing': form({ ...signed, money: '14.60', name: 'TUC200' }),
      'money twice': `money=0.01&${form(signed)}`,
      'money twice, the right one first': `${form(signed)}&money=0.01`,
      'the same twice': `${form(signed)}&pid=1001`,
      'another kind of signature': form({ ...signed, sign_type: 'RSA' }),
    }
    for (const [name, body] of Object.entries(forged)) {
      expect([name, await get(body)]).toEqual([name, '200 fail'])
      expect([name, await post(body)]).toEqual([name, '200 fail'])
    }
    const both = await fetch(`${rig.url}/api/user/epay/notify?money=14.60`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form(signed),
    })
    expect(await both.text()).toBe('fail')
    expect(await post(JSON.stringify(signed))).toBe('200 fail')
    await save({ EpayKey: '' })
    expect(await get(form(signed))).toStartWith('404')
    expect(await get(form(sign(notice, '')))).toStartWith('404')
    await save({ EpayKey: merchant.key })
    expect(await orderOf(notice.out_trade_no ?? '')).toMatchObject({ status: 'pending' })
    expect(await rig.balance(user.id)).toBe(0)
  })

  test('fifty notices at once credit once, and each is told success', async () => {
    const buyer = await TokenClient.of(rig, await rig.addUser({ quota: 5 }))
    const { data } = await pay(2, 'wx', buyer)
    const body = form(
      sign({
        pid: merchant.id,
        out_trade_no: data.out_trade_no,
        money: '14.6',
        trade_status: 'TRADE_SUCCESS',
        param: '',
      }),
    )
    // What it credits was settled when it was ordered.
    await save({ QuotaPerUnit: '100' })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => (at % 2 ? get(body) : post(body))),
    )
    expect(new Set(answers)).toEqual(new Set(['200 success']))
    expect(await get(body)).toBe('200 success')
    await save({ QuotaPerUnit: '500000' })
    expect(await rig.balance(buyer.id)).toBe(1_000_005)
    const order = await orderOf(data.out_trade_no)
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
        quota: 1_000_000,
        content: '使用在线充值成功，充值金额: ＄10000.000000 额度，支付金额：14.600000',
      },
    ])
    const entry = await rig.store.db
      .selectFrom('ledger_entries')
      .select(['kind', 'user_amount'])
      .where('ref', '=', data.out_trade_no)
      .execute()
    expect(entry).toEqual([{ kind: 'top-up', user_amount: 1_000_000 }])
    expect(await rig.differences()).toEqual([])
  })

  test('a payment under way is credited though the gateway was turned off meanwhile', async () => {
    const buyer = await TokenClient.of(rig, await rig.addUser({ quota: 7 }))
    const { data } = await pay(2, 'wx', buyer)
    const paid = { pid: merchant.id, out_trade_no: data.out_trade_no, money: data.money }
    await save({ PayAddress: '' })
    expect((await buyer.post('/api/user/pay', { amount: 2 })).status).toBe(404)
    expect(await get(form(sign({ ...paid, trade_status: 'TRADE_SUCCESS' })))).toBe('200 success')
    expect(await rig.balance(buyer.id)).toBe(1_000_007)
    const { PayAddress } = settings
    await save({ PayAddress })
  })

  test('an order whose credit cannot be held stays open', async () => {
    const notice = await ordered()
    await rig.store.db
      .updateTable('top_ups')
      .set({ quota: Number.MAX_SAFE_INTEGER })
      .where('trade_no', '=', notice.out_trade_no ?? '')
      .execute()
    const rich = await rig.addUser({ quota: 1 })
    await rig.store.db
      .updateTable('top_ups')
      .set({ user_id: rich })
      .where('trade_no', '=', notice.out_trade_no ?? '')
      .execute()
    expect(await get(form(sign(notice)))).toBe('200 fail')
    expect(await orderOf(notice.out_trade_no ?? '')).toMatchObject({ status: 'pending' })
    expect(await rig.balance(rich)).toBe(1)
  })

  test('a notice that is too long is cut off', async () => {
    expect(await post(`pid=${'1'.repeat(70_000)}`)).toStartWith('413')
  })

  test('orders are listed for their owner and for administrators', async () => {
    const buyer = await TokenClient.of(rig, await rig.addUser({ quota: 0 }))
    const numbers: string[] = []
    for (const amount of [1, 2, 3]) numbers.unshift((await pay(amount, 'zfb', buyer)).data.out_trade_no)
    const own = (await buyer.get('/api/user/topup/self?p=1&page_size=2')).json.data
    expect(own).toMatchObject({ total: 3, page: 1, page_size: 2 })
    expect(own.items).toMatchObject([
      { trade_no: numbers[0], amount: 3, money: 21.9, quota: 1_500_000, status: 'pending' },
      { trade_no: numbers[1], amount: 2, money: 14.6 },
    ])
    const admin = await TokenClient.of(rig, await rig.addUser({ role: 10 }))
    const all = (await admin.get('/api/user/topup?p=1&page_size=100')).json.data
    expect(all.total).toBeGreaterThan(3)
    const found = (await admin.get(`/api/user/topup/?keyword=${numbers[2]}`)).json.data
    expect(found).toMatchObject({ total: 1, page: 1, page_size: 10, items: [{ user_id: buyer.id }] })
    expect((await admin.get('/api/user/topup?keyword=%25')).json.data.total).toBe(0)
    expect((await buyer.get('/api/user/topup')).json.message).toBe('无权进行此操作，权限不足')
    expect((await buyer.get('/api/user/topup/self')).json.data.items).toHaveLength(3)
  })

  test('the merchant’s key was printed nowhere', () => {
    expect(rig.program.output()).not.toContain(merchant.key)
  })
})
