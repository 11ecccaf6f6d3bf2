import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Client, openStage, type Stage } from './harness.ts'
import { leaveTime } from './leave-time.ts'
import { comesTo, done } from './people.ts'

let stage: Stage
let root: Client

beforeAll(async () => {
  stage = await openStage()
  root = await stage.root()
  await root.liftLimits()
  for (let each = 1; each <= 21; each++) {
    const name = `row-${String(each).padStart(2, '0')}`
    await root.post('/api/token/', { name, remain_quota: 1, unlimited_quota: false, expired_time: -1 })
    await root.post('/api/channel/', { name, type: 1, key: 'sk-sample', models: 'gpt-4o-mini' })
  }
})
afterAll(() => stage.close())

test('a page past the end gives way to the last one, also when its only row is deleted', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  for (const list of ['token', 'channel']) {
    await page.goto(`/${list}?p=99`)
    await page.waitForURL(`/${list}?p=3`)
    await page.getByText('第 21 – 21 条，共 21 条').waitFor()
  }
  await page.goto('/token?p=3')
  await page.getByRole('checkbox', { name: '选择：row-01' }).check()
  await page.getByText('已选 1 项').waitFor()
  await leaveTime(page)
  await page.getByRole('button', { name: '更多操作：row-01' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await page.waitForURL('/token?p=2')
  await page.getByRole('row', { name: /row-02/ }).waitFor()
  // What is deleted is not ticked either.
  await page.getByText('已选 1 项').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '撤销' }).click()
  await page.getByRole('button', { name: '第 3 页' }).click()
  await page.getByRole('row', { name: /row-01/ }).waitFor()

  const { json } = await root.post('/api/redemption/', { name: 'gift', quota: 1, count: 1 })
  expect((await root.post('/api/user/topup', { key: json.data[0] })).json.success).toBe(true)
  await page.goto('/log?start=0&p=99')
  await page.waitForURL('/log?start=0')
  await done(visit)
})

test('whoever deletes a row by keys goes on in the list, and so does who takes that back', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/token')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('role'))
  await page.getByRole('row', { name: /row-20/ }).waitFor()
  await leaveTime(page)
  await page.getByRole('button', { name: '更多操作：row-20' }).press('Enter')
  await page.getByRole('menuitem', { name: '删除' }).press('Enter')
  await page.getByRole('row', { name: /row-20/ }).waitFor({ state: 'detached' })
  await comesTo(focused, 'row')
  await page.getByRole('button', { name: '撤销' }).press('Enter')
  await page.getByRole('row', { name: /row-20/ }).waitFor()
  await comesTo(focused, 'row')
  await done(visit)
})

test('of many that are deleted one after another the last can be taken back', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/token')
  await page.getByRole('row', { name: /row-20/ }).waitFor()
  await leaveTime(page)
  for (const name of ['row-20', 'row-19', 'row-18', 'row-17', 'row-16']) {
    await page.getByRole('button', { name: `更多操作：${name}` }).click()
    await page.getByRole('menuitem', { name: '删除' }).click()
    await page.getByRole('row', { name: new RegExp(name) }).waitFor({ state: 'detached' })
  }
  const last = page.getByRole('status').filter({ hasText: '已删除令牌 row-16' })
  await last.getByRole('button', { name: '撤销' }).click()
  await page.getByRole('row', { name: /row-16/ }).waitFor()
  await done(visit)
})

for (const [asked, shown] of [
  ['/log?start=2026-11-01&type=9', '/log'],
  ['/user?p=abc', '/user'],
  ['/channel?status=foo&keyword=row-07', '/channel?keyword=row-07'],
  ['/detail?span=zzz&by=model', '/detail?by=model'],
  ['/setting?tab=zzz', '/setting'],
] as const) {
  test(`what makes no sense is not in the address: ${asked}`, async () => {
    const visit = await stage.visit({ asRoot: true })
    await visit.page.goto(asked)
    await visit.page.waitForURL(shown)
    await visit.page.getByRole('heading', { level: 1 }).waitFor()
    await visit.page.waitForLoadState('networkidle')
    expect(await visit.page.getByText(/NaN|Invalid Date/).count()).toBe(0)
    await done(visit)
  })
}

for (const list of ['token', 'channel']) {
  test(`whoever closes a drawer is back where they opened it (${list})`, async () => {
    const visit = await stage.visit({ asRoot: true })
    const { page } = visit
    await page.goto(`/${list}?keyword=row-07`)
    const line = page.getByRole('row', { name: /row-07/ })
    await line.focus()
    await page.keyboard.press('Enter')
    await page.locator(`#${list}-name`).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('row-07') === true)
    expect(await line.evaluate(element => element === document.activeElement)).toBe(true)
    await done(visit)
  })
}
