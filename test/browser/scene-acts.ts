import type { Page } from 'playwright-core'
import { sampleContent } from './sample-content.ts'

export async function pressFor(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key)
  await page.getByRole('dialog').waitFor()
}

/** Pages, tokens, channels and users at once. */
export async function findRecords(page: Page): Promise<void> {
  await pressFor(page, 'Control+k')
  await page.getByRole('dialog').getByRole('textbox').fill('an')
  await page.getByRole('dialog').getByRole('button').filter({ hasText: '#' }).first().waitFor()
}

/** Once a day: whoever comes later finds it done. */
export async function checkIn(page: Page): Promise<void> {
  const card = page.locator('[aria-labelledby=check-in-title]')
  await card.waitFor()
  const button = card.getByRole('button')
  if ((await button.count()) > 0) await button.click()
  await button.waitFor({ state: 'detached' })
}

export async function openOptions(page: Page): Promise<void> {
  await page.locator('h1 + div [aria-haspopup=dialog]').click()
  await page.getByRole('dialog').waitFor()
}

/** One view is saved, and the panel with it left open. */
export async function saveView(page: Page): Promise<void> {
  await openOptions(page)
  await page.locator('[role=dialog] [data-new]').click()
  await page.locator('[role=dialog] input[type=text]:focus').waitFor()
  await page.keyboard.type('Usage')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Usage' }).waitFor()
}

export async function openMenu(page: Page): Promise<void> {
  await page.locator('header button[aria-haspopup=menu]').first().click()
  await page.getByRole('menu').waitFor()
}

export async function openPhoneMenu(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.locator('header button').first().click()
  await page.getByRole('dialog').waitFor()
}

/** A conversation as this browser would have kept it: two models, thoughts, code, a failure. */
export async function recallTalk(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { id: userId } = JSON.parse(localStorage.getItem('user') ?? '{}')
    const model = 'gpt-4o-mini'
    const text =
      '## Steps\n\n1. Read the **input**\n2. Split it into `blocks`\n\n$$\\frac{a}{b} = \\sqrt{2}$$\n\n| Protocol | Latency |\n|---|---:|\n| REST | 42 ms |\n\n```python\n# compare\ndef same(text: str) -> bool:\n    return text == text[::-1] or len(text) < 2\n```\n\n> A quote with a [link](https://example.com).'
    const billed = {
      quota: 44,
      prompt: 38,
      completion: 137,
      ratios: { model: 0.075, completion: 4, group: 1 },
    }
    const told = { firstTokenMs: 412, durationMs: 3140, group: 'default', reasoning: '' }
    const error = {
      message: 'The server had an error',
      data: '{"error":{"code":500}}',
      code: 'model_not_found',
    }
    const answers = {
      0: { ...told, id: 'a', model, state: 'complete', text, reasoning: 'Be brief.', billed },
      1: { ...told, id: 'b', model: 'gpt-4o', state: 'error', text: 'Half of', error },
    }
    const next = { 0: { ...told, id: 'c', model, state: 'complete', text: 'Short.', stopped: true, billed } }
    const turns = [
      { id: '1', text: 'Compare REST with gRPC, and write a palindrome test.', pictures: [], answers },
      {
        id: '2',
        text: 'Shorter, please.',
        pictures: [{ name: 'sketch.png', url: '' }],
        pdfs: [{ name: 'report.pdf', url: '' }],
        answers: next,
      },
    ]
    localStorage.setItem('playground-conversation', JSON.stringify({ userId, turns }))
    localStorage.setItem(
      'playground-settings',
      JSON.stringify({ models: [model, 'gpt-4o'], temperature: 0.7 }),
    )
  })
  await page.reload()
  await page.locator('main figure pre').waitFor()
  await page.locator('main button[aria-expanded=false]').first().click()
}

export async function openPast(page: Page): Promise<void> {
  await recallTalk(page)
  await page.getByRole('button', { name: /^(新对话|New conversation)$/ }).click()
  await page.getByRole('button', { name: /^(历史对话|Past conversations)$/ }).click()
  await page.getByRole('dialog').getByRole('listitem').waitFor()
}

export async function showCode(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(代码|Code)$/ }).click()
  await page.getByRole('dialog').locator('figure').waitFor()
}

export async function pointAtChart(page: Page): Promise<void> {
  await page.getByRole('slider').focus()
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowLeft')
}

/** As it is before anybody has called. */
export async function waitForCall(page: Page): Promise<void> {
  await page.route('**/api/log?*', route => route.fulfill({ json: emptyLog }))
  await page.reload()
  await page.locator('main pre').waitFor()
}
/** On a slow machine the program may close a connection that rests just as it is used again. */
const retried = { maxRetries: 3 }

