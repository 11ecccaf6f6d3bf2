import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openStage, type Stage } from './harness.ts'
import { fillStage } from './lived-in.ts'

let stage: Stage
let user: Awaited<ReturnType<typeof fillStage>>['user']
beforeAll(async () => {
  stage = await openStage()
  user = (await fillStage(stage)).user
})
afterAll(() => stage.close())

test('an administrator sees everyone’s drawings with their channel, and finds one by its id', async () => {
  const root = await stage.root()
  const { json } = await root.get('/api/mj/?p=1&page_size=10')
  const [drawing] = json.data.items
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/midjourney')
  await page.getByRole('columnheader', { name: '渠道' }).waitFor()
  await page.getByRole('textbox', { name: '任务 ID' }).fill(drawing.mj_id)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/midjourney?id=${drawing.mj_id}`)
  await page.getByText('第 1 – 1 条，共 1 条').waitFor()
  // What is no channel is told so, instead of everybody's drawings being shown for its own.
  await page.goto('/midjourney')
  await page.getByRole('textbox', { name: '渠道 ID' }).fill('first')
  await page.keyboard.press('Enter')
  await page.getByText('渠道 ID 必须是正整数！').waitFor()
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('a user sees only their own, without channels', async () => {
  const visit = await stage.visit({ as: user, locale: 'en-US' })
  const { page } = visit
  for (const [path, title] of [
    ['/midjourney', 'Drawings'],
    ['/task?start=1', 'Async tasks'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.waitForFunction(() => !document.querySelector('[data-loading]'))
    expect(await page.getByRole('columnheader', { name: 'Channel' }).count()).toBe(0)
    expect(await page.getByRole('textbox', { name: 'Channel ID' }).count()).toBe(0)
  }
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('tasks of other days are found by the time range, and a filter that finds nothing can be cleared', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/task?id=no-such-task')
  await page.getByText('No matching tasks').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await page.waitForURL('**/task')
  await page.getByRole('button', { name: /Time range/ }).click()
  await page.getByRole('button', { name: '30 days' }).click()
  await page.waitForURL(/\/task\?start=-\d+/)
  await page.getByRole('table').waitFor()
  await page.getByRole('button', { name: /Time range/ }).click()
  await page.getByRole('button', { name: 'All time' }).click()
  await page.waitForURL('**/task?start=0')
  await page.getByRole('button', { name: 'Time range: All time' }).waitFor()
  await page.getByRole('table').waitFor()

  // Days and months are the reader's own.
  const dayBegins = (back: number, day?: number) =>
    page.evaluate(
      ([ago = 0, of]) => {
        const date = new Date()
        date.setDate(of ?? date.getDate() - ago)
        return date.setHours(0, 0, 0, 0) / 1000
      },
      [back, day] as const,
    )
  await page.getByRole('button', { name: /Time range/ }).click()
  await page.getByRole('button', { name: 'Yesterday' }).click()
  await page.waitForURL(`**/task?start=${await dayBegins(1)}&end=${(await dayBegins(0)) - 1}`)
  await page.getByRole('button', { name: /Time range/ }).click()
  await page.getByRole('button', { name: 'This month' }).click()
  await page.waitForURL(`**/task?start=${await dayBegins(0, 1)}`)
  expect(visit.faults).toEqual([])
  await visit.close()
})

test('a batch is among the tasks and in the log, by its name, and nobody waited for it', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/task?start=0')
  await page.getByRole('cell', { name: '批处理' }).first().waitFor()
  expect(await page.getByText(/^(BATCH|VIDEO)$/).count()).toBe(0)

  await page.goto('/log?start=0&request=night-1')
  const row = page.getByRole('row').filter({ hasText: 'gpt-4o-mini' })
  await row
    .getByText(/^\d+\.\dM$/)
    .first()
    .waitFor()
  expect(await row.getByText(/\d s$/).count()).toBe(0)
  await row.getByRole('button', { name: /^展开/ }).click()
  const detail = page.getByRole('row').filter({ hasText: '计费过程' })
  await detail.getByText(/^batch_\d+$/).waitFor()
  await detail.getByText('批处理', { exact: true }).waitFor()
  expect(await detail.getByRole('button', { name: '查看请求与回答' }).count()).toBe(0)
  // Its numbers keep to their columns.
  const ends = await row.locator('td[data-align=end]').evaluateAll(cells =>
    cells.map(cell => {
      const range = document.createRange()
      range.selectNodeContents(cell)
      return range.getBoundingClientRect().right - cell.getBoundingClientRect().right
    }),
  )
  expect(Math.max(...ends)).toBeLessThanOrEqual(0)
  expect(visit.faults).toEqual([])
  await visit.close()
})
