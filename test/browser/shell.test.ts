import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../program.ts'
import { openStage, type Stage, type Visit } from './harness.ts'
import { addPerson, comesTo } from './people.ts'

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

async function done(visit: Visit): Promise<void> {
  expect(visit.faults).toEqual([])
  await visit.close()
}

const lookOfPage = () => ({
  scheme: document.documentElement.dataset.mantineColorScheme,
  lang: document.documentElement.lang,
  title: document.title,
  background: getComputedStyle(document.body).backgroundColor,
})

test('theme, language and name are right before the application runs', async () => {
  const visit = await stage.visit({ colorScheme: 'light', locale: 'zh-CN' })
  const { page } = visit
  await page.goto('/about')
  await page.getByRole('heading', { name: '关于' }).waitFor()
  expect(await page.evaluate(lookOfPage)).toMatchObject({ scheme: 'light', lang: 'zh-CN' })
  await page.evaluate(() => {
    localStorage.setItem('theme-mode', 'dark')
    localStorage.setItem('language', 'en')
  })
  await page.route('**/assets/*.js', route => route.abort())
  visit.expectFault(/ERR_FAILED/)
  await page.reload()
  expect(await page.evaluate(lookOfPage)).toEqual({
    scheme: 'dark',
    lang: 'en',
    title: 'Tollgate',
    background: 'rgb(14, 16, 20)',
  })
  await done(visit)
})

test('what a first visit waits for is asked for before the application has come, and the font before it draws', async () => {
  const visit = await stage.visit()
  const { page } = visit
  const hold = async (files: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(files, async route => {
      await promise
      await route.continue()
    })
    return resolve
  }
  const run = await hold('**/assets/shell-*.js')
  const speak = await hold('**/assets/zh-*.js')
  let asked = 0
  page.on('request', request => {
    if (new URL(request.url()).pathname === '/api/status') asked++
  })
  const status = page.waitForRequest('**/api/status')
  const font = page.waitForRequest('**/*.woff2')
  await page.goto('/login', { waitUntil: 'commit' })
  await status
  run()
  await font
  speak()
  await page.getByRole('heading', { name: '登录' }).waitFor()
  expect(asked).toBe(1)
  await done(visit)
})

test('the theme is chosen in the top bar, kept, and follows the system when told to', async () => {
  const visit = await stage.visit({ colorScheme: 'light' })
  const { page } = visit
  const scheme = (wanted: string) =>
    page.waitForFunction(value => document.documentElement.dataset.mantineColorScheme === value, wanted)
  await page.goto('/')
  await page.getByRole('button', { name: '主题' }).click()
  await page.getByRole('menuitemradio', { name: '深色' }).click()
  await scheme('dark')
  await page.reload()
  await page.getByRole('button', { name: '主题' }).click()
  await scheme('dark')
  await page.getByRole('menuitemradio', { name: '跟随系统' }).click()
  await scheme('light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await scheme('dark')
  await done(visit)
})

test('the language changes the page, its lang and what the server is asked for; it is kept', async () => {
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/nowhere')
  await page.getByRole('heading', { name: '页面不存在' }).waitFor()
  await page.getByText('请检查地址是否正确').waitFor()
  await page.getByRole('button', { name: '语言' }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
  const [request] = await Promise.all([page.waitForRequest('**/api/status'), page.reload()])
  expect(request.headers()['accept-language']).toBe('en')
  expect(request.headers()['new-api-user']).toBe('-1')
  expect(request.headers()['cache-control']).toBe('no-store')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await done(visit)
})

test('menus are usable with the keyboard alone and give the focus back', async () => {
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/about')
  const button = page.getByRole('button', { name: '主题' })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemradio', { name: '浅色' }).waitFor()
  // A frame later: keys are heard where the focus is.
  await page.waitForFunction(() => document.activeElement?.closest('[role=menu]') !== null)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await page.getByRole('menuitemradio', { name: '浅色' }).waitFor({ state: 'hidden' })
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === '主题')
  await done(visit)
})

test('copying works, and where it cannot a dialog shows the text', async () => {
  const visit = await stage.visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  await page.goto('/')
  await page.getByRole('button', { name: '复制接口地址' }).click()
  await page.getByText('已复制到剪贴板！').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(stage.url)

  // As on a page that is not served over https.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await page.getByRole('button', { name: '复制接口地址' }).click()
  const dialog = page.getByRole('dialog', { name: '无法复制到剪贴板，请手动复制' })
  expect(await dialog.getByRole('textbox').inputValue()).toBe(stage.url)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === '复制接口地址')
  await done(visit)
})

test('the palette finds pages and actions', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/')
  await page.getByRole('button', { name: '账户：root' }).waitFor()
  await page.keyboard.press('Control+k')
  const search = page.getByRole('textbox', { name: '搜索页面、操作和记录' })
  await search.fill('设置')
  await page.getByRole('dialog').locator('[data-selected]', { hasText: '设置' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('/setting')

  await page.keyboard.press('Control+k')
  await search.fill('English')
  await page.getByRole('dialog').locator('[data-selected]', { hasText: 'English' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()

  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Search pages, actions and records' }).fill('nothing like this')
  await page.getByText('No results').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'Search pages, actions and records' }).waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: 'Command palette' }).click()
  await page.getByRole('textbox', { name: 'Search pages, actions and records' }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Command palette')
  await done(visit)
})

