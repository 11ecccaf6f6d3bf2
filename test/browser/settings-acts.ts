import type { Page } from 'playwright-core'

const byTokens = (input: number, output: number, cached?: number, written?: number) => ({
  model_ratio: input / 2,
  completion_ratio: output / input,
  ...(cached !== undefined && { cache_ratio: cached / input }),
  ...(written !== undefined && { create_cache_ratio: written / input }),
})

const comparison = {
  success: true,
  message: '',
  data: {
    ...{ form: 'models.dev', listed: 1412, left_out: 96 },
    models: [
      { model: 'house-llama-70b', served: true, own: null, theirs: byTokens(0.6, 0.6) },
      { model: 'dall-e-3', served: true, own: { model_price: 0.04 }, theirs: { model_price: 0.05 } },
      {
        model: 'claude-sonnet-4-6',
        served: true,
        own: byTokens(3, 15, 0.3, 3.75),
        theirs: {
          ...byTokens(2.7, 13.5, 0.27, 3.375),
          ...{ long_input_ratio: 2, long_output_ratio: 1.5, long_input_from: 200_000 },
        },
      },
      {
        ...{ model: 'gpt-4o', served: true },
        ...{ own: byTokens(2.5, 10, 1.25, 2.5), theirs: byTokens(2.5, 12, 1.25) },
      },
      {
        ...{ model: 'qwen3-coder-480b-a35b-instruct-2507', served: true },
        ...{ own: byTokens(0.45, 1.35, 0.45, 0.45), theirs: byTokens(1.5, 7.5, 0.3) },
      },
      { model: 'o9-mini', served: false, own: null, theirs: byTokens(1.1, 4.4, 0.275) },
    ],
  },
}

export async function showRatioJson(page: Page): Promise<void> {
  const ratios = page.locator('[id="operation.ratios"]')
  await ratios.getByRole('tab').first().click()
  await ratios.locator('[data-name=ModelPrice]').waitFor()
}

export async function editRatio(page: Page): Promise<void> {
  const row = page.locator('[id="operation.ratios"]').getByRole('row').nth(1)
  await row.getByRole('button').first().click()
  await page.getByRole('dialog').waitFor()
}

/** One that costs more from a certain length on, and an example beyond that. */
export async function editLongPrice(page: Page): Promise<void> {
  const ratios = page.locator('[id="operation.ratios"]')
  await ratios.getByRole('textbox').first().fill('gpt-5.5')
  await ratios.getByRole('textbox').first().press('Enter')
  const row = ratios.getByRole('row').filter({ has: page.getByText('gpt-5.5', { exact: true }) })
  await row.getByRole('button').first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^(示例|Example)/).fill('300000')
}

/** With a list that nobody has to be asked for. */
export async function comparePrices(page: Page): Promise<void> {
  await page.route('**/api/ratio_sync/fetch', route => route.fulfill({ json: comparison }))
  await page.getByRole('button', { name: /^(对比价格|Compare prices)$/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').fill('https://models.dev/api.json')
  await page.keyboard.press('Enter')
  const ticks = dialog.locator('tr[data-row] input[type=checkbox]')
  await ticks.first().check()
  await ticks.nth(3).check()
}

export async function tryGuards(page: Page): Promise<void> {
  const section = page.locator('[id="operation.guards"]')
  await section.getByRole('row').nth(5).waitFor()
  await section.locator('textarea').fill('Write to ada@example.com or call 138 0013 8000.')
  await section.getByText('[email]').first().waitFor()
}

export async function addGuard(page: Page): Promise<void> {
  await openGuard(page, 4)
}

/** One that is an address, and its own secret. */
export async function editWebhookGuard(page: Page): Promise<void> {
  await openGuard(page, 5)
  await page.getByRole('dialog').locator('input[type=password]').scrollIntoViewIfNeeded()
}

async function openGuard(page: Page, row: number): Promise<void> {
  const section = page.locator('[id="operation.guards"]')
  await section.getByRole('row').nth(5).waitFor()
  await section
    .getByRole('row')
    .nth(row)
    .getByRole('button', { name: /^(编辑|Edit)/ })
    .click()
  await page.getByRole('dialog').waitFor()
}

export async function editAddress(page: Page): Promise<void> {
  await openEntry(page, 'other.addresses')
}

export async function editAnnouncement(page: Page): Promise<void> {
  await openEntry(page, 'other.announcements')
}

export async function editStatusPage(page: Page): Promise<void> {
  await openEntry(page, 'other.uptime')
}

async function openEntry(page: Page, section: string): Promise<void> {
  const row = page.locator(`[id="${section}"]`).getByRole('row').nth(1)
  await row.getByRole('button').first().click()
  await page.getByRole('dialog').waitFor()
}

export async function editGroup(page: Page): Promise<void> {
  const row = page.locator('[id="operation.groups"]').getByRole('row').nth(2)
  await row.getByRole('button').first().click()
  await page.getByRole('dialog').waitFor()
}

/** Somebody else saves what is being edited, and then it is saved here: two fields, the longer name among them. */
export async function clashSettings(page: Page): Promise<void> {
  for (const name of ['QuotaForNewUser', 'QuotaForInvitee'])
    await page.locator(`input[name=${name}]`).fill(String(Date.now() % 100_000))
  await page.evaluate(async () => {
    const { id } = JSON.parse(localStorage.getItem('user') ?? '{}')
    const headers = { 'content-type': 'application/json', 'new-api-user': String(id) }
    for (const key of ['QuotaForNewUser', 'QuotaForInvitee']) {
      const body = JSON.stringify({ key, value: String((Date.now() % 100_000) + 1) })
      await fetch('/api/option/', { method: 'PUT', headers, body })
    }
  })
  await page.locator('[id="operation.quota"] button[type=submit]').click()
  await page.getByRole('button', { name: /^(仍保存我的内容|Save mine anyway)$/ }).waitFor()
  // Whoever comes here again finds the button there already; what is said is said anew.
  await page.locator('body > :not(#root) [role=alert]').first().waitFor()
}
