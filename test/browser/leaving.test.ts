import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Client, openStage, ROOT_PASSWORD, type Stage } from './harness.ts'
import { leaveTime } from './leave-time.ts'
import { addPerson, arrive, comesTo, done, endLogin, logIn, password } from './people.ts'

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
  const root = await stage.root()
  await root.liftLimits()
})
afterAll(() => stage.close())

const token = { remain_quota: 1, unlimited_quota: false, expired_time: -1 }
const namesOf = async (client: Client) =>
  (await client.get('/api/token/?p=1&page_size=100')).json.data.items.map(
    ({ name }: { name: string }) => name,
  )
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })

/** Nobody is led through first steps, which ask again and again, also while one leaves. */
async function knowTheWay(page: Page, person: Client): Promise<void> {
  await page.evaluate(id => localStorage.setItem(`first-steps-${id}`, 'skipped'), person.userId)
}

async function leave(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `账户：${name}` }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
}

test('whoever logs out has deleted what can still be taken back', async () => {
  const person = await addPerson(stage, 'hasty')
  for (const name of ['doomed', 'kept']) await person.post('/api/token/', { ...token, name })
  const visit = await stage.visit({ as: person })
  const { page } = visit
  await page.goto('/token')
  await page.getByTitle('余额').waitFor()
  await page.getByRole('button', { name: '更多操作：doomed' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await row(page, 'doomed').waitFor({ state: 'detached' })
  await leave(page, 'hasty')
  await page.waitForURL('/login')
  await person.login('hasty', password)
  expect(await namesOf(person)).toEqual(['kept'])
  await done(visit)
})

test('while somebody logs out nothing more is asked for them', async () => {
  const person = await addPerson(stage, 'leaver')
  await person.post('/api/token/', { ...token, name: 'of-leaver' })
  const visit = await stage.visit({ as: person })
  const { page } = visit
  await knowTheWay(page, person)
  await page.goto('/token')
  await row(page, 'of-leaver').waitFor()
  await page.waitForLoadState('networkidle')
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  await page.route('**/api/user/logout', async route => {
    ask()
    await allowed
    await route.continue()
  })
  const read: string[] = []
  page.on('request', request => read.push(new URL(request.url()).pathname))
  await leave(page, 'leaver')
  await asked
  await page.getByRole('textbox', { name: '令牌名称' }).fill('other')
  await page.keyboard.press('Enter')
  await page.waitForURL(/keyword=other/)
  allow()
  await page.waitForURL('/login')
  await page.getByText('注销成功!').waitFor()
  expect(read.filter(path => path.startsWith('/api/token'))).toEqual([])
  await done(visit)
})

test('a tab belongs to whoever another tab has logged in, and to nobody when they left', async () => {
  const [first, second] = await Promise.all(['first', 'second'].map(name => addPerson(stage, name)))
  if (!first || !second) throw new Error('nobody is there')
  await first.post('/api/token/', { ...token, name: 'of-first' })
  await second.post('/api/token/', { ...token, name: 'of-second' })
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  const other = await page.context().newPage()
  await other.goto('/about')
  for (const person of [first, second]) await knowTheWay(other, person)
  const enter = async (person: Client) => {
    const { json } = await person.get('/api/user/self')
    const { promise: entered, resolve: enterNow } = Promise.withResolvers<void>()
    // What the page asks for by itself meanwhile, it would ask for the one with the login of the other.
    await page.unroute('**/api/**')
    await page.route('**/api/**', async route => {
      await entered
      const isTheirs = route.request().headers()['new-api-user'] === String(person.userId)
      await (isTheirs ? route.continue() : route.abort('aborted')).catch(() => {})
    })
    await page.context().addCookies([{ name: 'session', value: person.cookie ?? '', url: stage.url }])
    await other.evaluate(user => localStorage.setItem('user', user), JSON.stringify(json.data))
    enterNow()
  }
  await page.goto('/channel')
  await page.getByText('还没有渠道').waitFor()
  await page.waitForLoadState('networkidle')
  await enter(first)
  await page.getByRole('heading', { name: '需要管理员账户' }).waitFor()

  await page.goto('/token')
  await row(page, 'of-first').waitFor()
  await page.waitForLoadState('networkidle')
  await enter(second)
  await row(page, 'of-second').waitFor()
  expect(await row(page, 'of-first').count()).toBe(0)
  await page.getByRole('button', { name: '账户：second' }).waitFor()

  await page.unroute('**/api/**')
  await other.reload()
  await leave(other, 'second')
  await page.waitForURL('/login')
  await done(visit)
})

for (const { path, field, name } of [
  { path: '/token/add', field: '#token-name', name: '令牌' },
  { path: '/setting?tab=operation', field: 'input[name=TopUpLink]', name: '设置' },
]) {
  test(`whoever saves after the login has ended is told so, and led to the login (${name})`, async () => {
    const visit = await stage.visit({ asRoot: true })
    const { page } = visit
    visit.expectFault(/401/)
    await page.goto(path)
    await page.locator(field).fill('https://typed.example')
    await leaveTime(page)
    await endLogin(page)
    await page.keyboard.press('Control+s')
    await page.waitForURL('/login?expired=true')
    const words = '未登录或登录已过期，请重新登录！'
    // Where one now is, and for what was not saved.
    await page.getByText(words).nth(1).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)

    await logIn(page, 'root', ROOT_PASSWORD)
    await page.waitForURL(`**${path}`)
    await comesTo(() => page.locator(field).inputValue(), 'https://typed.example')
    await done(visit)
  })
}

test('what was typed when the login ended is of whoever typed it', async () => {
  await addPerson(stage, 'nosy')
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  visit.expectFault(/401/)
  await page.goto('/token/add')
  await page.locator('#token-name').fill('secret plan')
  await endLogin(page)
  await page.keyboard.press('Control+s')
  await page.waitForURL('/login?expired=true')
  await logIn(page, 'nosy', password)
  await page.waitForURL('**/token/add')
  await page.locator('#token-name').waitFor()
  expect(await page.locator('#token-name').inputValue()).toBe('')
  await done(visit)
})

test('a tab that asks for a login goes on when another tab has logged in, with what was typed', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  visit.expectFault(/401/)
  await page.goto('/user/add')
  await page.locator('#user-username').fill('half')
  await page.waitForLoadState('networkidle')
  const other = await page.context().newPage()
  await page.context().clearCookies()
  await other.goto('/token')
  await other.waitForURL('/login?expired=true')
  await page.waitForURL(({ pathname }) => pathname === '/login')
  await logIn(other, 'root', ROOT_PASSWORD)
  await arrive(other)
  await page.waitForURL('**/user/add')
  await comesTo(() => page.locator('#user-username').inputValue(), 'half')
  // Once: what is given up is gone.
  await page.getByRole('button', { name: '取消' }).click()
  await page.getByRole('button', { name: '放弃修改' }).click()
  await page.waitForURL('**/user')
  await page.getByRole('button', { name: '添加用户' }).click()
  await page.locator('#user-username').waitFor()
  expect(await page.locator('#user-username').inputValue()).toBe('')
  await done(visit)
})