test('keys: ? lists them, g jumps, none is taken from someone who types', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/')
  await page.getByRole('button', { name: '账户：root' }).waitFor()
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: '键盘快捷键' })
  await dialog.getByText('g s').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  // At once: the second is waited for only for a while.
  await page.evaluate(() => {
    for (const key of ['g', 's'])
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  })
  await page.waitForURL('/setting')
  await page.getByRole('link', { name: '系统设置' }).click()
  await page.getByLabel('服务器地址', { exact: true }).focus()
  await page.keyboard.type('gh?')
  expect(await page.getByLabel('服务器地址', { exact: true }).inputValue()).toBe('gh?')
  expect(new URL(page.url()).pathname).toBe('/setting')
  await page.getByRole('button', { name: '撤销修改' }).click()
  await done(visit)
})

test('the sidebar collapses and stays so; small screens have a menu instead', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/setting')
  const sidebar = page.getByRole('complementary', { name: '侧边栏' })
  await sidebar.getByRole('link', { name: '设置' }).waitFor()
  const width = async () => (await sidebar.boundingBox())?.width
  await comesTo(width, 220)
  await sidebar.getByRole('button', { name: '收起侧边栏' }).click()
  await comesTo(width, 56)
  await page.reload()
  await sidebar.getByRole('button', { name: '展开侧边栏' }).waitFor()

  await page.goto('/')
  await page.getByRole('button', { name: '账户：root' }).waitFor()
  expect(await sidebar.count()).toBe(0)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: '打开菜单' }).click()
  await page.getByRole('dialog').getByRole('link', { name: '设置' }).click()
  await page.waitForURL('/setting')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect(await sidebar.isVisible()).toBe(false)
  await done(visit)
})

test('being offline is said, and so is a server that does not answer', async () => {
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/about')
  await page.getByRole('heading', { name: '关于' }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  await page.getByText('网络已断开').waitFor()
  await page.context().setOffline(false)
  await page.getByText('网络已断开').waitFor({ state: 'hidden' })

  visit.expectFault(/ERR_CONNECTION_REFUSED/)
  await page.route('**/api/status', route => route.abort('connectionrefused'))
  await page.reload()
  const away = page.getByText('无法正常连接至服务器')
  const again = page.getByRole('button', { name: '重试' })
  await away.waitFor()
  const asked = page.waitForRequest('**/api/status')
  await again.click()
  await asked
  await page.unroute('**/api/status')
  // The page may ask by itself just now, and then there is nothing left to press.
  await until(async () => {
    await again.click({ timeout: 1000 }).catch(() => {})
    return (await away.count()) === 0
  })
  await done(visit)
})

test('the status is kept under the names that other tools of this family read', async () => {
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/')
  await page.getByText('由 Tollgate v').waitFor()
  await page.waitForFunction(() => 'status' in localStorage && 'chats' in localStorage)
  const kept = await page.evaluate(() => ({ ...localStorage }))
  expect(kept).toMatchObject({
    enable_data_export: 'true',
    enable_drawing: 'true',
    enable_task: 'true',
    default_collapse_sidebar: 'false',
    mj_notify_enabled: 'false',
    chat_link: '',
    chat_link2: '',
    footer_html: '',
  })
  expect(JSON.parse(kept.status ?? '').system_name).toBe('Tollgate')
  expect(JSON.parse(kept.chats ?? '')).toBeArray()
  await done(visit)
})

test('the link to the console is marked on each of its pages, and on no other', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const expectMarked = async (page: Page, path: string, names: string[]) => {
    await page.goto(path)
    await page.locator('h1').first().waitFor({ state: 'attached' })
    const links = page.getByRole('navigation', { name: 'Top navigation' }).getByRole('link')
    await links.first().waitFor()
    const marked = () =>
      links.evaluateAll(all =>
        all.filter(link => getComputedStyle(link).fontWeight === '500').map(link => link.textContent),
      )
    await comesTo(async () => [path, await marked()], [path, names])
  }
  for (const path of ['/token', '/channel', '/setting?tab=personal'])
    await expectMarked(visit.page, path, ['Console'])
  await expectMarked(visit.page, '/pricing', ['Pricing'])
  await visit.close()
  const stranger = await stage.visit({ locale: 'en-US' })
  await expectMarked(stranger.page, '/login', [])
  await stranger.close()
})

test('an address that needs an administrator says so to everybody else, and leads back', async () => {
  const visit = await stage.visit({ as: await addPerson(stage, 'curious') })
  const { page } = visit
  for (const path of ['/channel/add', '/user', '/redemption/edit/1']) {
    await page.goto(path)
    await page.getByRole('heading', { name: '需要管理员账户' }).waitFor()
    await page.getByText('你以 curious 登录').waitFor()
    expect(new URL(page.url()).pathname).toBe(path)
  }
  await page.goto('/setting?tab=system')
  await page.getByRole('heading', { name: '需要超级管理员账户' }).waitFor()
  await page.getByRole('complementary').getByRole('link', { name: '设置' }).click()
  await page.getByRole('button', { name: '修改密码' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: '返回首页' }).click()
  await page.waitForURL('/')
  await done(visit)
})

test('how to replace the page about this site is told to whoever may', async () => {
  for (const [options, count] of [[{ asRoot: true }, 1] as const, [{}, 0] as const]) {
    const visit = await stage.visit(options)
    const { page } = visit
    await page.goto('/about')
    await page.getByRole('link', { name: '/api/docs' }).waitFor()
    expect(await page.getByRole('link', { name: '个性化设置' }).count()).toBe(count)
    await done(visit)
  }
})
