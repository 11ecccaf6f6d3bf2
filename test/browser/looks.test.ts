// What no other test would notice: that nothing is cut off, and nothing moves.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { openStage, type Stage, type Visit } from './harness.ts'
import { fillStage } from './lived-in.ts'
import { comesTo } from './people.ts'

/** A window of 1280 less a scroll bar that takes room. */
const NARROWEST = { width: 1265, height: 800 }
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  await fillStage(stage)
})
afterAll(() => stage.close())

async function enter(visit: Visit, path: string): Promise<Page> {
  await visit.page.goto(path)
  await visit.page.getByRole('row').nth(1).waitFor()
  await drawLetters(visit.page)
  return visit.page
}

/** Until letters have their own shapes: those that stand in for them meanwhile are as wide as others. */
const drawLetters = (page: Page) => page.evaluate(() => document.fonts.ready.then(() => {}))

/** How much wider each table is than its room. */
function excessOfTables(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('table')].map(table => {
      const room = table.parentElement
      return room ? room.scrollWidth - room.clientWidth : 0
    }),
  )
}

/** The texts of cells, of those that are asked for, in which something is cut off. */
function cutOff(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(
    wanted =>
      [...document.querySelectorAll<HTMLElement>(wanted)]
        .filter(cell => cell.scrollWidth > cell.clientWidth)
        .map(cell => cell.innerText),
    selector,
  )
}

test.each(['zh-CN', 'en-US'])('lists fit into a window of 1280 (%s)', async locale => {
  const visit = await stage.visit({ asRoot: true, locale, viewport: NARROWEST })
  for (const path of ['/channel', '/token', '/user', '/redemption', '/midjourney', '/task?start=0'])
    expect([path, await excessOfTables(await enter(visit, path))]).toEqual([path, [0]])
  expect(await cutOff(visit.page, 'th:not(:has(span))')).toEqual([])
  // The most that stands beside each other: boxes, all columns, and three words for a tag.
  await visit.page.evaluate(() => localStorage.setItem('channel-batch', 'true'))
  const page = await enter(visit, '/channel?tag_mode=true')
  expect(await excessOfTables(page)).toEqual([0])
  expect(await cutOff(page, 'th:not(:has(span)), td:last-child')).toEqual([])
  // Narrowing the list down moves nothing.
  const top = () => page.evaluate(() => document.querySelector('table')?.getBoundingClientRect().top)
  const before = await top()
  await enter(visit, '/channel?tag_mode=true&status=enabled')
  expect(await top()).toBe(before)
  await visit.close()
})

test('names of models are whole on the dashboard, and of the tabs of a phone the open one is in view', async () => {
  const visit = await stage.visit({ asRoot: true, viewport: NARROWEST })
  const page = await enter(visit, '/detail?span=30d')
  const names = page.getByRole('row').locator('a[title]')
  expect(await names.filter({ hasText: 'claude-sonnet-4-20250514' }).count()).toBe(1)
  expect(await cutOff(page, 'main tbody a[title]')).toEqual([])
  await visit.close()
  const phone = await stage.visit({ ...PHONE, asRoot: true })
  const tab = (await enter(phone, '/setting?tab=audit')).locator('main nav a[aria-current=page]').first()
  const endOf = async (link: Locator) => {
    const box = await link.boundingBox()
    return (box?.x ?? 0) + (box?.width ?? 999)
  }
  await comesTo(async () => (await endOf(tab)) <= PHONE.viewport.width - 16, true)
  await phone.page.goto('/setting?tab=system#system.smtp')
  const section = phone.page.locator('main nav a[aria-current=true]:not(:nth-child(-n + 3))')
  await comesTo(async () => (await endOf(section)) <= PHONE.viewport.width, true)
  await phone.close()
})

