import { afterAll, beforeAll, expect, test } from 'bun:test'
import { noonZone } from '../noon-zone.ts'
import { serveLoopback } from '../serve-loopback.ts'
import { openStage, type Stage } from './harness.ts'
import { addPerson, arrive, done, password } from './people.ts'

let stage: Stage
beforeAll(async () => {
  // Gifts are by the day of the program's clock.
  stage = await openStage('with-root', undefined, { TZ: noonZone })
  const root = await stage.root()
  for (const [key, value] of Object.entries({
    UserAgreement: '# Terms\n\nBe kind to the gateway.',
    CheckinEnabled: 'true',
    CheckinMaxQuota: '5000',
    CheckinMinQuota: '5000',
  }))
    expect((await root.saveOption(key, value)).json).toMatchObject({ success: true })
})
afterAll(() => stage.close())

test('who registers agrees to what can be read, and gets the gift of the day once', async () => {
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/login')
  const link = page.getByRole('link', { name: '用户协议' })
  await link.waitFor()
  // What nobody has written is not linked to.
  expect(await page.getByRole('link', { name: '隐私政策' }).count()).toBe(0)
  await page.goto((await link.getAttribute('href')) ?? '')
  await page.getByRole('heading', { name: 'Terms' }).waitFor()
  await page.getByText('Be kind to the gateway.').waitFor()

  await page.goto('/register')
  await page.getByLabel('用户名').fill('newcomer')
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByLabel('确认密码', { exact: true }).fill(password)
  const submit = page.getByRole('main').getByRole('button', { name: '注册', exact: true })
  const sent: string[] = []
  page.on('request', request => sent.push(new URL(request.url()).pathname))
  await submit.click()
  await page.getByText('请先阅读并同意！').waitFor()
  expect(sent).not.toContain('/api/user/register')
  await page.getByRole('checkbox', { name: '我已阅读并同意 用户协议' }).check()
  expect(await page.getByText('请先阅读并同意！').count()).toBe(0)
  await submit.click()
  await page.waitForURL(({ pathname }) => pathname !== '/register')
  await arrive(page)

  await page.goto('/topup')
  const card = page.getByRole('region', { name: '每日签到' })
  await card.getByText('本月已签到 0 天').waitFor()
  await card.getByRole('button', { name: '签到', exact: true }).click()
  await card.getByText('今日已签到，获得 $0.0100').waitFor()
  await card.getByText('本月已签到 1 天').waitFor()
  await page.locator('dd', { hasText: '$0.01' }).first().waitFor()
  expect(await card.getByRole('button').count()).toBe(0)

  await (await stage.root()).saveOption('CheckinEnabled', 'false')
  await page.goto('/topup')
  await page.getByRole('region', { name: '使用兑换码' }).waitFor()
  expect(await card.count()).toBe(0)
  await done(visit)
})

test.each([1280, 390])(
  'with a captcha the card is as high before, while and after it is there (%d)',
  async width => {
    const root = await stage.root()
    const vendor = serveLoopback(() => Response.json({ success: true }))
    const person = await addPerson(stage, `human${width}`)
    for (const [key, value] of Object.entries({
      CheckinEnabled: 'true',
      TurnstileSiteKey: 'site',
      TurnstileSecretKey: 'captcha-secret',
      TurnstileVerifyUrl: `http://127.0.0.1:${vendor.port}/siteverify`,
      TurnstileCheckEnabled: 'true',
    }))
      expect((await root.saveOption(key, value)).json).toMatchObject({ success: true })
    const visit = await stage.visit({ as: person, viewport: { width, height: 844 } })
    const { page } = visit
    await page.route('https://challenges.cloudflare.com/**', route =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `window.turnstile = {
        render(host, { callback }) {
          host.style.height = '65px'
          callback('solved')
          return 'widget'
        },
        reset() {},
        remove() {},
      }`,
      }),
    )
    const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
    await page.route('**/api/user/checkin', async route => {
      await allowed
      await route.continue()
    })
    await page.goto('/topup')
    // Looked up and measured in one breath: the one that is there may give way to the next in between.
    const height = () =>
      page.evaluate(
        () => document.querySelector('main [class*=checkIn_]')?.getBoundingClientRect().height ?? 'none',
      )
    await page.getByRole('heading', { name: '使用兑换码' }).waitFor()
    await page.locator('main [class*=checkIn_][data-loading]').waitFor({ state: 'attached' })
    const heights = [await height()]
    allow()
    await page.getByRole('group', { name: '人机验证' }).waitFor()
    heights.push(await height())
    await page.getByRole('button', { name: '签到', exact: true }).click()
    await page
      .getByText(/今日已签到/)
      .first()
      .waitFor()
    heights.push(await height())
    expect(heights).toEqual(heights.map(() => heights[0] ?? 0))
    await root.saveOption('TurnstileCheckEnabled', 'false')
    await root.saveOption('CheckinEnabled', 'false')
    await vendor.stop(true)
    await done(visit)
  },
)

test('both ends of the range are saved together, whichever has to go first', async () => {
  const root = await stage.root()
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/setting?tab=operation')
  const section = page.locator('[id="operation.quota"]')
  const most = section.locator('input[name=CheckinMaxQuota]')
  const least = section.locator('input[name=CheckinMinQuota]')
  for (const [low, high] of [
    ['20000', '30000'],
    ['100', '200'],
  ] as const) {
    await least.fill(low)
    await most.fill(high)
    await section.getByRole('button', { name: /保存/ }).click()
    await section.getByText(/处修改未保存/).waitFor({ state: 'detached' })
    const rows = (await root.get('/api/option/')).json.data as { key: string; value: string }[]
    const saved = (key: string) => rows.find(row => row.key === key)?.value
    expect([saved('CheckinMinQuota'), saved('CheckinMaxQuota')]).toEqual([low, high])
  }
  await done(visit)
})
