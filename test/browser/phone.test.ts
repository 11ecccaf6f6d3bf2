// What a phone or a tablet needs besides: that fingers find what they reach for, and nothing zooms or sticks out.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openStage, type Stage, type Visit } from './harness.ts'
import { fillStage } from './lived-in.ts'
import { addPerson, comesTo } from './people.ts'

/** Pixels. */
const FINGER = 40
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
  return visit.page
}

/** How wide and high the part of the screen is that a press on it may land on. */
function reachOf(page: Page, selector: string): Promise<{ width: number; height: number }> {
  return page.evaluate(wanted => {
    const target = document.querySelector(wanted)
    if (!target) throw new Error(`there is no ${wanted}`)
    target.scrollIntoView({ block: 'center' })
    const box = target.getBoundingClientRect()
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const lands = (right: number, down: number) => {
      const under = document.elementFromPoint(x + right, y + down)
      return under !== null && (target.contains(under) || under.closest('label')?.contains(target) === true)
    }
    const reach = (right: number, down: number) => {
      let steps = 0
      while (lands(right * (steps + 1), down * (steps + 1))) steps++
      return steps
    }
    return { width: reach(-1, 0) + reach(1, 0) + 1, height: reach(0, -1) + reach(0, 1) + 1 }
  }, selector)
}

test('on a phone a model’s prices are read without scrolling sideways', async () => {
  const visit = await stage.visit(PHONE)
  const page = await enter(visit, '/pricing')
  await page.locator('td [aria-expanded=false]').first().click()
  await page.locator('pre').waitFor()
  const cells = page.locator('tr:has(pre) > td')
  expect(await cells.evaluateAll(all => all.filter(one => one.scrollWidth > one.clientWidth).length)).toBe(0)
  await visit.close()
})

/** Texts whose last line is a single sign, which looks lost there. */
function lonely(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = [...document.querySelectorAll('main p, main [class*=Lead]')]
    return texts.flatMap(text => {
      const range = document.createRange()
      range.selectNodeContents(text)
      const pieces = [...range.getClientRects()]
      const bottom = Math.max(...pieces.map(piece => piece.bottom))
      const last = pieces.filter(piece => piece.bottom > bottom - 4)
      const width = last.reduce((sum, piece) => sum + piece.width, 0)
      const sign = Number.parseFloat(getComputedStyle(text).fontSize)
      return last.length < pieces.length && width < 2 * sign ? [text.textContent ?? ''] : []
    })
  })
}

test('on a narrow phone no text under a title ends in a line of a single sign', async () => {
  const visit = await stage.visit({ ...PHONE, viewport: { width: 375, height: 812 }, asRoot: true })
  for (const [path, words] of [
    ['/setting?tab=personal', '好友通过此链接注册后'],
    ['/setting?tab=other', '任何人都能读到'],
  ] as const) {
    await visit.page.goto(path)
    await visit.page.getByText(words).first().waitFor()
    expect(await lonely(visit.page)).toEqual([])
  }
  await visit.close()
})

test('on a phone every control of a row is large enough for a finger', async () => {
  const visit = await stage.visit({ ...PHONE, asRoot: true })
  const page = await enter(visit, '/channel')
  const small: unknown[] = []
  const look = async (selector: string, least = FINGER) => {
    const reach = await reachOf(page, selector)
    if (reach.width < least || reach.height < least) small.push({ selector, reach })
  }
  await look('td[data-label="已用/剩余"] button', 28)
  await look('td [class*=split] button + button', 36)
  await look('td button[aria-label^="展开"]')
  await page.getByRole('button', { name: /^展开/ }).first().tap()
  await look('td[data-label="优先级"] button')
  await look('main [class*=more_]')
  await look('main button[title="表格选项"]')
  await look('nav button[aria-current]')
  await enter(visit, '/token')
  await look('td input[type=checkbox]')
  await look('td button[aria-label^="更多操作"]')
  await enter(visit, '/pricing')
  await look('td button[aria-expanded]')
  await page.goto('/token/add')
  await page.locator('#token-name').waitFor()
  for (const selector of ['[role=dialog] button[aria-pressed]', '[role=dialog] button[type=submit]'])
    await look(selector)
  await page.goto('/detail')
  await page.getByRole('slider').waitFor()
  await look('main fieldset button')
  expect(small).toEqual([])
  await visit.close()
})

