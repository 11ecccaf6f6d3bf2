import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Client, openStage, type Stage } from './harness.ts'
import { leaveTime } from './leave-time.ts'
import { comesTo, done } from './people.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const MODELS = Array.from({ length: 150 }, (_, at) => `model-${String(at).padStart(3, '0')}`)

let stage: Stage
let root: Client

beforeAll(async () => {
  stage = await openStage()
  root = await stage.root()
  await root.liftLimits()
  await root.saveOption('ModelPrice', JSON.stringify(Object.fromEntries(MODELS.map(name => [name, 1]))))
  for (const name of ['first', 'second'])
    await root.post('/api/token/', { name, remain_quota: 1, unlimited_quota: false, expired_time: -1 })
  for (const [name, group] of [
    ['plain', 'default'],
    ['dear', 'vip'],
  ])
    await root.post('/api/channel/', { name, group, type: 1, key: 'sk-sample', models: MODELS.join(',') })
  await root.post('/api/user/', { username: 'croesus', password: 'rich-password', display_name: '' })
  const { json } = await root.get('/api/user/search?keyword=croesus')
  const [user] = json.data.items ?? json.data
  await root.put('/api/user/', { ...user, quota: 500_000 * 1_234_567.89, password: '' })
})
afterAll(() => stage.close())

const search = (page: Page) => new URL(page.url()).search
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
const options = (page: Page) => page.getByRole('button', { name: 'Table options', exact: true })
const heights = (page: Page) =>
  page.locator('tbody tr[data-row]').evaluateAll(rows => rows.map(row => row.getBoundingClientRect().height))

/** Types only once the field is there to be typed into. */
async function nameView(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Save as a view…' }).click()
  await comesTo(() => focused(page), 'Name of the view')
  await page.keyboard.type(name)
}

test('a filter whose field is out of sight is a chip, which takes away just that one', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/log?model=gpt&group=default&channel=7&request=abc')
  const chip = (name: string) => page.getByRole('button', { name: `Clear: ${name}`, exact: true })
  for (const name of ['Group: default', 'Channel ID: 7', 'Request ID: abc']) await chip(name).waitFor()
  // What stands in an open field is not said again.
  expect(await page.getByText('Model name: gpt').count()).toBe(0)
  expect(await page.getByRole('textbox', { name: 'Model name' }).inputValue()).toBe('gpt')

  await chip('Channel ID: 7').focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('/log?model=gpt&group=default&request=abc')
  await comesTo(() => focused(page), 'Clear: Request ID: abc')

  await page.getByRole('button', { name: 'More filters' }).click()
  expect(await page.getByRole('textbox', { name: 'Request ID' }).inputValue()).toBe('abc')
  expect(await chip('Request ID: abc').count()).toBe(0)
  await page.reload()
  await page.getByRole('textbox', { name: 'Request ID' }).waitFor()
  await page.getByRole('button', { name: 'More filters' }).click()
  await chip('Request ID: abc').waitFor()

  await page.getByText('No matching logs').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await page.waitForURL('/log')
  await done(visit)
})

test('on a phone the chips tell that a list is filtered', async () => {
  const visit = await stage.visit({ ...PHONE, asRoot: true })
  const { page } = visit
  await page.goto('/channel?group=vip')
  const chip = page.getByRole('button', { name: '清除：分组：vip' })
  await chip.waitFor()
  await page.getByRole('row', { name: /dear/ }).waitFor()
  expect(await page.getByRole('combobox', { name: '分组' }).count()).toBe(0)
  // A single chip is its own way out.
  expect(await page.getByRole('button', { name: '清除筛选' }).count()).toBe(0)

  await page.getByRole('button', { name: '更多筛选' }).click()
  await page.getByRole('combobox', { name: '状态' }).selectOption('disabled')
  await page.waitForURL('/channel?group=vip&status=disabled')
  await page.getByText('没有匹配的渠道').waitFor()
  await page.getByRole('button', { name: '更多筛选' }).click()
  await page.getByRole('button', { name: '清除：状态：已禁用' }).click()
  await page.waitForURL('/channel?group=vip')
  await chip.click()
  await page.waitForURL('/channel')
  await page.getByRole('row', { name: /plain/ }).waitFor()
  await done(visit)
})

