// A prompt is written, tried, changed and gone back from, in the console, while programs call it by its name.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
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
  await dialog.getByRole('button', { name: 'Compare', exact: true }).click()
  const difference = dialog.getByRole('region', { name: 'Difference' })
  const cells = () => difference.locator('td[data-sign="−"], td[data-sign="+"]').allInnerTexts()
  await comesTo(cells, ['Say hello to {{name}} in {{语言}}', 'Greet {{name}} warmly'])
  await dialog.getByRole('button', { name: 'Versions', exact: true }).click()
  await release(page, 1, 'production')
  await house.root.post('/pg/chat/completions', body)
  expect(asObject(lastSent())?.messages).toEqual([{ role: 'user', content: 'Say hello to Bo in x' }])
  const released = dialog.getByRole('button', { name: /^Delete: / }).and(page.locator(':disabled'))
  expect(await released.first().getAttribute('title')).toBe('A version with labels cannot be deleted')
  await dialog.getByRole('button', { name: 'Delete: 2' }).click()
  await page
    .getByRole('dialog', { name: 'Delete version 2?' })
    .getByRole('button', { name: 'Delete' })
    .click()
  await page.getByText('Version 2 deleted').waitFor()
  await dialog.getByRole('button', { name: 'Release: 2' }).waitFor({ state: 'detached' })
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

test('a version is tried, released by labels, called by them, rolled back, and all of that is told', async () => {
  const visit = await house.stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/prompt')
  await leaveTime(page)
  const row = page.getByRole('row', { name: /greet/ })
  const openVersions = () => row.getByRole('button', { name: 'Versions: greet' }).click()
  const dialog = page.getByRole('dialog', { name: 'Versions of greet' })
  const said = async (id: string) => {
    const variables = { name: 'Bo', 语言: 'x' }
    await house.root.post('/pg/chat/completions', { model: 'gpt-4o-mini', prompt: { id, variables } })
    return JSON.stringify(asObject(lastSent())?.messages)
  }

  // A version that waits for its release, with a label at once.
  await row.getByRole('button', { name: 'greet', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'Edit prompt' })
  await drawer.getByLabel('Message 1', { exact: true }).fill('Salute {{name}}')
  await drawer.getByLabel('temperature').fill('0.9')
  await drawer.getByLabel('What is new').fill('more formal')
  await drawer.getByRole('switch', { name: 'Use it as soon as it is saved' }).click()
  const labels = drawer.getByLabel('Labels')
  await labels.fill('Staging')
  await labels.press('Enter')
  await page.keyboard.press('Control+s')
  await drawer.getByRole('alert').getByText('A label begins with a small letter').waitFor()
  await labels.press('Backspace')
  await labels.fill('staging')
  await labels.press('Enter')
  await page.keyboard.press('Control+s')
  await page.getByText('Prompt updated').waitFor()
  await row.getByText('staging 3').waitFor()
  expect(await said('greet')).toContain('Say hello')
  expect(await said('greet@staging')).toContain('Salute Bo')

  // Tried before it is released.
  await openVersions()
  await dialog.getByRole('button', { name: 'Try: 3' }).click()
  const trial = page.getByRole('dialog', { name: 'Try greet' })
  await trial.getByLabel('name', { exact: true }).fill('Cy')
  await trial.getByRole('button', { name: 'Run' }).click()
  await trial.getByRole('region', { name: 'Answer' }).getByText('gpt-4o-mini').waitFor()
  expect(JSON.stringify(lastSent())).toContain('Salute Cy')
  await page.keyboard.press('Escape')

  // Released after a look at what that changes.
  await openVersions()
  await release(page, 3, 'production', ['temperature: 0.5', 'temperature: 0.9', 'Salute {{name}}'])
  expect(await said('greet')).toContain('Salute Bo')
  await release(page, 1, 'canary')
  expect(await said('greet@canary')).toContain('Say hello')
  await dialog.getByText('3 calls').waitFor()

  // Taken back where it is told, and once more where it was done.
  await dialog.getByRole('button', { name: 'History' }).click()
  await dialog.getByRole('button', { name: 'Roll back to 1: production' }).click()
  await page.getByText('production is version 1 now').waitFor()
  expect(await said('greet')).toContain('Say hello')
  await dialog.getByRole('button', { name: 'Versions', exact: true }).click()
  const taken = page.waitForRequest(request => request.method() === 'DELETE')
  await dialog.getByRole('button', { name: 'Remove label canary' }).click()
  // Only from where it was seen.
  expect(new URL((await taken).url()).search).toBe('?from=1')
  const removed = page.getByRole('status').filter({ hasText: 'Label canary removed' })
  await removed.getByRole('button', { name: 'Roll back' }).click()
  // What was told when it was released may still be there.
  await page.getByText('canary is version 1 now').last().waitFor()
  await dialog.getByRole('button', { name: 'History' }).click()
  const moves = () => dialog.getByRole('listitem').allInnerTexts()
  await comesTo(
    async () => (await moves()).slice(0, 5).map(text => text.split('\n').slice(0, 2).join(' ')),
    ['canary none → 1', 'canary 1 → none', 'production 3 → 1', 'canary none → 1', 'production 1 → 3'],
  )

  // Somebody else was faster: it is said, and shown as it stands.
  const { data } = (await house.root.get('/api/prompt?keyword=greet')).json
  const back = dialog.getByRole('button', { name: 'Roll back to 3: production' })
  await back.waitFor()
  await house.root.put(`/api/prompt/${data.items[0].id}/label/production`, { version: 3 })
  await back.click()
  await page.getByText('The label production has been moved meanwhile').waitFor()
  await comesTo(async () => (await moves())[0]?.split('\n').slice(0, 2).join(' '), 'production 1 → 3')

  // From the end of a long history to all of it, and back.
  for (let time = 0; time < 6; time++)
    await house.root.put(`/api/prompt/${data.items[0].id}/label/canary`, { version: time % 2 === 0 ? 3 : 1 })
  await page.reload()
  await openVersions()
  await dialog.getByRole('button', { name: 'History' }).click()
  await dialog.getByRole('button', { name: 'Page 2' }).click()
  await comesTo(async () => (await moves()).at(-1)?.includes('none → 1'), true)
  const size = dialog.getByRole('combobox', { name: 'Rows per page' })
  await size.selectOption('50')
  await comesTo(async () => (await moves()).length > 10, true)
  await size.selectOption('10')
  await comesTo(async () => (await moves()).length, 10)
  await page.keyboard.press('Escape')
  expect(visit.faults).toEqual([])
  await visit.close()
})

/** Moves a label in the dialog of a prompt's versions, and looks at what that is said to change. */
async function release(page: Page, version: number, label: string, changes: readonly string[] = []) {
  await page.getByRole('button', { name: `Release: ${version}` }).click()
  const dialog = page.getByRole('dialog', { name: `Release version ${version}` })
  await dialog.getByLabel('Label', { exact: true }).fill(label)
  for (const change of changes) await dialog.getByRole('cell', { name: change }).waitFor()
  await dialog.getByRole('button', { name: 'Release' }).click()
  await page.getByText(`${label} is version ${version} now`).waitFor()
  await dialog.waitFor({ state: 'detached' })
}

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
