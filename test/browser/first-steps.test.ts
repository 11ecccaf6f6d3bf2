import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type FakeUpstream, startOpenai } from '../upstreams/index.ts'
import { type Client, openStage, type Stage } from './harness.ts'
import { addPerson, done } from './people.ts'

let stage: Stage
let root: Client
let upstream: FakeUpstream

beforeAll(async () => {
  upstream = await startOpenai()
  stage = await openStage()
  root = await stage.root()
  const options = { GlobalApiRateLimit: '0', QuotaForNewUser: '500000', DataExportEnabled: 'true' }
  for (const [name, value] of Object.entries(options)) await root.saveOption(name, value)
  const channel = { type: 1, key: upstream.key, base_url: upstream.url, name: 'vendor' }
  await root.post('/api/channel/', { ...channel, models: 'text-embedding-3-small,gpt-4o,gpt-4o-mini' })
})
afterAll(async () => {
  await stage.close()
  await upstream.stop()
})

test('a new user is led from a token by way of a call to its line in the log, and no further', async () => {
  const alice = await addPerson(stage, 'alice')
  const visit = await stage.visit({ as: alice, permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  await page.goto('/token')
  const guide = page.getByRole('region', { name: '入门引导' })
  const current = guide.locator('[aria-current=step]')
  const create = current.getByRole('link', { name: '创建令牌' })
  await create.waitFor()
  await page.getByText('还没有令牌').waitFor()
  expect(await page.locator('main [data-variant=filled]').allInnerTexts()).toEqual(['创建令牌'])
  await create.click()
  await page.waitForURL('/token/add')
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('名称').fill('first')
  // Models come by name, and this is not the first: the call is made with one that the token may use.
  await drawer.getByRole('switch', { name: '启用模型限制' }).click({ force: true })
  await drawer.getByRole('combobox', { name: '该令牌可用的模型' }).click()
  await page.getByRole('option', { name: 'gpt-4o-mini', exact: true }).click()
  await page.keyboard.press('Control+s')
  await drawer.waitFor({ state: 'detached' })

  await page.getByRole('row', { name: /first/ }).getByTitle('gpt-4o-mini').waitFor()
  await current.getByRole('heading', { name: '发出第一次调用' }).waitFor()
  await guide.getByText('等待第一次调用…').waitFor()
  expect(await guide.locator('pre').innerText()).toContain('sk-••••')
  await guide.getByRole('button', { name: '复制（含令牌）' }).click()
  await page.getByText('已复制到剪贴板！').waitFor()
  const code = await page.evaluate(() => navigator.clipboard.readText())
  const run = Bun.spawn(['sh', '-c', code.replace(/^curl /, 'curl -s ')])
  expect(await new Response(run.stdout).text()).toContain('data: [DONE]')

  await guide.getByText(/^第一次调用已计费：\$0\.0*[1-9]\d*$/).waitFor()
  await current.getByRole('button', { name: '在日志中查看' }).click()
  await page.waitForURL(/\/log\?type=2/)
  await page.getByText('gpt-4o-mini').first().waitFor()
  // There has been a first call: the steps are gone for good.
  await page.goto('/token')
  await page.getByRole('row', { name: /first/ }).waitFor()
  await page.getByTitle('余额').waitFor()
  expect(await guide.count()).toBe(0)
  await done(visit)
})

test('the dashboard offers the same, it is waved away once, and the account menu has it still', async () => {
  const bob = await addPerson(stage, 'bob')
  const visit = await stage.visit({ as: bob, locale: 'en-US' })
  const { page } = visit
  await page.goto('/detail')
  const guide = page.getByRole('region', { name: 'Getting started' })
  await guide.getByRole('heading', { name: 'Create a token' }).waitFor()
  await guide.getByRole('button', { name: 'Skip the guide' }).click()
  await page.getByText('No data yet').waitFor()
  await page.goto('/token')
  await page.getByText('No tokens yet').waitFor()
  await page.waitForLoadState('networkidle')
  expect(await guide.count()).toBe(0)
  await page.getByRole('button', { name: 'Account: bob' }).click()
  await page.getByRole('menuitem', { name: 'Getting started' }).click()
  await page.waitForURL('/start')
  await page.getByRole('heading', { name: 'Create a token' }).waitFor()
  // Channels are not theirs to add.
  expect(await page.getByText('Add your first channel').count()).toBe(0)
  await done(visit)
})

test('administrators have a guide of their own', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/token')
  await page.getByText('还没有令牌').waitFor()
  expect(await page.locator('main [data-variant=filled]').allInnerTexts()).toEqual(['创建第一个令牌'])
  await page.getByTitle('余额').waitFor()
  expect(await page.getByRole('region', { name: '入门引导' }).count()).toBe(0)
  await done(visit)
})