const emptyLog = {
  success: true,
  message: '',
  data: { items: [], total: 0, total_is_estimate: false, page: 1, page_size: 1 },
}

export async function openFirstRow(page: Page): Promise<void> {
  await page.locator('main td [aria-expanded=false]').first().click()
}

export async function openContent(page: Page): Promise<void> {
  await page.route('**/api/log/content/*', route => route.fulfill({ json: sampleContent }))
  await openFirstRow(page)
  await page.getByRole('button', { name: /^(查看请求与回答|Show request and answer)$/ }).click()
  await page.locator('main pre').nth(1).waitFor()
}

export async function buyPlan(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(续期|Extend)$/ }).click()
  await page.getByRole('dialog').waitFor()
}

export async function openPlans(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^(更多操作|More actions)/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: /^(套餐|Plans)/ }).click()
  await page.getByRole('dialog').waitFor()
}

export async function openMemberLimits(page: Page): Promise<void> {
  await page.getByRole('button', { name: /daniel\.k/ }).click()
  await openLimits(page)
}

export async function openUserLimits(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^(更多操作|More actions)/ })
    .first()
    .click()
  await openLimits(page)
}

async function openLimits(page: Page): Promise<void> {
  await page.getByRole('menuitem', { name: /^(消费上限|Spending limits)$/ }).click()
  await page.getByRole('dialog').waitFor()
}

export async function testMcpServer(page: Page): Promise<void> {
  await testServer(page, 'docs')
  await page.getByRole('dialog').getByText('add', { exact: true }).waitFor()
}

export async function testManyTools(page: Page): Promise<void> {
  await testServer(page, 'tickets-and-projects-of-the-team')
  await page.getByRole('dialog').getByText('close_cycle', { exact: true }).waitFor()
}

export async function testNoTools(page: Page): Promise<void> {
  await testServer(page, 'warehouse')
  await page
    .getByRole('dialog')
    .getByText(/^(没有可用的工具|No tools)/)
    .waitFor()
}

export async function testServerAway(page: Page): Promise<void> {
  await testServer(page, 'web-search')
  await page.getByRole('dialog').getByRole('alert').waitFor()
}

async function testServer(page: Page, name: string): Promise<void> {
  await page
    .getByRole('row', { name: new RegExp(name) })
    .getByRole('button', { name: /^(测试|Test)/ })
    .click()
}

export async function showTools(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^(查看工具|Show tools)$/ })
    .first()
    .click()
  await page.getByText('add', { exact: true }).waitFor()
}

/** Of every server, whatever becomes of it. */
export async function showAllTools(page: Page): Promise<void> {
  const closed = page.getByRole('button', { name: /^(查看工具|Show tools)$/ })
  await closed.first().waitFor()
  while ((await closed.count()) > 0) await closed.first().click()
  await page.getByText('close_cycle', { exact: true }).waitFor()
  await page.locator('main').getByRole('alert').first().waitFor()
}

export async function removeMember(page: Page): Promise<void> {
  await page.getByRole('button', { name: /sophie/ }).click()
  await page.getByRole('menuitem', { name: /^(移出团队|Remove from team)$/ }).click()
  await page.getByRole('dialog').waitFor()
}

export async function actForTeam(page: Page): Promise<void> {
  await page.locator('header button[aria-haspopup=menu]').last().click()
  await page.getByRole('menuitemradio', { name: '智能客服' }).click()
  await page.getByRole('row', { name: /nightly-evaluation/ }).waitFor()
}

export async function openLogUser(page: Page): Promise<void> {
  await page.locator('main td button[aria-haspopup=dialog]').first().click()
  await page.getByRole('dialog').waitFor()
}

export async function chooseWebhook(page: Page): Promise<void> {
  await page.getByLabel(/提醒方式|Remind by/).selectOption('webhook')
  await page.getByLabel(/签名密钥|Signing secret/).waitFor()
}

export async function enrol(page: Page): Promise<void> {
  // An older session would have to prove itself first.
  await page.route('**/api/user/2fa/setup', route => route.fulfill({ json: enrolment }))
  await page.getByRole('button', { name: /启用两步验证|Enable two-factor/ }).click()
  await page.getByRole('dialog').waitFor()
}

const enrolment = {
  success: true,
  message: '',
  data: {
    secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    qr_code_data: 'otpauth://totp/Tollgate:root?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Tollgate',
    backup_codes: Array.from({ length: 10 }, () => 'ABCD-EFGH'),
  },
}

/** With the boxes that many are ticked by, and two of them ticked. */
export async function openFirstTag(page: Page): Promise<void> {
  await page.getByRole('switch').nth(2).click()
  await page.locator('main table [aria-expanded=false]').first().click()
  await page.locator('main table input[type=checkbox]').nth(2).check()
  await page.locator('main table input[type=checkbox]').nth(3).check()
}

