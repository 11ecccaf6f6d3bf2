import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../program.ts'
import { ask, chat } from '../relay/ways.ts'
import type { Client } from './harness.ts'
import { addPerson, arrive, done, logIn, password } from './people.ts'
import { openPlaygroundHouse, type PlaygroundHouse } from './playground-house.ts'

let house: PlaygroundHouse
let olga: Client
let max: Client
let team = 0

beforeAll(async () => {
  house = await openPlaygroundHouse()
  olga = await addPerson(house.stage, 'olga')
  max = await addPerson(house.stage, 'max')
  const { root } = house
  team = (await root.post('/api/team', { name: 'Research', owner: 'olga' })).json.data.id
  expect((await root.put('/api/user', { id: team, quota: 10_000_000 })).json.success).toBe(true)
})
afterAll(() => house.close())

const acting = () => ({ 'tollgate-team': String(team) })
const banner = (page: Page) => page.getByText('正在为团队 Research 操作')

async function enter(page: Page, name: string): Promise<void> {
  await page.goto('/login')
  await logIn(page, name, password)
  await arrive(page)
}

async function openAccountMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^账户：/ }).click()
}

test('an owner invites somebody by name, and sees that they are asked', async () => {
  const visit = await house.stage.visit()
  const { page } = visit
  await enter(page, 'olga')
  await openAccountMenu(page)
  await page.getByRole('menuitem', { name: '团队' }).click()
  await page.waitForURL('**/team')
  await page.getByRole('heading', { name: 'Research' }).waitFor()
  await page.getByLabel('用户名或邮箱').fill('max')
  await page.getByRole('button', { name: '邀请' }).click()
  const asked = page.getByRole('list', { name: '等待接受的邀请' })
  await asked.getByText('max').waitFor()
  await page.getByLabel('用户名或邮箱').fill('nobody-at-all')
  await page.getByRole('button', { name: '邀请' }).click()
  await asked.getByText('nobody-at-all').waitFor()
  await asked.getByRole('button', { name: '撤回：nobody-at-all' }).click()
  await asked.getByText('nobody-at-all').waitFor({ state: 'detached' })
  await done(visit)
})

test('an owner says how the team is reminded that little is left', async () => {
  const visit = await house.stage.visit()
  const { page } = visit
  await enter(page, 'olga')
  await page.goto(`/team?id=${team}`)
  await page.getByRole('textbox', { name: '提醒阈值' }).fill('500000')
  await page.getByLabel('邮箱', { exact: true }).fill('team@example.com')
  await page.getByRole('button', { name: '更新提醒' }).click()
  await page.getByText('用户信息更新成功！').waitFor()
  expect((await olga.get('/api/user/setting', acting())).json.data).toMatchObject({
    quota_warning_threshold: 500_000,
    notification_email: 'team@example.com',
  })
  expect((await olga.get('/api/user/setting')).json.data).toMatchObject({ quota_warning_threshold: 0 })
  await done(visit)
})

test('an owner limits what a member may spend, who sees what is left', async () => {
  const visit = await house.stage.visit()
  const { page } = visit
  await enter(page, 'olga')
  await page.goto(`/team?id=${team}`)
  await page.getByRole('button', { name: /更多操作.*olga/ }).click()
  await page.getByRole('menuitem', { name: '消费上限' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('每天').fill('1.5')
  await dialog.getByText('必须是不小于 0 的整数！').waitFor()
  await dialog.getByLabel('每天').fill('500000')
  await dialog.getByLabel('总共').fill('5000000')
  await dialog.getByRole('button', { name: '保存' }).click()
  await page.getByText('每天剩余 $1.00 / $1.00').waitFor()
  await page.getByText('总共剩余 $10.00 / $10.00').waitFor()
  await page.getByRole('button', { name: '为团队操作' }).click()
  await banner(page).waitFor()
  await page.goto('/topup')
  await page.getByText('每天剩余 $1.00 / $1.00').waitFor()
  await page.goto(`/team?id=${team}`)
  await page.getByRole('button', { name: /更多操作.*olga/ }).click()
  await page.getByRole('menuitem', { name: '消费上限' }).click()
  for (const period of ['每天', '总共']) await dialog.getByLabel(period).fill('')
  await dialog.getByRole('button', { name: '保存' }).click()
  await page.getByText('每天剩余 $1.00 / $1.00').waitFor({ state: 'detached' })
  expect((await olga.get(`/api/team/${team}`)).json.data.members[0].limits).toEqual([])
  await done(visit)
})

test('whoever accepts acts for the team: makes a token, calls with it, and finds the row in its log', async () => {
  const visit = await house.stage.visit()
  const { page } = visit
  await enter(page, 'max')
  await openAccountMenu(page)
  await page.getByRole('menuitem', { name: '团队邀请（1）' }).click()
  await page.getByText('olga 邀请你加入团队 Research').waitFor()
  await page.getByRole('button', { name: '接受' }).click()
  await page.getByRole('button', { name: '为团队操作' }).click()
  await banner(page).waitFor()
  await openAccountMenu(page)
  expect(await page.getByRole('menuitemradio', { name: 'Research' }).getAttribute('aria-checked')).toBe(
    'true',
  )
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: '$20.00' }).waitFor()

  // Under one bar more there is as much less room, down to the button that sends.
  await page.goto('/playground')
  await banner(page).waitFor()
  await page.getByRole('button', { name: '发送' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)

  await page.goto('/token/add')
  await banner(page).waitFor()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('名称').fill('for research')
  await drawer.getByLabel('无限额度').check({ force: true })
  await drawer.getByRole('button', { name: '创建', exact: true }).click()
  await page.getByRole('row', { name: /for research/ }).waitFor()
  expect((await max.get('/api/token/?p=0')).json.data).toEqual([])
  const [token] = (await max.get('/api/token/?p=0', acting())).json.data
  expect(token).toMatchObject({ user_id: team, creator: 'max' })

  const response = await ask(house.stage.url, chat, { key: `sk-${token.key}`, model: 'gpt-4o-mini' })
  expect(response.status).toBe(200)
  await response.text()
  await page.goto('/log?start=0')
  await page.getByRole('row', { name: /for research/ }).waitFor()
  // What the owner did with the same money is not theirs to see.
  await olga.post('/api/token/', { name: 'of the owner', unlimited_quota: true }, acting())
  await page.goto('/token')
  await page.getByRole('row', { name: /for research/ }).waitFor()
  expect(await page.getByText('of the owner').count()).toBe(0)

  await page.getByRole('button', { name: '回到个人' }).click()
  await banner(page).waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /for research/ }).waitFor({ state: 'detached' })
  await openAccountMenu(page)
  await page.getByRole('menuitemradio', { name: 'Research' }).click()
  await page.getByRole('row', { name: /for research/ }).waitFor()
  await done(visit)
})

