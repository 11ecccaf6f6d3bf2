import type { Page } from 'playwright-core'

/** One with variables, some of which are filled in. */
export async function tryPrompt(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(试用：|Try: )support-reply$/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('company').fill('Acme')
  await dialog.getByLabel('question').fill('Where is my parcel?')
  await dialog.getByText(/^(发送内容|What is sent)$/).click()
  await dialog.locator('pre').waitFor()
}

export async function comparePrompts(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(版本：|Versions: )support-reply$/ }).click()
  await page.getByRole('dialog').locator('pre').waitFor()
}
