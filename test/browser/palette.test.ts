import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Client, openStage, type Stage } from './harness.ts'
import { addPerson, comesTo, done } from './people.ts'

let stage: Stage
let person: Client

const token = { remain_quota: 1, unlimited_quota: false, expired_time: -1 }
beforeAll(async () => {
  stage = await openStage()
  const root = await stage.root()
  person = await addPerson(stage, 'harbour-mate')
  for (let number = 1; number <= 6; number++)
    await root.post('/api/token/', { ...token, name: `harbour-${number}` })
  await person.post('/api/token/', { ...token, name: 'harbour-own' })
  await root.post('/api/channel/', { type: 1, name: 'harbour-line', key: 'k', models: 'm', group: 'default' })
})
afterAll(() => stage.close())

/** Opens the palette, types, and answers what is listed once the server has answered. */
async function find(page: Page, text: string, label = '搜索页面、操作和记录') {
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: label }).fill(text)
  return page.getByRole('dialog').getByRole('button')
}

/** What is listed is chosen a moment later. */
async function openChosen(page: Page): Promise<void> {
  await page.locator('[role=dialog] [data-selected]').waitFor()
  await page.keyboard.press('Enter')
}

/** A page whose palette is on its way until the answer is called. */
async function openWithoutPalette(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/palette-*.js', async route => {
    await promise
    await route.continue()
  })
  await page.goto('/about')
  await page.getByRole('button', { name: '账户：root' }).waitFor()
  return resolve
}

test('an administrator finds tokens, channels and users, and opens them by the keyboard alone', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/about')
  await page.getByRole('button', { name: '账户：root' }).waitFor()
  const listed = await find(page, 'harbour')
  await listed.filter({ hasText: 'harbour-mate' }).waitFor()
  // Five tokens at the most, then the channel, then the user.
  expect((await listed.allInnerTexts()).map(text => text.split('\n')[0])).toEqual([
    ...['harbour-6', 'harbour-5', 'harbour-4', 'harbour-3', 'harbour-2'],
    'harbour-line',
    'harbour-mate',
  ])
  await openChosen(page)
  await page.waitForURL('**/token/edit/*')
  const drawer = page.getByRole('dialog', { name: '编辑令牌' })
  await comesTo(() => drawer.getByLabel('名称').inputValue(), 'harbour-6')
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })

  await (await find(page, 'harbour-l')).filter({ hasText: 'harbour-line' }).waitFor()
  await openChosen(page)
  await page.waitForURL('**/channel/edit/*')
  await comesTo(() => page.locator('#channel-name').inputValue(), 'harbour-line')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await (await find(page, 'harbour-m')).filter({ hasText: 'harbour-mate' }).waitFor()
  await openChosen(page)
  await page.waitForURL('**/user/edit/*')
  await comesTo(() => page.locator('#user-username').inputValue(), 'harbour-mate')
  await done(visit)
})

test('what is typed before the palette has come is in its field, and does nothing else', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  const come = await openWithoutPalette(page)
  await page.keyboard.press('Control+k')
  // By themselves these would open the log, and the list of keys.
  await page.keyboard.type('gl?')
  for (let times = 0; times < 3; times++) await page.keyboard.press('Backspace')
  await page.keyboard.type('harbour-l')
  await page.keyboard.press('Enter')
  come()
  const field = page.getByRole('textbox', { name: '搜索页面、操作和记录' })
  await comesTo(() => field.inputValue(), 'harbour-l')
  await page.getByRole('dialog').getByRole('button').filter({ hasText: 'harbour-line' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/about')
  await page.locator('#palette-field:focus').waitFor()
  await page.keyboard.type('ine')
  await comesTo(() => field.inputValue(), 'harbour-line')
  await openChosen(page)
  await page.waitForURL('**/channel/edit/*')
  await done(visit)
})

test('Escape before the palette has come calls it off', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  const come = await openWithoutPalette(page)
  const arrived = page.waitForResponse('**/assets/palette-*.js')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('harbour')
  await page.keyboard.press('Escape')
  come()
  await arrived
  // Keys have their usual meaning again, and nothing was left of what had been typed.
  await page.keyboard.type('gl')
  await page.waitForURL('**/log')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await done(visit)
})

test('a user finds only tokens of their own, in English, and nothing is asked for a single letter', async () => {
  const visit = await stage.visit({ as: person, locale: 'en-US' })
  const { page } = visit
  const asked: string[] = []
  page.on('request', request => {
    if (request.url().includes('/search?')) asked.push(new URL(request.url()).pathname)
  })
  await page.goto('/about')
  await page.getByRole('button', { name: 'Account: harbour-mate' }).waitFor()
  const listed = await find(page, 'h', 'Search pages, actions and records')
  await listed.filter({ hasText: 'Home' }).waitFor()
  await typeSwiftly(page, 'arbour')
  await listed.filter({ hasText: 'harbour-own' }).waitFor()
  expect((await listed.allInnerTexts()).map(text => text.split('\n')[0])).toEqual(['harbour-own'])
  // Asked for once, when the typing had paused.
  expect(asked).toEqual(['/api/token/search'])
  await page.locator('[role=dialog] [data-selected]').waitFor()
  await page.keyboard.press('ArrowDown')
  await openChosen(page)
  await page.waitForURL('**/token/edit/*')
  await done(visit)
})

test('a search that fails is quiet, and the others still find something', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  visit.expectFault(/500/)
  await page.route('**/api/channel/search**', route => route.fulfill({ status: 500, body: 'no' }))
  await page.goto('/about')
  await page.getByRole('button', { name: '账户：root' }).waitFor()
  const listed = await find(page, 'harbour')
  await listed.filter({ hasText: 'harbour-mate' }).waitFor()
  expect(await listed.filter({ hasText: 'harbour-line' }).count()).toBe(0)
  expect(await page.getByRole('alert').count()).toBe(0)
  await page.getByRole('textbox', { name: '搜索页面、操作和记录' }).fill('nothing like it')
  await page.getByText('没有匹配的结果').waitFor()
  await done(visit)
})

/** By the page's own clock: whatever holds it up holds up as well what waits for a pause. */
async function typeSwiftly(page: Page, text: string): Promise<void> {
  await page.evaluate(async letters => {
    for (const letter of letters) {
      document.execCommand('insertText', false, letter)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }, text)
}