test.each([
  [PHONE, 'system.smtp'],
  [PHONE, 'operation.quota'],
  [{ viewport: NARROWEST }, 'system.smtp'],
])('the address of a section leads to its title, right under what stays at the top', async (size, id) => {
  const visit = await stage.visit({ ...size, asRoot: true })
  await visit.page.goto(`/setting?tab=${id.split('.')[0]}#${id}`)
  await visit.page.waitForFunction(wanted => {
    const section = document.getElementById(wanted)
    const bars = [document.querySelector('header'), section?.parentElement?.previousElementSibling]
    const boxes = bars.flatMap(bar => bar?.getBoundingClientRect() ?? [])
    const covered = boxes.filter(({ width }) => width > innerWidth / 2).map(({ bottom }) => bottom)
    const gap = section ? section.getBoundingClientRect().top - Math.max(...covered) : -1
    return gap >= 0 && gap <= 32
  }, id)
  await visit.close()
})

test('what gives way for want of room can be brought back; the prompt and the reason stay', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const page = await enter(visit, '/midjourney')
  const has = (name: string) => page.getByRole('columnheader', { name, exact: true }).count()
  expect([await has('Prompt'), await has('Reason'), await has('Duration')]).toEqual([1, 1, 0])
  await page.getByTitle('Table options').click()
  await page.getByRole('checkbox', { name: 'Duration' }).check()
  expect(await has('Duration')).toBe(1)
  await page.reload()
  await page.getByRole('columnheader', { name: 'Duration' }).waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('from a day without tasks one press leads to the earlier ones', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.route(/\/api\/task.*start_timestamp=[1-9]/, route =>
    route.fulfill({ json: { success: true, message: '', data: { items: [], total: 0 } } }),
  )
  await page.goto('/task')
  await page.getByText('No tasks today').waitFor()
  await page.getByRole('button', { name: 'All time', exact: true }).click()
  await page.getByRole('table').waitFor()
  await visit.close()
})

test('the hours of a channel are not cut off, nor are large amounts', async () => {
  const root = await stage.root()
  const { json } = await root.get('/api/user/?p=1&page_size=10')
  const { id } = json.data.items.find(({ role }: { role: number }) => role === 1)
  const user = (await root.get(`/api/user/${id}`)).json.data
  await root.put('/api/user/', { ...user, quota: 500_000 * 123_456 })
  const visit = await stage.visit({ asRoot: true })
  const page = await enter(visit, '/channel')
  await page.locator('td[data-label="响应时间"] svg').first().waitFor()
  expect(await cutOff(page, 'td[data-label="响应时间"]')).toEqual([])
  await enter(visit, `/user?keyword=${user.username}`)
  await page.getByText('$123,456.00').waitFor()
  expect(await cutOff(page, 'td[data-label="剩余额度"]')).toEqual([])
  await visit.close()
})

test('in English when a token was last used, and what someone is, are whole', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US', viewport: NARROWEST })
  const { page } = visit
  await page.route('**/api/token?*', async route => {
    const response = await route.fetch({ maxRetries: 3 })
    const json = await response.json()
    const at = Math.floor(Date.now() / 1000) - 59 * 60 - 1
    for (const token of json.data.items ?? json.data)
      token.accessed_time = Math.max(at, token.created_time + 1)
    await route.fulfill({ response, json })
  })
  await enter(visit, '/token')
  await page.getByText('59 minutes ago').first().waitFor()
  expect(await cutOff(page, 'td[data-label="Last used"], td[data-label="Last used"] *')).toEqual([])
  await enter(visit, '/user?role=root')
  await page.getByRole('cell').getByText('Super admin').waitFor()
  expect(await cutOff(page, 'td[data-label="Role"], td[data-label="Role"] *')).toEqual([])
  await enter(visit, '/user?status=deleted')
  await page.getByRole('cell').getByText('Deactivated').first().waitFor()
  expect(await cutOff(page, 'td[data-label="Status"], td[data-label="Status"] *')).toEqual([])
  await enter(visit, '/plan')
  await page
    .getByRole('button', { name: /^Edit: / })
    .first()
    .waitFor()
  expect(await cutOff(page, 'th:not(:has(span)), td')).toEqual([])
  await visit.close()
})

