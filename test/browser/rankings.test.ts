import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { insert } from '../api/logs/log-house.ts'
import { Client, openStage, type Stage } from './harness.ts'

const HOUR = 3600
const DAY = 24 * HOUR
let stage: Stage

beforeAll(async () => {
  stage = await openStage()
  const now = Math.floor(Date.now() / 1000)
  const database = new Database(join(stage.program.dataDir, 'tollgate.db'))
  database.exec('pragma busy_timeout = 60000')
  const use = (model_name: string, ago: number, requests: number, tokens: number) => {
    for (const user_id of [1, 2, 3])
      insert(database, 'usage_hourly', {
        ...{ hour: now - (now % HOUR) - ago, user_id, token_id: 0, channel_id: 1, model_name, group: 'g' },
        ...{ requests, errors: 0, quota: 0, prompt_tokens: tokens, completion_tokens: 0 },
      })
  }
  use('gpt-4o', 2 * DAY, 30, 800)
  use('claude-sonnet-4', 2 * DAY, 60, 150)
  use('house-model', 2 * DAY, 30, 50)
  use('claude-sonnet-4', 9 * DAY, 30, 900)
  use('gpt-4o', 9 * DAY, 30, 100)
  database.close()
  const root = await stage.root()
  const channel = { type: 1, name: 'ours', key: 'k', base_url: 'http://127.0.0.1:9', group: 'default' }
  const models = 'gpt-4o,claude-sonnet-4,house-model'
  expect((await root.post('/api/channel/', { ...channel, models })).json.success).toBe(true)
})
afterAll(() => stage.close())

test('rankings are nowhere until the super administrator publishes them', async () => {
  const visit = await stage.visit()
  const { page } = visit
  const refused = await new Client(stage.url).get('/api/rankings')
  expect([refused.status, refused.json.success]).toEqual([404, false])
  await page.goto('/pricing')
  await page.getByRole('link', { name: '模型价格' }).waitFor()
  expect(await page.getByRole('link', { name: '排行榜' }).count()).toBe(0)
  await page.goto('/rankings')
  await page.getByText('排行榜未启用').waitFor()
  await page.getByText('“设置 → 运营设置 → 数据看板设置”').waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('anyone sees what was used most, by tokens or calls, against the week before', async () => {
  expect((await (await stage.root()).saveOption('RankingsEnabled', 'true')).json.success).toBe(true)
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/')
  await page.getByRole('navigation').getByRole('link', { name: '排行榜' }).click()
  const rowsOf = async (list: string) => {
    const rows = page.getByRole('region', { name: list, exact: true }).getByRole('listitem')
    await rows.first().waitFor()
    return (await rows.allInnerTexts()).map(text => text.split(/\s+/).join(' '))
  }
  expect(await rowsOf('模型')).toEqual([
    '1 gpt-4o OpenAI 上升 1 位 1 80.0% +70.0',
    '2 claude-sonnet-4 Anthropic 下降 1 位 1 15.0% −75.0',
    '3 house-model 新上榜 5.0%',
  ])
  expect(await rowsOf('厂商')).toEqual([
    '1 OpenAI 上升 1 位 1 80.0% +70.0',
    '2 Anthropic 下降 1 位 1 15.0% −75.0',
  ])
  await page.getByRole('button', { name: '按调用次数' }).click()
  await page.waitForURL('**/rankings?by=calls')
  await page.getByText('50.0%').first().waitFor()
  expect((await rowsOf('模型'))[0]).toBe('1 claude-sonnet-4 Anthropic 名次不变 – 50.0% ±0.0')

  // In a day nothing was used.
  await page.getByRole('button', { name: '一天' }).click()
  await page.getByText('这段时间的调用太少，暂无排行').waitFor()
  await page.goto('/rankings?period=month')
  expect((await rowsOf('模型'))[0]).toMatch(/^1 claude-sonnet-4 Anthropic \d/)
  await page.getByRole('link', { name: 'claude-sonnet-4' }).click()
  await page.waitForURL('**/pricing?model=claude-sonnet-4')
  expect(visit.faults).toEqual([])
  await visit.close()
})
