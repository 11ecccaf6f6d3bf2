import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { until } from '../program.ts'
import { Client } from './harness.ts'
import { fillTable } from './lived-in/fill-table.ts'
import { comesTo } from './people.ts'
import { openPlaygroundHouse, type PlaygroundHouse } from './playground-house.ts'

let house: PlaygroundHouse
let key: string

beforeAll(async () => {
  house = await openPlaygroundHouse()
  const { root } = house
  await root.saveOption('RetryTimes', '1')
  // Nobody listens there: a call tries it first and then the other.
  const dead = { type: 1, name: 'dead end', key: 'x', base_url: 'http://127.0.0.1:9', priority: 9 }
  await root.post('/api/channel/', { ...dead, models: 'gpt-4o', groups: ['default'] })
  await root.put('/api/channel/', { id: 1, setting: '{"cost_ratio":0.25}' })
  // Whatever it is asked is long.
  await root.saveOption('LongInputFrom', '{"gpt-4o-mini": 1}')
  await root.saveOption('LongInputRatio', '{"gpt-4o-mini": 2}')
  key = await issueKey(root, 'laptop')
  await ask('gpt-4o')
  await ask('gpt-4o-mini')
})
afterAll(() => house.close())

async function issueKey(client: Client, name: string): Promise<string> {
  const token = { name, remain_quota: 5_000_000, expired_time: -1, unlimited_quota: true }
  await client.post('/api/token/', token)
  const { json } = await client.get('/api/token/?p=0&size=10')
  return `sk-${json.data[0].key}`
}

