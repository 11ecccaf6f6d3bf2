import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PricePublisher } from '../price-publisher.ts'
import { type Client, openStage, type Stage } from './harness.ts'
import { comesTo, done } from './people.ts'

let stage: Stage
let root: Client
const publisher = new PricePublisher()

beforeAll(async () => {
  stage = await openStage()
  root = await stage.root()
  await root.saveOption('GlobalApiRateLimit', '0')
  const added = await root.post('/api/channel/', {
    ...{ type: 1, name: 'reseller', key: 'sk-of-the-reseller', base_url: publisher.url },
    ...{ models: 'gpt-4o,gpt-4o-mini,dall-e-3,house-70b', group: 'default' },
  })
  expect(added.json.success).toBe(true)
})
afterAll(async () => {
  await stage.close()
  await publisher.close()
})

async function maps(...keys: string[]): Promise<unknown[]> {
  const { data } = (await root.get('/api/ratio_config')).json
  return keys.map(key => data[key])
}

test('prices are compared with a channel’s, and those that are ticked are taken over', async () => {
  publisher.pages['/api/ratio_config'] = {
    success: true,
    data: {
      model_ratio: { 'gpt-4o': 1.5, 'gpt-4o-mini': 0.09, 'house-70b': 0.3, 'not-served-here': 2 },
      completion_ratio: { 'gpt-4o': 4, 'house-70b': 2 },
      cache_ratio: { 'gpt-4o': 0.5 },
      model_price: { 'dall-e-3': 0.05 },
    },
  }
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/setting?tab=operation')
  await page.getByRole('button', { name: '对比价格' }).click()
  const dialog = page.getByRole('dialog', { name: '对比价格' })
  await dialog.getByRole('combobox', { name: '对比对象' }).click()
  await page.getByRole('option', { name: `reseller · ${publisher.url}` }).click()
  await dialog.getByRole('button', { name: '对比价格' }).click()

  const row = (model: string) =>
    dialog.getByRole('row').filter({ has: page.getByText(model, { exact: true }) })
  const table = dialog.getByRole('table', { name: '对比价格' })
  const names = async () => (await table.locator('tr[data-row] code').allInnerTexts()).sort()
  await comesTo(names, ['dall-e-3', 'gpt-4o', 'gpt-4o-mini', 'house-70b'])
  await row('house-70b').getByText('没有价格').waitFor()
  await row('house-70b').getByText('$0.60 / $1.20').waitFor()
  await row('gpt-4o').getByText('$2.50 / $10.00').waitFor()
  await row('gpt-4o').getByText('$3.00 / $12.00').waitFor()
  await row('gpt-4o').getByText('+20%').waitFor()
  await row('dall-e-3').getByText('每次调用 $0.05').waitFor()
  await dialog.getByRole('button', { name: '显示全部 5 个' }).click()
  await row('not-served-here').waitFor()

  const save = dialog.getByRole('button', { name: '保存' })
  expect(await save.isDisabled()).toBe(true)
  for (const model of ['gpt-4o', 'house-70b', 'dall-e-3'])
    await dialog.getByRole('checkbox', { name: `选择：${model}`, exact: true }).check()
  await dialog.getByText('已选 3 项').waitFor()

  // Somebody else edits one of them before it is saved: nothing is, and what is shown is what there is now.
  await root.saveOption('ModelRatio', '{"gpt-4o": 9, "mine": 3}')
  await save.click()
  await page.getByText('未保存任何内容：这些模型的价格刚刚被修改过：gpt-4o').waitFor()
  await row('gpt-4o').getByText('$18.00 / $72.00').waitFor()
  await dialog.getByText('已选 2 项').waitFor()
  expect(await dialog.getByRole('checkbox', { name: '选择：gpt-4o', exact: true }).isChecked()).toBe(false)
  expect((await maps('model_price'))[0]).toMatchObject({ 'dall-e-3': 0.04 })

  await save.click()
  await page.getByText('保存成功').waitFor()
  await dialog.waitFor({ state: 'detached' })
  const [ratios, outputs, prices] = await maps('model_ratio', 'completion_ratio', 'model_price')
  expect(ratios).toMatchObject({ 'gpt-4o': 9, mine: 3, 'house-70b': 0.3, 'gpt-4o-mini': 0.075 })
  expect(outputs).toMatchObject({ 'house-70b': 2 })
  expect(prices).toMatchObject({ 'dall-e-3': 0.05 })
  expect(publisher.complaints).toEqual([])
  // The table of the section shows what is in force now.
  await page
    .getByRole('region', { name: '模型倍率设置', exact: true })
    .getByText('house-70b')
    .first()
    .waitFor()
  await done(visit)
})

test('what cannot be read is told, and what is not saved yet goes first', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/setting?tab=operation')
  const open = page.getByRole('button', { name: 'Compare prices' })
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Compare prices' })
  const field = dialog.getByRole('combobox', { name: 'Compare with' })
  const lists = page.getByRole('listbox')
  // Nobody has asked for its list, which lies over the dialog and would take the key for itself.
  await field.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await open.click()
  await field.click()
  await lists.getByText('https://models.dev/api.json').waitFor()
  await field.press('Escape')
  await lists.waitFor({ state: 'hidden' })
  // Nor is one seen where no choice is like what is typed.
  await field.fill('nothing like it')
  await field.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await open.click()
  publisher.pages = {}
  await field.fill(publisher.url)
  await lists.getByText(publisher.url).waitFor()
  await field.press('Enter')
  await lists.waitFor({ state: 'hidden' })
  const failure = dialog.getByRole('alert').filter({ hasText: 'The answer had status 404' })
  await failure.waitFor()
  publisher.pages['/api/pricing'] = {
    success: true,
    data: [{ model_name: 'elsewhere', quota_type: 0, model_ratio: 1, completion_ratio: 2 }],
  }
  await failure.getByRole('button', { name: 'Retry' }).click()
  await dialog.getByText('No prices differ').waitFor()
  await dialog.getByRole('button', { name: 'Show all 1' }).click()
  await dialog.getByText('$2.00 / $4.00').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  const ratios = page.getByRole('region', { name: 'Model ratios', exact: true })
  await ratios.getByRole('row').nth(1).getByRole('button').first().click()
  await page.getByRole('dialog').getByLabel('Fixed price').fill('0.5')
  await page.getByRole('button', { name: 'Apply' }).click()
  await ratios.getByText('unsaved change').waitFor()
  await open.click()
  await page.getByText('Save or discard your changes here first').waitFor()
  expect(await dialog.count()).toBe(0)
  await ratios.getByRole('button', { name: 'Discard' }).click()
  await done(visit)
})
