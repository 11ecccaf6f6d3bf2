import { afterAll, beforeAll, test } from 'bun:test'
import { type Program, ROOT_PASSWORD, startProgram } from '../program.ts'
import { freePort } from '../services/free-port.ts'
import { openStage, type Stage } from './harness.ts'
import { comesTo, done } from './people.ts'

let stage: Stage
let port: string
let again: Program | undefined
beforeAll(async () => {
  port = String(await freePort())
  stage = await openStage('with-root', undefined, { PORT: port })
})
afterAll(async () => {
  await again?.stop()
  await stage.close()
})

test('a page that is open while the server is away stays, and goes on when it is back', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/token')
  await page.getByRole('button', { name: '创建第一个令牌' }).waitFor()
  await page.waitForLoadState('networkidle')
  await stage.program.stop()
  visit.expectFault(/ERR_CONNECTION|dynamically imported|preload CSS|Error: /)
  const menu = page.getByRole('navigation')

  // A screen that was never here says why it does not come, and leaves the others alone.
  await menu.getByRole('link', { name: '渠道' }).click()
  await page.getByRole('main').getByText('无法连接到服务器，请检查网络').waitFor()
  await menu.getByRole('link', { name: '令牌' }).click()
  await page.getByRole('button', { name: '创建第一个令牌' }).click()
  await page.getByRole('main').getByText('无法连接到服务器，请检查网络').waitFor()

  again = await startProgram({ DATA_DIR: stage.program.dataDir, PORT: port, ROOT_PASSWORD })
  await page.getByRole('button', { name: '重试' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('名称').fill('after')
  // With its styles, which had failed to come as well.
  await comesTo(() => drawer.evaluate(element => element.getBoundingClientRect().width), 600)
  await page.keyboard.press('Control+s')
  await page.getByRole('row', { name: /after/ }).waitFor()
  await menu.getByRole('link', { name: '渠道' }).click()
  await page.getByRole('heading', { name: '渠道' }).waitFor()
  await done(visit)
})
