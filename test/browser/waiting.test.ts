// What is on its way, did not come, or is not there yet: a screen says so, and nothing that is not so.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openStage, type Stage } from './harness.ts'
import { done } from './people.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

/** Answers of these addresses stay away until they are let go. */
async function hold(page: Page, address: string | RegExp): Promise<() => void> {
  let letGo = () => {}
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  await page.route(address, async route => {
    await held
    await route.continue()
  })
  return letGo
}

/** Within the page: another may wait in a drawer. */
const bars = (page: Page) => page.getByRole('main').getByRole('status', { name: '加载中' })

test('the tools and the wallet show that something is to come', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  for (const [path, address, end] of [
    ['/tools', '**/api/mcp/**', '还没有 MCP 服务'],
    ['/topup', /api\/user\/spend_limits/, '使用兑换码'],
  ] as const) {
    const letGo = await hold(page, address)
    await page.goto(path)
    await bars(page).first().waitFor()
    letGo()
    await page.getByText(end).first().waitFor()
    await bars(page).first().waitFor({ state: 'detached' })
    await page.unroute(address)
  }
  await done(visit)
})

test('a token that ends does not seem to last for ever until the calendar is there', async () => {
  const root = await stage.root()
  const end = new Date(2030, 4, 6, 7, 8, 9)
  const made = await root.post('/api/token/', { name: 'ends', expired_time: end.getTime() / 1000 })
  expect(made.json.success).toBe(true)
  const visit = await stage.visit({
    asRoot: true,
    timezoneId: Intl.DateTimeFormat().resolvedOptions().timeZone,
  })
  const { page } = visit
  const letGo = await hold(page, /date-time-field.*\.js/)
  await page.goto(`/token/edit/1`)
  const field = page.getByRole('dialog').getByLabel('过期时间').first()
  await field.waitFor()
  expect(await field.inputValue()).toBe('2030-05-06 07:08:09')
  letGo()
  await page.getByRole('dialog').locator('button', { hasText: '2030-05-06 07:08:09' }).waitFor()
  await done(visit)
})

test('where there are no models yet, an administrator is not sent to one', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/setting?tab=personal')
  await page.getByRole('link', { name: /^添加并启用渠道后/ }).click()
  await page.waitForURL('/channel')
  await done(visit)
})

test('what could not be read cannot be saved', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  for (const [path, address] of [
    ['/channel/edit/1', '**/api/channel/1'],
    ['/token/edit/1', '**/api/token/1'],
  ] as const) {
    await page.route(address, route => route.fulfill({ status: 500, body: '' }))
    visit.expectFault(/500/)
    await page.goto(path)
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: '重试' }).waitFor()
    expect(await drawer.getByRole('button', { name: '保存' }).isDisabled()).toBe(true)
  }
  await done(visit)
})