test('in a wide window names stand near what is said of them, and a token’s tags in one line', async () => {
  const visit = await stage.visit({ asRoot: true, viewport: { width: 1920, height: 1080 } })
  const page = await enter(visit, '/token')
  const widths = await page.evaluate(() =>
    [...document.querySelectorAll('th')].map(cell => cell.getBoundingClientRect().width),
  )
  expect(Math.max(...widths)).toBeLessThan(560)
  const row = page.getByRole('row', { name: 'embedding-index' })
  expect(await row.evaluate(line => line.getBoundingClientRect().height)).toBeLessThanOrEqual(42)
  expect(await excessOfTables(page)).toEqual([0])
  await visit.close()
})

test('long priorities are whole, and a longer one can be read and typed', async () => {
  const root = await stage.root()
  const channel = (await root.get('/api/channel/2')).json.data
  await root.put('/api/channel/', { ...channel, priority: 98_765_432 })
  const visit = await stage.visit({ asRoot: true, viewport: NARROWEST })
  const page = await enter(visit, '/channel')
  const number = page.getByRole('button', { name: /98765432/ })
  await number.waitFor()
  expect(await cutOff(page, 'td[data-label="优先级"], td[data-label="权重"], td [data-state]')).toEqual([])
  expect(await excessOfTables(page)).toEqual([0])
  await number.click()
  const field = page.getByRole('textbox', { name: /的优先级/ })
  expect(await field.evaluate(input => input.scrollWidth <= input.clientWidth)).toBe(true)
  await root.put('/api/channel/', channel)
  await visit.close()
})

test('English has its own quotes, Chinese keeps those of its font', async () => {
  for (const [locale, has] of [
    ['en-US', true],
    ['zh-CN', false],
  ] as const) {
    const visit = await stage.visit({ locale })
    await visit.page.goto('/login')
    await visit.page.locator('h1').first().waitFor()
    const family = await visit.page.evaluate(() => getComputedStyle(document.body).fontFamily)
    expect([locale, family.startsWith('"Geist Quotes"')]).toEqual([locale, has])
    expect(family).toContain('"Geist Variable"')
    await visit.close()
  }
})

test('a logo that cannot be loaded gives way to the default one', async () => {
  const root = await stage.root()
  await root.saveOption('Logo', '/no-such-logo.png')
  const visit = await stage.visit()
  visit.expectFault(/logo/i)
  visit.expectFault(/404/)
  await visit.page.goto('/pricing')
  await visit.page.locator('header a svg').waitFor()
  expect(await visit.page.locator('header a img').count()).toBe(0)
  await root.saveOption('Logo', '')
  await visit.close()
})

test('Markdown keeps the alignment of its columns and the boxes of its tasks', async () => {
  const root = await stage.root()
  await root.saveOption(
    'About',
    '| a | b |\n|---|--:|\n| c | d |\n\n- [x] done\n- [ ] open\n- <input value="x">',
  )
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/about')
  await page.getByText('done').waitFor()
  expect(
    await page.getByText('d', { exact: true }).evaluate(cell => getComputedStyle(cell).textAlign),
  ).toMatch(/right$/)
  expect(await page.locator('main li').allInnerTexts()).toEqual(['☑done', '☐open', ''])
  expect(await page.locator('main input').count()).toBe(0)
  await root.saveOption('About', '')
  await visit.close()
})

test('a record that is gone is called so in the reader’s language', async () => {
  const visit = await stage.visit({ asRoot: true })
  for (const path of ['/token/edit/9999', '/user/edit/9999', '/redemption/edit/9999']) {
    await visit.page.goto(path)
    await visit.page.getByText('记录不存在').waitFor()
  }
  await visit.close()
})

/** The line that the digits of each of these stand on. */
function baselines(page: Page, selector: string): Promise<number[]> {
  return page.evaluate(
    wanted =>
      [...document.querySelectorAll(wanted)].map(figure => {
        const mark = document.createElement('span')
        mark.style.display = 'inline-block'
        figure.append(mark)
        const { bottom } = mark.getBoundingClientRect()
        mark.remove()
        return Math.round(bottom)
      }),
    selector,
  )
}

