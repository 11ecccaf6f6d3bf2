// Every screen, as someone sees it: what `npm run screens` photographs and the accessibility tests examine.
// A new screen is one line here.

import type { Page } from 'playwright-core'
import { sampleContent } from './sample-content.ts'

export interface Scene {
  /** Names the picture's file. */
  readonly name: string
  readonly path: string
  readonly as: 'root' | 'user' | 'nobody'
  /** An installation that still has to be set up; others have been lived in. */
  readonly fresh?: true
  readonly widths?: readonly number[]
  /** Of a long page, the element that the picture is of. */
  readonly part?: string
  /** Opens what the scene is about. */
  act?(page: Page): Promise<void>
}

export const scenes: readonly Scene[] = [
  { name: 'home', path: '/', as: 'nobody' },
  { name: 'about', path: '/about', as: 'root' },
  { name: 'pricing', path: '/pricing', as: 'nobody' },
  { name: 'login', path: '/login?expired=true', as: 'nobody' },
  { name: 'register', path: '/register', as: 'nobody' },
  { name: 'register-missed', path: '/register', as: 'nobody', act: registerNothing },
  { name: 'user-agreement', path: '/user-agreement', as: 'nobody' },
  { name: 'privacy-policy', path: '/privacy-policy', as: 'nobody' },
  { name: 'reset', path: '/reset', as: 'nobody' },
  { name: 'reset-confirm', path: '/user/reset?email=a@b.c&token=x', as: 'nobody' },
  { name: 'oauth-callback', path: '/oauth/github', as: 'nobody' },
  { name: 'setup', path: '/setup', as: 'nobody', fresh: true },
  { name: 'setup-done', path: '/setup', as: 'nobody' },
  { name: 'home-fresh', path: '/', as: 'nobody', fresh: true },
  { name: 'not-found', path: '/no/such/page', as: 'nobody' },
  { name: 'needs-admin', path: '/channel', as: 'user' },

  { name: 'start', path: '/start', as: 'root' },
  { name: 'start-call', path: '/start', as: 'root', act: waitForCall },
  { name: 'playground', path: '/playground', as: 'root' },
  { name: 'playground-talk', path: '/playground', as: 'root', act: recallTalk },
  { name: 'playground-past', path: '/playground', as: 'root', act: openPast },
  { name: 'playground-code', path: '/playground', as: 'root', act: showCode },
  { name: 'channel', path: '/channel', as: 'root' },
  { name: 'channel-add', path: '/channel/add', as: 'root' },
  { name: 'channel-edit', path: '/channel/edit/1', as: 'root' },
  { name: 'channel-tags', path: '/channel?tag_mode=true', as: 'root', act: openFirstTag },
  { name: 'channel-tag-edit', path: '/channel?tag_mode=true', as: 'root', act: editFirstTag },
  { name: 'channel-vertex', path: '/channel/edit/15', as: 'root', act: openAdvanced },
  { name: 'channel-custom', path: '/channel/edit/34', as: 'root', act: openAdvanced },
  { name: 'channel-faults', path: '/channel/add', as: 'root', act: saveNothing },
  { name: 'channel-work', path: '/channel', as: 'root', act: showWork },
  { name: 'channel-options', path: '/channel?group=svip&status=enabled', as: 'root', act: openOptions },
  { name: 'channel-resting', path: '/channel', as: 'root', act: letRest },
  { name: 'channel-edit-resting', path: '/channel/edit/1', as: 'root', act: letRest },
  { name: 'channel-none', path: '/channel?keyword=nothing-like-it', as: 'root' },
  { name: 'token', path: '/token', as: 'root' },
  { name: 'token-add', path: '/token/add', as: 'root' },
  { name: 'token-newcomer', path: '/token', as: 'user', act: beNew },
  { name: 'token-edit', path: '/token/edit/2', as: 'root' },
  { name: 'detail', path: '/detail', as: 'root' },
  { name: 'detail-month', path: '/detail?span=30d&by=user&measure=requests', as: 'root', act: pointAtChart },
  { name: 'detail-lines', path: '/detail?span=30d&by=channel&measure=latency95', as: 'root' },
  { name: 'detail-margin', path: '/detail?span=30d&by=channel&measure=margin', as: 'root' },
  { name: 'detail-table', path: '/detail?span=7d&view=table', as: 'root' },
  { name: 'detail-own', path: '/detail?span=30d', as: 'user' },
  { name: 'redemption', path: '/redemption', as: 'root' },
  { name: 'redemption-add', path: '/redemption/add', as: 'root' },
  { name: 'redemption-edit', path: '/redemption/edit/1', as: 'root' },
  { name: 'plan', path: '/plan', as: 'root' },
  { name: 'plan-add', path: '/plan/add', as: 'root' },
  { name: 'plan-edit', path: '/plan/edit/2', as: 'root' },
  { name: 'topup', path: '/topup', as: 'user' },
  { name: 'topup-checked-in', path: '/topup', as: 'user', act: checkIn },
  { name: 'topup-plan', path: '/topup', as: 'user', act: buyPlan },
  { name: 'user', path: '/user', as: 'root' },
  { name: 'user-add', path: '/user/add', as: 'root' },
  { name: 'user-edit', path: '/user/edit/2', as: 'root' },
  { name: 'user-plan', path: '/user?keyword=linyue', as: 'root', act: openPlans },
  { name: 'log', path: '/log?start=0', as: 'root' },
  { name: 'log-own', path: '/log?start=0', as: 'user' },
  { name: 'log-row', path: '/log?start=0&model=claude', as: 'root', act: openFirstRow },
  { name: 'log-batch', path: '/log?start=0&request=night-1', as: 'root', act: openFirstRow },
  { name: 'log-content', path: '/log?start=0&model=claude', as: 'root', act: openContent },
  { name: 'log-live', path: '/log?start=0&live=true&model=deepseek&group=svip', as: 'root' },
  { name: 'log-user', path: '/log?start=0', as: 'root', act: openLogUser },
  { name: 'log-chips', path: '/log?start=-604800&type=2&channel=3&group=default', as: 'root' },
  { name: 'log-views', path: '/log?start=0&type=2', as: 'root', act: saveView },
  { name: 'log-none', path: '/log?model=no-such-model', as: 'user' },
  { name: 'midjourney', path: '/midjourney', as: 'root' },
  { name: 'task', path: '/task', as: 'root' },
  { name: 'chat-app', path: '/chat/3', as: 'root' },
  { name: 'chat-wrong', path: '/chat/99', as: 'root' },
  { name: 'setting-personal', path: '/setting?tab=personal', as: 'user' },
  { name: 'setting-two-factor', path: '/setting?tab=personal', as: 'user', act: enrol },
  { name: 'own-account', path: '/user/edit', as: 'user' },
  { name: 'own-account-hook', path: '/user/edit', as: 'user', act: chooseWebhook },
  { name: 'setting-operation', path: '/setting?tab=operation', as: 'root' },
  { name: 'setting-quota', path: '/setting?tab=operation', as: 'root', part: '[id="operation.quota"]' },
  { name: 'setting-log', path: '/setting?tab=operation', as: 'root', part: '[id="operation.log"]' },
  { name: 'setting-groups', path: '/setting?tab=operation', as: 'root', part: '[id="operation.groups"]' },
  { name: 'setting-ratios', path: '/setting?tab=operation', as: 'root', part: '[id="operation.ratios"]' },
  {
    name: 'setting-ratio-json',
    path: '/setting?tab=operation',
    as: 'root',
    part: '[id="operation.ratios"]',
    act: showRatioJson,
  },
  { name: 'setting-ratio-edit', path: '/setting?tab=operation', as: 'root', act: editRatio },
  { name: 'setting-group-edit', path: '/setting?tab=operation', as: 'root', act: editGroup },
  { name: 'setting-system', path: '/setting?tab=system', as: 'root' },
  { name: 'setting-discord', path: '/setting?tab=system', as: 'root', part: '[id="system.discord"]' },
  { name: 'setting-stripe', path: '/setting?tab=system', as: 'root', part: '[id="system.stripe"]' },
  { name: 'setting-other', path: '/setting?tab=other', as: 'root' },
  { name: 'setting-audit', path: '/setting?tab=audit', as: 'root', act: openFirstRow },
  { name: 'setting-faults', path: '/setting?tab=system', as: 'root', act: provokeFaults },

  { name: 'menu', path: '/about', as: 'nobody', act: openMenu },
  { name: 'palette', path: '/about', as: 'root', act: page => pressFor(page, 'Control+k') },
  { name: 'palette-found', path: '/about', as: 'root', act: findRecords },
  { name: 'keys', path: '/about', as: 'nobody', act: page => pressFor(page, '?') },
  { name: 'phone-menu', path: '/about', as: 'root', widths: [390], act: openPhoneMenu },
  { name: 'toast', path: '/login', as: 'nobody', act: provokeToast },
]

