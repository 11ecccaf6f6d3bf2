import { afterAll, beforeAll, expect, test } from 'bun:test'
import { setWidth } from './enter-scene.ts'
import { openStage, type Stage } from './harness.ts'
import { comesTo, done } from './people.ts'

let stage: Stage

const names = ['default', ...Array.from({ length: 200 }, (_, number) => `客户-${number}-华东二区专线`)]
const dear = names.at(-1) ?? ''

beforeAll(async () => {
  stage = await openStage()
  const root = await stage.root()
  const save = async (key: string, value: unknown) =>
    expect((await root.saveOption(key, JSON.stringify(value))).json).toMatchObject({ success: true })
  await save('GroupRatio', Object.fromEntries(names.map(name => [name, name === dear ? 3 : 1])))
  await save('UserUsableGroups', Object.fromEntries(names.map(name => [name, name])))
  await save('ModelRatio', { 'gpt-4o': 1.25 })
  const channel = { type: 1, name: 'one', key: 'k', models: 'gpt-4o', group: names.slice(0, 60).join(',') }
  expect((await root.post('/api/channel/', channel)).json).toMatchObject({ success: true })
})
afterAll(() => stage.close())

test('prices are chosen from a list of groups, and a model names the chosen one and counts the others', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/pricing')
  const row = page.getByRole('row', { name: /gpt-4o/ })
  await row.getByText('$2.50').waitFor()
  await row.getByRole('img', { name: '另外 59 个分组' }).waitFor()
  await page.getByRole('combobox', { name: '可用分组' }).selectOption(dear)
  await row.getByText('$7.50').waitFor()
  // Nothing sticks out on a phone either.
  await setWidth(page, 390)
  await done(visit)
})

test('a channel of sixty groups still shows what comes after them', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/channel/edit/1')
  const groups = page.locator('.mantine-MultiSelect-pillsList')
  await comesTo(() => groups.locator('.mantine-Pill-root').count(), 60)
  const heights = await groups.evaluate(({ clientHeight, scrollHeight }) => ({ clientHeight, scrollHeight }))
  expect(heights.scrollHeight).toBeGreaterThan(heights.clientHeight)
  expect(heights.clientHeight).toBeLessThan(200)
  await done(visit)
})
