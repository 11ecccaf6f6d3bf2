// What an operator does all day, by the way that is shortest.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { channelTypes } from '../../contract/channel-types.ts'
import { until } from '../program.ts'
import { type Client, openStage, type Stage } from './harness.ts'
import { leaveTime } from './leave-time.ts'
import { comesTo, done } from './people.ts'

let stage: Stage
let root: Client

beforeAll(async () => {
  stage = await openStage()
  root = await stage.root()
  await root.liftLimits()
  for (const [name, type, base_url] of [
    ['alpha', 1, ''],
    ['beta', 1, ''],
    ['painter', 5, 'https://painter.example'],
  ] as const)
    await root.post('/api/channel/', { name, type, base_url, key: 'sk-sample', models: 'gpt-4o-mini' })
})
afterAll(() => stage.close())

test('the record of changes tells who changed which price, leads to it, and proves itself', async () => {
  await root.saveOption('ModelRatio', JSON.stringify({ 'house-model': 1, other: 2 }))
  await root.saveOption('ModelRatio', JSON.stringify({ 'house-model': 1.5, other: 2 }))
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/setting?tab=operation')
  await page.getByRole('link', { name: 'Audit' }).click()
  const raised = page.getByRole('row', { name: /house-model: 1 → 1\.5/ })
  await raised.getByText('Model ratios').waitFor()
  await raised.getByText('Change setting').waitFor()
  await raised.getByRole('button', { name: /Change setting option:ModelRatio/ }).click()
  const detail = page.getByRole('row').filter({ hasText: 'option.save' })
  await comesTo(() => detail.locator('tbody tr').allInnerTexts(), ['house-model\t1\t1.5'])
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText(/^Intact: \d+ records$/).waitFor()

  await detail.getByRole('button', { name: 'All records of this subject' }).click()
  await page.waitForURL('**/setting?tab=audit&subject=option*ModelRatio')
  await page.getByLabel('Action').selectOption('channel.create')
  await page.getByText('No records').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.waitForURL('**/setting?tab=audit')
  await page
    .getByRole('link', { name: /Channel \d/ })
    .first()
    .click()
  await page.waitForURL('**/channel/edit/*')
  await done(visit)
})

test('fields and values of a record have the names that the forms give them, in the reader’s language', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'zh-CN' })
  const { page } = visit
  await page.goto('/setting?tab=audit&action=channel.create')
  await page
    .getByRole('row', { name: /名称：/ })
    .first()
    .waitFor()
  await page.locator('main td [aria-expanded=false]').first().click()
  const names = page.locator('main table table tbody th')
  await comesTo(() => names.allInnerTexts(), ['名称', '类型', '渠道地址', '模型', '分组', '数量'])
  const painter = channelTypes.find(({ id }) => id === 5)?.name.zh ?? ''
  await page.getByRole('cell', { name: painter, exact: true }).waitFor()
  await root.saveOption('DrawingEnabled', 'false')
  await page.goto('/setting?tab=audit&subject=option:DrawingEnabled')
  await page.getByRole('row', { name: /启用绘图功能 开启 → 关闭/ }).waitFor()
  await root.saveOption('DrawingEnabled', 'true')
  // First what has changed; whom it was done to is said besides, and is not gone.
  await root.post('/api/user/', { username: 'banned', password: 'banned-password' })
  const { json } = await root.get('/api/user/search?keyword=banned')
  await root.post('/api/user/manage', { id: json.data[0].id, action: 'disable' })
  await page.goto('/setting?tab=audit&action=user.disable')
  await page.getByRole('row', { name: /封禁用户 .*状态：已激活 → 已封禁/ }).waitFor()
  await done(visit)
})