test('on a phone a card shows what is asked for most, and the rest when it is pressed', async () => {
  const visit = await stage.visit({ ...PHONE, asRoot: true })
  const page = await enter(visit, '/token')
  const card = page.getByRole('row').nth(1)
  const shows = (label: string) => card.locator(`td[data-label="${label}"]`).isVisible()
  expect([await shows('状态'), await shows('已用额度'), await shows('剩余额度')]).toEqual([true, true, true])
  expect(await shows('过期时间')).toBe(false)
  // Closed cards of many lists: several are in sight at once.
  expect((await card.boundingBox())?.height ?? 999).toBeLessThan(180)
  const opener = card.getByRole('button', { name: /^展开/ })
  await opener.tap()
  await comesTo(() => shows('过期时间'), true)
  expect(await opener.getAttribute('aria-expanded')).toBe('true')
  // Anywhere on the card, but for what is pressed for itself.
  await card.locator('td[data-label="已用额度"]').tap()
  await comesTo(() => shows('过期时间'), false)
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('on a phone no field has letters so small that an iPhone zooms into it', async () => {
  const visit = await stage.visit({ ...PHONE, asRoot: true })
  const { page } = visit
  for (const path of ['/channel', '/channel/add', '/token', '/playground', '/setting?tab=system']) {
    await page.goto(path)
    await page.locator('main input:visible, main textarea:visible, [role=dialog] input').first().waitFor()
    const sizes = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('input, select, textarea, [contenteditable=true]')]
        .filter(field => !['checkbox', 'radio', 'range'].includes(field.getAttribute('type') ?? ''))
        .map(field => Number.parseFloat(getComputedStyle(field).fontSize)),
    )
    expect([path, sizes.length > 0, sizes.filter(size => size < 16)]).toEqual([path, true, []])
  }
  await visit.close()
})

test('on a phone a dialog comes up from below, as wide as the phone', async () => {
  const visit = await stage.visit({ ...PHONE, asRoot: true })
  const page = await enter(visit, '/token')
  await page
    .getByRole('button', { name: /更多操作/ })
    .first()
    .tap()
  await page.getByRole('menuitem', { name: '查看' }).tap()
  const sheet = page.getByRole('dialog')
  await sheet.waitFor()
  await page.waitForFunction(() => {
    const box = document.querySelector('[role=dialog]')?.getBoundingClientRect()
    return box?.x === 0 && box.width === innerWidth && Math.round(box.bottom) === innerHeight
  })
  await visit.close()
})

test('on a phone what ends a long dialog is in sight before its form is scrolled', async () => {
  const visit = await stage.visit({ ...PHONE, asRoot: true })
  const { page } = visit
  await page.goto('/setting?tab=operation')
  const guards = page.getByRole('region', { name: '护栏', exact: true })
  await guards.getByRole('button', { name: '编辑：moderation' }).tap()
  const sheet = page.getByRole('dialog', { name: '编辑 moderation' })
  await sheet.waitFor()
  expect(await sheet.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true)
  const end = async () => {
    const box = await sheet.getByRole('button', { name: '确定' }).boundingBox()
    return (box?.y ?? 9999) + (box?.height ?? 0)
  }
  await comesTo(async () => (await end()) <= 844, true)
  await visit.close()
})

test('on a phone what a failed call asked for stands above the reason, at the same edge', async () => {
  const visit = await stage.visit({ ...PHONE, asRoot: true })
  const page = await enter(visit, '/log?start=0&type=5')
  const begins = await page
    .locator('[class*=failedCall_]')
    .first()
    .evaluate(cell => [...cell.children].map(line => Math.round(line.getBoundingClientRect().left)))
  expect(begins.length).toBe(2)
  expect(new Set(begins).size).toBe(1)
  await visit.close()
})

