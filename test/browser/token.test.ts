import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { until } from '../program.ts'
import { openStage, type Stage } from './harness.ts'
import { leaveTime } from './leave-time.ts'
import { comesTo } from './people.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

async function tokens() {
  const root = await stage.root()
  const { json } = await root.get('/api/token/?p=1&page_size=100')
  return json.data.items as { id: number; name: string; key: string; status: number }[]
}

test('the first token is made from an empty list, and its whole key can be seen and copied', async () => {
  const visit = await stage.visit({ asRoot: true, permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  await page.goto('/token')
  await page.getByRole('button', { name: '创建第一个令牌' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('IP 限制').scrollIntoViewIfNeeded()
  await drawer.getByRole('button', { name: '创建', exact: true }).click()
  await drawer.getByRole('alert').getByText('请输入令牌名称！').waitFor()
  // However far down one was.
  await page.waitForFunction(() => document.activeElement?.matches('[role=dialog] form [role=alert]'))
  expect(await drawer.getByRole('alert').evaluate(told => told.getBoundingClientRect().top)).toBeGreaterThan(
    0,
  )
  await drawer.getByLabel('名称').fill('ci')
  await drawer.getByRole('button', { name: '额度 10$' }).click()
  await drawer.getByLabel('IP 限制').fill('10.0.0.0/8')
  await page.keyboard.press('Control+s')
  await page.getByText('令牌创建成功，请在列表页面点击复制获取令牌！').waitFor()
  await page.waitForURL('**/token')
  const row = page.getByRole('row', { name: /ci/ })
  await row.getByText('$10.00').waitFor()
  await row.getByRole('button', { name: '复制：ci' }).click()
  await page.getByText('已复制到剪贴板！').waitFor()
  const [token] = await tokens()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`sk-${token?.key}`)
  await row.getByRole('button', { name: '更多操作：ci' }).click()
  await page.getByRole('menuitem', { name: '查看' }).click()
  const whole = page.getByRole('dialog')
  await whole.getByText(`sk-${token?.key}`).waitFor()
  // What a coding agent is told has the key in it only when it is copied.
  const shown = whole.locator('pre')
  expect(await shown.innerText()).toContain('ANTHROPIC_AUTH_TOKEN=sk-••••••••')
  await whole.getByRole('combobox', { name: '接入应用' }).selectOption('Codex')
  await shown.getByText('wire_api = "responses"').waitFor()
  await whole.getByRole('button', { name: '复制（含令牌）' }).click()
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('TOLLGATE_KEY'))
  const pasted = await page.evaluate(() => navigator.clipboard.readText())
  expect(pasted).toContain(`TOLLGATE_KEY=sk-${token?.key}`)
  expect(pasted).toContain(`base_url = "${stage.url}/v1"`)
  // A program that takes its settings from a link is opened with them.
  await page.evaluate(() => {
    window.open = url => {
      document.title = String(url)
      return null
    }
  })
  await whole.getByRole('combobox', { name: '接入应用' }).selectOption('Cherry Studio')
  expect(await shown.innerText()).toContain(`API Host: ${stage.url}\nAPI Key: sk-••••••••`)
  await whole.getByRole('button', { name: '在 Cherry Studio 中打开' }).click()
  await page.waitForFunction(() => document.title.startsWith('cherrystudio:'))
  const opened = new URL(await page.title())
  expect(opened.protocol).toBe('cherrystudio:')
  expect(JSON.parse(atob(opened.searchParams.get('data') ?? ''))).toMatchObject({
    baseUrl: stage.url,
    apiKey: `sk-${token?.key}`,
  })
  await whole.getByRole('combobox', { name: '接入应用' }).selectOption('Cursor')
  expect(await whole.getByRole('button', { name: /中打开/ }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: '聊天：ci' }).click()
  await page.getByRole('menuitem', { name: /Claude Code/ }).click()
  await whole.waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('a token is copied from where it is said that it was made, and its calls are one press away', async () => {
  const visit = await stage.visit({ asRoot: true, permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  await page.goto('/token/add')
  await page.getByRole('dialog').getByLabel('名称').fill('phone')
  await page.keyboard.press('Enter')
  const said = page.getByRole('status').filter({ hasText: '令牌创建成功' })
  await said.getByRole('button', { name: '复制' }).click()
  await page.getByText('已复制到剪贴板！').waitFor()
  const made = (await tokens()).find(({ name }) => name === 'phone')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`sk-${made?.key}`)
  await page.getByRole('button', { name: '更多操作：phone' }).click()
  await page.getByRole('menuitem', { name: '日志' }).click()
  await page.waitForURL(url => url.pathname === '/log')
  const { searchParams } = new URL(page.url())
  // An administrator's log is everybody's.
  expect([searchParams.get('token'), searchParams.get('user')]).toEqual(['phone', 'root'])
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('several are made at once, found by name, disabled and deleted, and a delete can be taken back', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/token/add')
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Name').fill('batch')
  await drawer.getByLabel('Quantity', { exact: true }).fill('3')
  await drawer.getByLabel('Unlimited quota').check({ force: true })
  const create = drawer.getByRole('button', { name: 'Create', exact: true })
  // The second is not made; whoever tries again gets that one and the third.
  visit.expectFault(/500/)
  let asked = 0
  await page.route('**/api/token', route =>
    route.request().method() === 'POST' && ++asked === 2
      ? route.fulfill({ status: 500, json: {} })
      : route.fallback(),
  )
  await create.click()
  await page.getByText('Internal server error').waitFor()
  await page.getByRole('row', { name: /batch/, includeHidden: true }).waitFor({ state: 'attached' })
  await create.click()
  await drawer.waitFor({ state: 'detached' })
  const made = (await tokens()).filter(({ name }) => name.startsWith('batch'))
  expect(made.map(({ name }) => name.length).toSorted((one, other) => one - other)).toEqual([5, 12, 12])

  await page.getByRole('textbox', { name: 'Token name' }).fill('batch')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/token?keyword=batch')
  await page.getByText('1 – 3 of 3').waitFor()

  const menu = page.getByRole('button', { name: 'More actions: batch', exact: true })
  await leaveTime(page)
  await menu.click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await page.getByText('Disabled').waitFor()
  await until(async () => (await tokens()).find(({ name }) => name === 'batch')?.status === 2)

  await menu.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await menu.waitFor({ state: 'detached' })
  await page.getByText('1 – 2 of 2').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await menu.waitFor()
  await page.getByText('1 – 3 of 3').waitFor()
  expect((await tokens()).some(({ name }) => name === 'batch')).toBe(true)

  await menu.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await menu.waitFor({ state: 'detached' })
  // Leaving the page carries out what was waiting.
  await page.goto('/about')
  const gone = async () => !(await tokens()).some(({ name }) => name === 'batch')
  await until(gone)
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('a quota that renews itself is set in the form, and the list says when', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/token/add')
  const drawer = page.getByRole('dialog')
  const amount = drawer.getByLabel('Renews to')
  const choose = async (period: string): Promise<void> => {
    await drawer.locator('#token-refill').click()
    await page.getByRole('option', { name: period }).click()
  }
  await drawer.getByLabel('Name').fill('renews')
  expect(await amount.count()).toBe(0)
  await choose('Every day')
  expect(await amount.inputValue()).toBe('500000')
  await amount.fill('0')
  await drawer.getByRole('button', { name: 'Create', exact: true }).click()
  await drawer.getByRole('alert').getByText('The renewal must be a whole number above 0').waitFor()
  await amount.fill('1,000,000')
  await drawer.getByRole('button', { name: 'Create', exact: true }).click()
  await drawer.waitFor({ state: 'detached' })
  const read = async () => (await tokens()).find(({ name }) => name === 'renews')
  const told = { remain_quota: 500_000, refill_quota: 1_000_000, refill_period: 'day' }
  expect(await read()).toMatchObject(told)
  const row = page.getByRole('row', { name: /renews/ })
  await row.getByTitle(/^Renews to \$2\.00 at \d{4}-\d\d-\d\d \d\d:\d\d$/).waitFor()

  await page.goto(`/token/edit/${(await read())?.id}`)
  expect(await amount.inputValue()).toBe('1000000')
  await drawer.getByLabel('Unlimited quota').check({ force: true })
  await amount.waitFor({ state: 'detached' })
  await drawer.getByLabel('Unlimited quota').uncheck({ force: true })
  await choose('Never')
  await amount.waitFor({ state: 'detached' })
  await drawer.getByRole('button', { name: 'Save', exact: true }).click()
  await drawer.waitFor({ state: 'detached' })
  expect(await read()).toMatchObject({ remain_quota: 500_000, refill_quota: 0, refill_period: 'none' })
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('a token is given labels, by comma or Enter, and what is none is refused before it is sent', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  const drawer = page.getByRole('dialog')
  const field = drawer.locator('#token-labels')
  const read = async () => {
    const root = await stage.root()
    const { json } = await root.get('/api/token/search?keyword=labelled')
    return json.data[0] as { id: number; labels: string[] }
  }
  await page.goto('/token/add')
  await drawer.getByLabel('Name').fill('labelled')
  await field.pressSequentially('project:search,')
  await field.fill('生产， 生产,')
  await field.press('Enter')
  await field.fill('x'.repeat(65))
  await drawer.getByRole('button', { name: 'Create', exact: true }).click()
  await drawer.getByRole('alert').getByText('At most 8 labels of 64 characters, without commas').waitFor()
  await field.press('Backspace')
  await drawer.getByRole('button', { name: 'Create', exact: true }).click()
  await drawer.waitFor({ state: 'detached' })
  const made = await read()
  expect(made.labels).toEqual(['project:search', '生产'])
  await page.goto(`/token/edit/${made.id}`)
  await drawer.getByText('project:search').waitFor()
  await field.press('Backspace')
  await drawer.getByRole('button', { name: 'Save', exact: true }).click()
  await drawer.waitFor({ state: 'detached' })
  expect((await read()).labels).toEqual(['project:search'])
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('an edit is not lost by a slip, and the keyboard alone can make one', async () => {
  const root = await stage.root()
  await root.post('/api/token/', { name: 'keys', remain_quota: 1, unlimited_quota: false, expired_time: -1 })
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/token?keyword=keys')
  await page.getByRole('row', { name: /keys/ }).waitFor()
  // Keys are heard a moment after the rows are drawn.
  await until(async () => {
    await page.keyboard.press('j')
    return page.evaluate(() => document.activeElement?.matches('main [role=row]') === true)
  })
  await page.keyboard.press('Enter')
  await page.waitForURL('**/token/edit/**')
  const drawer = page.getByRole('dialog', { name: '编辑令牌' })
  await drawer.getByLabel('名称').fill('renamed')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: '放弃未保存的修改？' })
  await question.getByRole('button', { name: '取消' }).click()
  await question.waitFor({ state: 'detached' })
  expect(await drawer.getByLabel('名称').inputValue()).toBe('renamed')
  await page.keyboard.press('Control+s')
  await page.getByText('令牌更新成功！').waitFor()
  expect((await tokens()).some(({ name }) => name === 'renamed')).toBe(true)
  // Or a click on its name.
  await page.goto('/token')
  await page.getByRole('button', { name: 'renamed', exact: true }).click()
  await drawer.waitFor()

  // What is not there cannot be saved.
  await page.goto('/token/edit/4242')
  await page.getByText('记录不存在').waitFor()
  expect(await page.locator('[role=dialog] button[type=submit]').isDisabled()).toBe(true)
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('when a token was last used stands in the list, with the exact time for who points at it', async () => {
  const root = await stage.root()
  await root.post('/api/token/', { name: 'in-use', unlimited_quota: true, expired_time: -1 })
  await root.post('/api/token/', { name: 'idle', unlimited_quota: true, expired_time: -1 })
  const at = Math.floor(Date.now() / 1000) - 2 * 3600 - 60
  const database = new Database(join(stage.program.dataDir, 'tollgate.db'))
  database.exec('pragma busy_timeout = 60000')
  database.query(`update tokens set created_time = ?1 - 9, accessed_time = ?1 where name = 'in-use'`).run(at)
  database.close()
  for (const [locale, used, never] of [
    ['en-US', '2 hours ago', 'Never'],
    ['zh-CN', '2 小时前', '从未'],
  ] as const)
    for (const width of [1280, 390]) {
      const visit = await stage.visit({ asRoot: true, locale, viewport: { width, height: 800 } })
      const { page } = visit
      await page.goto('/token')
      const time = page.getByText(used, { exact: true })
      await time.waitFor()
      expect(await time.getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      await page.getByText(never, { exact: true }).first().waitFor()
      // Whoever comes back to it an hour later is not told what it was then.
      await page.evaluate(() => {
        const time = Date.now
        Date.now = () => time() + 3_600_000
        document.dispatchEvent(new Event('visibilitychange'))
      })
      await page.getByText(used.replace('2', '3'), { exact: true }).waitFor()
      expect(visit.faults).toEqual([])
      await visit.close()
    }
})

test('where the operator wants it a new token is in group auto, for whoever may use one of its groups', async () => {
  const root = await stage.root()
  await root.saveOption('AutoGroups', '["default","vip"]')
  await root.saveOption('GroupGroupRatio', '{"default":{"vip":2.5}}')
  await root.saveOption('DefaultUseAutoGroup', 'true')
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/token/add')
  const drawer = page.getByRole('dialog')
  const group = drawer.locator('#token-group')
  await page.waitForFunction(() =>
    document.querySelector<HTMLInputElement>('#token-group')?.value.startsWith('auto'),
  )
  expect(await group.inputValue()).toBe('auto · default → vip · 倍率 ≤ 2.5')
  await drawer.getByLabel('名称').fill('open')
  await page.keyboard.press('Control+s')
  await drawer.waitFor({ state: 'detached' })
  expect((await tokens()).find(({ name }) => name === 'open')).toMatchObject({ group: 'auto' })
  await root.saveOption('AutoGroups', '["nowhere"]')
  await page.reload()
  await page.goto('/token/add')
  await drawer.getByLabel('名称').fill('closed')
  await page.keyboard.press('Control+s')
  await drawer.waitFor({ state: 'detached' })
  expect((await tokens()).find(({ name }) => name === 'closed')).toMatchObject({ group: '' })
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('a group that is offered no more is still shown as the one its token is in', async () => {
  const root = await stage.root()
  await root.post('/api/token/', { name: 'stranded', unlimited_quota: true, expired_time: -1, group: 'vip' })
  await root.saveOption('UserUsableGroups', '{"default":"默认分组"}')
  const { id } = (await tokens()).find(({ name }) => name === 'stranded') ?? { id: 0 }
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto(`/token/edit/${id}`)
  const drawer = page.getByRole('dialog')
  await comesTo(() => drawer.locator('#token-group').inputValue(), 'vip')
  await drawer.getByLabel('名称').fill('moored')
  await drawer.locator('#token-group').click()
  await page.getByRole('option', { name: /^default/ }).click()
  await page.keyboard.press('Control+s')
  await drawer.waitFor({ state: 'detached' })
  expect((await tokens()).find(({ name }) => name === 'moored')).toMatchObject({ group: 'default' })
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('of a key that moved in its owner is told that nobody here knows it, and nothing is offered that would need it', async () => {
  const root = await stage.root()
  await root.post('/api/token/', { name: 'moved', unlimited_quota: true, expired_time: -1 })
  const database = new Database(join(stage.program.dataDir, 'tollgate.db'))
  database.exec('pragma busy_timeout = 60000')
  database.query(`update tokens set key_sealed = '' where name = 'moved'`).run()
  database.close()
  for (const [locale, said, why, more, view] of [
    ['en-US', 'Imported key', 'only its holder knows it', 'More actions: moved', 'View and set up'],
    ['zh-CN', '密钥已迁入', '仅持有者知道', '更多操作：moved', '查看'],
  ] as const) {
    const visit = await stage.visit({ asRoot: true, locale })
    const { page } = visit
    await page.goto('/token')
    const row = page.getByRole('row', { name: /moved/ })
    expect(await row.getByText(said, { exact: true }).getAttribute('title')).toContain(why)
    expect(await row.getByRole('button', { name: /复制|Copy/ }).count()).toBe(0)
    await row.getByRole('button', { name: more }).click()
    await page.getByRole('menuitem', { name: view }).click()
    await page.getByRole('dialog').getByText(why).waitFor()
    expect(await page.getByRole('dialog').getByText('sk-').count()).toBe(0)
    expect(visit.faults).toEqual([])
    await visit.close()
  }
})
