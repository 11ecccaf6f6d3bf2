import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openStage, type Stage } from './harness.ts'
import { comesTo } from './people.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  const root = await stage.root()
  await root.put('/api/option/', { key: 'ModelRatio', value: '{"gpt-4o":1.25,"o-cheap":0.05}' })
  await root.put('/api/option/', { key: 'ModelPrice', value: '{"dall-e-3":0.04}' })
  await root.put('/api/option/', { key: 'GroupRatio', value: '{"default":1,"vip":0.5}' })
  const channel = {
    type: 1,
    name: 'one',
    key: 'sk-x',
    models: 'gpt-4o,dall-e-3,o-cheap',
    group: 'default,vip',
  }
  const { json } = await root.post('/api/channel/', channel)
  expect(json).toMatchObject({ success: true })
})
afterAll(() => stage.close())

test('whoever is not logged in sees the prices of the default group', async () => {
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/pricing')
  await page.getByText('当前为默认分组的价格').waitFor()
  const row = page.getByRole('row', { name: /gpt-4o/ })
  await row.getByText('$2.50').waitFor()
  await row.getByText('$10.00').waitFor()
  await page
    .getByRole('row', { name: /dall-e-3/ })
    .getByText('$0.04 / 次')
    .waitFor()

  // By price: what is cheapest, what is dearest, and by name again. Calls are no tokens and stand at the end.
  const names = () => page.getByRole('rowheader').or(page.locator('tbody tr td:first-child')).allInnerTexts()
  const column = page.getByRole('columnheader', { name: /^补全/ })
  const orders = [
    ['ascending', '/pricing?price=completion', ['o-cheap', 'gpt-4o', 'dall-e-3']],
    ['descending', '/pricing?price=completion&dearest=true', ['gpt-4o', 'o-cheap', 'dall-e-3']],
    [null, '/pricing', ['dall-e-3', 'gpt-4o', 'o-cheap']],
  ] as const
  for (const [order, address, expected] of orders) {
    await column.getByRole('button').click()
    await page.waitForURL(`**${address}`)
    await comesTo(() => column.getAttribute('aria-sort'), order)
    expect((await names()).map(name => name.trim())).toEqual([...expected])
  }
  // A name that tells no maker is among all of them only.
  await page.getByRole('combobox', { name: '厂商' }).selectOption('OpenAI')
  await page.waitForURL('**/pricing?owner=OpenAI')
  await page.getByText('2 个模型').waitFor()
  expect((await names()).map(name => name.trim())).toEqual(['dall-e-3', 'gpt-4o'])
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('another group, a search and a sample call; the charge is one line of arithmetic', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/pricing')
  // In the reader's language as long as nobody has written something else.
  await page.getByRole('button', { name: /^default Default group/ }).waitFor()
  await page.getByRole('button', { name: /vip/ }).click()
  await page.waitForURL('**/pricing?group=vip')
  await page
    .getByRole('row', { name: /gpt-4o/ })
    .getByText('$1.25')
    .waitFor()
  await page.getByRole('textbox', { name: 'Search models' }).fill('4o')
  await page.getByText('1 model', { exact: true }).waitFor()
  // The vendors' own tools, for this group; what is otherwise for one model stands with that model.
  await page.getByText('per 1,000 uses: web_search $5.00 · code_interpreter $15.00').waitFor()
  await page.getByRole('button', { name: 'Expand: gpt-4o' }).click()
  await page.getByText('per 1,000 uses: web_search_preview $12.50.').waitFor()
  // (1,000 + 500 × 4) × 1.25 × 0.5 ÷ 500,000
  await page.getByText('$0.0037').or(page.getByText('$0.0038')).waitFor()
  await page.getByRole('button', { name: 'Python' }).click()
  await page.getByText('from openai import OpenAI').waitFor()
  await page.getByRole('combobox', { name: 'Billing' }).selectOption('calls')
  await page.getByText('No matching models').waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
})
