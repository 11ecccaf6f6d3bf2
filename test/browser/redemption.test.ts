import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openStage, type Stage } from './harness.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

test('codes are made, shown, edited while unused, disabled, deleted', async () => {
  const visit = await stage.visit({ asRoot: true, permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  await page.goto('/redemption')
  await page.getByRole('button', { name: '生成第一批兑换码' }).click()
  const drawer = page.getByRole('dialog', { name: '添加兑换码' })
  await drawer.getByLabel('额度', { exact: true }).fill('0')
  await drawer.getByLabel('生成数量').fill('101')
  await drawer.getByRole('button', { name: '创建', exact: true }).click()
  await drawer.getByText('额度必须是大于 0 的整数！').first().waitFor()
  // No more of it than the server takes: bytes, of which these signs have three each.
  await drawer.getByLabel('名称').fill('国庆节活动赠送')
  await drawer.getByText('名称过长：最多 20 字节').first().waitFor()
  await drawer.getByLabel('名称').fill('')
  await drawer.getByText('生成数量必须是 1 到 100 的整数！').first().waitFor()
  await drawer.getByRole('button', { name: '额度 1$', exact: true }).click()
  await drawer.getByLabel('生成数量').fill('3')
  await drawer.getByRole('button', { name: '过期时间 一天' }).click()
  await drawer.getByRole('button', { name: '创建', exact: true }).click()
  const made = page.getByRole('dialog', { name: '已生成 3 个兑换码' })
  expect((await made.locator('pre').innerText()).split('\n')).toHaveLength(3)
  await page.keyboard.press('Escape')
  await page.waitForURL('**/redemption')
  // Without a name a code is called by what it is worth.
  await page
    .getByRole('row', { name: /\$1\.00/ })
    .nth(2)
    .waitFor()
  expect(await page.getByRole('row', { name: /\$1\.00/ }).count()).toBe(3)

  await page.getByRole('button', { name: '复制所选兑换码到剪贴板' }).click()
  await page.getByText('请至少选择一个兑换码！').waitFor()
  await page.getByRole('checkbox', { name: '全选本页' }).check()
  const bar = page.getByRole('region', { name: '所选项' })
  await bar.getByText('已选 3 项').waitFor()
  await bar.getByRole('button', { name: '复制所选兑换码到剪贴板' }).click()
  await page.getByText('已复制到剪贴板！').waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.split('\n').map(line => line.replace(/\w{32}$/, 'code'))).toEqual(
    Array(3).fill('$1.00    code'),
  )
  await bar.getByRole('button', { name: '取消选择' }).click()

  await page.getByRole('button', { name: '更多操作：$1.00' }).first().click()
  await page.getByRole('menuitem', { name: '编辑' }).click()
  const editor = page.getByRole('dialog', { name: '编辑兑换码' })
  await editor.getByRole('button', { name: '额度 50$' }).click()
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: '更多操作：$50.00' }).click()
  await page.getByRole('menuitem', { name: '编辑' }).click()
  await editor.getByLabel('名称').fill('夏日')
  await editor.getByRole('button', { name: '过期时间 永不过期' }).click()
  await page.keyboard.press('Control+s')
  await page.getByText('兑换码更新成功！').waitFor()
  await page.getByRole('row', { name: /夏日/ }).getByText('永不过期').waitFor()
  expect(await page.getByRole('row', { name: /永不过期/ }).count()).toBe(1)
  await page.getByRole('button', { name: '更多操作：夏日' }).click()
  await page.getByRole('menuitem', { name: '禁用' }).click()
  await page.getByRole('row', { name: /夏日/ }).getByText('已禁用').waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('a code that is used can only be looked at and deleted; a search finds by name, and by the code', async () => {
  const root = await stage.root()
  const { json } = await root.post('/api/redemption/', { name: 'gone', quota: 500_000, count: 1 })
  await root.post('/api/user/topup', { key: json.data[0] })
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/redemption')
  await page.getByRole('textbox', { name: 'ID, name or whole code' }).fill('gone')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/redemption?keyword=gone')
  await page.getByText('1 – 1 of 1').waitFor()
  await page.getByRole('button', { name: 'More actions: gone' }).click()
  expect(await page.getByRole('menuitem', { name: 'Edit' }).count()).toBe(0)
  expect(await page.getByRole('menuitem', { name: 'Enable' }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'ID, name or whole code' }).fill('nothing like it')
  await page.keyboard.press('Enter')
  await page.getByText('No matching codes').waitFor()
  // Nor is it in the address then, which others may read.
  await page.getByRole('textbox', { name: 'ID, name or whole code' }).fill(json.data[0])
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: /gone/ }).waitFor()
  expect(page.url()).not.toContain(json.data[0])
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('what is ticked on two pages is copied together', async () => {
  const root = await stage.root()
  await root.post('/api/redemption/', { name: 'many', quota: 1, count: 12 })
  const visit = await stage.visit({ asRoot: true, permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  await page.goto('/redemption?keyword=many')
  await page.getByRole('checkbox', { name: '全选本页' }).check()
  await page.getByRole('button', { name: '下一页' }).click()
  await page.waitForURL('**/redemption?keyword=many&p=2')
  await page.getByText('第 11 – 12 条，共 12 条').waitFor()
  // The rows of the page before stay until the others come.
  await page.locator('[data-fetching]').waitFor({ state: 'detached' })
  await page.getByRole('checkbox', { name: '全选本页' }).check()
  const bar = page.getByRole('region', { name: '所选项' })
  await bar.getByText('已选 12 项').waitFor()
  await bar.getByRole('button', { name: '复制所选兑换码到剪贴板' }).click()
  await page.getByText('已复制到剪贴板！').waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(new Set(copied.split('\n')).size).toBe(12)
  await page.getByRole('button', { name: '上一页' }).click()
  await page.waitForURL('**/redemption?keyword=many')
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('who is no administrator does not come in', async () => {
  const root = await stage.root()
  await root.post('/api/user/', { username: 'plain', password: 'plain-password', display_name: '' })
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/login')
  await page.getByLabel(/用户名/).fill('plain')
  await page.getByLabel('密码', { exact: true }).fill('plain-password')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/token')
  await page.goto('/redemption')
  await page.getByRole('heading', { name: '需要管理员账户' }).waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('while a drawer is loaded, no bars are drawn at the foot of its list', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  const come = Promise.withResolvers<void>()
  await page.route('**/assets/drawer-*.js', async route => {
    await come.promise
    await route.continue()
  })
  await page.goto('/redemption')
  await page.getByRole('button', { name: '添加兑换码' }).click()
  const bars = page.locator('main [data-coming]')
  await bars.waitFor({ state: 'attached' })
  expect(await bars.isVisible()).toBe(false)
  come.resolve()
  await page.getByRole('dialog', { name: '添加兑换码' }).waitFor()
  expect(await bars.count()).toBe(0)
  expect(visit.faults).toEqual([])
  await visit.close()
})
