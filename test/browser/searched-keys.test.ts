// A key that somebody looks for stands in no address, of the page or of what it asks for; other filters do.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openStage, type Stage } from './harness.ts'
import { comesTo, done } from './people.ts'

const CHANNEL_KEY = 'sk-channel-0123456789abcdefABCDEF'
let stage: Stage
let tokenKey = ''
let code = ''

beforeAll(async () => {
  stage = await openStage()
  const root = await stage.root()
  for (const name of ['first', 'second']) {
    await root.post('/api/token/', { name, remain_quota: 1, unlimited_quota: false, expired_time: -1 })
    const key = name === 'first' ? CHANNEL_KEY : 'sk-another'
    await root.post('/api/channel/', { type: 1, name, key, models: 'm', group: 'default' })
    await root.post('/api/redemption/', { name, quota: 1, count: 1 })
  }
  const rows = (await root.get('/api/token/?p=0&size=10')).json.data as { name: string; id: number }[]
  const first = rows.find(({ name }) => name === 'first')
  tokenKey = (await root.post(`/api/token/${first?.id}/key`, {})).json.data.key
  code = (await root.get('/api/redemption/?p=0')).json.data[0].key
})
afterAll(() => stage.close())

/** What was asked for while something was done. */
function watch(page: Page): string[] {
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  page.on('framenavigated', frame => asked.push(frame.url()))
  return asked
}

const rowsOf = (page: Page) => page.getByRole('row').filter({ hasText: /first|second/ })

async function search(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: label }).fill(text)
  await page.keyboard.press('Enter')
}

test('tokens by key', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  const asked = watch(page)
  await page.goto('/token')
  await rowsOf(page).nth(1).waitFor()
  await search(page, '密钥', `sk-${tokenKey}`)
  await rowsOf(page).nth(1).waitFor({ state: 'detached' })
  expect(await rowsOf(page).innerText()).toContain('first')
  // Another filter is in the address as ever, and the key goes on beside it.
  await search(page, '令牌名称', 'fir')
  await page.waitForURL('**/token?keyword=fir')
  expect(await page.getByRole('textbox', { name: '密钥' }).inputValue()).toBe(`sk-${tokenKey}`)
  await comesTo(() => rowsOf(page).count(), 1)
  await search(page, '密钥', '')
  await search(page, '令牌名称', '')
  await rowsOf(page).nth(1).waitFor()
  expect(asked.filter(url => url.includes(tokenKey))).toEqual([])
  // An address that somebody has kept with a key in it loses it.
  await page.goto(`/token?key=${tokenKey}`)
  await rowsOf(page).nth(1).waitFor()
  await page.waitForURL(url => !url.href.includes(tokenKey))
  await done(visit)
})

test('channels by key, and by name as ever', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  const asked = watch(page)
  const label = 'ID、名称或密钥'
  await page.goto('/channel')
  await rowsOf(page).nth(1).waitFor()
  await search(page, label, CHANNEL_KEY)
  await rowsOf(page).nth(1).waitFor({ state: 'detached' })
  expect(await rowsOf(page).innerText()).toContain('first')
  expect(await page.getByRole('textbox', { name: label }).inputValue()).toBe(CHANNEL_KEY)
  await search(page, label, 'second')
  await page.waitForURL('**/channel?keyword=second')
  await rowsOf(page).filter({ hasText: 'second' }).waitFor()
  await rowsOf(page).filter({ hasText: 'first' }).waitFor({ state: 'detached' })
  expect(asked.filter(url => url.includes(CHANNEL_KEY))).toEqual([])
  // An address that somebody has kept with a key in it loses it, and the list is of that key all the same.
  await page.goto(`/channel?keyword=${CHANNEL_KEY}&status=enabled`)
  await page.waitForURL('**/channel?status=enabled')
  await rowsOf(page).filter({ hasText: 'first' }).waitFor()
  expect(await page.getByRole('textbox', { name: label }).inputValue()).toBe(CHANNEL_KEY)
  await done(visit)
})

test('codes, and whatever is typed into the palette', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  const asked = watch(page)
  await page.goto('/redemption')
  await rowsOf(page).nth(1).waitFor()
  await page.getByRole('search').first().getByRole('textbox').fill(code)
  await page.keyboard.press('Enter')
  await rowsOf(page).nth(1).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: '搜索页面、操作和记录' }).fill(CHANNEL_KEY)
  await page.getByRole('dialog').getByRole('button').filter({ hasText: 'first' }).waitFor()
  for (const secret of [code, CHANNEL_KEY]) expect(asked.filter(url => url.includes(secret))).toEqual([])
  await done(visit)
})
