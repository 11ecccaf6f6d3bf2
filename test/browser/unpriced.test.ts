import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Client, openStage, type Stage } from './harness.ts'
import { addPerson, done } from './people.ts'

let stage: Stage
let root: Client

beforeAll(async () => {
  stage = await openStage()
  root = await stage.root()
  await root.saveOption('GlobalApiRateLimit', '0')
})
afterAll(() => stage.close())

test('the form of a channel tells which models have no price, and leads to where it is set', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/channel/add')
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: '模型 清除所有模型' }).click()
  const custom = drawer.getByRole('textbox', { name: '自定义模型名称' })
  await custom.fill('gpt-4o')
  await custom.press('Enter')
  await drawer.getByText('已选 1 个').waitFor()
  expect(await drawer.getByText('没有价格').count()).toBe(0)
  await custom.fill('my-own-model,my-other-model')
  await custom.press('Enter')
  const note = drawer.getByRole('note').filter({ hasText: '2 个模型没有价格，调用会被拒绝。' })
  await note.waitFor()

  await drawer.locator('#channel-name').fill('vendor')
  await drawer.locator('#channel-key').fill('sk-of-the-vendor')
  const [prices] = await Promise.all([
    page.waitForEvent('popup'),
    note.getByRole('link', { name: 'my-own-model' }).click(),
  ])
  const dialog = prices.getByRole('dialog', { name: '添加模型' })
  expect(await dialog.getByLabel('模型名称').inputValue()).toBe('my-own-model')
  await dialog.getByLabel('模型倍率').fill('1.5')
  await dialog.getByRole('button', { name: '确定' }).click()
  await dialog.waitFor({ state: 'detached' })
  await prices.getByRole('button', { name: '保存：模型倍率设置' }).click()
  await prices.getByText('保存成功').waitFor()
  expect(prices.url()).not.toContain('price=')
  await prices.close()

  // Whoever comes back sees that it helped.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await drawer.getByText('1 个模型没有价格，调用会被拒绝。').waitFor()
  expect(await drawer.locator('#channel-key').inputValue()).toBe('sk-of-the-vendor')
  await page.keyboard.press('Control+s')
  await drawer.waitFor({ state: 'detached' })
  await done(visit)
})

test('the dashboard and the prices name what channels offer and nobody has priced', async () => {
  await root.saveOption('DataExportEnabled', 'true')
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/detail')
  await page.getByText('Offered models without a price: 1.').waitFor()
  await page.getByRole('link', { name: 'Set prices' }).click()
  await page.waitForURL(/\/setting\?tab=operation/)
  const name = page.getByRole('button', { name: 'Set prices my-other-model' })
  await name.waitFor()
  await page.waitForFunction(() => scrollY > 400)
  await name.click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Model name').inputValue()).toBe('my-other-model')
  await dialog.getByLabel('Fixed price').fill('0.02')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  // It is priced in the draft, and has only to be saved.
  await name.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Save.*Model ratios/ }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.goto('/detail')
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await page.getByText('No data yet').waitFor()
  expect(await page.getByText('without a price').count()).toBe(0)
  await done(visit)
})

test('an administrator who cannot set prices is told who can', async () => {
  const helper = await addPerson(stage, 'helper')
  await root.post('/api/user/manage', { id: helper.userId, action: 'promote' })
  const visit = await stage.visit({ as: helper })
  const { page } = visit
  await page.goto('/channel/add')
  const custom = page.getByRole('textbox', { name: '自定义模型名称' })
  await custom.fill('nobodys-model')
  await custom.press('Enter')
  // What a new channel offers of itself has a price.
  const note = page.getByRole('note').filter({ hasText: '1 个模型没有价格，调用会被拒绝。' })
  await note.getByText('只有超级管理员可以设置价格。').waitFor()
  expect(await note.getByRole('link').count()).toBe(0)
  await done(visit)
})
