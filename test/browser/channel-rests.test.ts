import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../program.ts'
import { type FakeUpstream, startOpenai } from '../upstreams/index.ts'
import { type Client, openStage, type Stage } from './harness.ts'
import { done } from './people.ts'

let stage: Stage
let root: Client
let upstream: FakeUpstream
let key = ''
const OTHER_KEY = 'sk-other-0123456789abcdef'

beforeAll(async () => {
  upstream = await startOpenai({ moreKeys: [OTHER_KEY] })
  stage = await openStage()
  root = await stage.root()
  for (const [name, value] of Object.entries({ GlobalApiRateLimit: '0', RetryTimes: '0' }))
    await root.saveOption(name, value)
  await root.post('/api/token/', { name: 'mine', unlimited_quota: true, expired_time: -1 })
  key = `sk-${(await root.get('/api/token/?p=0')).json.data[0].key}`
  const self = { id: 1, username: 'root', display_name: 'root', group: 'default' }
  await root.put('/api/user/', { ...self, quota: 50_000_000 })
})
afterAll(async () => {
  await stage.close()
  await upstream.stop()
})

async function make(name: string, models: string, keys = upstream.key): Promise<number> {
  const channel = { type: 1, key: keys, base_url: upstream.url, name, models }
  return (await root.post('/api/channel/', { mode: 'multi_to_single', channel })).json.data.ids[0]
}

async function call(model: string): Promise<number> {
  const response = await fetch(`${stage.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
  })
  await response.text()
  return response.status
}

/** A 429 that asks for five minutes. */
async function tire(id: number, model: string): Promise<void> {
  upstream.always({ ...upstream.failWith('rate-limit'), headers: { 'Retry-After': '300' } })
  expect(await call(model)).toBe(429)
  upstream.always({})
  await until(async () => {
    const { resting, resting_keys } = (await root.get(`/api/channel/${id}`)).json.data
    return resting ?? resting_keys
  })
}

const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })

test('a channel that rests says why and until when, and is let off from its row', async () => {
  const id = await make('tired', 'gpt-4o,gpt-4o-mini')
  await tire(id, 'gpt-4o')
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/channel')
  const row = rowOf(page, 'tired')
  await row.getByText('冷却 1/2').waitFor()
  await row.getByText(/^至 \d\d:\d\d$/).waitFor()
  await row.getByTitle(/^gpt-4o：上游限流（429），至 \d\d:\d\d:\d\d$/).waitFor()
  // What begins while the list stands is seen too.
  await tire(id, 'gpt-4o-mini')
  await row.getByText('冷却中').waitFor()

  await row.getByRole('button', { name: /更多操作/ }).click()
  await page.getByRole('menuitem', { name: '结束冷却' }).click()
  await page.getByText('冷却已结束').waitFor()
  await row.getByText('已启用').waitFor()
  expect(await call('gpt-4o')).toBe(200)
  await row.getByRole('button', { name: /更多操作/ }).click()
  await page.getByRole('menuitem', { name: '编辑' }).waitFor()
  expect(await page.getByRole('menuitem', { name: '结束冷却' }).count()).toBe(0)
  await done(visit)
})

test('its form tells what rests and ends it, without losing what was typed', async () => {
  const id = await make('weary', 'gpt-4.1')
  await tire(id, 'gpt-4.1')
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto(`/channel/edit/${id}`)
  const drawer = page.getByRole('dialog')
  await drawer.getByText(/^gpt-4\.1: rate limited upstream \(429\), until \d\d:\d\d:\d\d$/).waitFor()
  await drawer.locator('#channel-name').fill('weary no more')
  await drawer.getByRole('button', { name: 'End rest' }).click()
  await page.getByText('The rest has ended').waitFor()
  await drawer.getByText('rate limited upstream').waitFor({ state: 'detached' })
  expect(await drawer.locator('#channel-name').inputValue()).toBe('weary no more')
  await page.keyboard.press('Control+s')
  await drawer.waitFor({ state: 'detached' })
  await rowOf(page, 'weary no more').getByText('Enabled').waitFor()
  expect(await call('gpt-4.1')).toBe(200)
  await done(visit)
})

test('one of two keys that rests leaves its channel enabled, and is let off like it', async () => {
  const id = await make('two-handed', 'gpt-4.1-mini', `${upstream.key}\n${OTHER_KEY}`)
  await tire(id, 'gpt-4.1-mini')
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/channel')
  const row = rowOf(page, 'two-handed')
  await row.getByText('冷却 1/2').waitFor()
  await row.getByText('已启用').waitFor()
  await row.getByTitle(/^gpt-4\.1-mini · 密钥冷却 1\/2：上游限流（429），至 \d\d:\d\d:\d\d$/).waitFor()
  for (let at = 0; at < 3; at++) expect(await call('gpt-4.1-mini')).toBe(200)
  await page.goto(`/channel/edit/${id}`)
  const drawer = page.getByRole('dialog')
  await drawer.getByText('密钥冷却 1/2').waitFor()
  expect(await drawer.getByText('正在冷却').count()).toBe(0)
  await drawer.getByRole('button', { name: '结束冷却' }).click()
  await page.getByText('冷却已结束').waitFor()
  await drawer.getByText('密钥冷却').waitFor({ state: 'detached' })
  expect((await root.get(`/api/channel/${id}`)).json.data).not.toHaveProperty('resting_keys')
  await done(visit)
})