test('a section of the settings is found by its name, has an address, and is no way out', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/about')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('textbox').fill('smtp')
  await page.getByRole('dialog').locator('[data-selected]', { hasText: 'SMTP' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/setting?tab=system#system.smtp')
  await page.locator('[id="system.smtp"]:focus').waitFor()

  await page.locator('input[name=SMTPAccount]').fill('gate')
  await page.getByRole('button', { name: 'Send test mail' }).waitFor()
  const sections = page.getByRole('navigation', { name: 'Sections' })
  await sections.getByRole('link', { name: 'LinuxDO login' }).click()
  await page.waitForURL('**#system.linuxdo')
  // The last one never comes to the top, and is marked all the same.
  await comesTo(() => sections.locator('[aria-current]').allInnerTexts(), ['LinuxDO login'])
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('link', { name: 'Operation' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
  await page.waitForURL('**/setting?tab=operation')
  await done(visit)
})

test('a test mail that fails says why', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/setting?tab=system#system.smtp')
  const button = page.getByRole('button', { name: 'Send test mail' })
  expect(await button.isDisabled()).toBe(true)
  await page.getByLabel('Send a test mail to').fill('ops@example.com')
  await page.keyboard.press('Enter')
  await page.getByText('The SMTP server is not configured').waitFor()
  await page.locator('input[name=SMTPServer]').fill('127.0.0.1')
  await button.click()
  await page.getByText('Save your changes before testing').waitFor()
  await done(visit)
})

test('channels are found by type, and many are switched at once', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/channel')
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
  // No name of a type is cut.
  const type = row('painter').getByText('Midjourney Proxy Plus')
  expect(await type.evaluate(cell => cell.scrollHeight <= cell.clientHeight)).toBe(true)
  await page.getByLabel('Type').selectOption('5')
  await page.waitForURL('**/channel?type=5')
  await row('alpha').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await row('alpha').waitFor()

  await page.getByRole('switch', { name: 'Batch' }).click()
  await page.getByRole('button', { name: 'Disable', exact: true }).click()
  await page.getByText('Select the channels to enable or disable first').waitFor()
  for (const name of ['alpha', 'beta']) await page.getByRole('checkbox', { name: `Select: ${name}` }).check()
  await page.getByRole('button', { name: 'Disable', exact: true }).last().click()
  await page.getByText('2 channels disabled').waitFor()
  await row('beta').getByText('Disabled').waitFor()
  // What stands beside a longer word stands where it stands beside a shorter one.
  const places = await Promise.all(
    ['alpha', 'painter'].map(name => page.getByRole('button', { name: `Test: ${name}` }).boundingBox()),
  )
  expect(places[0]?.x).toBe(places[1]?.x ?? 0)
  await page.getByLabel('Status').selectOption('auto')
  await page.getByText('No matching channels').waitFor()
  await done(visit)
})

test('money is added to what a user has by then, and their log is a click away', async () => {
  await root.post('/api/user/', { username: 'zoe', password: 'zoe-password' })
  const { json } = await root.get('/api/user/search?keyword=zoe')
  const { id } = json.data[0]
  await root.put('/api/user/', { id, quota: 1_000_000 })
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/user?role=user&status=active')
  await page.getByRole('button', { name: 'Edit: zoe' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit user' })
  await editing.getByText('$2.00').waitFor()
  // They spend while the form is open.
  await root.put('/api/user/', { id, quota: 900_000 })
  await editing.getByRole('button', { name: 'Balance +10$' }).click()
  await editing.getByRole('button', { name: 'Balance +1$', exact: true }).click()
  expect(await editing.locator('#user-quota').inputValue()).toBe('6500000')
  await page.keyboard.press('Control+s')
  await page.getByText('User updated').waitFor()
  expect((await root.get(`/api/user/${id}`)).json.data.quota).toBe(6_400_000)

  await page.getByRole('button', { name: 'More actions: zoe' }).click()
  await page.getByRole('menuitem', { name: 'Logs' }).click()
  await page.waitForURL('**/log?user=zoe&start=-604800')
  await page
    .getByRole('button', { name: /User info/ })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('link', { name: 'Edit' }).click()
  await page.waitForURL(`**/user/edit/${id}`)
  await done(visit)
})

test('a failed call says why in its row', async () => {
  await root.post('/api/token/', { name: 'probe', unlimited_quota: true, expired_time: -1 })
  const { json } = await root.get('/api/token/?p=0')
  const [{ key }] = Array.isArray(json.data) ? json.data : json.data.items
  await fetch(`${stage.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'nobody-has-it', messages: [{ role: 'user', content: 'x' }] }),
  })
  // Nobody waits for the row of what was refused.
  await until(async () => (await root.get('/api/log/?type=5')).json.data.items[0])
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/log?type=5')
  const row = page.getByRole('row', { name: /nobody-has-it/ })
  await row.getByText('无可用渠道').waitFor()
  expect(await row.innerText()).not.toContain('request id')
  await done(visit)
})

test('codes are found by status, deleted together and brought back', async () => {
  await root.post('/api/redemption/', { name: 'fair', quota: 1, count: 3 })
  const { json } = await root.get('/api/redemption/?p=0')
  await root.post('/api/user/topup', { key: json.data[0].key })
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/redemption')
  await page.getByLabel('Status').selectOption('used')
  await page.waitForURL('**/redemption?status=used')
  await page.getByText('1 – 1 of 1').waitFor()
  expect(await page.getByRole('row', { name: /fair/ }).getByRole('link').getAttribute('href')).toBe(
    '/user/edit/1',
  )
  await page.getByLabel('Status').selectOption('')
  await page.getByText('1 – 3 of 3').waitFor()
  await page.getByRole('checkbox', { name: 'Select this page' }).check()
  await leaveTime(page)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('3 codes deleted').waitFor()
  await comesTo(() => page.getByRole('row', { name: /fair/ }).count(), 0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('row', { name: /fair/ }).nth(2).waitFor()
  await done(visit)
})

test('Back and Forward between views bring their columns', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/channel?status=enabled')
  const options = page.getByRole('button', { name: 'Table options' })
  await options.click()
  await page.getByRole('checkbox', { name: 'Weight' }).uncheck()
  await page.getByRole('button', { name: 'Save as a view…' }).click()
  await page.locator('[aria-label="Name of the view"]:focus').waitFor()
  await page.keyboard.type('Lean')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Lean' }).waitFor()
  // The columns of the list itself are others.
  await page.getByRole('checkbox', { name: 'Weight' }).check()
  await page.keyboard.press('Escape')
  const weight = page.getByRole('columnheader', { name: 'Weight' })
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await page.waitForURL('**/channel')
  await weight.waitFor()
  await page.getByRole('link', { name: 'Lean' }).click()
  await weight.waitFor({ state: 'detached' })
  await page.goBack()
  await page.waitForURL('**/channel')
  await weight.waitFor()
  await page.goForward()
  await page.waitForURL('**/channel?status=enabled')
  await weight.waitFor({ state: 'detached' })
  await done(visit)
})

test('a whole month is a click away, for the list and for what is exported', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/log')
  const [last, next] = await page.evaluate(() => {
    const now = new Date()
    return [-1, 0].map(month => new Date(now.getFullYear(), now.getMonth() + month, 1).getTime() / 1000)
  })
  const name = await page.evaluate(seconds => {
    const date = new Date(seconds * 1000)
    return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`
  }, last ?? 0)
  await page.getByRole('button', { name: /^Time range/ }).click()
  await page.getByRole('button', { name, exact: true }).click()
  await page.waitForURL(`**/log?start=${last}&end=${(next ?? 0) - 1}`)
  await page.getByRole('button', { name: `Time range: ${name}` }).waitFor()
  const address = await page.getByRole('link', { name: 'CSV' }).getAttribute('href')
  expect(address).toContain(`start_timestamp=${last}`)
  expect(address).toContain(`end_timestamp=${(next ?? 0) - 1}`)
  await done(visit)
})
