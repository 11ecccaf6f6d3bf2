import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { insert } from '../api/logs/log-house.ts'
import { Client, openStage, type Stage } from './harness.ts'
import { addPerson, comesTo } from './people.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  const root = await stage.root()
  await root.put('/api/option/', { key: 'ModelRatio', value: '{"gpt-4o":1.25,"o-cheap":0.05}' })
  await root.put('/api/option/', { key: 'ModelPrice', value: '{"dall-e-3":0.04}' })
  await root.put('/api/option/', { key: 'GroupRatio', value: '{"default":1,"vip":0.5}' })
  const channel = {
    type: 1,
    name: 'one',
    key: 'sk-x',
    models: 'gpt-4o,dall-e-3,o-cheap',
    group: 'default,vip',
  }
  const { json } = await root.post('/api/channel/', channel)
  expect(json).toMatchObject({ success: true })
})
afterAll(() => stage.close())

test('on a phone the price of a call is not called that of a million tokens', async () => {
  const visit = await stage.visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const { page } = visit
  await page.goto('/pricing')
  for (const [model, said, price] of [
    ['gpt-4o', '提示 / 1M Token', '$2.50'],
    ['dall-e-3', '价格', '$0.04 / 次'],
  ] as const) {
    const cell = page.getByRole('row', { name: model }).getByRole('cell').filter({ hasText: price }).first()
    await cell.waitFor()
    expect(await cell.evaluate(box => getComputedStyle(box, '::before').content)).toBe(`"${said}"`)
  }
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('whoever is not logged in sees the prices of the default group', async () => {
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/pricing')
  await page.getByText('当前为默认分组的价格').waitFor()
  const row = page.getByRole('row', { name: /gpt-4o/ })
  await row.getByText('$2.50').waitFor()
  await row.getByText('$10.00').waitFor()
  await page
    .getByRole('row', { name: /dall-e-3/ })
    .getByText('$0.04 / 次')
    .waitFor()

  // By price: what is cheapest, what is dearest, and by name again. Calls are no tokens and stand at the end.
  const names = () => page.getByRole('rowheader').or(page.locator('tbody tr td:first-child')).allInnerTexts()
  const column = page.getByRole('columnheader', { name: /^补全/ })
  const orders = [
    ['ascending', '/pricing?price=completion', ['o-cheap', 'gpt-4o', 'dall-e-3']],
    ['descending', '/pricing?price=completion&dearest=true', ['gpt-4o', 'o-cheap', 'dall-e-3']],
    [null, '/pricing', ['dall-e-3', 'gpt-4o', 'o-cheap']],
  ] as const
  for (const [order, address, expected] of orders) {
    await column.getByRole('button').click()
    await page.waitForURL(`**${address}`)
    await comesTo(() => column.getAttribute('aria-sort'), order)
    expect((await names()).map(name => name.trim())).toEqual([...expected])
  }
  // A name that tells no maker is among all of them only.
  await page.getByRole('combobox', { name: '厂商' }).selectOption('OpenAI')
  await page.waitForURL('**/pricing?owner=OpenAI')
  await page.getByText('2 个模型').waitFor()
  expect((await names()).map(name => name.trim())).toEqual(['dall-e-3', 'gpt-4o'])
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('a group that nobody may choose is called what it is to whoever is in it, in their language', async () => {
  const root = await stage.root()
  const ann = await addPerson(stage, 'ann')
  const groups = (names: Record<string, number>) => root.saveOption('GroupRatio', JSON.stringify(names))
  await groups({ default: 1, vip: 0.5, inner: 0.25 })
  const user = (await root.get('/api/user/search?keyword=ann')).json.data[0]
  expect((await root.put('/api/user/', { ...user, group: 'inner' })).json).toMatchObject({ success: true })
  for (const [locale, words] of [
    ['en-US', /^inner Account group/],
    ['zh-CN', /^inner 用户分组/],
  ] as const) {
    const visit = await stage.visit({ as: ann, locale })
    await visit.page.goto('/pricing')
    await visit.page.getByRole('button', { name: words }).waitFor()
    await visit.close()
  }
  await root.put('/api/user/', { ...user, group: 'default' })
  await groups({ default: 1, vip: 0.5 })
})

test('another group, a search and a sample call; the charge is one line of arithmetic', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/pricing')
  // In the reader's language as long as nobody has written something else.
  await page.getByRole('button', { name: /^default Default group/ }).waitFor()
  await page.getByRole('button', { name: /vip/ }).click()
  await page.waitForURL('**/pricing?group=vip')
  await page
    .getByRole('row', { name: /gpt-4o/ })
    .getByText('$1.25')
    .waitFor()
  await page.getByRole('textbox', { name: 'Search models' }).fill('4o')
  await page.getByText('1 model', { exact: true }).waitFor()
  // The vendors' own tools, for this group; what is otherwise for one model stands with that model.
  await page.getByText('per 1,000 uses: web_search $5.00 · code_interpreter $15.00').waitFor()
  await page.getByRole('button', { name: 'Expand: gpt-4o' }).click()
  await page.getByText('per 1,000 uses: web_search_preview $12.50.').waitFor()
  // (1,000 + 500 × 4) × 1.25 × 0.5 ÷ 500,000
  await page.getByText('$0.0037').or(page.getByText('$0.0038')).waitFor()
  await page.getByRole('button', { name: 'Python' }).click()
  await page.getByText('from openai import OpenAI').waitFor()
  await page.getByRole('combobox', { name: 'Billing' }).selectOption('calls')
  await page.getByText('No matching models').waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('a video is paid by the second, and what costs otherwise than the usual is told', async () => {
  const root = await stage.root()
  const channel = { type: 1, name: 'videos', key: 'sk-x', models: 'sora-2-pro', group: 'default,vip' }
  expect((await root.post('/api/channel/', channel)).json).toMatchObject({ success: true })
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/pricing?group=vip')
  const video = page.getByRole('row', { name: /sora-2-pro/ })
  await video.getByText('按秒计费').waitFor()
  await video.getByText('$0.15 / 秒').waitFor()
  await page.getByRole('button', { name: '展开：sora-2-pro' }).click()
  await page.getByText('其他规格：1024x1792 $0.25 · 1792x1024 $0.25').waitFor()
  await page.getByRole('button', { name: '展开：dall-e-3' }).click()
  await page.getByText('$0.04 × 0.5 = $0.02 / 次').waitFor()
  await page.getByText('hd 1024x1792 $0.06').waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('what long input costs is marked in the list and told in full beside the usual price, by the group', async () => {
  const root = await stage.root()
  const option = (key: string, map: object) => root.put('/api/option/', { key, value: JSON.stringify(map) })
  await option('ModelRatio', { 'gpt-4o': 1.25, 'o-cheap': 0.05, 'o-long': 1 })
  await option('CompletionRatio', { 'o-long': 4 })
  await option('CacheRatio', { 'o-long': 0.1 })
  await option('CreateCacheRatio', { 'o-long': 1.25 })
  await option('ImageRatio', { 'o-long': 3 })
  await option('AudioRatio', { 'o-long': 5 })
  await option('AudioCompletionRatio', { 'o-long': 2 })
  await option('LongInputRatio', { 'o-long': 2 })
  await option('LongOutputRatio', { 'o-long': 1.5 })
  await option('LongInputFrom', { 'o-long': 272_000 })
  const channel = { type: 1, name: 'two', key: 'sk-x', models: 'o-long', group: 'default,vip' }
  expect((await root.post('/api/channel/', channel)).json).toMatchObject({ success: true })
  const visit = await stage.visit({ locale: 'en-US' })
  const { page } = visit
  await page.goto('/pricing?group=vip')
  const hint = 'Input over 272,000 tokens: input $2.00, output $6.00'
  await page
    .getByRole('row', { name: /o-long/ })
    .getByRole('img', { name: hint })
    .waitFor()
  // Only where there is such a price.
  expect(await page.getByRole('img', { name: /Input over/ }).count()).toBe(1)
  await page.getByRole('button', { name: 'Expand: o-long' }).click()
  const rates = page.locator('dl').filter({ hasText: 'Per 1M tokens' })
  await rates.waitFor()
  const cells = async () => {
    const rows = await rates.locator('> div').all()
    return Promise.all(rows.map(row => row.locator('dt, dd').allInnerTexts()))
  }
  const expected = [
    ['Per 1M tokens', 'Input up to 272,000', 'Input over 272,000'],
    ['input', '$1.00', '$2.00'],
    ['output', '$4.00', '$6.00'],
    ['cache read', '$0.10', '$0.20'],
    ['cache write', '$1.25', '$2.50'],
    ['cache write (1 h)', '$2.00', '$4.00'],
    ['image input', '$3.00', '$6.00'],
    ['audio input', '$5.00', '$10.00'],
    ['audio output', '$10.00', '$20.00'],
  ]
  const lower = (rows: string[][]) => rows.map(row => row.map(text => text.trim().toLowerCase()))
  expect(lower(await cells())).toEqual(lower(expected))
  await page.getByText('Batches cost 0.5 times the usual price.').waitFor()
  await page.getByText('With inference_geo, tokens cost 1.1 times the usual price.').waitFor()
  expect(await page.getByText('given again').count()).toBe(0)
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('how models do is told to anyone where the operator wants it, and only of what many call', async () => {
  const hour = Math.floor(Date.now() / 3_600_000) * 3600 - 3600
  const database = new Database(join(stage.program.dataDir, 'tollgate.db'))
  database.exec('pragma busy_timeout = 60000')
  for (const user_id of [501, 502, 503]) {
    const of = { hour, user_id, token_id: 0, channel_id: 1, model_name: 'gpt-4o', group: 'default' }
    const none = { quota: 0, prompt_tokens: 0, completion_tokens: 0 }
    insert(database, 'usage_hourly', { ...of, ...none, requests: 20, errors: 1 })
    insert(database, 'usage_latency_hourly', { ...of, first_3: 19 })
    insert(database, 'usage_hourly', { ...of, ...none, model_name: 'o-cheap', requests: 16, errors: 0 })
  }
  database.close()
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/pricing')
  await page.getByRole('button', { name: '展开：gpt-4o' }).click()
  await page.getByText('调用示例').waitFor()
  expect(await page.getByText('最近 24 小时').count()).toBe(0)
  await (await stage.root()).saveOption('ModelFiguresEnabled', 'true')
  await page.reload()
  await page.getByRole('button', { name: '展开：gpt-4o' }).click()
  await page.getByText('95% 的调用成功 · 半数回答在 570 ms 内开始').waitFor()
  await page.getByRole('button', { name: '展开：o-cheap' }).click()
  await page.getByText('调用太少，暂无数据').waitFor()
  const { json } = await new Client(stage.url).get('/api/pricing')
  const told = json.data.map((row: { model_name: string; recent: object | null }) => [
    row.model_name,
    row.recent,
  ])
  expect(Object.fromEntries(told)).toMatchObject({
    'gpt-4o': { success: 0.95, first_token: 570 },
    'o-cheap': null,
  })
  expect(visit.faults).toEqual([])
  await visit.close()
})