async function pressFor(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key)
  await page.getByRole('dialog').waitFor()
}

/** Pages, tokens, channels and users at once. */
async function findRecords(page: Page): Promise<void> {
  await pressFor(page, 'Control+k')
  await page.getByRole('dialog').getByRole('textbox').fill('an')
  await page.getByRole('dialog').getByRole('button').filter({ hasText: '#' }).first().waitFor()
}

/** Once a day: whoever comes later finds it done. */
async function checkIn(page: Page): Promise<void> {
  const card = page.locator('[aria-labelledby=check-in-title]')
  await card.waitFor()
  const button = card.getByRole('button')
  if ((await button.count()) > 0) await button.click()
  await button.waitFor({ state: 'detached' })
}

async function openOptions(page: Page): Promise<void> {
  await page.locator('h1 + div [aria-haspopup=dialog]').click()
  await page.getByRole('dialog').waitFor()
}

/** One view is saved, and the panel with it left open. */
async function saveView(page: Page): Promise<void> {
  await openOptions(page)
  await page.locator('[role=dialog] [data-new]').click()
  await page.keyboard.type('Usage')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Usage' }).waitFor()
}

async function openMenu(page: Page): Promise<void> {
  await page.locator('header button[aria-haspopup=menu]').first().click()
  await page.getByRole('menu').waitFor()
}