test('rows are as high as someone likes, in every table and from then on', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  const all = async (path: string) => {
    await page.goto(path)
    await page.locator('tbody tr[data-row]').first().waitFor()
    return [...new Set(await heights(page))]
  }
  for (const path of ['/token', '/channel', '/user', '/pricing'])
    expect([path, await all(path)]).toEqual([path, [40]])
  await page.goto('/token')
  await options(page).click()
  expect(await page.getByRole('radio', { name: 'Default' }).isChecked()).toBe(true)
  await page.waitForFunction(() => document.activeElement?.matches('[role=dialog] input[type=radio]'))
  await page.keyboard.press('ArrowLeft')
  await page.waitForFunction(() => document.querySelector('table[data-density=compact]') !== null)
  expect(await page.getByRole('radio', { name: 'Compact' }).isChecked()).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await comesTo(() => focused(page), 'Table options')
  // Prices are so many that only those in sight are drawn.
  for (const path of ['/token', '/channel', '/user', '/pricing'])
    expect([path, await all(path)]).toEqual([path, [32]])

  await options(page).click()
  await page.getByRole('radio', { name: 'Touch' }).check()
  await page.waitForFunction(() => document.querySelector('table[data-density=touch]') !== null)
  expect([...new Set(await heights(page))]).toEqual([56])
  // They follow each other without a gap, and the last is at the end.
  const scroller = page.locator('[data-virtual]')
  await scroller.evaluate(element => element.scrollTo(0, element.scrollHeight))
  await page.getByRole('row', { name: /model-149/ }).waitFor()
  const gap = () =>
    scroller.evaluate(element => {
      const rows = [...element.querySelectorAll('tbody tr[data-row]')]
      const last = Math.max(...rows.map(row => row.getBoundingClientRect().bottom))
      return Math.round(element.getBoundingClientRect().bottom - last)
    })
  await comesTo(async () => Math.abs(await gap()) <= 1, true)
  await done(visit)
})

test('a view is the filters, the order and the columns of a list under a name', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  const tab = (name: string) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name })
  const has = (name: string) => page.getByRole('columnheader', { name, exact: true }).count()
  await page.goto('/channel?group=vip&p=1')
  await page.getByRole('row', { name: /dear/ }).waitFor()
  expect(await page.getByRole('navigation', { name: 'Views' }).count()).toBe(0)
  await page.getByRole('switch', { name: 'Sort by ID' }).check()
  await options(page).click()
  await nameView(page, '  Dear ones ')
  await page.keyboard.press('Enter')
  await tab('Dear ones').waitFor()
  expect(await tab('Dear ones').getAttribute('aria-current')).toBe('page')
  await nameView(page, 'Slim')
  await page.keyboard.press('Enter')
  await tab('Slim').waitFor()
  await page.getByRole('checkbox', { name: 'Weight' }).uncheck()
  // What came of a view is offered its name.
  await page.getByRole('button', { name: 'Save as a view…' }).click()
  expect(await page.getByRole('textbox', { name: 'Name of the view' }).inputValue()).toBe('Slim')
  await page.getByRole('button', { name: 'Replace' }).click()
  await page.getByRole('checkbox', { name: 'Weight' }).check()
  await page.keyboard.press('Escape')
  await page.getByRole('switch', { name: 'Sort by ID' }).uncheck()

  await tab('All').click()
  await page.waitForURL('/channel')
  await page.getByRole('row', { name: /plain/ }).waitFor()
  const stands = async (name: string) => [await has('Weight'), await tab(name).getAttribute('aria-current')]
  await comesTo(() => stands('All'), [1, 'page'])
  await tab('Slim').click()
  await page.waitForURL('/channel?group=vip')
  await comesTo(() => stands('Slim'), [0, 'page'])
  await comesTo(() => page.getByRole('switch', { name: 'Sort by ID' }).isChecked(), true)
  // It is in the address, and the columns of the plain list are as they were.
  await page.reload()
  await tab('All').waitFor()
  await tab('All').click()
  await page.waitForURL('/channel')
  await page.getByRole('columnheader', { name: 'Weight', exact: true }).waitFor()
  await page.goto('/token')
  await page.getByRole('row', { name: /first/ }).waitFor()
  expect(await page.getByRole('navigation', { name: 'Views' }).count()).toBe(0)
  await done(visit)
})

