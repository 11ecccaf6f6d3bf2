import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { dollarDigits, showDollars } from '../../console/screens/detail/figures.ts'
import { type Client, openStage, type Stage } from './harness.ts'
import { fillStage } from './lived-in.ts'
import { comesTo } from './people.ts'

let stage: Stage
let user: Client
beforeAll(async () => {
  stage = await openStage()
  user = (await fillStage(stage)).user
})
afterAll(() => stage.close())

interface LogRow {
  type: number
  quota: number
  prompt_tokens: number
  completion_tokens: number
  username: string
  model_name: string
  other: string
}

/** Every call of a stretch, as the log has it. */
async function callsOf(client: Client, path: string, start: number, end: number): Promise<LogRow[]> {
  const calls: LogRow[] = []
  for (const type of [2, 5])
    for (let page = 1; ; page++) {
      const { json } = await client.get(
        `${path}?p=${page}&page_size=100&type=${type}&start_timestamp=${start}&end_timestamp=${end}`,
      )
      calls.push(...json.data.items)
      if (json.data.items.length < 100) break
    }
  return calls
}

function costOf({ other }: LogRow): number | undefined {
  return other === '' ? undefined : JSON.parse(other).admin_info?.cost
}

function sumUp(calls: readonly LogRow[]) {
  const sum = (read: (row: LogRow) => number) => calls.reduce((all, row) => all + read(row), 0)
  return {
    spend: sum(({ quota }) => quota) / 500_000,
    requests: calls.length,
    tokens: sum(row => row.prompt_tokens + row.completion_tokens),
    errors: calls.filter(({ type }) => type === 5).length / calls.length,
  }
}

async function readTiles(page: Page): Promise<Record<string, number>> {
  await page.locator('[data-measure] [data-value]').first().waitFor()
  return page
    .locator('[data-measure]')
    .evaluateAll(tiles =>
      Object.fromEntries(
        tiles.map(tile => [
          tile.getAttribute('data-measure'),
          Number(tile.querySelector('[data-value]')?.getAttribute('data-value')),
        ]),
      ),
    )
}

/** Whole days up to the hour that has begun, as the screen counts them. */
function lastDays(days: number): [number, number] {
  const today = new Date()
  const first = new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1)
  const hour = (time: number) => Math.ceil(time / 3_600_000) * 3600
  return [hour(first.getTime()), hour(today.getTime() + 1) - 1]
}