async function openPhoneMenu(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.locator('header button').first().click()
  await page.getByRole('dialog').waitFor()
}

/** A conversation as this browser would have kept it: two models, thoughts, code, a failure. */
async function recallTalk(page: Page): Promise<void> {
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

async function openPast(page: Page): Promise<void> {
  await recallTalk(page)
  await page.getByRole('button', { name: /^(新对话|New chat)$/ }).click()
  await page.getByRole('button', { name: /^(历史对话|Past chats)$/ }).click()
  await page.getByRole('dialog').getByRole('listitem').waitFor()
}

async function showCode(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(代码|Code)$/ }).click()
  await page.getByRole('dialog').locator('figure').waitFor()
}

async function pointAtChart(page: Page): Promise<void> {
  await page.getByRole('slider').focus()
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowLeft')
}

/** As it is before anybody has called. */
async function waitForCall(page: Page): Promise<void> {
  await page.route('**/api/log?*', route => route.fulfill({ json: emptyLog }))
  await page.reload()
  await page.locator('main pre').waitFor()
}
const emptyLog = {
  success: true,
  message: '',
  data: { items: [], total: 0, total_is_estimate: false, page: 1, page_size: 1 },
}

async function openFirstRow(page: Page): Promise<void> {
  await page.locator('main td [aria-expanded=false]').first().click()
}

