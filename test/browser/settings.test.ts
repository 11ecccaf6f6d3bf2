import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { openStage, type Stage, type Visit } from './harness.ts'

let stage: Stage
let visit: Visit
let page: Page

beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  visit = await stage.visit({ asRoot: true })
  page = visit.page
})
afterEach(async () => {
  expect(visit.faults).toEqual([])
  await visit.close()
})

const section = (name: string): Locator => page.getByRole('region', { name, exact: true })
const save = (name: string) =>
  section(name)
    .getByRole('button', { name: `保存：${name}` })
    .click()

test('a saved system name is in force at once, in the title and in the top bar', async () => {
  await page.goto('/setting?tab=other')
  await page.getByLabel('系统名称').fill('收费站')
  await section('个性化设置').getByText('1 处修改未保存').waitFor()
  await save('个性化设置')
  await page.getByText('保存成功').waitFor()
  await page.getByRole('banner').getByText('收费站').waitFor()
  await page.waitForFunction(() => document.title === '设置 · 收费站')
  await section('个性化设置').getByText('处修改未保存').waitFor({ state: 'detached' })

  await page.goto('/')
  await page.waitForFunction(() => document.title === '收费站')
  const answer = await (await stage.root()).saveOption('SystemName', 'Tollgate')
  expect(answer.json.success).toBe(true)
})

test('what somebody else has saved meanwhile is not written over unseen', async () => {
  await page.goto('/setting?tab=other')
  const root = await stage.root()
  const name = page.getByLabel('系统名称')
  const personal = section('个性化设置')
  await name.fill('我的名字')
  await root.saveOption('SystemName', '别人的名字')
  await save('个性化设置')
  await personal.getByText('以下设置在你编辑期间已被他人修改').waitFor()
  expect(await name.inputValue()).toBe('我的名字')
  await personal.getByRole('button', { name: '查看现值：系统名称' }).click()
  const dialog = page.getByRole('dialog', { name: '系统名称' })
  expect(await dialog.getByRole('textbox').inputValue()).toBe('别人的名字')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  // Saving once more changes nothing; only who says so writes over it.
  await save('个性化设置')
  await page.getByRole('alert').getByText('此项在编辑期间已被他人修改').last().waitFor()
  expect(await page.getByText('请重试').count()).toBe(0)
  expect((await root.get('/api/status')).json.data.system_name).toBe('别人的名字')
  await personal.getByRole('button', { name: '仍保存我的内容' }).click()
  await page.getByText('保存成功').waitFor()
  await personal.getByText('以下设置在你编辑期间已被他人修改').waitFor({ state: 'hidden' })
  expect((await root.get('/api/status')).json.data.system_name).toBe('我的名字')

  // One's own next edit begins from what was saved now.
  await name.fill('又一个名字')
  await save('个性化设置')
  await page.getByRole('banner').getByText('又一个名字').waitFor()
  expect((await root.saveOption('SystemName', 'Tollgate')).json.success).toBe(true)
})

test('what is typed while a section is saved is not lost, and is saved after it', async () => {
  await page.goto('/setting?tab=other')
  const name = page.getByLabel('系统名称')
  const personal = section('个性化设置')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/option', async route => {
    if (route.request().method() === 'PUT') await held.promise
    await route.continue()
  })
  await name.fill('收费')
  const sent = page.waitForRequest(request => request.method() === 'PUT')
  await page.keyboard.press('Control+s')
  await sent
  await name.fill('收费站')
  held.resolve()
  await page.getByText('保存成功').waitFor()
  await page.getByRole('banner').getByText('收费', { exact: true }).waitFor()
  expect(await name.inputValue()).toBe('收费站')
  await personal.getByText('1 处修改未保存').waitFor()
  // It began from what was saved: nobody else has been at it.
  await save('个性化设置')
  await page.getByRole('banner').getByText('收费站', { exact: true }).waitFor()
  await personal.getByText('处修改未保存').waitFor({ state: 'detached' })
  expect((await (await stage.root()).saveOption('SystemName', 'Tollgate')).json.success).toBe(true)
})

test('saving without a change says so', async () => {
  await page.goto('/setting?tab=other')
  await save('公告')
  await page.getByText('你似乎并没有修改什么').waitFor()
})

test('secrets can be written but are never shown', async () => {
  await page.goto('/setting?tab=system')
  const smtp = section('SMTP 邮件')
  const secret = smtp.locator('input[name=SMTPToken]')
  await smtp.getByText('未设置').waitFor()
  await secret.fill('top-secret-value')
  await save('SMTP 邮件')
  await smtp.getByText('已设置').waitFor()
  expect(await secret.inputValue()).toBe('')
  await page.reload()
  await smtp.getByText('已设置').waitFor()
  expect(await secret.inputValue()).toBe('')
  expect(await page.content()).not.toContain('top-secret-value')

  await smtp.getByLabel('SMTP 账户').fill('post@example.com')
  await save('SMTP 邮件')
  await page.getByText('保存成功').waitFor()
  await smtp.getByText('已设置').waitFor()
})

