import { afterAll, beforeAll, expect, test } from 'bun:test'
import { deliver, eventOf, startStripe } from '../api/wallet/stripe-stand-in.ts'
import { openStage, type Stage } from './harness.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

async function setOption(key: string, value: string) {
  const root = await stage.root()
  const { json } = await root.put('/api/option/', { key, value })
  expect(json).toMatchObject({ success: true })
}

test('a code becomes balance once, and what cannot be is said', async () => {
  const root = await stage.root()
  const { json } = await root.post('/api/redemption/', { name: 'gift', quota: 1_000_000, count: 1 })
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/topup')
  await page.getByText('管理员未开启在线充值！').waitFor()
  // Who can mend that is shown where.
  const settings = page.getByRole('link', { name: '支付设置' })
  expect(await settings.getAttribute('href')).toBe('/setting?tab=system#system.payment')
  await page.getByRole('button', { name: '兑换', exact: true }).click()
  await page.getByText('请输入兑换码！').waitFor()
  await page.getByRole('button', { name: '获取兑换码' }).click()
  await page.getByText('超级管理员未设置充值链接！').waitFor()
  // As the list of codes copies it.
  await page.getByLabel('兑换码', { exact: true }).fill(`gift    ${json.data[0]}`)
  await page.getByRole('button', { name: '兑换', exact: true }).click()
  await page.getByText('兑换成功！到账 $2.00').waitFor()
  await page.locator('dd', { hasText: '$2.00' }).first().waitFor()
  await page.getByLabel('兑换码', { exact: true }).fill(json.data[0])
  await page.getByRole('button', { name: '兑换', exact: true }).click()
  await page.getByText('兑换失败，该兑换码已被使用').waitFor()
  // A code is no order: where its credit is written down is a click away.
  await page.getByRole('link', { name: '全部充值记录' }).click()
  await page.waitForURL(/\/log\?.*type=1/)
  await page.getByText(/通过兑换码充值/).waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('what stands below the limits is shown once they are known, and also where they cannot be read', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let asked = 0
  await page.route('**/api/user/spend_limits', async route => {
    const time = asked++
    await answers[time]?.promise
    await (time === 0 ? route.continue() : route.fulfill({ status: 500, json: {} }))
  })
  const redeem = page.getByRole('heading', { name: '使用兑换码' })
  for (const answer of answers) {
    await page.goto('/topup')
    await page.locator('#pay-title').waitFor({ state: 'attached' })
    expect(await redeem.isVisible()).toBe(false)
    answer.resolve()
    await redeem.waitFor()
  }
  visit.expectFault(/500/)
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('a plan is offered, bought after a question, and shown with what is left of it', async () => {
  const root = await stage.root()
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/topup')
  await page.getByRole('link', { name: '管理套餐' }).click()
  await page.getByText('还没有套餐').waitFor()
  await page.locator('aside a[aria-current]', { hasText: '钱包' }).waitFor()
  await page.getByRole('button', { name: '添加套餐' }).first().click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: '创建' }).click()
  await drawer.getByText('请输入名称').first().waitFor()
  await drawer.getByRole('textbox', { name: '名称', exact: true }).fill('日卡')
  // Whole numbers that will not do are told what would.
  await drawer.getByLabel('价格', { exact: true }).fill('-5')
  const days = drawer.getByRole('textbox', { name: '有效期', exact: true }).first()
  await days.fill('-5')
  await drawer.getByRole('button', { name: '创建' }).click()
  await drawer.getByText('请输入不小于 0 的整数').first().waitFor()
  await drawer.getByText('请输入 1 到 3,650 之间的整数').first().waitFor()
  const unit = drawer.locator('#plan-unit')
  expect(await unit.inputValue()).toBe('天')
  expect((await unit.boundingBox())?.y).toBe((await days.boundingBox())?.y)
  await days.fill('30')
  await drawer.getByLabel('价格', { exact: true }).fill('250000')
  await drawer.getByRole('button', { name: '创建' }).click()
  await page.getByRole('row', { name: /日卡.*在售/ }).waitFor()
  const self = async () => (await root.get('/api/user/self')).json.data.quota as number
  const { id } = (await root.get('/api/user/self')).json.data
  await root.put('/api/user/', { id, username: 'root', quota: 1_000_000 })
  visit.expectFault(/500/)
  await page.route('**/api/subscription/plans', route => route.fulfill({ status: 500, json: {} }), {
    times: 1,
  })
  await page.goto('/topup')
  await page.getByRole('button', { name: '重试' }).click()
  await page.getByRole('button', { name: '购买', exact: true }).click()
  const question = page.getByRole('dialog', { name: '购买套餐 日卡？' })
  await question.getByText('30 天').waitFor()
  // Two quick clicks pay once.
  await question.getByRole('button', { name: '余额 · $0.50' }).dblclick()
  await page.getByText('购买成功！').waitFor()
  await page.getByText('当前套餐').waitFor()
  await page.getByText('下次更新').waitFor()
  await page.getByRole('button', { name: '续期' }).click()
  await page.getByRole('dialog', { name: '续期套餐 日卡？' }).waitFor()
  expect(await self()).toBe(1_000_000 - 250_000 + 500_000)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })

  // Whoever has had it as often as they may is told before they choose how to pay.
  const [plan] = (await root.get('/api/subscription/plans')).json.data
  await root.put(`/api/subscription/admin/plans/${plan.id}`, { most_each: 1 })
  await page.reload()
  await page.getByText('该套餐每人最多购买 1 次').waitFor()
  expect(await page.getByRole('button', { name: '续期' }).isDisabled()).toBe(true)
  await root.put(`/api/subscription/admin/plans/${plan.id}`, { most_each: 0 })
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('an online top-up leaves for the payment page with the signed form', async () => {
  await setOption('ServerAddress', stage.url)
  await setOption('PayAddress', 'https://pay.example')
  await setOption('EpayId', '1001')
  await setOption('EpayKey', 'secret-of-the-merchant')
  await setOption('MinTopUp', '5')
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  const posted = Promise.withResolvers<URLSearchParams>()
  await page.route('https://pay.example/**', route => {
    posted.resolve(new URLSearchParams(route.request().postData() ?? ''))
    return route.fulfill({ contentType: 'text/html', body: '<h1>Pay here</h1>' })
  })
  await page.goto('/topup')
  const amount = page.getByLabel('Amount (USD)', { exact: true })
  await amount.fill('2')
  await page.getByRole('button', { name: 'Alipay' }).click()
  await page.getByText('The minimum amount is 5').waitFor()
  await page.route(
    '**/api/user/amount',
    route => route.fulfill({ json: { message: 'error', data: 'prices are out' } }),
    { times: 2 },
  )
  await amount.fill('7')
  await page.getByText('Error: prices are out', { exact: true }).waitFor()
  await Promise.all([
    page.waitForResponse('**/api/user/amount'),
    page.getByRole('button', { name: 'Alipay' }).click(),
  ])
  await page.getByText('Error: prices are out', { exact: true }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  // Another amount while the price of this one is on its way: then there is nothing to ask yet.
  const { promise: isTime, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/user/amount', route => isTime.then(() => route.fallback()), { times: 1 })
  await amount.fill('9')
  await page.getByRole('button', { name: 'Alipay' }).click()
  await page.locator('button[data-loading]', { hasText: 'Alipay' }).waitFor()
  await amount.fill('１０')
  await page.getByText('¥73.00').waitFor()
  answer()
  expect(await page.getByText('Error:').count()).toBe(0)
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('button', { name: 'Alipay' }).click()
  const question = page.getByRole('dialog', { name: 'Confirm top-up' })
  await question.getByText('Price: ¥73.00').waitFor()
  await question.getByRole('button', { name: 'Pay' }).click()
  const form = await posted.promise
  expect(Object.fromEntries(form)).toMatchObject({
    pid: '1001',
    type: 'alipay',
    money: '73.00',
    sign_type: 'MD5',
  })
  await page.getByRole('heading', { name: 'Pay here' }).waitFor()
  // The order is there, unpaid; nothing was credited.
  await page.goto('/topup')
  const row = page.getByRole('row', { name: new RegExp(form.get('out_trade_no') ?? '-') })
  await row.getByText('Pending').waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('a card is offered beside it at its own price, and the order tells how it went', async () => {
  const stripe = await startStripe()
  for (const [key, value] of Object.entries({ ...stripe.settings, ServerAddress: stage.url }))
    await setOption(key, value)
  await setOption('StripeMinTopUp', '3')
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.route('https://checkout.stripe.com/**', route =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Card number</h1>' }),
  )
  await page.goto('/topup')
  const amount = page.getByLabel('Amount (USD)', { exact: true })
  const card = page.getByRole('button', { name: 'Card', exact: true })
  await amount.fill('2')
  await card.click()
  await page.getByText('The minimum amount is 3').waitFor()
  // Enough for one way to pay and not for the other: each says what holds for it.
  await amount.fill('4')
  await page.getByText('USD 4.80', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Alipay' }).click()
  await page.getByText('The minimum amount is 5').waitFor()
  await amount.fill('10')
  await page.getByText('¥73.00 · USD 12.00').waitFor()
  // However much it is, what is typed stays in sight, and the page within a phone.
  await page.setViewportSize({ width: 390, height: 844 })
  await amount.fill('1000000')
  await page.getByText('¥7,300,000.00 · USD 1,200,000.00').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  const room = await amount.evaluate(field => {
    const { paddingLeft, paddingRight } = getComputedStyle(field)
    return field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
  })
  expect(room).toBeGreaterThan(200)
  await page.setViewportSize({ width: 1280, height: 800 })
  await amount.fill('10')
  await page.getByText('¥73.00 · USD 12.00').waitFor()
  await card.click()
  const question = page.getByRole('dialog', { name: 'Confirm top-up' })
  await question.getByText('Price: USD 12.00. Method: Card.').waitFor()
  stripe.troubles.push('server-error')
  await question.getByRole('button', { name: 'Pay' }).click()
  await page.getByText('The payment provider did not answer; try again in a while').waitFor()
  await card.click()
  await question.getByRole('button', { name: 'Pay' }).click()
  await page.getByRole('heading', { name: 'Card number' }).waitFor()
  const [session] = stripe.sessions
  if (!session) throw new Error('there is no session')
  expect(session.object).toMatchObject({ amount_total: 1200, success_url: `${stage.url}/topup` })
  const row = page.getByRole('row', { name: new RegExp(session.fields.client_reference_id ?? '-') })
  await page.goto('/topup')
  await row.getByText('Pending').waitFor()
  await page
    .getByRole('row', { name: /Closed/ })
    .getByText('Card')
    .waitFor()
  expect(await deliver(stage.url, eventOf('checkout.session.completed', session))).toStartWith('200')
  await page.goto(String(session.object.success_url))
  await row.getByText('Paid', { exact: true }).waitFor()
  await row.getByText('USD 12.00').waitFor()
  await page
    .getByRole('row', { name: /Pending/ })
    .getByText('Alipay')
    .waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
  await stripe.stop()
})

test('where cards are the only way to pay, there is no other button', async () => {
  await setOption('EpayKey', '')
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/topup')
  await page.getByRole('button', { name: '银行卡', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: '支付宝' }).count()).toBe(0)
  await page.getByLabel('充值数量（美元）', { exact: true }).fill('11')
  await page.getByText('USD 13.20', { exact: true }).waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('a payment gateway without TLS is reached too', async () => {
  await setOption('PayAddress', 'http://pay.example')
  await setOption('EpayKey', 'secret-of-the-merchant')
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.route('http://pay.example/**', route =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Pay here</h1>' }),
  )
  await page.goto('/topup')
  await page.getByLabel('Amount (USD)', { exact: true }).fill('7')
  await page.getByRole('button', { name: 'Alipay' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pay' }).click()
  await page.getByRole('heading', { name: 'Pay here' }).waitFor()
  expect(new URL(page.url()).origin).toBe('http://pay.example')
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('where amounts are told in units, what is paid and given is told to the last of them', async () => {
  const root = await stage.root()
  const plan = {
    ...{ title: '单位', price: 1_234_567, duration: 30, duration_unit: 'day' },
    ...{ quota: 7_654_321, period: 'none' },
  }
  expect((await root.post('/api/subscription/admin/plans', plan)).json.success).toBe(true)
  const { json } = await root.post('/api/redemption/', { name: 'gift', quota: 123_457, count: 1 })
  await setOption('DisplayInCurrencyEnabled', 'false')
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/topup')
  const offer = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: '单位' }) })
  await offer.getByText('1,234,567', { exact: true }).waitFor()
  await offer.getByText('7,654,321', { exact: true }).waitFor()
  await page.getByLabel('兑换码', { exact: true }).fill(json.data[0])
  await page.getByRole('button', { name: '兑换', exact: true }).click()
  await page.getByText('兑换成功！到账 123,457').waitFor()
  await setOption('DisplayInCurrencyEnabled', 'true')
  expect(visit.faults).toEqual([])
  await visit.close()
})