test('a member whose share is used up is led to what limits them, not to pay where there is money enough', async () => {
  const limit = (limits: object[]) => olga.put(`/api/team/${team}/members/${max.userId}/limits`, { limits })
  expect((await limit([{ period: 'day', amount: 1 }])).json.success).toBe(true)
  const visit = await house.stage.visit()
  const { page } = visit
  await enter(page, 'max')
  await openAccountMenu(page)
  await page.getByRole('menuitemradio', { name: 'Research' }).click()
  await banner(page).waitFor()
  await page.goto('/playground?model=gpt-4o')
  const input = page.getByRole('textbox', { name: '消息' })
  await input.fill('Hello')
  visit.expectFault(/403/)
  await input.press('Enter')
  const refusal = page.locator('[data-state=error]')
  await refusal.getByText(/^您在该团队中的可用额度已用完/).waitFor()
  const way = refusal.getByRole('link')
  expect(await way.innerText()).toBe('查看消费上限')
  await way.click()
  await page.waitForURL('/topup')
  await page.getByText(/每天剩余 .*0\.01/).waitFor()
  expect((await limit([])).json.success).toBe(true)
  await done(visit)
})

test('an administrator who acts for a team is nobody’s administrator meanwhile', async () => {
  const { root } = house
  expect(
    (await root.post(`/api/team/${team}/members`, { username: 'root', role: 'owner' })).json.success,
  ).toBe(true)
  const visit = await house.stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/user?role=team')
  await page
    .getByRole('row', { name: /Research/ })
    .getByText('团队')
    .waitFor()
  await openAccountMenu(page)
  await page.getByRole('menuitemradio', { name: 'Research' }).click()
  await banner(page).waitFor()
  await page.waitForURL('**/token')
  expect(await page.getByRole('link', { name: '渠道', exact: true }).count()).toBe(0)
  // Owners see who made which.
  await page
    .getByRole('row', { name: /for research/ })
    .getByText('max')
    .waitFor()
  await page.getByRole('row', { name: /of the owner/ }).waitFor()
  await page.getByRole('button', { name: '回到个人' }).click()
  await page.getByRole('link', { name: '渠道', exact: true }).waitFor()
  await done(visit)
})

test('who is removed is themselves again at the next click, and their tokens are out of use', async () => {
  const visit = await house.stage.visit()
  const { page } = visit
  await enter(page, 'max')
  await openAccountMenu(page)
  await page.getByRole('menuitemradio', { name: 'Research' }).click()
  await page.getByRole('row', { name: /for research/ }).waitFor()

  const other = await house.stage.visit()
  await enter(other.page, 'olga')
  await other.page.goto(`/team?id=${team}`)
  await other.page.getByRole('button', { name: '更多操作：max' }).click()
  await other.page.getByRole('menuitem', { name: '移出团队' }).click()
  await other.page.getByRole('dialog').getByRole('button', { name: '移出团队' }).click()
  await other.page.getByRole('button', { name: '更多操作：max' }).waitFor({ state: 'detached' })
  await done(other)

  visit.expectFault(/403/)
  await page.getByRole('link', { name: '日志', exact: true }).click()
  await banner(page).waitFor({ state: 'detached' })
  const tokens = await until(async () => (await olga.get('/api/token/?p=0', acting())).json.data)
  expect(tokens.map(({ name, status }: { name: string; status: number }) => [name, status])).toEqual([
    ['of the owner', 1],
    ['for research', 2],
  ])
  await done(visit)
})
