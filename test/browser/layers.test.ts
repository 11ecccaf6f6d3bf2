import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '../program.ts'
import { openStage, type Stage } from './harness.ts'
import { leaveTime } from './leave-time.ts'
import { done } from './people.ts'

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
  const root = await stage.root()
  await root.liftLimits()
  const token = { name: 'sample', remain_quota: 1, unlimited_quota: false, expired_time: -1 }
  await root.post('/api/token/', token)
})
afterAll(() => stage.close())

test('Esc closes what lies on top, one at a time', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/token/add')
  const drawer = page.getByRole('dialog', { name: '添加令牌' })
  const open = () => page.getByRole('dialog').count()
  await drawer.locator('#token-name').waitFor()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: '命令面板' })
  await palette.getByRole('textbox').fill('模型价格')
  await palette.getByText('模型价格').waitFor()
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'hidden' })
  expect(await open()).toBe(1)

  await drawer.locator('#token-name').fill('typed')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: '放弃未保存的修改？' })
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'hidden' })
  expect(await drawer.locator('#token-name').inputValue()).toBe('typed')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: '放弃修改' }).click()
  await page.waitForURL('/token')

  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
  })
  await page.getByRole('button', { name: '更多操作：sample' }).click()
  await page.getByRole('menuitem', { name: '查看' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '复制密钥' }).click()
  const byHand = page.getByRole('dialog', { name: '无法复制到剪贴板，请手动复制' })
  await byHand.waitFor()
  // Nothing says that it was copied.
  expect(await page.locator('.lucide-check').count()).toBe(0)
  expect(await open()).toBe(2)
  await page.keyboard.press('Escape')
  await byHand.waitFor({ state: 'hidden' })
  expect(await open()).toBe(1)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await done(visit)
})

test('Ctrl+S saves wherever the focus is', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/token/add')
  await page.locator('#token-name').fill('saved')
  await page.getByRole('heading', { name: '添加令牌' }).click()
  await page.keyboard.press('Control+s')
  await page.getByRole('row', { name: /saved/ }).waitFor()
  await page.goto('/setting?tab=operation')
  await page.locator('input[name=TopUpLink]').fill('https://codes.example')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('Control+s')
  await page.getByText('保存成功').waitFor()
  const root = await stage.root()
  expect((await root.get('/api/status')).json.data.top_up_link).toBe('https://codes.example')
  await done(visit)
})

test('whoever uses keys keeps their place: at the last page, when a bar goes away, and after a refusal', async () => {
  const root = await stage.root()
  for (let count = 0; count < 11; count++)
    await root.post('/api/token/', { name: `many-${count}`, unlimited_quota: true, expired_time: -1 })
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  const focused = () =>
    page.evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
    )

  await page.goto('/token')
  const next = page.getByRole('button', { name: '下一页' })
  await next.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/token?p=2')
  await page.locator('[aria-label="下一页"][aria-disabled=true]').waitFor()
  expect(await focused()).toBe('下一页')
  await page.keyboard.press('Enter')
  expect(new URL(page.url()).search).toBe('?p=2')

  await page.getByRole('checkbox', { name: '选择：sample' }).check()
  await page.getByRole('button', { name: '取消选择' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: '所选项' }).waitFor({ state: 'hidden' })
  await page.waitForFunction(() => document.activeElement?.matches('main [role=row]'))

  await page.route('**/api/token', async route => {
    if (route.request().method() !== 'POST') return route.fallback()
    return route.fulfill({ json: { success: false, message: '稍后再试' } })
  })
  await page.goto('/token/add')
  await page.locator('#token-name').fill('refused')
  const create = page.getByRole('button', { name: '创建', exact: true })
  await create.focus()
  await page.keyboard.press('Space')
  await page.getByText('稍后再试').waitFor()
  await page.waitForFunction(() => document.activeElement?.textContent === '创建')
  await done(visit)
})

test('what a toast says covers no field of the form below it', async () => {
  const root = await stage.root()
  await root.post('/api/mcp_server', {
    ...{ name: 'taken', url: 'https://mcp.example.com/mcp', groups: ['default'] },
  })
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  for (const width of [1280, 768, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/mcp-server/add')
    await leaveTime(page)
    const drawer = page.getByRole('dialog', { name: '添加 MCP 服务' })
    await drawer.getByLabel('名称').fill('taken')
    await drawer.getByLabel('地址').fill('https://mcp.example.com/mcp')
    const toasts = page.locator('[role=alert]').filter({ hasText: 'taken' })
    for (const count of [1, 2]) {
      // Its button, which can be pressed again by now, would take the first away.
      await drawer.getByRole('button', { name: '创建', disabled: false }).waitFor()
      await page.keyboard.press('Control+s')
      await toasts.nth(count - 1).waitFor()
    }
    // Where they come to rest, with the pointer far from them.
    await page.mouse.move(width / 2, 780)
    const bottom = async () => {
      const boxes = await Promise.all((await toasts.all()).map(toast => toast.boundingBox()))
      return Math.max(...boxes.map(box => (box ? box.y + box.height : 0)))
    }
    const field = await drawer.locator('input, textarea').first().boundingBox()
    await until(async () => (await bottom()) < (field?.y ?? 0))
    expect(await bottom()).toBeGreaterThan(0)
    await drawer.getByRole('button', { name: '取消' }).click()
    await page.getByRole('button', { name: '放弃修改' }).click()
    await page.waitForURL('/mcp-server')
  }
  await done(visit)
})

test('a long toast ends above the fields, and is read whole by whoever points at it', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.route('**/api/mcp_server', route =>
    route.request().method() === 'POST'
      ? route.fulfill({ json: { success: false, message: 'The upstream said so. '.repeat(30) } })
      : route.continue(),
  )
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/mcp-server/add')
    await leaveTime(page)
    const drawer = page.getByRole('dialog', { name: '添加 MCP 服务' })
    await drawer.getByLabel('名称').fill('docs')
    await drawer.getByLabel('地址').fill('https://mcp.example.com/mcp')
    await drawer.getByRole('button', { name: '创建' }).click()
    const toast = page.locator('[role=alert]').filter({ hasText: 'The upstream said so.' })
    await toast.waitFor()
    await page.mouse.move(width / 2, 780)
    const bottom = async () => {
      const box = await toast.boundingBox()
      return box ? box.y + box.height : Number.POSITIVE_INFINITY
    }
    const field = (await drawer.locator('input, textarea').first().boundingBox())?.y ?? 0
    await until(async () => (await bottom()) < field)
    await toast.hover()
    await until(async () => (await bottom()) > field)
    await page.mouse.move(width / 2, 780)
    await drawer.getByRole('button', { name: '取消' }).click()
    await page.getByRole('button', { name: '放弃修改' }).click()
    await page.waitForURL('/mcp-server')
  }
  await done(visit)
})
