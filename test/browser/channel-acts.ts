import type { Page } from 'playwright-core'

// What is done in the form of a channel before its picture is taken.

export async function openAdvanced(page: Page): Promise<void> {
  await page.getByRole('dialog').locator('h3 button').click()
  await page.locator('[data-name=channel-setting]').scrollIntoViewIfNeeded()
}

export async function chooseAnyApi(page: Page): Promise<void> {
  await page.locator('#channel-type').click()
  await page.locator('#channel-type').fill('HTTP')
  await page.getByRole('listbox').getByRole('option', { name: /HTTP/ }).click()
  await page.locator('#channel-pass-test').scrollIntoViewIfNeeded()
}
