// That there is room for what is seldom so long: many of something, large amounts, long names, very narrow windows.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openStage, type Stage, type Visit } from './harness.ts'
import { fillStage } from './lived-in.ts'

/** A window of 1280 less a scroll bar that takes room. */
const NARROWEST = { width: 1265, height: 800 }
/** A small phone, or a window of 1280 that is enlarged four times. */
const SMALLEST = { width: 320, height: 800 }

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  await fillStage(stage)
})
afterAll(() => stage.close())

async function enter({ page }: Visit, path: string): Promise<Page> {
  await page.goto(path)
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await page.waitForFunction(() => !document.querySelector('[data-loading]'))
  await page.evaluate(() => document.fonts.ready.then(() => {}))
  return page
}

/** The texts of elements in which something is cut off. */
function cutOff(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(
    wanted =>
      [...document.querySelectorAll<HTMLElement>(wanted)]
        .filter(element => element.scrollWidth > element.clientWidth && element.clientWidth > 0)
        .map(element => element.innerText),
    selector,
  )
}

test.each(['zh-CN', 'en-US'])(
  'how many models of a channel rest is whole, and a tag’s weight is (%s)',
  async locale => {
    const root = await stage.root()
    const channel = (await root.get('/api/channel/4')).json.data
    const models = Array.from({ length: 24 }, (_, at) => `model-${at}`)
    await root.put('/api/channel/', { ...channel, models: models.join(','), tag: 'heavy', weight: 999_999 })
    const visit = await stage.visit({ asRoot: true, locale, viewport: NARROWEST })
    await visit.page.route(/\/api\/channel\?/, async route => {
      const response = await route.fetch({ maxRetries: 3 })
      const json = await response.json()
      const until = Math.floor(Date.now() / 1000) + 240
      for (const one of json.data.items)
        if (one.id === 4)
          one.resting = models.slice(0, 12).map(model => ({ model, until, reason: 'rate', status: 429 }))
      await route.fulfill({ response, json })
    })
    const page = await enter(visit, '/channel')
    await page.getByText(/(冷却|Rest) 12\/24/).waitFor()
    expect(await cutOff(page, `td[data-label="${locale === 'zh-CN' ? '状态' : 'Status'}"] *`)).toEqual([])
    expect(await cutOff(page, ':has(> table)')).toEqual([])
    await enter(visit, '/channel?tag_mode=true')
    // It is the only one of its tag, which says what all of them have in common.
    const weight = page.getByText('999999', { exact: true })
    await weight.waitFor()
    const lacking = await weight.evaluate(words => {
      const range = document.createRange()
      range.selectNodeContents(words)
      const cell = words.closest('td') as HTMLElement
      const { paddingLeft, paddingRight } = getComputedStyle(cell)
      const room = cell.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(words)
      const around = Number.parseFloat(paddingInlineStart) + Number.parseFloat(paddingInlineEnd)
      return Math.max(0, range.getBoundingClientRect().width + around - room)
    })
    expect(lacking).toBe(0)
    await root.put('/api/channel/', channel)
    await visit.close()
  },
)

test('on a phone, how much more was changed stays in one line beside a long name', async () => {
  const root = await stage.root()
  const channel = (await root.get('/api/channel/5')).json.data
  const changed = {
    ...channel,
    name: '一个很长的渠道名称'.repeat(20),
    priority: 3,
    weight: channel.weight + 1,
  }
  await root.put('/api/channel/', changed)
  const visit = await stage.visit({ asRoot: true, viewport: SMALLEST })
  const page = await enter(visit, '/setting?tab=audit')
  const more = page.getByText(/^另 \d 处$/).first()
  const lines = await more.evaluate(words => {
    const range = document.createRange()
    range.selectNodeContents(words)
    return range.getClientRects().length
  })
  expect(lines).toBe(1)
  await root.put('/api/channel/', channel)
  await visit.close()
})

test.each(['zh-CN', 'en-US'])('the smallest window has nothing beside it (%s)', async locale => {
  const visit = await stage.visit({ asRoot: true, locale, viewport: SMALLEST })
  for (const tab of ['personal', 'operation', 'system', 'other', 'audit']) {
    const page = await enter(visit, `/setting?tab=${tab}`)
    // Sections come as they are scrolled to.
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const beside = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect([tab, await beside()]).toEqual([tab, 0])
  }
  await visit.close()
})

test('amounts of codes and plans are whole, however much they are, and an offer keeps to its card', async () => {
  const root = await stage.root()
  const much = { quota: 1_000_000_000_000_000, price: 1_000_000_000_000_000 }
  await root.post('/api/redemption/', { name: 'much', quota: much.quota, count: 1 })
  const terms = { duration: 30, duration_unit: 'day', period: 'none', on_sale: true }
  await root.post('/api/subscription/admin/plans', { title: 'Much', note: 'n'.repeat(90), ...much, ...terms })
  const visit = await stage.visit({ asRoot: true, viewport: NARROWEST })
  for (const path of ['/redemption?keyword=much', '/plan']) {
    const page = await enter(visit, path)
    await page.getByRole('button', { name: '$2,000,000,000.00' }).first().waitFor()
    expect(await cutOff(page, 'td[data-align=end]')).toEqual([])
  }
  const page = await enter(visit, '/topup')
  const offers = page.locator('li', { has: page.getByRole('heading', { name: 'Much' }) })
  await offers.waitFor()
  expect(await offers.evaluate(card => card.scrollWidth - card.clientWidth)).toBe(0)
  await visit.close()
})

test('what is cut off of the note of a prompt can be read', async () => {
  const visit = await stage.visit({ asRoot: true, viewport: NARROWEST })
  const page = await enter(visit, '/prompt')
  const note = page.getByText(/^For the notes of every Monday/)
  expect(await note.evaluate(words => words.scrollWidth > words.clientWidth)).toBe(true)
  expect(await note.getAttribute('title')).toBe(await note.innerText())
  await visit.close()
})

test.each(['zh-CN', 'en-US'])(
  'on a phone it is whole that models without a price are refused (%s)',
  async locale => {
    const visit = await stage.visit({ asRoot: true, locale, viewport: { width: 360, height: 800 } })
    const page = await enter(visit, '/detail')
    await page.getByText(/调用会被拒绝|calls refused/).waitFor()
    expect(await cutOff(page, '[class*=unpricedWords]')).toEqual([])
    await visit.close()
  },
)

test('prices of models that cost a lot are whole in the table of ratios', async () => {
  const visit = await stage.visit({ asRoot: true, viewport: NARROWEST })
  const page = await enter(visit, '/setting?tab=operation#operation.ratios')
  const search = page.locator('[id="operation.ratios"]').getByRole('textbox').first()
  await search.fill('gpt-5.5')
  await search.press('Enter')
  await page.getByText('>272K').nth(1).waitFor()
  expect(await cutOff(page, '[id="operation.ratios"] td[data-align=end]')).toEqual([])
  await visit.close()
})
