import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openStage, type Stage } from './harness.ts'
import { comesTo, done } from './people.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const MICRO = 1_000_000

test('a balance of any size is whole in its column, and told to the cent by its name and on a card', async () => {
  const root = await stage.root()
  const balances = { small: 390.15, thousands: 12_345.67, unlimited: 100_000_000, owed: -1234.5 }
  for (const name of Object.keys(balances))
    await root.post('/api/channel/', { type: 1, name, key: 'k', models: 'm', group: 'default' })
  // As an upstream has told: one that limits nothing tells of a hundred million.
  const database = new Database(join(stage.program.dataDir, 'tollgate.db'))
  const told = database.prepare(
    'update channels set balance = ?, balance_updated_time = 1763000000 where name = ?',
  )
  for (const [name, balance] of Object.entries(balances)) told.run(balance * MICRO, name)
  database.close()

  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/channel')
  const shown = (name: string) => page.getByRole('button', { name: new RegExp(`更新余额：${name}$`) })
  const read = () => Promise.all(Object.keys(balances).map(name => shown(name).innerText()))
  await shown('unlimited').waitFor()
  expect(await read()).toEqual(['剩余 $390.15', '剩余 $12.3k', '剩余 $100.0M', '剩余 -$1,235'])
  expect(await shown('unlimited').getAttribute('aria-label')).toStartWith('剩余 $100,000,000.00')
  const beyond = await page.locator('td [data-lines] button[aria-label*="更新余额"]').evaluateAll(buttons =>
    buttons.map(button => {
      const cell = button.closest('td') as HTMLElement
      const range = document.createRange()
      range.selectNodeContents(button)
      const end = cell.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(cell).paddingRight)
      return range.getBoundingClientRect().right - end
    }),
  )
  expect(beyond.map(Math.round)).toEqual(Object.keys(balances).map(() => 0))
  await page.setViewportSize({ width: 390, height: 844 })
  await comesTo(read, ['剩余 $390.15', '剩余 $12,345.67', '剩余 $100,000,000.00', '剩余 -$1,234.50'])
  await done(visit)
})
