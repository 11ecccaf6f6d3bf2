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

async function openVersions(page: Page) {
  await page.getByRole('button', { name: /^(版本：|Versions: )support-reply$/ }).click()
  return page.getByRole('dialog', { name: /support-reply/ })
}

export async function listVersions(page: Page): Promise<void> {
  await (await openVersions(page)).getByText('staging').waitFor()
}

export async function compareVersions(page: Page): Promise<void> {
  const dialog = await openVersions(page)
  await dialog.getByRole('button', { name: /^(比较|Compare)$/ }).click()
  await dialog.getByRole('table').waitFor()
}

export async function lookAtReleases(page: Page): Promise<void> {
  const dialog = await openVersions(page)
  await dialog.getByRole('button', { name: /^(发布记录|History)$/ }).click()
  await dialog.getByRole('button', { name: /^(回滚到 2：|Roll back to 2: )production$/ }).waitFor()
}

export async function releaseVersion(page: Page): Promise<void> {
  const dialog = await openVersions(page)
  await dialog.getByRole('button', { name: /^(发布：|Release: )4$/ }).click()
  await page
    .getByRole('dialog', { name: /^(发布版本|Release version) 4$/ })
    .getByRole('table')
    .waitFor()
}
