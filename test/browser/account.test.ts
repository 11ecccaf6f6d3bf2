import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openStage, type Stage, type Visit } from './harness.ts'

const password = 'staple-battery'
let stage: Stage

beforeAll(async () => {
  stage = await openStage('fresh')
})
afterAll(() => stage.close())

async function logIn(page: Page, words: { name: string; secret: string; submit: string }, secret: string) {
  await page.getByLabel(words.name).fill('captain')
  await page.getByLabel(words.secret, { exact: true }).fill(secret)
  await page.getByRole('main').getByRole('button', { name: words.submit, exact: true }).click()
}
const zh = { name: '用户名或邮箱', secret: '密码', submit: '登录' }
const en = { name: 'Username or email', secret: 'Password', submit: 'Log in' }

async function done(visit: Visit): Promise<void> {
  expect(visit.faults).toEqual([])
  await visit.close()
}

test('the home page of a new installation points to set-up, which explains where the link is', async () => {
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/')
  await page.getByRole('alert').getByRole('link', { name: '前往初始化' }).click()
  await page.getByText('服务启动时会在日志中打印一个一次性链接').waitFor()
  expect(await page.getByLabel('初始化令牌').inputValue()).toBe('')
  await done(visit)
})

test('set-up checks what is typed, refuses a wrong token, takes the right one, and leads on', async () => {
  const visit = await stage.visit()
  const { page } = visit
  await page.goto(`/setup?token=${stage.program.setupToken}`)
  await page.getByRole('heading', { name: '初始化 Tollgate' }).waitFor()
  await page.waitForURL('/setup')
  expect(await page.getByLabel('初始化令牌').inputValue()).toBe(stage.program.setupToken ?? '')

  const submit = page.getByRole('button', { name: '创建账户' })
  await page.getByLabel('用户名').fill('a-name-too-long')
  await page.getByLabel('密码', { exact: true }).fill('short')
  await submit.click()
  await page.getByText('用户名长度必须在 1 到 12 个字符之间').waitFor()
  await page.getByText('密码长度不得小于 8 位！').waitFor()
  await page.getByText('两次输入的密码不一致！').waitFor()

  await page.getByLabel('用户名').fill('captain')
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByLabel('确认密码').fill(password)
  await page.getByLabel('初始化令牌').fill('wrong')
  visit.expectFault(/403/)
  await submit.click()
  await page.getByText('错误：初始化令牌无效，请使用启动日志中的链接').waitFor()

  // The whole link, as it stands in the log, of a machine that calls itself otherwise than this browser does.
  const link = `http://127.0.0.1:3000/setup?token=${stage.program.setupToken}`
  await page.getByLabel('初始化令牌').fill(link)
  await submit.click()
  await page.getByText('初始化完成').waitFor()
  // The password has just been typed twice: nobody is asked for it again.
  await page.waitForURL('/start')
  await page.getByRole('button', { name: /^账户：/ }).waitFor()
  await page.getByRole('heading', { name: '添加第一个渠道' }).waitFor()
  await done(visit)

  const later = await stage.visit()
  await later.page.goto('/setup')
  await later.page.getByRole('heading', { name: '系统已完成初始化' }).waitFor()
  await later.page.getByRole('main').getByRole('link', { name: '前往登录' }).click()
  await later.page.waitForURL('/login')
  await done(later)
})

test('a wrong password is answered in the language of the page', async () => {
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/login')
  await page.getByRole('main').getByRole('button', { name: '登录' }).click()
  await page.getByText('请输入用户名和密码！').waitFor()
  await logIn(page, zh, 'not-it-at-all')
  await page.getByText('用户名或密码错误，或用户已被封禁').waitFor()

  await page.getByRole('button', { name: '语言' }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await logIn(page, en, 'not-it-at-all')
  await page.getByText('Wrong username or password, or the user is banned').waitFor()
  await done(visit)
})

test('login leads to the console and is remembered; logout ends it', async () => {
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/login?aff=A1b2')
  await logIn(page, zh, password)
  await page.getByText('登录成功！').waitFor()
  await page.waitForURL('/token')
  expect(await page.evaluate(() => localStorage.getItem('aff'))).toBe('A1b2')
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}'))
  expect(stored).toMatchObject({ username: 'captain', role: 100 })

  await page.goto('/setting')
  await page.getByRole('heading', { name: '安全' }).waitFor()
  await page.getByTitle('余额').click()
  await page.waitForURL('/topup')
  await page.getByRole('button', { name: '账户：captain' }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await page.getByText('注销成功!').waitFor()
  await page.waitForURL('/login')
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull()

  await page.goto('/setting')
  await page.waitForURL('/login')
  await done(visit)
})

test('a session that ended elsewhere sends the page to login and says why', async () => {
  const visit = await stage.visit({ locale: 'en-US' })
  const { page } = visit
  await page.goto('/login')
  await logIn(page, en, password)
  await page.waitForURL('/token')
  await page.goto('/log?type=2')
  await page.getByRole('heading', { name: 'Logs' }).waitFor()
  // Away from it, so that nothing is under way that would notice first.
  await page.goto('about:blank')
  await page.context().clearCookies()
  visit.expectFault(/401/)
  await page.goto('/log?type=2')
  await page.waitForURL('/login?expired=true')
  await page.getByText('Session expired. Please log in again.').waitFor()
  await logIn(page, en, password)
  await page.waitForURL('/log?type=2')
  await page.getByRole('heading', { name: 'Logs' }).waitFor()
  await done(visit)
})

test('a login made in one tab is known in the other', async () => {
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/about')
  const other = await page.context().newPage()
  await other.goto('/login')
  await logIn(other, zh, password)
  await other.waitForURL('/token')
  await page.getByRole('button', { name: '账户：captain' }).waitFor()
  await done(visit)
})
