import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openStage, type Stage } from './harness.ts'
import { fillTable, type Row } from './lived-in/fill-table.ts'
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

const now = Math.floor(Date.now() / 1000)

function write(table: string, row: Row): void {
  const database = new Database(join(stage.program.dataDir, 'tollgate.db'))
  database.exec('pragma busy_timeout = 60000')
  fillTable(database, table, [row])
  database.close()
}

test('why a task came to nothing is told in the language of the page where no vendor has said it', async () => {
  write('tasks', {
    ...{ task_id: 'late-song', platform: 'suno', action: 'MUSIC', channel_id: 0, user_id: 1, quota: 0 },
    ...{ status: 'FAILURE', fail_reason: '任务超时（超过 60 分钟）', progress: '100%' },
    ...{ created_at: now, updated_at: now, submit_time: now, start_time: 0, finish_time: now },
    ...{ properties: '{}', data: '[]' },
  })
  for (const [locale, told] of [
    ['zh-CN', '任务超时（超过 60 分钟）'],
    ['en-US', 'The task took longer than 60 minutes'],
  ] as const) {
    const visit = await stage.visit({ asRoot: true, locale })
    await visit.page.goto('/task?id=late-song&start=0')
    await visit.page.getByRole('button', { name: told }).waitFor()
    await visit.close()
  }
})

test('a charge that tells no price says in words how it came about, in the language of the page', async () => {
  // As a call is left behind whose process died.
  const words = '请求中断，按已产生的用量结算'
  write('logs', {
    ...{ created_at: now, type: 2, user_id: 1, username: 'root', token_id: 1, token_name: 'laptop' },
    ...{ model_name: 'orphaned-model', channel_id: 0, group: 'default', is_stream: 1, use_time: 0 },
    ...{ prompt_tokens: 0, completion_tokens: 0, quota: 30, request_id: '', content: words, other: '' },
  })
  for (const [locale, told] of [
    ['zh-CN', words],
    ['en-US', 'Interrupted: charged for what was used until then'],
  ] as const) {
    const visit = await stage.visit({ asRoot: true, locale })
    await visit.page.goto('/log?model=orphaned-model&start=0')
    const row = visit.page.getByRole('row', { name: /orphaned-model/ })
    await row.getByText(told).first().waitFor()
    await visit.close()
  }
})