test('views are renamed, unpinned and deleted, and a deleted one can be brought back', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  const tab = (name: string) => page.getByRole('link', { name, exact: true })
  await page.goto('/token?keyword=first')
  for (const name of ['One', 'Two']) {
    await options(page).click()
    await nameView(page, name)
    await page.keyboard.press('Enter')
    await tab(name).waitFor()
    // A frame later than that: Esc is heard where the focus is.
    await page.locator('[data-new]:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await options(page).click()
  await page.getByRole('button', { name: 'Rename: One' }).click()
  const name = page.getByRole('textbox', { name: 'Name of the view' })
  await name.fill('Two')
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Rename: One' }).click()
  await name.fill('Uno')
  await page.keyboard.press('Enter')
  await tab('Uno').waitFor()
  expect(await tab('One').count()).toBe(0)

  await page.getByRole('button', { name: 'Pin: Two' }).click()
  await tab('Two').waitFor({ state: 'detached' })
  await leaveTime(page)
  await page.getByRole('button', { name: 'Delete: Uno' }).click()
  await tab('Uno').waitFor({ state: 'detached' })
  expect(await page.getByRole('navigation', { name: 'Views' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await tab('Uno').waitFor()
  await page.goto('/token')
  await options(page).click()
  await page.getByRole('button', { name: 'Two', exact: true }).click()
  await page.waitForURL('/token?keyword=first')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await comesTo(() => focused(page), 'Table options')
  await done(visit)
})

test('a view of the last week goes on with the clock', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/log')
  await page.getByRole('button', { name: /^Time range/ }).click()
  const weekAgo = () => Math.floor(Date.now() / 1000) - 7 * 86_400
  const startOf = (url: string) => Number(new URL(url).searchParams.get('start_timestamp'))
  // What the list asked for of itself, which is of today, may be on its way still.
  const asked = page.waitForRequest(
    request => /\/api\/log\/?\?/.test(request.url()) && startOf(request.url()) < weekAgo() + 6 * 86_400,
  )
  const before = weekAgo()
  await page.getByRole('button', { name: '7 days' }).click()
  const start = startOf((await asked).url())
  expect(start).toBeWithin(before, weekAgo() + 1)
  expect(search(page)).toBe('?start=-604800')
  await page.getByRole('button', { name: 'Time range: 7 days' }).waitFor()
  await done(visit)
})

test('a balance of millions is whole: in a name and a copy on wide screens, in sight on phones', async () => {
  const visit = await stage.visit({
    asRoot: true,
    locale: 'en-US',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const { page } = visit
  await page.goto('/user?keyword=croesus')
  const balance = page.getByRole('button', { name: '$1,234,567.89' })
  expect(await balance.innerText()).toBe('$1.23M')
  expect(await balance.getAttribute('title')).toBe('$1,234,567.89')
  await balance.click()
  await page.getByText('Copied to clipboard').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('$1,234,567.89')
  const cut = await page
    .locator('td[data-align=end]')
    .evaluateAll(cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth).length)
  expect(cut).toBe(0)
  await page.setViewportSize(PHONE.viewport)
  await comesTo(() => balance.innerText(), '$1,234,567.89')
  await done(visit)
})
