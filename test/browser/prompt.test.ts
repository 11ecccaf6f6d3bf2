// A prompt is written, tried, changed and gone back from, in the console, while programs call it by its name.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { asObject } from '../../server/dialects/json.ts'
import { until } from '../program.ts'
import { leaveTime } from './leave-time.ts'
import { comesTo } from './people.ts'
import { openPlaygroundHouse, type PlaygroundHouse } from './playground-house.ts'

let house: PlaygroundHouse
beforeAll(async () => {
  house = await openPlaygroundHouse()
  await house.root.post('/api/token/', { name: 'ci', unlimited_quota: true })
})
afterAll(() => house.close())

const lastSent = () => asObject(house.upstream.requests.at(-1)?.json)

test('written from an empty list, tried, and copied as code', async () => {
  const visit = await house.stage.visit({ asRoot: true, permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  await page.goto('/token')
  await page.getByRole('link', { name: '提示词', exact: true }).click()
  await page.getByText('还没有提示词').waitFor()
  await page.getByRole('button', { name: '创建第一个提示词' }).click()
  const drawer = page.getByRole('dialog', { name: '添加提示词' })
  await drawer.getByRole('button', { name: '创建', exact: true }).click()
  await drawer.getByRole('alert').getByText('请填写每条消息').waitFor()
  // The example does not look like what was typed and refused.
  const exampleColour = (label: string) =>
    drawer.getByLabel(label).evaluate(field => getComputedStyle(field, '::placeholder').color)
  expect(await exampleColour('名称')).toBe(await exampleColour('模型'))
  const second = drawer.getByLabel('消息 2', { exact: true })
  await drawer.getByRole('alert').getByText('请填写每条消息').click()
  await comesTo(() => second.evaluate(field => field === document.activeElement), true)
  await drawer.getByLabel('名称').fill('greet')
  await second.fill('Say hello to {{name}} in {{语言}}')
  await drawer.getByRole('status').getByText('语言').waitFor()
  await drawer.getByLabel('模型').fill('gpt-4o-mini')
  await drawer.getByLabel('temperature').fill('9')
  await page.keyboard.press('Control+s')
  await drawer.getByRole('alert').getByText('超出允许的范围').waitFor()
  await drawer.getByLabel('temperature').fill('0.5')
  await page.keyboard.press('Control+s')
  await page.getByText('提示词已创建').waitFor()
  const row = page.getByRole('row', { name: /greet/ })
  await row.getByText('gpt-4o-mini').waitFor()

  await row.getByRole('button', { name: '试用：greet' }).click()
  const dialog = page.getByRole('dialog', { name: '试用 greet' })
  await dialog.getByLabel('name', { exact: true }).fill('Ada "x"')
  await dialog.getByLabel('语言').fill('{{name}}')
  // What the vendor refuses is told there, and nowhere else.
  house.upstream.next(house.upstream.failWith('bad-request', 'not today'))
  visit.expectFault(/400/)
  await dialog.getByRole('button', { name: '运行' }).click()
  await dialog.getByRole('alert').getByText('not today').waitFor()
  expect(await page.getByText('not today').count()).toBe(1)
  await dialog.getByRole('button', { name: '运行' }).click()
  await dialog.getByRole('region', { name: '回答' }).getByText('gpt-4o-mini').waitFor()
  expect(lastSent()).toEqual({
    model: 'gpt-4o-mini',
    temperature: 0.5,
    messages: [{ role: 'user', content: 'Say hello to Ada "x" in {{name}}' }],
  })
  expect(await dialog.locator('pre').innerText()).toContain('sk-••••••••')
  await dialog.getByRole('combobox', { name: '在程序中调用' }).selectOption('curl')
  await dialog.getByRole('button', { name: '复制（含令牌）' }).click()
  await page.getByText('已复制到剪贴板！').waitFor()
  const pasted = await page.evaluate(() => navigator.clipboard.readText())
  // What was copied is what a shell runs.
  const answered = JSON.parse(await Bun.$`sh -c ${pasted.replace(/^curl/, 'curl -sS')}`.text())
  expect([answered.object, answered.status]).toEqual(['response', 'completed'])
  expect(JSON.stringify(lastSent())).toContain('Say hello to Ada')
  await page.keyboard.press('Escape')
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('a change is a new version, which is compared, left and deleted; the log tells which was called', async () => {
  const visit = await house.stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/prompt')
  const row = page.getByRole('row', { name: /greet/ })
  await row.getByRole('button', { name: 'greet', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'Edit prompt' })
  await drawer.getByLabel('Message 1', { exact: true }).fill('Greet {{name}} warmly')
  await drawer.getByLabel('What is new').fill('warmer')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Prompt updated').waitFor()
  await row.getByText('warmer').waitFor()
  const body = { model: 'gpt-4o-mini', prompt: { id: 'greet', variables: { name: 'Bo', 语言: 'x' } } }
  const called = await house.root.post('/pg/chat/completions', body)
  expect(asObject(lastSent())?.messages).toEqual([{ role: 'user', content: 'Greet Bo warmly' }])

  await row.getByRole('button', { name: 'Versions: greet' }).click()
  const dialog = page.getByRole('dialog', { name: 'Versions of greet' })
  const difference = dialog.locator('pre')
  await difference.getByText('− Say hello to {{name}} in {{语言}}').waitFor()
  await difference.getByText('+ Greet {{name}} warmly').waitFor()
  await dialog.getByRole('button', { name: 'Use: 1' }).click()
  await page.getByText('Version 1 is in use now').waitFor()
  await house.root.post('/pg/chat/completions', body)
  expect(asObject(lastSent())?.messages).toEqual([{ role: 'user', content: 'Say hello to Bo in x' }])
  await dialog.getByRole('button', { name: 'Delete: 2' }).click()
  await page
    .getByRole('dialog', { name: 'Delete version 2?' })
    .getByRole('button', { name: 'Delete' })
    .click()
  await page.getByText('Version 2 deleted').waitFor()
  await dialog.getByRole('button', { name: 'Use: 2' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')

  await page.goto(`/log?start=0&request=${called.headers.get('x-oneapi-request-id')}`)
  await page
    .getByRole('button', { name: /^Expand/ })
    .first()
    .click()
  await page.getByText('greet@2').waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('deleted from the list, which can be taken back', async () => {
  const visit = await house.stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/prompt')
  const row = page.getByRole('row', { name: /greet/ })
  const remove = async () => {
    await row.getByRole('button', { name: 'More actions: greet' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
  }
  await row.waitFor()
  await leaveTime(page)
  await remove()
  await page.getByRole('button', { name: 'Undo' }).click()
  await row.waitFor()
  await remove()
  await row.waitFor({ state: 'detached' })
  // Leaving does what was said.
  await page.goto('/token')
  await until(async () => (await house.root.get('/api/prompt')).json.data.total === 0)
  await page.goto('/prompt')
  await page.getByText('No prompts yet').waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
})
