import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { serveLoopback } from '../serve-loopback.ts'
import { freePort } from '../services/free-port.ts'
import { UptimeKuma } from '../uptime-kuma.ts'
import { openStage, type Stage } from './harness.ts'

let stage: Stage
/** Another way to the gateway, which tells pages of others nothing. */
let line: ReturnType<typeof Bun.serve>
beforeAll(async () => {
  stage = await openStage()
  line = serveLoopback(() => new Response('', { status: 404 }))
})
afterAll(async () => {
  await line.stop(true)
  await stage.close()
})

const section = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })

async function add(page: Page, name: string, fill: (dialog: Locator) => Promise<void>): Promise<void> {
  await section(page, name)
    .getByRole('button', { name: `添加：${name}` })
    .click()
  const dialog = page.getByRole('dialog')
  await fill(dialog)
  await dialog.getByRole('button', { name: '确定' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

async function save(page: Page, name: string): Promise<void> {
  await section(page, name)
    .getByRole('button', { name: `保存：${name}` })
    .click()
  await page.waitForFunction(() => !document.body.innerText.includes('处修改未保存'))
}

async function saved(key: string) {
  const { json } = await (await stage.root()).get('/api/option/')
  return JSON.parse(json.data.find((one: { key: string }) => one.key === key).value)
}

test('nothing is shown of lists that are empty', async () => {
  const visit = await stage.visit({ asRoot: true })
  await visit.page.goto('/detail')
  await visit.page.getByText('还没有数据').waitFor()
  await visit.page.waitForLoadState('networkidle')
  expect(await visit.page.getByRole('region', { name: '站点信息' }).count()).toBe(0)
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('addresses are listed, put in order, and tested from the browser of their reader', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/setting?tab=other#other.addresses')
  const away = `http://127.0.0.1:${await freePort()}`
  const address = (url: string, route: string) => async (dialog: Locator) => {
    await dialog.getByLabel('地址').fill(url)
    await dialog.getByLabel('线路名称').fill(route)
  }
  await add(page, 'API 地址', async dialog => {
    await dialog.getByLabel('地址').fill('ftp://a.example')
    await dialog.getByText('必须是以 http:// 或 https:// 开头的地址').waitFor()
    await dialog.getByRole('button', { name: '确定' }).click()
    await dialog.getByText('请填写').waitFor()
    await address(away, '断开的线路')(dialog)
    await dialog.getByLabel('颜色').selectOption('orange')
  })
  await add(page, 'API 地址', address(`${line.url}v1`, '另一线路'))
  const rowOf = (name: string) => section(page, 'API 地址').getByRole('row', { name: new RegExp(name) })
  await rowOf('另一线路').getByRole('button').last().click()
  await page.getByRole('menuitem', { name: '上移' }).click()
  await save(page, 'API 地址')
  expect(await saved('ApiInfo')).toEqual([
    { url: `${line.url}v1`, route: '另一线路', description: '', color: 'blue' },
    { url: away, route: '断开的线路', description: '', color: 'orange' },
  ])

  // Whom a page may ask was fixed before these were saved: it is loaded anew, once.
  await page.getByRole('link', { name: '数据看板' }).first().click()
  const panel = page.getByRole('region', { name: 'API 地址' })
  await panel.getByText(`${line.url}v1`, { exact: true }).waitFor()
  // What others ask from within the page, as extensions of browsers do, is no reason to.
  const reloadedFor = await page.evaluate(async () => {
    const refused = new Promise(resolve => document.addEventListener('securitypolicyviolation', resolve))
    await fetch('http://127.0.0.1:9/beacon').catch(() => {})
    await refused
    return sessionStorage.getItem('reloaded-for-policy')
  })
  expect(reloadedFor).toBeNull()
  const loaded = page.waitForEvent('load')
  await panel.getByRole('button', { name: '测速：另一线路' }).click()
  await loaded
  await panel.getByRole('button', { name: '测速：另一线路' }).click()
  await panel.getByText(/^[\d.]+ m?s$/).waitFor()
  await panel.getByRole('button', { name: '测速：断开的线路' }).click()
  await panel.getByText('无法连接').waitFor()

  await panel.getByRole('button', { name: `复制 ${away}` }).click()
  await page.getByText('已复制到剪贴板！').or(page.getByText('请手动复制')).first().waitFor()
  visit.expectFault(/Content Security Policy/)
  visit.expectFault(/ERR_CONNECTION_REFUSED/)
  visit.expectFault(/404/)
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('status pages of Uptime Kuma are shown monitor by monitor, and one that is away says so', async () => {
  const kuma = new UptimeKuma()
  kuma.pages = [
    {
      slug: 'models',
      groups: {
        对话: [
          { id: 1, name: 'gpt-4o', beats: ['down', 'up', 'up'], uptime: 0.99999 },
          { id: 2, name: 'claude', beats: ['up', 'down'], uptime: 0.5 },
        ],
        绘图: [{ id: 3, name: 'dall-e-3', beats: [] }],
      },
    },
  ]
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/setting?tab=other#other.uptime')
  const name = '服务状态（Uptime Kuma）'
  const addPage = async (categoryName: string, slug: string) => {
    await section(page, name).getByRole('button', { name: '添加：状态页' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('名称').fill(categoryName)
    await dialog.getByLabel('地址').fill(kuma.url)
    await dialog.getByLabel('状态页标识').fill('status/models')
    await dialog.getByText('只能包含字母、数字、下划线与连字符').waitFor()
    await dialog.getByLabel('状态页标识').fill(slug)
    await dialog.getByRole('button', { name: '测试' }).click()
    await page.getByText(slug === 'models' ? '读取成功：3 个监控项' : '该地址没有这个状态页').waitFor()
    await dialog.getByRole('button', { name: '确定' }).click()
    await dialog.waitFor({ state: 'hidden' })
  }
  await addPage('模型', 'models')
  await addPage('机房', 'unheard-of')
  await save(page, name)

  await page.goto('/detail')
  const panel = page.getByRole('region', { name: '服务状态', exact: true })
  const models = panel.getByRole('region', { name: '模型' })
  await models.getByText('gpt-4o').waitFor()
  expect(await models.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/gpt-4o\s+正常\s+99\.99%/),
    expect.stringMatching(/claude\s+故障\s+50\.00%/),
    expect.stringMatching(/dall-e-3\s+未知\s+–/),
  ])
  await models.getByText('绘图').waitFor()
  await panel.getByRole('region', { name: '机房' }).getByText('状态页无法访问').waitFor()
  expect(kuma.complaints).toEqual([])
  expect(visit.faults).toEqual([])
  await visit.close()
  await kuma.close()
})

test('announcements and answers are written in Markdown, and can run no script', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  await page.goto('/setting?tab=other#other.announcements')
  await add(page, '看板公告', async dialog => {
    await dialog.getByLabel('内容').fill('https://news.example/all')
    await dialog.getByRole('textbox', { name: '补充说明' }).fill('第一条')
  })
  await add(page, '看板公告', async dialog => {
    await dialog
      .getByLabel('内容')
      .fill('**今晚升级** <img src=x onerror="fetch(\'/pwned\')"> [link](javascript:fetch(`/pwned`))')
    await dialog.getByLabel('类型').selectOption('warning')
  })
  await save(page, '看板公告')
  await add(page, '常见问题', async dialog => {
    await dialog.getByLabel('问题').fill('如何充值？')
    await dialog.getByLabel('回答').fill('到 `钱包` 页。<script>fetch("/pwned")</script>')
  })
  await save(page, '常见问题')

  await page.goto('/detail')
  const news = page.getByRole('region', { name: '系统公告' })
  await news.getByRole('listitem').first().getByText('今晚升级').waitFor()
  expect(await news.getByRole('listitem').count()).toBe(2)
  await news.getByText('注意').waitFor()
  await news.getByText('link').click()
  // An address alone is a link here, and no page in a frame.
  await news.getByRole('link', { name: 'https://news.example/all' }).waitFor()
  const questions = page.getByRole('region', { name: '常见问题' })
  expect(await questions.locator('code').count()).toBe(0)
  await questions.getByText('如何充值？').click()
  await questions.locator('code', { hasText: '钱包' }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.locator('iframe, main script').count()).toBe(0)
  expect(asked.filter(address => address.includes('pwned'))).toEqual([])

  // Also where there are no figures.
  const root = await stage.root()
  await root.saveOption('DataExportEnabled', 'false')
  await root.saveOption('FAQEnabled', 'false')
  await page.reload()
  await page.getByRole('link', { name: '数据看板' }).first().waitFor()
  await news.getByText('今晚升级').waitFor()
  expect(await questions.count()).toBe(0)
  visit.expectFault(/Content Security Policy/)
  visit.expectFault(/404/)
  expect(visit.faults).toEqual([])
  await visit.close()
})
