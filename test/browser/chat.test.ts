import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { serveLoopback } from '../serve-loopback.ts'
import { Client, openStage, type Stage, type Visit } from './harness.ts'

let stage: Stage
let visit: Visit
let user: Client
let key: string
/** A chat application on another origin; the addresses that were asked for. */
let app: ReturnType<typeof Bun.serve>
const asked: string[] = []

beforeAll(async () => {
  app = serveLoopback(request => {
    asked.push(request.url)
    return new Response('<!doctype html><title>app</title><h1>The chat app</h1>', {
      headers: { 'content-type': 'text/html' },
    })
  })
  stage = await openStage()
  const root = await stage.root()
  await root.post('/api/user/', { username: 'chatter', password: 'chatter-pass-1' })
  user = new Client(stage.url)
  await user.login('chatter', 'chatter-pass-1')
})
afterAll(async () => {
  await stage.close()
  await app.stop(true)
})
beforeEach(async () => {
  visit = await stage.visit({ as: user })
})
afterEach(async () => {
  expect(visit.faults).toEqual([])
  await visit.close()
})

async function configure(chats: Record<string, string>[], more: Record<string, string> = {}): Promise<void> {
  const root = await stage.root()
  for (const [name, value] of Object.entries({ Chats: JSON.stringify(chats), ChatLink: '', ...more })) {
    const { json } = await root.saveOption(name, value)
    expect(json).toMatchObject({ success: true })
  }
}

const origin = () => `http://127.0.0.1:${app.port}`
const filled = () => `key=sk-${key}&server=${encodeURIComponent(stage.url)}`
const presets = (): Record<string, string>[] => [
  { Local: `${origin()}/app?key={key}&server={address}` },
  { OpenCat: 'opencat://team/join?domain={address}&token={key}' },
  { Bad: 'no address' },
]

test('whoever has no enabled token is told so and taken to the tokens', async () => {
  await configure(presets())
  const { page } = visit
  await page.goto('/chat2link')
  await page.getByRole('main').getByText('当前没有可用的启用令牌，请确认是否有令牌处于启用状态！').waitFor()
  await page.waitForURL('**/token')
  expect(asked).toEqual([])
  await user.post('/api/token/', { name: 'off', unlimited_quota: true })
  const off = (await user.get('/api/token/?p=0&size=10')).json.data[0]
  await user.put('/api/token/?status_only=true', { id: off.id, status: 2 })
  await page.goto('/chat/0')
  await page.getByText('当前没有可用的启用令牌').first().waitFor()
  await user.post('/api/token/', { name: 'on', unlimited_quota: true })
  const tokens = (await user.get('/api/token/?p=0&size=10')).json.data
  key = tokens.find((token: { name: string }) => token.name === 'on').key
})

test('an application stands in a frame that keeps away from us, with key and address', async () => {
  await configure(presets())
  const { page } = visit
  const [answer] = await Promise.all([page.waitForResponse('**/chat/0'), page.goto('/chat/0')])
  await page.frameLocator('iframe').getByText('The chat app').waitFor()
  expect(asked.filter(address => address.includes('/app'))).toEqual([`${origin()}/app?${filled()}`])
  const frame = page.locator('iframe')
  expect(await frame.getAttribute('title')).toBe('Local')
  expect(await frame.getAttribute('sandbox')).not.toContain('allow-top-navigation')
  expect(await frame.getAttribute('referrerpolicy')).toBe('no-referrer')
  const policy = answer.headers()['content-security-policy'] ?? ''
  expect(policy.split('; ').find(rule => rule.startsWith('frame-src'))).toBe(`frame-src ${origin()}`)
  expect(await page.getByRole('navigation', { name: '控制台' }).count()).toBe(0)
})

test('an application of the device is a link; what cannot be opened says so', async () => {
  await configure(presets())
  const { page } = visit
  await page.goto('/chat/1')
  const link = page.getByRole('link', { name: '打开 OpenCat' })
  expect(await link.getAttribute('href')).toBe(
    `opencat://team/join?domain=${encodeURIComponent(stage.url)}&token=sk-${key}`,
  )
  for (const path of ['/chat/2', '/chat/9', '/chat/x']) {
    await page.goto(path)
    await page.getByText('聊天链接配置错误，请联系管理员').waitFor()
  }
  await configure([])
  await page.goto('/chat')
  await page.getByText('请联系管理员配置聊天链接').waitFor()
})

test('the default chat page replaces the list, and /chat2link goes there', async () => {
  await configure(presets(), { ChatLink: `${origin()}/default` })
  const { page } = visit
  const settings = `/default/#/?settings={"key":"sk-${key}","url":"${encodeURIComponent(stage.url)}"}`
  await page.goto('/chat')
  await page.frameLocator('iframe').getByText('The chat app').waitFor()
  expect(await page.locator('iframe').getAttribute('src')).toBe(`${origin()}${settings}`)
  await page.goto('/chat2link')
  await page.waitForURL(`${origin()}/default/**`)
  expect(decodeURIComponent(page.url())).toContain(`"key":"sk-${key}"`)
})

test('a page that was loaded before an address was configured is loaded anew to frame it', async () => {
  await configure([])
  const { page } = visit
  visit.expectFault(/Content Security Policy|violates the following/)
  // The script that logs this visit in also runs in the frame that is refused.
  visit.expectFault(/localStorage/)
  await page.goto('/about')
  await page.getByRole('heading', { name: '关于' }).waitFor()
  await configure([], { HomePageContent: `${origin()}/home` })
  await page.getByRole('link', { name: '首页' }).click()
  await page.frameLocator('iframe').getByText('The chat app').waitFor()
  await configure([], { HomePageContent: '' })
})