async function ask(model: string, bearer = key): Promise<void> {
  const body = { model, messages: [{ role: 'user', content: 'Hello' }] }
  const response = await fetch(`${house.stage.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(await response.text()).toContain('choices')
}

interface Billed {
  readonly quota: number
  readonly request_id: string
  readonly model_name: string
}

async function billed(model: string): Promise<Billed> {
  return until(async () => {
    const { json } = await house.root.get('/api/log/self/?p=1&page_size=20&type=2')
    const rows: Billed[] = json.data.items
    return rows.find(({ model_name }) => model_name === model)
  })
}

const dollars = (quota: number) => `$${(quota / 500_000).toFixed(6)}`
const rowOf = (page: Page, model: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name: model, exact: true }) })

test('a billed call is in the log, with its arithmetic, its money trail and the channels it tried', async () => {
  const { quota, request_id } = await billed('gpt-4o')
  const visit = await house.stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/log')
  const row = rowOf(page, 'gpt-4o')
  await row.getByText(dollars(quota)).waitFor()
  await row.getByText('消费').waitFor()
  expect(quota).toBeGreaterThan(0)

  await row.getByRole('button', { name: /^展开/ }).click()
  const detail = page.getByRole('row').filter({ hasText: '计费过程' })
  await detail.getByText(request_id).waitFor()
  const line = (await detail.locator('p').first().innerText()).replace(/[\s,]+/g, ' ')
  expect(line).toContain('÷ 500 000 每美元额度')
  expect(line).toContain(`= ${dollars(quota)} 扣费`)
  expect(await detail.getByText('相差').count()).toBe(0)
  const cost = Math.round(quota / 4)
  await detail.getByText(`成本 ${dollars(cost)}，毛利 ${dollars(quota - cost)}`).waitFor()
  const steps = detail.getByRole('listitem')
  await steps.filter({ hasText: '预扣' }).waitFor()
  await steps.filter({ hasText: '结算' }).getByText(dollars(quota)).waitFor()
  await steps.filter({ hasText: 'dead end' }).getByText('失败').waitFor()
  await steps.filter({ hasText: 'dead end' }).getByText('无法连接上游', { exact: true }).waitFor()
  await steps.filter({ hasText: 'vendor' }).getByText('成功').waitFor()

  await row.getByRole('button', { name: '用户信息：root' }).click()
  const dialog = page.getByRole('dialog', { name: '用户信息' })
  await dialog.getByText('调用次数').waitFor()
  await page.keyboard.press('Escape')
  await row.getByRole('img', { name: '重试 2 → 1' }).waitFor()

  // Where there is room, by name, and with the prices that it was charged at.
  await page.setViewportSize({ width: 1920, height: 800 })
  await page.reload()
  await row.getByText('2 → 1 vendor').waitFor()
  await row.getByText('每百万 $2.50 / $10.00').waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('a click anywhere on a row opens it, and what is no call says its sentence over the empty columns', async () => {
  const visit = await house.stage.visit({ asRoot: true, permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  await page.goto('/log')
  const row = rowOf(page, 'gpt-4o')
  const opened = page.getByRole('row').filter({ hasText: '计费过程' })
  await row.getByText('消费').click()
  await opened.waitFor()
  // A control in it does what it is there for.
  await row.getByRole('button', { name: 'gpt-4o', exact: true }).click()
  await page.getByText('已复制到剪贴板！').waitFor()
  expect(await opened.count()).toBe(1)
  await row.getByText('消费').click()
  await opened.waitFor({ state: 'detached' })

  const gift = page.getByRole('row').filter({ hasText: '兑换码' })
  const said = gift.getByRole('cell').last()
  expect(await said.getAttribute('colspan')).toBe('5')
  expect(await said.innerText()).toMatch(/^通过兑换码充值 \$[\d.]+/)
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('a call with long input says that it cost more, and its arithmetic is of that price', async () => {
  const { quota } = await billed('gpt-4o-mini')
  const visit = await house.stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/log')
  await rowOf(page, 'gpt-4o-mini').getByRole('button', { name: /^展开/ }).click()
  const detail = page.getByRole('row').filter({ hasText: '计费过程' })
  await detail.getByText('输入超过 1 Token，按长输入价格计费').waitFor()
  expect(await detail.locator('p').first().innerText()).toContain(dollars(quota))
  expect(await detail.getByText('相差').count()).toBe(0)
  await visit.close()
})

test('filters narrow the rows, live in the address and go into the file', async () => {
  const visit = await house.stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/log')
  await rowOf(page, 'gpt-4o').waitFor()
  await page.getByRole('textbox', { name: 'Model name' }).fill('mini')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/log?model=mini')
  await rowOf(page, 'gpt-4o').waitFor({ state: 'detached' })
  await page.getByRole('combobox', { name: 'Type' }).selectOption('Usage')
  await page.waitForURL('**/log?model=mini&type=2')
  await page.getByText('1 – 1 of 1').waitFor()

  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV' }).click()
  const file = readFileSync(await (await downloading).path(), 'utf8')
  const { request_id } = await billed('gpt-4o-mini')
  expect(file.trim().split('\r\n')).toHaveLength(2)
  expect(file).toContain(request_id)

  await page.getByRole('textbox', { name: 'Username' }).fill('nobody')
  await page.keyboard.press('Enter')
  await page.getByText('No matching logs').waitFor()
  // It may only not have been today.
  await page.getByRole('button', { name: 'All time' }).last().click()
  await page.waitForURL(({ search }) => search.includes('start=0') && search.includes('user=nobody'))
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await rowOf(page, 'gpt-4o').waitFor()
  expect(new URL(page.url()).search).toBe('')

  // What cannot be read again is said, and the rows stay.
  visit.expectFault(/500/)
  await page.route('**/api/log?*', route => route.fulfill({ status: 500, json: {} }), { times: 1 })
  await page.getByRole('button', { name: 'Refresh' }).click()
  const failure = page.getByRole('alert').filter({ hasText: 'Internal server error' })
  await failure.waitFor()
  await rowOf(page, 'gpt-4o').waitFor()
  await failure.getByRole('button', { name: 'Retry' }).click()
  await failure.waitFor({ state: 'detached' })

  const window = page.getByRole('button', { name: /^Time/ })
  await window.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Yesterday' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Yesterday' }).waitFor({ state: 'detached' })
  expect(await window.evaluate(button => button === document.activeElement)).toBe(true)

  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByRole('textbox', { name: 'Channel ID' }).fill('first')
  await page.keyboard.press('Enter')
  await page.getByText('The channel ID must be a positive whole number').waitFor()
  await page.getByRole('textbox', { name: 'Request ID' }).fill(request_id)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/log?start=0&request=${request_id}`)
  await page.getByText('1 – 1 of 1').waitFor()
  await page.goto('/log?type=1')
  await page
    .getByText(/^Redeemed \$[\d.]+, code #\d+$/)
    .first()
    .waitFor({ state: 'attached' })
  expect(await rowOf(page, 'gpt-4o').count()).toBe(0)
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('live, calls come in on top; whoever has scrolled away is told how many', async () => {
  const visit = await house.stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/log')
  await page.getByRole('button', { name: '实时' }).click()
  await page.waitForURL('**/log?live=true')
  await page.getByRole('status').filter({ hasText: '实时接收中' }).waitFor()
  const before = await rowOf(page, 'gpt-4o-mini').count()
  await ask('gpt-4o-mini')
  await rowOf(page, 'gpt-4o-mini').nth(before).waitFor()

  write(300, 'flood')
  const scroller = page.locator('[data-virtual]')
  await page.waitForFunction(
    () => Number(document.querySelector('[data-virtual] table')?.getAttribute('aria-rowcount')) > 300,
  )
  await scroller.evaluate(element => element.scrollTo({ top: 2000 }))
  await comesTo(() => scroller.evaluate(element => element.scrollTop > 1000), true)
  write(7, 'late')
  await page.getByRole('button', { name: /^7 条新日志/ }).click()
  await rowOf(page, 'late').first().waitFor()
  await comesTo(() => scroller.evaluate(element => element.scrollTop), 0)

  await page.goto('/log?live=true&model=flood')
  const older = page.getByRole('button', { name: '加载更早的日志' })
  await older.waitFor()
  visit.expectFault(/^(answer|console): .*500/)
  await page.route('**/api/log?*', route => route.fulfill({ status: 500, json: {} }), { times: 1 })
  await older.click()
  await page.getByText('服务器内部错误，请联系管理员').waitFor()
  await older.click()
  await page.locator('table[aria-rowcount="201"]').waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
})

function write(count: number, model: string): void {
  const database = new Database(join(house.stage.program.dataDir, 'tollgate.db'))
  database.exec('pragma busy_timeout = 60000')
  const row = {
    created_at: Math.floor(Date.now() / 1000),
    type: 2,
    user_id: 1,
    username: 'root',
    token_id: 1,
    token_name: 'laptop',
    model_name: model,
    channel_id: 1,
    group: 'default',
    is_stream: 1,
    use_time: 120,
    prompt_tokens: 10,
    completion_tokens: 20,
    quota: 30,
    request_id: '',
    content: '',
    other: '{"model_ratio":1,"completion_ratio":1,"group_ratio":1,"frt":4000}',
  }
  fillTable(
    database,
    'logs',
    Array.from({ length: count }, () => row),
  )
  database.close()
}

test('whoever is no administrator sees own rows only, and nothing of channels', async () => {
  const { root, stage } = house
  await root.post('/api/user/', { username: 'ann', password: 'ann-password', display_name: 'Ann' })
  const ann = new Client(stage.url)
  await ann.login('ann', 'ann-password')
  const visit = await stage.visit({ as: ann })
  const { page } = visit
  await page.goto('/log')
  await page.getByText('还没有日志').waitFor()
  await page.getByText('/v1/chat/completions').waitFor()
  await page.getByRole('link', { name: '前往令牌' }).waitFor()

  const codes = await root.post('/api/redemption/', { name: 'gift', quota: 5_000_000, count: 1 })
  await ann.post('/api/user/topup', { key: codes.json.data[0] })
  await ask('gpt-4o-mini', await issueKey(ann, 'phone'))
  await page.getByRole('button', { name: '刷新' }).click()
  const row = rowOf(page, 'gpt-4o-mini')
  await row.waitFor()
  expect(await rowOf(page, 'gpt-4o').count()).toBe(0)
  expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
    '时间',
    '令牌',
    '分组',
    '类型',
    '模型',
    '用时/首字',
    '提示',
    '补全',
    '花费',
  ])
  for (const name of ['渠道 ID', '用户名']) expect(await page.getByRole('textbox', { name }).count()).toBe(0)
  await row.getByRole('button', { name: /^展开/ }).click()
  await page.getByRole('listitem').filter({ hasText: '结算' }).waitFor()
  expect(await page.getByText('尝试过的渠道').count()).toBe(0)
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('a call that was refused says why in its row, before anyone opens it', async () => {
  const person = new Client(house.stage.url)
  await house.root.post('/api/user/', { username: 'broke', password: 'staple-battery' })
  await person.login('broke', 'staple-battery')
  const bearer = await issueKey(person, 'phone')
  const response = await fetch(`${house.stage.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  expect(response.status).toBe(403)
  // Nobody waits for the row of what was refused.
  await until(async () => (await person.get('/api/log/self?type=5')).json.data.items[0])
  const visit = await house.stage.visit({ as: person })
  await visit.page.goto('/log')
  const row = visit.page.getByRole('row', { name: /gpt-4o-mini/ })
  await row.getByText(/额度不足/).waitFor()
  // Where there is room that has a column of its own, and is not said twice.
  await visit.page.setViewportSize({ width: 1920, height: 800 })
  await visit.page.reload()
  await visit.page.getByRole('columnheader', { name: '详情' }).waitFor()
  await comesTo(
    () =>
      row
        .getByText(/额度不足/)
        .filter({ visible: true })
        .count(),
    1,
  )
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('what was asked and answered is shown on request, and of others that is put on record', async () => {
  const { root, stage, upstream } = house
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/log?model=gpt-4o-mini')
  const row = rowOf(page, 'gpt-4o-mini').first()
  await row.getByRole('button', { name: /^展开/ }).click()
  await page.getByText('请求 ID').first().waitFor()
  expect(await page.getByRole('heading', { name: '内容', exact: true }).count()).toBe(0)

  await root.saveOption('LogContentScope', 'all')
  await root.saveOption('LogContentKilobytes', '2')
  const person = new Client(stage.url)
  await root.post('/api/user/', { username: 'curious', password: 'staple-battery' })
  await person.login('curious', 'staple-battery')
  const codes = await root.post('/api/redemption/', { name: 'gift', quota: 5_000_000, count: 1 })
  await person.post('/api/user/topup', { key: codes.json.data[0] })
  const bearer = await issueKey(person, 'phone')
  upstream.next({ reply: { text: `It begins, ${'and goes on, '.repeat(60)}until it ends.` } })
  const response = await fetch(`${stage.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'gpt-4o-mini',
      stream: true,
      messages: [{ role: 'user', content: 'How does it go?' }],
    }),
  })
  await response.text()
  const id = response.headers.get('x-oneapi-request-id') ?? ''
  await until(async () => (await person.get(`/api/log/content/${id}`)).json.success)

  await page.goto(`/log?start=0&request=${id}`)
  await rowOf(page, 'gpt-4o-mini').getByRole('button', { name: /^展开/ }).click()
  await page.getByText('查看他人的内容会记入操作记录').waitFor()
  const readings = async () => (await root.get('/api/audit?action=log.read-content')).json.data.items
  expect(await readings()).toEqual([])
  await page.getByRole('button', { name: '查看请求与回答' }).click()
  const panes = page.locator('main pre')
  await panes.filter({ hasText: '"content": "How does it go?"' }).waitFor()
  const answer = panes.nth(1)
  expect(await answer.innerText()).toEndWith(`and goes on, until it ends.`)
  expect(await page.getByText('字节未保留').count()).toBe(0)
  await page.getByRole('button', { name: '原始数据' }).last().click()
  await page.getByText(/^过长，中间 [\d,]+ 字节未保留$/).waitFor()
  await answer.filter({ hasText: 'data: {' }).waitFor()
  expect(await answer.innerText()).toContain('data: [DONE]')
  expect(await readings()).toMatchObject([{ username: 'root', subject: `request:${id}` }])
  expect(visit.faults).toEqual([])
  await visit.close()
})
