// An administrator adds a server and sees its tools; a user finds them, and what an agent is told of them.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startMcpUpstream } from '../mcp/upstream.ts'
import { openStage, type Stage } from './harness.ts'
import { addPerson, done, logIn, password } from './people.ts'

const upstream = startMcpUpstream('plain')
let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(async () => {
  await stage.close()
  await upstream.stop()
})

test('a server is added, tested, edited without its headers, switched off and on', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/mcp-server')
  expect(await page.getByRole('link', { name: '工具', exact: true }).count()).toBe(0)
  await page.getByText('还没有 MCP 服务').waitFor()
  await page.getByRole('button', { name: '添加 MCP 服务' }).last().click()
  const drawer = page.getByRole('dialog', { name: '添加 MCP 服务' })
  await drawer.getByLabel('名称').fill('Docs')
  await drawer.getByLabel('请求头').fill('no header')
  await drawer.getByRole('button', { name: '创建', exact: true }).click()
  await drawer.getByText('每行应为“名称: 值”').first().waitFor()
  // In the list above the fields, each is named that does not name itself.
  const faults = await drawer.getByRole('alert').getByRole('listitem').allInnerTexts()
  expect(faults.map(fault => fault.slice(0, 4))).toEqual(['名称：小', '请填写 ', '请求头：'])
  await drawer.getByLabel('名称').fill('docs')
  await drawer.getByLabel('地址').fill(upstream.url)
  await drawer.getByLabel('请求头').fill('Authorization: Bearer of-the-docs\nX-Team: blue')
  await drawer.getByLabel('每次调用价格').fill('500')
  await drawer.getByRole('button', { name: '创建', exact: true }).click()
  const row = page.getByRole('row', { name: /docs/ })
  await row.getByText('$0.0010').waitFor()
  // The menu has the page of tools from now on.
  await page.getByRole('link', { name: '工具', exact: true }).waitFor()

  await row.getByRole('button', { name: /测试/ }).click()
  const tested = page.getByRole('dialog', { name: /docs/ })
  await tested.getByText('Adds two numbers').waitFor()
  expect(upstream.seen.at(-1)?.get('authorization')).toBe('Bearer of-the-docs')
  await page.keyboard.press('Escape')

  await row.getByRole('button', { name: /编辑/ }).click()
  const editor = page.getByRole('dialog', { name: '编辑 MCP 服务' })
  await editor.getByText('已保存：Authorization, X-Team').waitFor()
  await editor.getByLabel('说明').fill('All that is written down')
  await editor.getByLabel('单个工具的价格').fill('add: much')
  await page.keyboard.press('Control+s')
  await editor.getByText('每行应为“工具: 额度”').first().waitFor()
  await editor.getByLabel('单个工具的价格').fill('add: 25,000\nfail：0')
  await editor.getByText('add $0.0500 · fail 免费').waitFor()
  await page.keyboard.press('Control+s')
  await editor.waitFor({ state: 'hidden' })
  const kept = await (await stage.root()).get('/api/mcp_server/1')
  expect(kept.json.data).toMatchObject({
    ...{ header_names: ['Authorization', 'X-Team'], note: 'All that is written down' },
    ...{ price: 500, tool_prices: { add: 25_000, fail: 0 } },
  })
  await row.getByText('免费 – $0.0500').waitFor()

  await page.getByRole('button', { name: '更多操作：docs' }).click()
  await page.getByRole('menuitem', { name: '禁用' }).click()
  await row.getByText('已禁用').waitFor()
  await page.getByRole('button', { name: '更多操作：docs' }).click()
  await page.getByRole('menuitem', { name: '启用' }).click()
  await row.getByText('已启用').waitFor()
  await done(visit)
})

test('a user sees the tools, and copies what an agent is told with a key', async () => {
  const person = await addPerson(stage, 'toolsmith')
  const made = await person.post('/api/token/', { name: 'agents', unlimited_quota: true, expired_time: -1 })
  expect(made.json.success).toBe(true)
  const visit = await stage.visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  await page.goto('/login')
  await logIn(page, 'toolsmith', password)
  await page.getByRole('link', { name: '工具', exact: true }).click()
  await page.getByText('All that is written down').waitFor()
  await page.getByText('每次调用价格 免费 – $0.0500').waitFor()
  await page.getByRole('button', { name: '查看工具' }).click()
  await page.getByText('Adds two numbers').waitFor()
  const costs = async (tool: string) =>
    page
      .locator('dt')
      .filter({ has: page.getByText(tool, { exact: true }) })
      .innerText()
  expect((await costs('add')).split(/\s+/)).toEqual(['add', '$0.0500'])
  expect((await costs('fail')).split(/\s+/)).toEqual(['fail', '免费'])
  expect((await costs('count')).split(/\s+/)).toEqual(['count', '$0.0010'])
  await page.getByRole('button', { name: 'Cursor' }).click()
  await page.getByLabel('地址', { exact: true }).selectOption('docs')
  await page.getByRole('button', { name: '复制（含令牌）' }).click()
  await page.getByText('已复制到剪贴板！').waitFor()
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))
  expect(copied.mcpServers.docs.url).toMatch(/\/mcp\/docs$/)
  expect(copied.mcpServers.docs.headers.Authorization).toMatch(/^Bearer sk-\w{20,}$/)
  await done(visit)
})