async function openContent(page: Page): Promise<void> {
  await page.route('**/api/log/content/*', route => route.fulfill({ json: sampleContent }))
  await openFirstRow(page)
  await page.getByRole('button', { name: /^(查看请求与回答|Show request and answer)$/ }).click()
  await page.locator('main pre').nth(1).waitFor()
}

async function buyPlan(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(续期|Extend)$/ }).click()
  await page.getByRole('dialog').waitFor()
}

async function openPlans(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^(更多操作|More)/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: /^(套餐|Plans)/ }).click()
  await page.getByRole('dialog').waitFor()
}

async function openLogUser(page: Page): Promise<void> {
  await page.locator('main td button[aria-haspopup=dialog]').first().click()
  await page.getByRole('dialog').waitFor()
}

async function chooseWebhook(page: Page): Promise<void> {
  await page.getByLabel(/提醒方式|Remind by/).selectOption('webhook')
  await page.getByLabel(/签名密钥|Signing secret/).waitFor()
}

async function enrol(page: Page): Promise<void> {
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
async function openFirstTag(page: Page): Promise<void> {
  await page.getByRole('switch').nth(2).click()
  await page.locator('main table [aria-expanded=false]').first().click()
  await page.locator('main table input[type=checkbox]').nth(2).check()
  await page.locator('main table input[type=checkbox]').nth(3).check()
}

async function editFirstTag(page: Page): Promise<void> {
  await page.locator('main table tbody tr').first().getByRole('button').last().click()
  await page.getByRole('dialog').waitFor()
  await page.locator('[data-name=tag-model_mapping]').waitFor()
}

async function openAdvanced(page: Page): Promise<void> {
  await page.getByRole('dialog').locator('h3 button').click()
  await page.locator('[data-name=channel-setting]').scrollIntoViewIfNeeded()
}

async function saveNothing(page: Page): Promise<void> {
  await page.getByRole('dialog').locator('button[type=submit]').click()
  await page.getByRole('alert').waitFor()
}

async function showWork(page: Page): Promise<void> {
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
async function letRest(page: Page): Promise<void> {
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
    const response = await route.fetch()
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
async function beNew(page: Page): Promise<void> {
  await page.route('**/api/user/self', async route => {
    const response = await route.fetch()
    const json = await response.json()
    await route.fulfill({ response, json: { ...json, data: { ...json.data, request_count: 0 } } })
  })
  await page.route('**/api/log/self?*', route => route.fulfill({ json: emptyLog }))
  await page.reload()
  await page.locator('main pre').waitFor()
}

async function showRatioJson(page: Page): Promise<void> {
  const ratios = page.locator('[id="operation.ratios"]')
  await ratios.getByRole('tab').first().click()
  await ratios.locator('[data-name=ModelPrice]').waitFor()
}

async function editRatio(page: Page): Promise<void> {
  const row = page.locator('[id="operation.ratios"]').getByRole('row').nth(1)
  await row.getByRole('button').first().click()
  await page.getByRole('dialog').waitFor()
}

async function editGroup(page: Page): Promise<void> {
  const row = page.locator('[id="operation.groups"]').getByRole('row').nth(2)
  await row.getByRole('button').first().click()
  await page.getByRole('dialog').waitFor()
}

async function registerNothing(page: Page): Promise<void> {
  await page.getByRole('main').locator('button[type=submit]').click()
  await page.locator('#agreement-missed').waitFor()
}

async function provokeToast(page: Page): Promise<void> {
  await page.getByRole('main').locator('button[type=submit]').click()
  await page.getByRole('alert').waitFor()
}

async function provokeFaults(page: Page): Promise<void> {
  await page.locator('input[name=ServerAddress]').fill('nonsense')
  await page.locator('[data-name=TopupGroupRatio]').fill('{')
  await page.locator('input[name=PasswordLoginEnabled]').uncheck({ force: true })
  await page.keyboard.press('Control+s')
  await page.getByRole('dialog').waitFor()
}
