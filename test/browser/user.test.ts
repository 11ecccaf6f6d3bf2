import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client, openStage, type Stage } from './harness.ts'
import { addPerson, arrive, comesTo, done, logIn, password } from './people.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

test('a user is added, edited, promoted, banned while logged in, and deactivated', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/user')
  await page.getByRole('button', { name: '添加用户' }).click()
  const adding = page.getByRole('dialog', { name: '添加用户' })
  await adding.getByRole('button', { name: '创建' }).click()
  await adding.getByText('请输入用户名').first().waitFor()
  await adding.getByLabel('用户名').fill('mallory')
  await adding.locator('#user-password').fill('mallory')
  await adding.getByRole('alert').getByText('密码长度不得小于 8 位！').waitFor()
  await adding.locator('#user-password').fill('mallory-password')
  await page.keyboard.press('Control+s')
  await page.getByText('用户账户创建成功！').waitFor()

  const mallory = new Client(stage.url)
  const login = await mallory.post('/api/user/login', { username: 'mallory', password: 'mallory-password' })
  expect(login.json.success).toBe(true)

  await page.getByRole('button', { name: 'mallory', exact: true }).click()
  const editing = page.getByRole('dialog', { name: '编辑用户' })
  await editing.locator('#user-quota').fill('-1')
  await page.keyboard.press('Control+s')
  await editing.getByText('额度不能为负数，且必须是整数！').first().waitFor()
  await editing.locator('#user-quota').fill('1000000')
  await editing.locator('#user-rpm').fill('60')
  await page.keyboard.press('Control+s')
  await page.getByText('用户信息更新成功！').waitFor()
  const row = page.getByRole('row', { name: /mallory/ })
  await row.getByText('$2.00').waitFor()
  const root = await stage.root()
  const { json } = await root.get('/api/user/search?keyword=mallory&group=&p=1&page_size=10')
  expect(json.data.items[0]).toMatchObject({ quota: 1_000_000, rpm: 60, role: 1, status: 1 })

  const menu = page.getByRole('button', { name: '更多操作：mallory' })
  await menu.click()
  await page.getByRole('menuitem', { name: '提升' }).click()
  const rise = page.getByRole('dialog', { name: '提升：mallory' })
  await rise.getByText('普通用户 → 管理员').waitFor()
  await rise.getByRole('button', { name: '提升' }).click()
  await row.getByText('管理员').waitFor()
  await menu.click()
  await page.getByRole('menuitem', { name: '封禁', exact: true }).click()
  await row.getByText('已封禁').waitFor()
  // The session ends with the ban, not with the next login.
  expect((await mallory.get('/api/user/self')).json.success).toBe(false)
  await menu.click()
  await page.getByRole('menuitem', { name: '解封' }).click()
  await row.getByText('已激活').waitFor()

  await menu.click()
  await page.getByRole('menuitem', { name: '注销' }).click()
  const question = page.getByRole('dialog', { name: '确定要注销用户 mallory？' })
  await question.getByRole('button', { name: '注销' }).click()
  await row.getByText('已注销').waitFor()
  // Who is gone has left a log, and nothing else can be done.
  await menu.click()
  await comesTo(() => page.getByRole('menuitem').allInnerTexts(), ['日志'])
  await page.keyboard.press('Escape')
  expect(await page.getByRole('button', { name: /^mallory/ }).count()).toBe(0)
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('users are sorted by what they have and have used, and the address says so', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  const root = await stage.root()
  for (const [username, quota] of [
    ['rich', 90_000_000],
    ['richer', 95_000_000],
  ] as const) {
    await root.post('/api/user/', { username, password: 'staple-battery', display_name: '' })
    const { id } = (await root.get(`/api/user/search?keyword=${username}`)).json.data.at(0)
    const edit = { id, username, password: '', group: '', role: 1, quota }
    expect((await root.put('/api/user/', edit)).json).toMatchObject({ success: true })
  }
  await page.goto('/user?keyword=rich')
  const first = page.getByRole('row').nth(1)
  const header = page.getByRole('columnheader', { name: 'Balance' })
  await header.getByRole('button').click()
  await page.waitForURL('**/user?keyword=rich&order=-quota')
  await first.filter({ hasText: 'richer' }).waitFor()
  await comesTo(() => header.getAttribute('aria-sort'), 'descending')
  await header.getByRole('button').click()
  await page.waitForURL('**/user?keyword=rich&order=quota')
  await first.filter({ hasText: /rich(?!er)/ }).waitFor()
  await header.getByRole('button').click()
  await page.waitForURL('**/user?keyword=rich')
  await comesTo(() => header.getAttribute('aria-sort'), null)
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('the amounts that are offered are dollars, however much quota makes one', async () => {
  await addPerson(stage, 'payee')
  const root = await stage.root()
  const payee = async () => (await root.get('/api/user/search?keyword=payee')).json.data.at(0)
  const { id } = await payee()
  expect((await root.saveOption('QuotaPerUnit', '1000000')).json).toMatchObject({ success: true })
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto(`/user/edit/${id}`)
  await page.getByRole('button', { name: 'Balance +10$' }).click()
  await page.getByText('$10.00', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('User updated').waitFor()
  expect((await payee()).quota).toBe(10_000_000)
  expect((await root.saveOption('QuotaPerUnit', '500000')).json).toMatchObject({ success: true })
  await done(visit)
})

test('the own group is described in the reader’s language where nobody has described it', async () => {
  const client = await addPerson(stage, 'patron')
  const root = await stage.root()
  const { id } = (await root.get('/api/user/search?keyword=patron')).json.data.at(0)
  expect((await root.put('/api/user/', { id, group: 'svip' })).json).toMatchObject({ success: true })
  for (const [locale, words] of [
    ['en-US', 'Account group'],
    ['zh-CN', '用户分组'],
  ] as const) {
    const visit = await stage.visit({ as: client, locale })
    await visit.page.goto('/pricing')
    await visit.page.getByRole('button', { name: new RegExp(`^svip ${words}`) }).waitFor()
    await done(visit)
  }
})

test('an administrator is offered no edits but those of users, and of the own account', async () => {
  await addPerson(stage, 'warden')
  await addPerson(stage, 'ward')
  const root = await stage.root()
  const { id } = (await root.get('/api/user/search?keyword=warden')).json.data.at(0)
  await root.post('/api/user/manage', { id, action: 'promote' })
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/login')
  await logIn(page, 'warden', password)
  await arrive(page)
  await page.goto('/user')
  await page.getByRole('button', { name: 'ward', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'root', exact: true }).count()).toBe(0)
  expect(await page.getByRole('button', { name: '编辑：root' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'warden', exact: true }).click()
  await page.waitForURL('**/user/edit')
  await page.getByRole('textbox', { name: '显示名称', exact: true }).waitFor()
  await done(visit)
})

test('searching keeps to the group and is in the address', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/user?keyword=root')
  await page.getByText('1 – 1 of 1').waitFor()
  await page.getByRole('combobox', { name: 'Group' }).selectOption('vip')
  await page.waitForURL('**/user?keyword=root&group=vip')
  await page.getByText('No matching users').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await page.getByRole('row', { name: /root/ }).waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('limits that cannot be read say so, and are there when they are asked for again', async () => {
  const client = await addPerson(stage, 'limited')
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  let isAway = true
  await page.route(`**/api/user/${client.userId}/spend_limits`, route =>
    isAway ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  )
  visit.expectFault(/500/)
  await page.goto('/user?keyword=limited')
  const more = page.getByRole('button', { name: 'More actions: limited' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Spending limits' }).click()
  const dialog = page.getByRole('dialog', { name: 'Spending limits · limited' })
  await dialog.getByRole('alert').waitFor()
  isAway = false
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await dialog.getByRole('button', { name: 'Save' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await comesTo(() => more.evaluate(button => button === document.activeElement), true)
  await done(visit)
})

test('a plan that somebody has is ended after a question, and not by its refusal', async () => {
  const client = await addPerson(stage, 'subscriber')
  const root = await stage.root()
  const terms = { duration: 30, duration_unit: 'day', period: 'none' }
  const offer = { title: 'Monthly', price: 0, quota: 500_000, ...terms, on_sale: true }
  const made = await root.post('/api/subscription/admin/plans', offer)
  expect(made.json).toMatchObject({ success: true })
  const bound = await root.post('/api/subscription/admin/bind', {
    user_id: client.userId,
    plan_id: made.json.data.id,
  })
  expect(bound.json).toMatchObject({ success: true })
  const quota = async () => (await client.get('/api/user/self')).json.data.quota as number
  const before = await quota()
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/user?keyword=subscriber')
  await page.getByRole('button', { name: 'More actions: subscriber' }).click()
  await page.getByRole('menuitem', { name: 'Plans' }).click()
  const plan = page.getByRole('dialog', { name: 'Plans · subscriber' })
  await plan.getByRole('button', { name: 'End now' }).click()
  const question = page.getByRole('dialog', { name: 'End the plan Monthly of subscriber now?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'hidden' })
  expect(await quota()).toBe(before)
  await plan.getByRole('button', { name: 'End now' }).click()
  await question.getByRole('button', { name: 'End plan' }).click()
  await plan.waitFor({ state: 'hidden' })
  expect(await quota()).toBe(before - 500_000)
  await done(visit)
})
