import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type FakeUpstream, startOpenai } from '../upstreams/index.ts'
import { openStage, type Stage } from './harness.ts'

const password = 'staple-battery'
let stage: Stage
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await startOpenai()
  stage = await openStage('fresh')
})
afterAll(async () => {
  await stage.close()
  await upstream.stop()
})

test('from set-up by way of a channel, a token and a copied call to the first line of the books', async () => {
  const visit = await stage.visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  await page.goto(`/setup?token=${stage.program.setupToken}`)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByLabel('确认密码').fill(password)
  await page.getByRole('button', { name: '创建账户' }).click()
  await page.waitForURL('/start')
  await page.getByText('已完成 0 / 3').waitFor()
  await page.getByText('完成前两步后').waitFor()
  const current = page.locator('[aria-current=step]')
  await current.getByRole('link', { name: '添加渠道' }).click()
  await page.waitForURL('/channel/add')
  const drawer = page.getByRole('dialog')
  await drawer.locator('#channel-name').fill('vendor')
  await drawer.locator('#channel-base_url').fill(upstream.url)
  await drawer.locator('#channel-key').fill(upstream.key)
  const custom = drawer.getByRole('textbox', { name: '自定义模型名称' })
  await custom.fill('text-embedding-3-small,gpt-4o-mini')
  await custom.press('Enter')
  await page.keyboard.press('Control+s')
  // What the guide sent for leads back to its next step.
  await page.waitForURL('/start')
  await page.getByText('已启用 1 个渠道').waitFor()
  // Whoever has added a channel tests it. That is in the log, but it is not the call that this is about.
  await page.goto('/channel')
  await page.getByRole('button', { name: '测试：vendor' }).click()
  await page.getByText(/^渠道 vendor 测试成功/).waitFor()
  await page.goto('/start')
  await page.getByText('已完成 1 / 3').waitFor()
  await current.getByRole('link', { name: '创建令牌' }).click()
  await page.waitForURL('/token/add')
  await drawer.getByLabel('名称').fill('first')
  await page.keyboard.press('Control+s')
  await page.waitForURL('/start')
  await page.getByText('等待第一次调用…').waitFor()
  await page.getByRole('button', { name: '给自己充值 $10.00' }).click()
  await page.getByText('充值成功').waitFor()
  await page.getByTitle('余额').getByText('$10.00').waitFor()
  const shown = await page.locator('main pre').innerText()
  expect(shown).toContain(`${stage.url}/v1/chat/completions`)
  expect(shown).toContain('sk-••••')
  await page.getByRole('button', { name: '复制（含令牌）' }).click()
  await page.getByText('已复制到剪贴板！').waitFor()
  const code = await page.evaluate(() => navigator.clipboard.readText())
  expect(code).not.toContain('•')
  expect(await page.content()).not.toContain(/sk-\w{20,}/.exec(code)?.[0] ?? 'no key was copied')

  const run = Bun.spawn(['sh', '-c', code.replace(/^curl /, 'curl -s ')])
  const said = await new Response(run.stdout).text()
  expect(said).toContain('data: [DONE]')
  const billed = page.getByText(/^第一次调用已计费：\$0\.0*[1-9]\d*$/)
  await billed.waitFor()
  await page.getByText('已完成 3 / 3').waitFor()
  await page.waitForFunction(() => localStorage.getItem('first-run') === 'done')
  await page.getByRole('banner').getByRole('link', { name: '入门引导' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '在日志中查看' }).click()
  await page.waitForURL(/\/log\?type=2/)
  // So small an amount has room beside the others.
  await page.goto('/detail')
  const amounts = page.getByRole('table', { name: '明细 · 按模型' }).locator('[data-row] td[data-align=end]')
  await amounts.first().waitFor()
  expect(await amounts.first().innerText()).toMatch(/^\$0\.0{3}/)
  const beyond = await amounts.evaluateAll(cells =>
    cells.map(cell => {
      const range = document.createRange()
      range.selectNodeContents(cell)
      const end = cell.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(cell).paddingRight)
      return range.getBoundingClientRect().right - end
    }),
  )
  expect(Math.max(...beyond)).toBeLessThan(1)
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('it can be skipped, which is remembered, and opened again from the account menu', async () => {
  const visit = await stage.visit({ locale: 'en-US' })
  const { page } = visit
  await page.addInitScript(() => {
    if (!localStorage.getItem('first-run')) localStorage.setItem('first-run', 'open')
  })
  const logIn = async () => {
    await page.goto('/login')
    await page.getByLabel('Username or email').fill('root')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
  }
  await page.route('**/api/log?*', route =>
    route.fulfill({
      json: {
        success: true,
        message: '',
        data: { items: [], total: 0, total_is_estimate: false, page: 1, page_size: 1 },
      },
    }),
  )
  await logIn()
  await page.waitForURL('/start')
  await page.getByRole('button', { name: 'Python', exact: true }).click()
  await page.locator('main pre').getByText('from openai import OpenAI').waitFor()
  await page.getByRole('button', { name: 'Skip the guide' }).click()
  await page.waitForURL('/token')
  await page.getByRole('button', { name: 'Account: root' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('/login')
  await logIn()
  await page.waitForURL('/token')
  await page.getByRole('button', { name: 'Account: root' }).click()
  await page.getByRole('menuitem', { name: 'Getting started' }).click()
  await page.waitForURL('/start')
  await page.getByRole('heading', { name: 'Make your first call' }).waitFor()

  // The first channel has been tested, which the log says in the language of whoever reads it.
  await page.unroute('**/api/log?*')
  await page.goto('/log?start=0')
  await page.getByRole('cell').getByText('Model test').waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
})