test('figures beside each other stand on one line, whatever their size', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  for (const path of ['/topup', '/setting?tab=personal']) {
    await page.goto(path)
    const figures = page.locator('main dl').first().locator('dd')
    await figures.nth(2).waitFor()
    const lines = await baselines(page, 'main dl:first-of-type dd')
    expect([path, new Set(lines.slice(0, 3)).size]).toEqual([path, 1])
  }
  await visit.close()
})

test('the dashboard comes where its place was held: nothing moves', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  let answer = () => {}
  const answered = new Promise<void>(resolve => {
    answer = resolve
  })
  await page.route('**/api/statistics**', async route => {
    await answered
    await route.continue()
  })
  await page.goto('/detail')
  const places = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('main [class*=tile_], main [class*=panel_]')]
        .slice(0, 7)
        .map(place => Math.round(place.getBoundingClientRect().bottom)),
    )
  // The first that waits is the page itself: then there are no places yet.
  await comesTo(async () => (await places()).length, 7)
  await drawLetters(page)
  const before = await places()
  answer()
  await page.getByRole('slider').waitFor()
  await comesTo(places, before)
  await visit.close()
})

test('the wallet comes where its place was held: nothing moves', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  let answer = () => {}
  const answered = new Promise<void>(resolve => {
    answer = resolve
  })
  await page.route(/\/api\/(user\/checkin|subscription)/, async route => {
    await answered
    await route.continue()
  })
  await page.goto('/topup')
  const places = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('main [class*=checkIn_], main h2[id=redeem-title], footer')].map(
        place => {
          const { top, bottom } = place.getBoundingClientRect()
          return [Math.min(Math.round(top), innerHeight), Math.min(Math.round(bottom), innerHeight)]
        },
      ),
    )
  await page.getByRole('heading', { name: '使用兑换码' }).waitFor()
  await page.waitForFunction(() => document.querySelectorAll('main [data-loading]').length > 1)
  const orders = page.getByRole('heading', { name: '充值订单' })
  expect(await orders.count()).toBe(0)
  await drawLetters(page)
  const before = await places()
  answer()
  await page.getByRole('button', { name: '签到', exact: true }).waitFor()
  await orders.waitFor()
  expect(before.length).toBe(3)
  expect(await places()).toEqual(before)
  await visit.close()
})

test('a channel shows its groups where there is room for them, and how many more where there is not', async () => {
  const visit = await stage.visit({ asRoot: true, viewport: NARROWEST })
  const page = await enter(visit, '/channel?keyword=OpenAI')
  const groups = page.getByRole('row', { name: 'OpenAI 主线路' }).locator('[class*=groups_]')
  const shown = () => groups.evaluate(cell => [...cell.children].map(({ textContent }) => textContent))
  await comesTo(shown, ['default', '+2'])
  for (const [width, height] of [
    [1920, 1080],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await comesTo(async () => [width, await shown()], [width, ['default', 'vip', 'svip']])
  }
  await visit.close()
})

test('on paper there is what was read and nothing round it, dark on light', async () => {
  const visit = await stage.visit({ asRoot: true, colorScheme: 'dark' })
  const page = await enter(visit, '/log?start=0')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const gone of ['header', 'aside', 'footer', 'main nav'])
    expect([gone, await page.locator(gone).first().isVisible()]).toEqual([gone, false])
  await page.getByRole('table').waitFor()
  expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(20, 23, 28)')
  await visit.close()
})

test('a page has in the palette the icon it has in the sidebar', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/about')
  const sidebar = page.getByRole('navigation', { name: 'Console' }).getByRole('link')
  await sidebar.first().waitFor()
  await page.keyboard.press('Control+k')
  for (const name of ['Channels', 'Wallet', 'Settings']) {
    const entry = page.getByRole('dialog').getByRole('button', { name }).locator('svg')
    const link = sidebar.filter({ hasText: name }).locator('svg')
    expect([name, await entry.innerHTML()]).toEqual([name, await link.innerHTML()])
  }
  await visit.close()
})
