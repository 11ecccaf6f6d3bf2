import type { Page } from 'playwright-core'
import { openStage, type Stage } from '../../test/browser/harness.ts'
import type { Table } from '../rig/print-table.ts'
import { judgeP95, spreadCells } from './spread.ts'
import { timeToPaint } from './time-to-paint.ts'

const ROUNDS = 8
const MODELS = 400
const TOKENS = 30

/** From a key until its result is painted. */
export async function measureInteractions(): Promise<Table> {
  const stage = await openStage()
  try {
    await fill(stage)
    const { page, close } = await stage.visit({ asRoot: true })
    const prices = await timePriceSearch(page)
    const palette = await timePalette(page)
    const drawer = await timeDrawer(page)
    await close()
    return {
      title: 'Console: from a key to the painted result',
      columns: ['', 'times', 'median', 'p95', 'longest'],
      rows: [
        [`a key in the search of ${MODELS} prices`, String(prices.length), ...spreadCells(prices)],
        ['a key in the palette', String(palette.length), ...spreadCells(palette)],
        ["Enter that opens a token's drawer", String(drawer.length), ...spreadCells(drawer)],
      ],
      notes: [
        judgeP95('a key in the search', prices, 100),
        judgeP95('a key in the palette', palette, 100),
        judgeP95('the drawer', drawer, 150),
      ],
    }
  } finally {
    await stage.close()
  }
}

async function fill(stage: Stage): Promise<void> {
  const root = await stage.root()
  const names = Array.from({ length: MODELS }, (_, at) => `vendor-model-${at + 1}`)
  const ratios = Object.fromEntries(names.map((name, at) => [name, 0.1 + at / 100]))
  const answers = [
    await root.saveOption('GlobalApiRateLimit', '0'),
    await root.saveOption('CriticalRateLimit', '0'),
    await root.saveOption('ModelRatio', JSON.stringify(ratios)),
    await root.post('/api/channel/', {
      type: 1,
      name: 'vendor',
      key: 'sk-x',
      models: names.join(','),
      group: 'default',
    }),
  ]
  for (let at = 1; at <= TOKENS; at++) {
    const token = { name: `token ${at}`, remain_quota: 500_000, expired_time: -1, unlimited_quota: false }
    answers.push(await root.post('/api/token/', token))
  }
  const refused = answers.find(({ json }) => !json?.success)
  if (refused) throw new Error(refused.text)
}

/** Every key changes how many there are. */
async function timePriceSearch(page: Page): Promise<number[]> {
  await page.goto('/pricing')
  await page.locator('main table').waitFor()
  await page.locator('[data-search]').focus()
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++)
    for (const key of ['1', '2', '3', 'Backspace', 'Backspace', 'Backspace'])
      times.push(
        await timeToPaint(
          page,
          { event: 'keydown', selector: 'main table', attribute: 'aria-rowcount' },
          () => page.keyboard.press(key),
        ),
      )
  return times
}

/** Every key changes what is found or which letters are marked in it. */
async function timePalette(page: Page): Promise<number[]> {
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').locator('input').waitFor()
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++)
    for (const key of ['t', 'o', 'Backspace', 'Backspace'])
      times.push(
        await timeToPaint(page, { event: 'keydown', selector: '.mantine-Spotlight-actionsList' }, () =>
          page.keyboard.press(key),
        ),
      )
  return times
}

/** The first time it is also loaded, which is no matter of drawing. */
async function timeDrawer(page: Page): Promise<number[]> {
  await page.goto('/token')
  const times: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    await page.locator('main table [data-row]').nth(round).focus()
    times.push(
      await timeToPaint(page, { event: 'keydown', selector: '[role=dialog] form' }, () =>
        page.keyboard.press('Enter'),
      ),
    )
    await page.getByRole('dialog').locator('form input').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  return times.slice(1)
}
