import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client } from '../../client.ts'
import { type OpenProgram, openProgram } from '../../open-program.ts'
import { insert } from '../logs/log-house.ts'

const HOUR = 3600
let house: OpenProgram
let stranger: Client

beforeAll(async () => {
  house = await openProgram()
  stranger = new Client(house.program.url)
  const now = Math.floor(Date.now() / 1000)
  const use = (model_name: string, hoursAgo: number, errors: number) => {
    for (const user_id of [1, 2, 3]) {
      const hour = now - (now % HOUR) - hoursAgo * HOUR
      const of = { hour, user_id, token_id: 0, channel_id: 1, model_name, group: 'default' }
      const none = { quota: 0, prompt_tokens: 0, completion_tokens: 0 }
      insert(house.database, 'usage_hourly', { ...of, ...none, requests: 20, errors })
      insert(house.database, 'usage_latency_hourly', { ...of, took_5: 20 - errors, first_3: 20 - errors })
    }
  }
  use('gpt-4o', 5, 1)
  use('claude', 100, 0)
  use('mcp/files/read', 5, 0)
  use('llama-of-a-customer', 5, 0)
  use('no-longer-served', 5, 0)
  const served = { type: 1, key: 'k', base_url: 'http://127.0.0.1:9' }
  for (const channel of [
    { ...served, name: 'ours', group: 'default', models: 'gpt-4o,claude' },
    { ...served, name: 'theirs', group: 'customer', models: 'llama-of-a-customer' },
  ])
    expect((await house.root.post('/api/channel/', channel)).json.success).toBe(true)
  await house.root.saveOption('ModelPrice', JSON.stringify({ 'llama-of-a-customer': 1 }))
})
afterAll(() => house.close())

test('how models do is told to nobody until it is published', async () => {
  for (const path of ['/api/perf-metrics', '/api/perf-metrics/summary']) {
    const { status, json } = await stranger.get(path)
    expect([status, json.success]).toEqual([404, false])
  }
  await house.root.saveOption('ModelFiguresEnabled', 'true')
})

test('models are told of one by one and together, over the hours that are asked for', async () => {
  const gpt = {
    ...{ model_name: 'gpt-4o', success: 0.95 },
    ...{ first_token_p50: 570, first_token_p95: 770, latency_p50: 2300, latency_p95: 3100 },
  }
  const get = async (path: string, client = stranger) => (await client.get(path)).json.data
  expect(await get('/api/perf-metrics')).toEqual({ hours: 24, models: [gpt] })
  const week = await get('/api/perf-metrics?hours=30')
  expect([week.hours, week.models.map((row: { model_name: string }) => row.model_name).sort()]).toEqual([
    ...[168, ['claude', 'gpt-4o']],
  ])
  expect((await get('/api/perf-metrics?hours=168&model=claude')).models).toMatchObject([{ success: 1 }])
  expect((await get('/api/perf-metrics?model=gpt-4')).models).toEqual([])
  expect((await get('/api/perf-metrics/summary')).all).toMatchObject({ success: 0.98, latency_p50: 2300 })
  expect(await get('/api/perf-metrics/summary?hours=1')).toEqual({ hours: 1, all: null })
  // Only those who may know it anyway are told how many calls there were.
  const told = (await get('/api/perf-metrics?model=gpt-4o', house.root)).models
  expect(told).toEqual([{ ...gpt, calls: 60 }])
  expect(await get('/api/perf-metrics/summary?hours=720', house.root)).toMatchObject({ all: { calls: 240 } })
})

test('of models that not everybody may choose, or nobody any more, only administrators are told', async () => {
  await house.root.saveOption('RankingsEnabled', 'true')
  const hidden = /llama-of-a-customer|no-longer-served/
  for (const path of ['/api/perf-metrics', '/api/rankings?period=day&by=calls', '/api/pricing']) {
    const { text } = await stranger.get(path)
    expect(text).toContain('gpt-4o')
    expect(text).not.toMatch(hidden)
  }
  const { models } = (await house.root.get('/api/perf-metrics')).json.data
  expect(models.filter(({ model_name }: { model_name: string }) => hidden.test(model_name))).toHaveLength(2)
  const priced = (await house.root.get('/api/pricing')).json.data
  const theirs = priced.find(({ model_name }: { model_name: string }) => hidden.test(model_name))
  expect([theirs.enable_groups, theirs.recent]).toEqual([[], null])
})

test('hours that are no number are refused', async () => {
  expect((await stranger.get('/api/perf-metrics?hours=many')).json.success).toBe(false)
})