test('a value and the flag that needs it can be saved together; a flag without its value is refused', async () => {
  await page.goto('/setting?tab=system')
  await section('登录与注册').getByLabel('允许通过 GitHub 账户登录与注册').check({ force: true })
  await save('登录与注册')
  await page.getByText(/保存失败，请重试\s*无法启用 GitHub OAuth/).waitFor()
  await section('登录与注册').getByText('无法启用 GitHub OAuth').waitFor()
  await section('登录与注册').getByRole('button', { name: '撤销修改' }).click()

  const root = await stage.root()
  await root.saveOption('EmailDomainWhitelist', '')
  await page.reload()
  const domains = section('邮箱域名白名单')
  await domains.getByLabel('启用邮箱域名白名单').check({ force: true })
  await domains.getByLabel('允许的邮箱域名').fill('example.com,')
  await domains.getByLabel('允许的邮箱域名').blur()
  await save('邮箱域名白名单')
  await page.getByText('保存成功').waitFor()
  const { json } = await root.get('/api/option/')
  expect(json.data).toContainEqual({
    key: 'EmailDomainRestrictionEnabled',
    value: 'true',
    revision: expect.any(String),
  })
  expect(json.data).toContainEqual({
    key: 'EmailDomainWhitelist',
    value: 'example.com',
    revision: expect.any(String),
  })
})

test('payment needs the server address first', async () => {
  await page.goto('/setting?tab=system')
  await section('支付设置').getByLabel('易支付商户 ID').fill('1000')
  await save('支付设置')
  await page.getByText('请先填写服务器地址').waitFor()
  await section('支付设置').getByRole('button', { name: '撤销修改' }).click()
})

test('a broken value names its place and is not sent', async () => {
  await page.goto('/setting?tab=system')
  const payment = section('支付设置')
  await payment.getByLabel('充值分组倍率').fill('{\n  "default": 1,\n  "vip": }\n')
  await payment.getByText('不是合法的 JSON 字符串（第 3 行第 10 列）').waitFor()
  await payment.getByLabel('最低充值数量（美元）').fill('0')
  await payment.getByText('必须是 1 到 1000000 之间的整数').waitFor()
  await save('支付设置')
  await page.getByText('请检查输入').waitFor()
  // The button may stand a screen below what is wrong.
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
  await payment.getByRole('button', { name: '撤销修改' }).click()
})

test('switching off password login asks first', async () => {
  await page.goto('/setting?tab=system')
  const login = section('登录与注册')
  await login.getByLabel('允许通过密码进行登录').uncheck({ force: true })
  await save('登录与注册')
  const dialog = page.getByRole('dialog', { name: '关闭密码登录？' })
  await dialog.getByRole('button', { name: '取消' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const { json } = await (await stage.root()).get('/api/option/')
  expect(json.data).toContainEqual({
    key: 'PasswordLoginEnabled',
    value: 'true',
    revision: expect.any(String),
  })

  await save('登录与注册')
  await dialog.getByRole('button', { name: '关闭密码登录' }).click()
  await page.getByText('保存成功').waitFor()
  const root = await stage.root()
  expect((await root.get('/api/status')).json.data.password_login_enabled).toBe(false)
  await root.saveOption('PasswordLoginEnabled', 'true')
})

test('Ctrl+S saves the section in hand; leaving with changes asks', async () => {
  await page.goto('/setting?tab=other')
  await page.getByLabel('Logo 图片地址').fill('/favicon.svg')
  await page.keyboard.press('Control+s')
  await page.getByText('保存成功').waitFor()
  await page.getByRole('banner').locator('img[src="/favicon.svg"]').waitFor()

  await page.getByLabel('Logo 图片地址').fill('')
  await page.getByRole('link', { name: '系统设置' }).click()
  const dialog = page.getByRole('dialog', { name: '放弃未保存的修改？' })
  await dialog.getByRole('button', { name: '取消' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(new URL(page.url()).search).toBe('?tab=other')
  await page.getByRole('link', { name: '系统设置' }).click()
  await dialog.getByRole('button', { name: '放弃修改' }).click()
  await page.getByRole('heading', { name: '通用设置' }).waitFor()
  await (await stage.root()).saveOption('Logo', '')
})

test('the section list leads to its section', async () => {
  await page.goto('/setting?tab=system')
  await page.getByRole('navigation', { name: '设置分组' }).getByRole('link', { name: 'SMTP 邮件' }).click()
  await page.waitForFunction(() => {
    const top = document.getElementById('system.smtp')?.getBoundingClientRect().top ?? -1
    return top > 40 && top < 200
  })
  expect(await page.getByText('兼容项').count()).toBe(0)
})

test('settings that cannot be read say so in place, and Retry reads them', async () => {
  await page.route('**/api/option', route => route.abort('connectionrefused'))
  visit.expectFault(/ERR_CONNECTION_REFUSED/)
  await page.goto('/setting?tab=system')
  await page.getByText('无法连接到服务器，请检查网络').waitFor()
  await page.unroute('**/api/option')
  await page.getByRole('main').getByRole('button', { name: '重试' }).click()
  await page.getByRole('heading', { name: '通用设置' }).waitFor()
})
