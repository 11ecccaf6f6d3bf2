import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openStage, type Stage } from './harness.ts'
import { done } from './people.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

test('a key that was copied with its dots is refused at its own field, before anything is asked of the server', async () => {
  const visit = await stage.visit({ asRoot: true, locale: 'en-US' })
  const { page } = visit
  await page.goto('/channel/add')
  const drawer = page.getByRole('dialog', { name: 'Add channel' })
  await drawer.locator('#channel-name').fill('copied')
  const key = drawer.locator('#channel-key')
  await key.fill('sk-1234…abcd')
  await page.keyboard.press('Control+s')
  const words = 'The key holds “…”, which cannot be sent: copy the whole key again'
  await drawer.locator('#channel-key-error').getByText(words).waitFor()
  await drawer.getByRole('alert').getByText(words).click()
  expect(await key.evaluate(field => field === document.activeElement)).toBe(true)
  await key.fill('sk-1234-abcd')
  await page.keyboard.press('Control+s')
  await page.getByText('copied').first().waitFor()
  await page.waitForURL('**/channel')
  await done(visit)
})