test('the figures are the sums of the log, and stay so whatever they are told apart by', async () => {
  const visit = await stage.visit({ asRoot: true, timezoneId: process.env.TZ ?? 'UTC' })
  const { page } = visit
  await page.goto('/detail?span=7d')
  const calls = await callsOf(await stage.root(), '/api/log/', ...lastDays(7))
  const sums = sumUp(calls)
  expect(sums.requests).toBeGreaterThan(100)
  const tiles = await readTiles(page)
  for (const [measure, value] of Object.entries(sums)) expect(tiles[measure]).toBeCloseTo(value, 6)
  expect(tiles.latency50).toBeGreaterThan(0)
  expect(tiles.first50).toBeGreaterThan(0)

  const costed = calls.filter(row => costOf(row) !== undefined)
  const margin = costed.reduce((sum, row) => sum + row.quota - (costOf(row) ?? 0), 0) / 500_000
  expect(costed.length).toBeLessThan(calls.length)
  await page.getByText(`毛利 ${showDollars(margin)}* 不含成本未知或已退款的消费 $`).waitFor()

  const models = new Set(calls.map(({ model_name }) => model_name))
  const table = page.getByRole('table', { name: '明细 · 按模型' })
  expect(await table.locator('[data-row]').count()).toBe(models.size)
  await page.getByLabel('统计维度').selectOption('user')
  await page.waitForURL('**/detail?span=7d&by=user')
  const people = page.getByRole('table', { name: '明细 · 按用户' })
  await people.waitFor()
  expect(await people.locator('[data-row]').count()).toBe(new Set(calls.map(one => one.username)).size)
  expect(await readTiles(page)).toEqual(tiles)

  await page.getByRole('button', { name: '表格' }).click()
  const figures = page.getByRole('table', { name: '消费 · 按用户' })
  expect(await figures.locator('tbody tr').count()).toBe(7)
  await page.getByLabel('粒度').selectOption('hour')
  await page.waitForURL(/unit=hour/)
  await figures.locator('tbody tr').nth(100).waitFor()
  await page.reload()
  await figures.locator('tbody tr').nth(100).waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('who and what came first is told at a glance, and leads to its calls and to all of them', async () => {
  const visit = await stage.visit({ asRoot: true, timezoneId: process.env.TZ ?? 'UTC' })
  const { page } = visit
  await page.goto('/detail?span=7d')
  const calls = await callsOf(await stage.root(), '/api/log/', ...lastDays(7))
  const spent = new Map<string, number>()
  for (const { username, quota } of calls) spent.set(username, (spent.get(username) ?? 0) + quota)
  const first = [...spent].toSorted(([, one], [, other]) => other - one).slice(0, 5)
  const sums = first.map(([, quota]) => quota / 500_000)
  const people = page.getByRole('region', { name: '消费 · 按用户' })
  await people.getByRole('link').nth(4).waitFor()
  expect(
    await people.getByRole('link').evaluateAll(rows => rows.map(row => row.children[1]?.textContent)),
  ).toEqual(first.map(([name]) => name))
  const amounts = await people
    .getByRole('link')
    .evaluateAll(rows => rows.map(row => row.children[2]?.textContent))
  expect(amounts).toEqual(sums.map(sum => showDollars(sum, dollarDigits(sums))))
  // A name that is too long is cut, and can be read by pointing at it.
  const longest = 'a channel whose name says in which region, for whom and why it was opened at all'
  const root = await stage.root()
  const channel = (await root.get('/api/channel/1')).json.data
  await root.put('/api/channel/', { ...channel, name: longest })
  await page.reload()
  await page.getByRole('region', { name: '排行' }).getByTitle(longest).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  await root.put('/api/channel/', { ...channel })
  // What the chart and the table are by is ranked there.
  expect(await page.getByRole('region', { name: '排行' }).getByRole('region').count()).toBe(3)
  await people.getByRole('button', { name: `显示全部 ${spent.size} 个` }).click()
  await page.getByRole('table', { name: '明细 · 按用户' }).waitFor()
  const models = page.getByRole('region', { name: '排行' }).getByRole('region', { name: '消费 · 按模型' })
  await models.getByRole('link').first().click()
  await page.waitForURL(/\/log\?.*model=/)
  await visit.close()
})

test('what is left over is drawn, losses below the line, for whoever is told costs', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/detail?span=30d&by=channel')
  await page.getByLabel('指标').selectOption('margin')
  await page.waitForURL(/measure=margin/)
  const chart = page.getByRole('slider', { name: '毛利 · 按渠道' })
  // Yesterday: today may have just begun.
  await chart.press('End')
  await chart.press('ArrowLeft')
  // Claude's channels cost more than they bring in, the others less.
  expect(await chart.getAttribute('aria-valuetext')).toMatch(/OpenAI [^,]+ \$.*Claude [^,]+ -\$/)
  await page.getByRole('button', { name: '表格' }).click()
  const sums = await page
    .getByRole('table', { name: '毛利 · 按渠道' })
    .locator('tbody td:nth-child(2)')
    .allInnerTexts()
  const sum = sums.reduce((all, text) => all + Number(text.replace('$', '')), 0)
  const told = await page.getByText(/毛利 \$[\d.]+\*/).innerText()
  expect(sums).toHaveLength(30)
  expect(sum).toBeCloseTo(Number(/毛利 \$([\d.]+)/.exec(told)?.[1]), 1)
  expect(visit.faults).toEqual([])
  await visit.close()

  const own = await stage.visit({ as: user })
  await own.page.goto('/detail?span=30d&measure=margin')
  await own.page.getByRole('slider', { name: '消费 · 按模型' }).waitFor()
  expect(await own.page.getByLabel('指标').locator('option').allInnerTexts()).not.toContain('毛利')
  expect(own.faults).toEqual([])
  await own.close()
})

test('rows sort by what is pressed, and lead to their part of the log', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/detail?span=30d')
  const table = page.getByRole('table', { name: '明细 · 按模型' })
  const names = () => table.locator('[data-row] td:first-child').allInnerTexts()
  await table.waitFor()
  const bySpend = await names()
  await table.getByRole('button', { name: '请求数' }).click()
  await page.waitForURL(/sort=requests/)
  await table.locator('th[aria-sort=descending]', { hasText: '请求数' }).waitFor()
  const byRequests = await names()
  expect(byRequests).not.toEqual(bySpend)
  await table.getByRole('button', { name: '请求数' }).click()
  await page.waitForURL(/order=asc/)
  await comesTo(async () => (await names())[0], byRequests.at(-1))

  const address = await table.locator('[data-row="0"] a').getAttribute('href')
  expect(address).toMatch(/^\/log\?type=2&model=%22[\w.-]+%22&start=\d+&end=\d+$/)
  await table.locator('[data-row="0"] td').nth(3).click()
  await page.waitForURL(`**${address}`)
  await page.goBack()
  await table.getByRole('link', { name: 'gpt-4o', exact: true }).click()
  await page.waitForURL(/model=%22gpt-4o%22/)
  const calls = page.getByRole('table', { name: '日志' })
  await calls.getByText('gpt-4o', { exact: true }).first().waitFor()
  expect(await calls.getByText('gpt-4o-mini').count()).toBe(0)
  await page.goBack()
  await table.waitFor()
  const health = page.getByRole('region', { name: '渠道健康' }).getByRole('link').first()
  await health.click()
  await page.waitForURL(/\/log\?channel=\d+&start=\d+&end=\d+$/)
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('the chart is read and opened by keyboard', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/detail?span=7d&measure=requests')
  const chart = page.getByRole('slider', { name: /^Requests · By model/ })
  await chart.focus()
  await page.keyboard.press('End')
  const last = await chart.getAttribute('aria-valuetext')
  expect(last).toMatch(/^\d\d-\d\d/)
  // Nobody may have called yet on a day that has just begun.
  await page.keyboard.press('ArrowLeft')
  const before = await chart.getAttribute('aria-valuetext')
  expect(before).toMatch(/^\d\d-\d\d, .*gpt-4o/)
  expect(before).not.toBe(last)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/log\?start=\d+&end=\d+$/)
  const [start, end] = ['start', 'end'].map(name => Number(new URL(page.url()).searchParams.get(name)))
  expect(Number(end) - Number(start)).toBe(86_399)
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('a user sees what is their own, and nothing of channels or other users', async () => {
  const visit = await stage.visit({ as: user, timezoneId: process.env.TZ ?? 'UTC' })
  const { page } = visit
  await page.goto('/detail?span=30d&by=channel&measure=cost&sort=margin')
  const sums = sumUp(await callsOf(user, '/api/log/self', ...lastDays(30)))
  const tiles = await readTiles(page)
  for (const [measure, value] of Object.entries(sums)) expect(tiles[measure]).toBeCloseTo(value, 6)
  expect(await page.getByLabel('统计维度').locator('option').allInnerTexts()).toEqual([
    '按模型',
    '按令牌',
    '按分组',
    '按用途标签',
  ])
  expect(await page.getByText('渠道健康').count()).toBe(0)
  expect(await page.getByText(/成本|毛利/).count()).toBe(0)
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('by label, what each came to leads to its calls; who has none is told how to label them', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US', timezoneId: process.env.TZ ?? 'UTC' })
  const { page } = visit
  // How long they took is not known of labels: the chart is of what is.
  await page.goto('/detail?span=30d&by=label&measure=latency95')
  await page.getByRole('slider', { name: /^Spend · By label/ }).waitFor()
  expect(await page.getByLabel('Measure').locator('option').allInnerTexts()).not.toContain('Latency p95')
  const table = page.getByRole('table', { name: 'Breakdown · By label' })
  const row = table.locator('[data-row]').filter({ hasText: 'project:客服助手' })
  const cells = await row.locator('td').allInnerTexts()
  const [start, end] = lastDays(30)
  const path = `/api/log?page_size=100&label=${encodeURIComponent('project:客服助手')}`
  const root = await stage.root()
  const { json } = await root.get(`${path}&start_timestamp=${start}&end_timestamp=${end}`)
  expect(json.data.total).toBeGreaterThan(100)
  expect(cells).toContain(String(json.data.total))
  await row.click()
  await page.waitForURL(
    url => url.pathname === '/log' && url.searchParams.get('label') === 'project:客服助手',
  )
  await page.getByText('Label: project:客服助手').waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()

  const other = await stage.visit({ as: user })
  await other.page.goto('/detail?span=30d&by=label')
  await other.page.getByText('这段时间没有带用途标签的请求').waitFor()
  await other.page.getByText('x-tollgate-labels: project:search,env:prod').waitFor()
  await other.page.getByRole('link', { name: '前往令牌' }).click()
  await other.page.waitForURL('**/token')
  expect(other.faults).toEqual([])
  await other.close()
})

test('what is sold at a loss stands out', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/detail?span=30d&by=channel&sort=margin&order=asc&measure=cost')
  await page.getByRole('slider', { name: /^Cost · By channel/ }).waitFor()
  const table = page.getByRole('table', { name: 'Breakdown · By channel' })
  const first = table.locator('[data-row="0"]')
  await first.getByText(/^Claude/).waitFor()
  expect(await first.locator('[data-bad]').innerText()).toMatch(/^-\$/)
  expect(await table.locator('th[aria-sort=ascending]').innerText()).toBe('Margin')
  const cells = await table
    .locator('[data-row]')
    .filter({ hasText: 'Gemini' })
    .first()
    .locator('td')
    .allInnerTexts()
  expect(cells.slice(3, 5)).toEqual(['–', '–'])
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('nonsense in the address is left out, times without calls say so', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/detail?span=century&unit=second&by=planet&measure=joy&start=x&view=3')
  await readTiles(page)
  await page.goto('/detail?start=946684800&end=946771200')
  await page.getByText('该时间范围内没有数据').waitFor()
  await page.getByRole('button', { name: '查看 30 天' }).click()
  await readTiles(page)
  expect(new URL(page.url()).search).toBe('?span=30d')
  expect(visit.faults).toEqual([])
  await visit.close()
})