test('on a phone the site’s name is whole beside a balance, however long the name of the account', async () => {
  const person = await addPerson(stage, 'longest-name')
  const root = await stage.root()
  const { json } = await person.get('/api/user/self')
  const { id, username, display_name, group } = json.data
  await root.put('/api/user/', { id, username, display_name, group, quota: 500_000_000 })
  const visit = await stage.visit({ ...PHONE, as: person })
  const { page } = visit
  await page.goto('/topup')
  const bar = page.getByRole('banner')
  await bar.getByText('$1,000.00').waitFor()
  const name = bar.getByText('Tollgate', { exact: true })
  expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await bar.getByRole('button', { name: '账户：longest-name' }).tap()
  await page.getByRole('menuitem', { name: '退出登录' }).waitFor()
  await visit.close()
})

test('on a phone the palette is one press away, and the theme in the menu', async () => {
  const visit = await stage.visit({ ...PHONE, viewport: { width: 360, height: 740 }, asRoot: true })
  const page = await enter(visit, '/token')
  await page.evaluate(() => localStorage.setItem('first-run', 'open'))
  await page.reload()
  const banner = page.getByRole('banner')
  await banner.getByRole('link', { name: '入门引导' }).waitFor()
  expect(await banner.evaluate(bar => bar.scrollWidth - bar.clientWidth)).toBe(0)
  await banner.getByRole('button', { name: '命令面板' }).tap()
  const palette = page.getByRole('dialog')
  await palette.getByRole('button', { name: '退出登录' }).waitFor()
  // It has no keys to tell of.
  expect(await palette.locator('kbd:visible').count()).toBe(0)
  expect(await palette.getByText('键盘快捷键').count()).toBe(0)
  await palette.getByRole('button', { name: '渠道' }).first().tap()
  await page.waitForURL('/channel')
  await banner.getByRole('button', { name: '菜单' }).tap()
  await page.getByRole('dialog').getByRole('button', { name: '深色' }).tap()
  await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === 'dark')
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('on a tablet what can be done with a row is behind one button, and the sidebar leaves its room to the page', async () => {
  const visit = await stage.visit({
    asRoot: true,
    locale: 'en-US',
    viewport: { width: 768, height: 1024 },
  })
  const page = await enter(visit, '/channel')
  const widthOf = (selector: string) =>
    page.evaluate(wanted => document.querySelector(wanted)?.getBoundingClientRect().width ?? 0, selector)
  expect(await widthOf('th:last-child')).toBeLessThanOrEqual(52)
  expect(await widthOf('aside')).toBe(56)
  await page.getByRole('button', { name: 'Expand sidebar' }).click()
  await comesTo(() => widthOf('aside'), 220)
  const more = page.getByRole('button', { name: /^More actions/ }).first()
  await more.click()
  await page.getByRole('menuitem', { name: 'Test…' }).click()
  // The list of its models, in the place of the menu, and by keys.
  await page.getByRole('menuitem', { name: 'gpt-4o-mini' }).waitFor()
  const first = page.getByRole('menuitem').first()
  await comesTo(() => first.evaluate(item => item === document.activeElement), true)
  expect(await page.getByRole('menuitem', { name: 'gpt-4o-mini' }).count()).toBe(1)
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await comesTo(() => more.evaluate(button => button === document.activeElement), true)
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('on a tablet what opens under a row of the log is as wide as there is room', async () => {
  const visit = await stage.visit({ asRoot: true, viewport: { width: 768, height: 1024 } })
  const page = await enter(visit, '/log?start=0&model=claude')
  await page.locator('main td [aria-expanded=false]').first().click()
  const detail = page.locator('[class*=detailRoom_]')
  await detail.waitFor()
  const [room, ends] = await detail.evaluate(opened => {
    const right = (one: Element) => one.getBoundingClientRect().right
    const frame = opened.closest('table')?.parentElement
    return [frame ? right(frame) : 0, [...opened.querySelectorAll('*')].map(right)]
  })
  expect(Math.max(...ends)).toBeLessThanOrEqual(room)
  await visit.close()
})
