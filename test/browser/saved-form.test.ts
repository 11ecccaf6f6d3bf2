import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '../program.ts'
import { startOpenai } from '../upstreams/index.ts'
import { type Client, openStage, type Stage } from './harness.ts'
import { leaveTime } from './leave-time.ts'
import { done } from './people.ts'

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
  const root = await stage.root()
  await root.liftLimits()
})
afterAll(() => stage.close())

for (const { screen, title, name, secret, said } of [
  { screen: 'channel', title: '添加渠道', name: 'name', secret: 'key', said: '渠道创建成功！' },
  { screen: 'user', title: '添加用户', name: 'username', secret: 'password', said: '用户账户创建成功！' },
]) {
  test(`what is saved may be left while its list is still being asked for (${screen})`, async () => {
    const visit = await stage.visit({ asRoot: true })
    const { page } = visit
    await page.goto(`/${screen}/add`)
    const drawer = page.getByRole('dialog', { name: title })
    await drawer.locator(`#${screen}-${name}`).fill('sample')
    await drawer.locator(`#${screen}-${secret}`).fill('sample-12345')
    if (screen === 'channel') await drawer.getByRole('button', { name: '模型 填入相关模型' }).click()
    await page.waitForLoadState('networkidle')

    const held = Promise.withResolvers<void>()
    const isList = (url: URL) => url.pathname === `/api/${screen}` && url.search !== ''
    await page.route(isList, async route => {
      await held.promise
      await route.continue()
    })
    const asked = page.waitForRequest(request => isList(new URL(request.url())))
    await page.keyboard.press('Control+s')
    await page.getByText(said).waitFor()
    await asked
    await drawer.waitFor({ state: 'hidden' })
    held.resolve()
    await page.getByRole('row', { name: /sample/ }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/${screen}`)
    await done(visit)
  })
}

for (const { screen, make, changes, field } of [
  {
    screen: 'user',
    make: async (root: Client) => {
      await root.post('/api/user/', { username: 'edited', password: 'staple-battery', display_name: '' })
      return (await root.get('/api/user/search?keyword=edited')).json.data.at(0).id
    },
    changes: ['/api/user/', { group: 'vip', rpm: 7 }],
    field: ['display_name', 'Edie'],
  },
  {
    screen: 'redemption',
    make: async (root: Client) => {
      await root.post('/api/redemption/', { name: 'edited', quota: 5, count: 1 })
      return (await root.get('/api/redemption/search?keyword=edited')).json.data.at(0).id
    },
    changes: ['/api/redemption/', { quota: 7, expired_time: 4_000_000_000 }],
    field: ['name', 'renamed'],
  },
  {
    screen: 'plan',
    make: async (root: Client) => {
      const terms = { duration: 30, duration_unit: 'day', period: 'none', on_sale: true }
      const plan = { title: 'Monthly', price: 5, quota: 5, ...terms }
      return (await root.post('/api/subscription/admin/plans', plan)).json.data.id
    },
    changes: ['/api/subscription/admin/plans/:id', { on_sale: false, price: 7 }],
    field: ['title', 'Yearly'],
  },
  {
    screen: 'mcp-server',
    make: async (root: Client) => {
      const server = { name: 'edited', url: 'http://127.0.0.1:9/mcp', groups: ['default'] }
      return (await root.post('/api/mcp_server', server)).json.data.id
    },
    changes: ['/api/mcp_server/:id', { enabled: false, groups: ['vip'], tool_prices: { a: 1 } }],
    field: ['note', 'noted'],
  },
] as const) {
  test(`what others have changed while a form was open is not undone by it (${screen})`, async () => {
    const root = await stage.root()
    const id = await make(root)
    const visit = await stage.visit({ asRoot: true })
    const { page } = visit
    await page.goto(`/${screen}/edit/${id}`)
    const [name, value] = field
    await page.locator(`input[id$="-${name}"]`).fill(value)
    const [path, fields] = changes
    const changed = await root.put(path.replace(':id', String(id)), { id, ...fields })
    expect(changed.json).toMatchObject({ success: true })
    await page.keyboard.press('Control+s')
    await page.waitForURL(`/${screen}`)
    const { json } = await root.get(path.replace(/:id|$/, String(id)))
    expect(json.data).toMatchObject({ ...fields, [name]: value })
    await done(visit)
  })
}

test('what is switched in a row stays switched, though an older list comes after it', async () => {
  const root = await stage.root()
  await root.post('/api/channel/', {
    name: 'switched',
    type: 1,
    key: 'sk-switched',
    models: 'gpt-4o',
    group: 'default',
  })
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/channel')
  const row = page.getByRole('row', { name: /switched/ })
  await row.getByText('已启用').waitFor()
  await page.waitForLoadState('networkidle')

  const held = Promise.withResolvers<void>()
  const read = Promise.withResolvers<void>()
  let asked = 0
  await page.route(
    url => url.pathname === '/api/channel' && url.search !== '',
    async route => {
      if (asked++ > 0) return route.continue()
      const older = await route.fetch({ maxRetries: 3 })
      read.resolve()
      await held.promise
      // Whoever asked may not want it any more.
      await route.fulfill({ response: older }).catch(() => {})
    },
  )
  await page.getByRole('button', { name: '刷新', exact: true }).click()
  await read.promise
  await page.getByRole('button', { name: '禁用：switched' }).click()
  await row.getByText('已禁用').waitFor()
  held.resolve()
  await page.waitForLoadState('networkidle')
  expect(await row.getByText('已禁用').count()).toBe(1)
  await page.getByRole('button', { name: '启用：switched' }).waitFor()
  await done(visit)
})

test('what is being typed into a row is not selected again when the list is drawn anew', async () => {
  const root = await stage.root()
  const channel = { name: 'typed', type: 1, key: 'sk-typed', models: 'gpt-4o', group: 'default' }
  const [id] = (await root.post('/api/channel/', channel)).json.data.ids
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
  await page.route('**/api/statistics?*', async route => {
    await allowed
    await route.continue()
  })
  await page.goto('/channel?keyword=typed')
  await page.getByRole('button', { name: /^typed 的优先级/ }).click()
  await page.keyboard.type('12')
  // With what is known of their last day all rows are drawn anew.
  const told = page.waitForResponse('**/api/statistics?*')
  allow()
  await (await told).finished()
  await page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  await page.keyboard.type('34')
  await page.keyboard.press('Enter')
  await until(async () => (await root.get(`/api/channel/${id}`)).json.data.priority === 1234)
  await done(visit)
})

test('what could be done about a form is not offered any longer than the form', async () => {
  const upstream = await startOpenai()
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/channel/add')
  const drawer = page.getByRole('dialog', { name: '添加渠道' })
  // By itself the offer does not go while this test runs.
  await leaveTime(page)
  await drawer.locator('#channel-base_url').fill(upstream.url)
  await drawer.locator('#channel-key').fill(upstream.key)
  await drawer.getByRole('button', { name: '模型 获取模型列表' }).click()
  const offer = page.getByRole('button', { name: /^移除这 \d+ 个$/ })
  await offer.waitFor()
  await drawer.getByRole('button', { name: '取消' }).click()
  await page.getByRole('button', { name: '放弃修改' }).click()
  await page.waitForURL('/channel')
  await drawer.waitFor({ state: 'detached' })
  await offer.waitFor({ state: 'detached' })
  await done(visit)
  await upstream.stop()
})