export async function editFirstTag(page: Page): Promise<void> {
  await page.locator('main table tbody tr').first().getByRole('button').last().click()
  await page.getByRole('dialog').waitFor()
  await page.locator('[data-name=tag-model_mapping]').waitFor()
}

export async function saveNothing(page: Page): Promise<void> {
  await page.getByRole('dialog').locator('button[type=submit]').click()
  await page.getByRole('alert').waitFor()
}

export async function showWork(page: Page): Promise<void> {
  const job = {
    total: 10_000,
    done: 3_412,
    failed: 17,
    started: 1,
    ended: 0,
    running: true,
    cancelled: false,
  }
  const data = [{ ...job, name: 'channel-test' }]
  await page.route('**/api/channel/work', route =>
    route.fulfill({ json: { success: true, message: '', data } }),
  )
  await page.reload()
  await page.locator('main progress').waitFor()
}

/** A channel in three as a whole, one of which it is keys, and of the others the first model. */
export async function letRest(page: Page): Promise<void> {
  const until = Math.floor(Date.now() / 1000) + 240
  const rest = (channel: { id: number; models: string }) => {
    const limited = { model: channel.models.split(',')[0], until, reason: 'rate', status: 429 }
    if (channel.id % 3 === 0)
      return { ...channel, resting_keys: [{ ...limited, keys: { resting: 3, all: 50 } }] }
    return {
      ...channel,
      resting: channel.id % 3 === 2 ? [{ until, reason: 'auth', status: 401 }] : [limited],
    }
  }
  await page.route(/\/api\/channel(\?|\/\d+$)/, async route => {
    const response = await route.fetch(retried)
    const json = await response.json()
    const data = json.data.items
      ? { ...json.data, items: json.data.items.map(rest) }
      : { ...rest(json.data), status: 1 }
    await route.fulfill({ response, json: { ...json, data } })
  })
  await page.reload()
  await page
    .getByText(/冷却|rest/i)
    .first()
    .waitFor()
}

/** As someone who has a token and has called nothing yet. */
export async function beNew(page: Page): Promise<void> {
  await page.route('**/api/user/self', async route => {
    const response = await route.fetch(retried)
    const json = await response.json()
    await route.fulfill({ response, json: { ...json, data: { ...json.data, request_count: 0 } } })
  })
  await page.route('**/api/log/self?*', route => route.fulfill({ json: emptyLog }))
  await page.reload()
  await page.locator('main pre').waitFor()
}

export async function registerNothing(page: Page): Promise<void> {
  await page.getByRole('main').locator('button[type=submit]').click()
  await page.locator('#agreement-missed').waitFor()
}

export async function provokeToast(page: Page): Promise<void> {
  await page.getByRole('main').locator('button[type=submit]').click()
  await page.getByRole('alert').waitFor()
}

export async function provokeFaults(page: Page): Promise<void> {
  await page.locator('input[name=ServerAddress]').fill('nonsense')
  await page.locator('[data-name=TopupGroupRatio]').fill('{')
  await page.locator('input[name=PasswordLoginEnabled]').uncheck({ force: true })
  await page.keyboard.press('Control+s')
  await page.getByRole('dialog').waitFor()
}

/** The key of the first token, and how programs are told of it. */
export async function openKey(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^(更多操作|More actions)/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: /^(查看|View)/ }).click()
  await page.getByRole('dialog').locator('pre').waitFor()
}

/** One that is opened with its settings, and one that is told them line by line. */
export async function openKeyForChatbox(page: Page): Promise<void> {
  await openKey(page)
  await page.getByRole('combobox', { name: /^(接入应用|Use it in)$/ }).selectOption('chatbox')
}

/** A token that may use two servers of tools beside a model. */
export async function limitToTools(page: Page): Promise<void> {
  await page.getByRole('switch', { name: /^(启用模型限制|Limit models)/ }).check({ force: true })
  const field = page.locator('#token-models')
  for (const wanted of ['gpt-4o-mini', 'mcp/tickets', 'mcp/docs']) {
    await field.fill(wanted)
    await page
      .getByRole('option', { name: new RegExp(`^${wanted}`) })
      .first()
      .click()
  }
  // The list goes away with the focus.
  await page.keyboard.press('Tab')
  await page.getByRole('option').first().waitFor({ state: 'hidden' })
}

/** What a model costs in full, of one that costs more for long input. */
export async function openLongPrice(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /claude-sonnet-4-20250514$/ })
    .first()
    .click()
  await page.getByRole('table').locator('dl').waitFor()
}

/** The end of a form, where the prices of single tools are. */
export async function showToolPrices(page: Page): Promise<void> {
  await page.locator('#mcp-timeout').scrollIntoViewIfNeeded()
}
