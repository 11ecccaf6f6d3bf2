import { afterAll, beforeAll, expect, test } from 'bun:test'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { formatSmallDollars } from '../../console/ui/amounts/charge.ts'
import { asArray, asObject } from '../../server/dialects/json.ts'
import { freshDataDir, until } from '../program.ts'
import { errorOnceAnswered } from '../upstreams/index.ts'
import { Client, ROOT_PASSWORD, type Visit } from './harness.ts'
import { comesTo, endLogin, logIn } from './people.ts'
import { openPlaygroundHouse, type PlaygroundHouse } from './playground-house.ts'

let house: PlaygroundHouse

beforeAll(async () => {
  house = await openPlaygroundHouse()
})
afterAll(async () => {
  expect(house.upstream.complaints).toEqual([])
  await house.close()
})

async function enter(): Promise<Visit> {
  const visit = await house.stage.visit({ asRoot: true })
  await visit.page.goto('/playground')
  await input(visit.page).waitFor()
  return visit
}

async function leave(visit: Visit): Promise<void> {
  expect(visit.faults).toEqual([])
  await visit.close()
}

const input = (page: Page) => page.getByRole('textbox', { name: '消息' })
const answers = (page: Page, state = 'complete') => page.locator(`[data-state=${state}]`)

async function ask(page: Page, text: string): Promise<void> {
  await input(page).fill(text)
  await input(page).press('Enter')
}

/** The price that the page tells is the one in the books. */
async function expectBilled(page: Page, at = 0): Promise<void> {
  const requestId = await until(() => page.evaluate(lastRequest))
  const row = await until(() => house.logOf(requestId))
  const price = formatSmallDollars(row.quota / 500_000)
  expect(row.quota).toBeGreaterThan(0)
  expect(row.token_name).toBe('playground-default')
  await answers(page).nth(at).getByText(price, { exact: true }).waitFor()
}

/** Runs in the page. */
function lastRequest(): string | undefined {
  const stored = JSON.parse(localStorage.getItem('playground-conversation') ?? '{"turns":[]}')
  return stored.turns.at(-1)?.answers[0]?.requestId
}

/** A browser that is handed bytes gets them as text, piece by piece and for seconds; a path it opens by itself. */
function fileOnDisk(name: string, bytes: number): string {
  const path = join(freshDataDir(), name)
  writeFileSync(path, '')
  truncateSync(path, bytes)
  return path
}

const lastBody = () => asObject(house.upstream.requests.at(-1)?.json ?? null) ?? {}

test('an answer streams in as Markdown, is billed to the log row, and is there after a reload', async () => {
  const visit = await enter()
  const { page } = visit
  // As on a page that is not served over https.
  await page.evaluate(() => Object.defineProperty(crypto, 'randomUUID', { value: undefined }))
  house.upstream.next({
    reply: {
      text: '## Plan\n\n- one\n- two\n\n```ts\nconst a = 1\n```\n\n<script>alert(1)</script> **done**',
    },
  })
  await ask(page, 'Make a plan')
  await answers(page).getByText('done').waitFor()
  const answer = answers(page).first()
  await answer.locator('h2').filter({ hasText: 'Plan' }).waitFor()
  expect(await answer.locator('li').allTextContents()).toEqual(['one', 'two'])
  await answer.locator('.hljs-keyword').waitFor()
  expect(await answer.locator('script').count()).toBe(0)
  await answer.getByText('<script>alert(1)</script>').waitFor()
  await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA')
  await expectBilled(page)
  expect(lastBody()).toMatchObject({
    model: 'gpt-4o-mini',
    stream: true,
    messages: [
      { role: 'system', content: 'You are a helpful assistant.' },
      { role: 'user', content: 'Make a plan' },
    ],
  })
  expect(lastBody()).not.toHaveProperty('temperature')
  expect(lastBody()).not.toHaveProperty('max_tokens')
  await answer.getByRole('button', { name: /^\$/ }).click()
  await answer.getByText('模型倍率').waitFor()

  await page.reload()
  await answers(page).getByText('done').waitFor()
  await ask(page, 'And then?')
  await answers(page).nth(1).waitFor()
  expect(asArray(lastBody().messages).map(one => asObject(one)?.role)).toEqual([
    'system',
    'user',
    'assistant',
    'user',
  ])
  await page.getByRole('button', { name: '清空对话' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '清空' }).click()
  await page.getByText('试用模型').waitFor()
  await leave(visit)
})

test('thoughts are shown while they come and fold away when the answer does', async () => {
  const visit = await enter()
  const { page } = visit
  let speak = () => {}
  const spoken = new Promise<void>(resolve => {
    speak = resolve
  })
  house.upstream.next({
    reply: { thinking: 'First I wonder.', text: 'Then I know.' },
    hold: { afterFrames: 4, until: spoken },
  })
  await ask(page, 'Think')
  await answers(page, 'incomplete').getByText('First I wonder').waitFor()
  speak()
  await answers(page).getByText('Then I know.').waitFor()
  await page.getByText('First I wonder').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '思考过程' }).click()
  await page.getByText('First I wonder').waitFor()
  await leave(visit)
})

test('an error in the stream is added to the answer, which is then marked as failed', async () => {
  const visit = await enter()
  const { page } = visit
  // With the words and the error in one read, nothing would have gone out yet and another channel be asked.
  const { script, answered } = errorOnceAnswered(4)
  house.upstream.next({ ...script, reply: { text: 'Half of it and more' } })
  await ask(page, 'Fail')
  await answers(page, 'incomplete').getByText('Half of').waitFor()
  answered()
  const failed = answers(page, 'error')
  await failed.getByRole('alert').waitFor()
  await failed.getByText('Half of').waitFor()
  // The vendor's sentence in words of the page.
  expect(await failed.getByRole('alert').textContent()).toMatch(
    /^请求失败：.*server had an error.*（请求 ID：[\w-]+）/,
  )
  expect(await page.getByText('回答已结束').count()).toBe(0)
  await failed.getByRole('button', { name: '重新生成' }).click()
  await answers(page).getByText('You said: Fail').waitFor()
  expect(await failed.count()).toBe(0)
  await expectBilled(page)
  await leave(visit)
})

test('Esc stops, and what was said until then is billed', async () => {
  const visit = await enter()
  const { page } = visit
  house.upstream.next({ reply: { text: 'word' }, endless: true, gapMs: 20 })
  await ask(page, 'Talk')
  await answers(page, 'incomplete')
    .getByText(/(word ?){3}/)
    .waitFor()
  await page.keyboard.press('Escape')
  await answers(page).getByText('已停止').waitFor()
  await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA')
  await expectBilled(page)

  // So does a page that is loaded anew; nobody is told that the line broke.
  house.upstream.next({ reply: { text: 'more' }, endless: true, gapMs: 20 })
  await ask(page, 'Go on')
  await answers(page, 'incomplete')
    .getByText(/(more ?){3}/)
    .waitFor()
  await page.reload()
  await answers(page).nth(1).getByText('已停止').waitFor()
  await leave(visit)
})

test('a message can be edited, its answers are made anew; answers can be edited and deleted', async () => {
  const visit = await enter()
  const { page } = visit
  await ask(page, 'one')
  await answers(page).getByText('You said: one').waitFor()
  await ask(page, 'two')
  await answers(page).getByText('You said: two').waitFor()
  await page.getByRole('button', { name: '编辑消息' }).first().click()
  await page.getByRole('textbox', { name: '编辑消息' }).fill('three')
  await page.getByRole('button', { name: '保存并重新生成' }).click()
  await answers(page).getByText('You said: three').waitFor()
  expect(await answers(page).count()).toBe(1)
  await page.getByRole('button', { name: '编辑回答' }).click()
  await page.getByRole('textbox', { name: '编辑回答' }).fill('I say four')
  await page.getByRole('button', { name: '保存', exact: true }).first().click()
  await answers(page).getByText('I say four').waitFor()
  await ask(page, 'five')
  await answers(page).getByText('You said: five').waitFor()
  expect(asArray(lastBody().messages).map(one => asObject(one)?.content)).toContain('I say four')
  await page.getByRole('button', { name: '删除消息及其回答' }).first().click()
  await comesTo(() => answers(page).count(), 1)
  await page.getByRole('button', { name: '删除回答' }).click()
  await page.getByText('该模型尚未回答').waitFor()
  await leave(visit)
})

test('two models answer beside each other, with the parameters of the panel', async () => {
  const visit = await enter()
  const { page } = visit
  await page.getByRole('button', { name: '添加对比模型' }).click()
  await page.getByRole('slider', { name: '温度' }).fill('0.3')
  await page.getByRole('textbox', { name: '最大 Token 数' }).fill('12x')
  await page.getByRole('textbox', { name: '系统提示词' }).fill('Be brief.')
  await page.getByRole('textbox', { name: '预设名称' }).fill('brief')
  await page.getByRole('region', { name: '预设' }).getByRole('button', { name: '保存' }).click()
  const before = house.upstream.requests.length
  await ask(page, 'Hi')
  await answers(page).nth(1).waitFor()
  const bodies = house.upstream.requests.slice(before).map(seen => asObject(seen.json ?? null) ?? {})
  expect(bodies.map(body => body.model).toSorted()).toEqual(['gpt-4o', 'gpt-4o-mini'])
  for (const body of bodies) expect(body).toMatchObject({ temperature: 0.3, max_tokens: 12 })
  const places = await answers(page).evaluateAll(all => all.map(one => one.getBoundingClientRect()))
  expect(places[0]?.top).toBe(places[1]?.top ?? 0)
  expect(places[0]?.right).toBeLessThan(places[1]?.left ?? 0)

  await page.getByRole('button', { name: '恢复默认参数' }).click()
  expect(await page.getByRole('textbox', { name: '系统提示词' }).inputValue()).toBe(
    'You are a helpful assistant.',
  )
  await page.getByRole('button', { name: 'brief', exact: true }).click()
  expect(await page.getByRole('textbox', { name: '系统提示词' }).inputValue()).toBe('Be brief.')

  await page.setViewportSize({ width: 390, height: 844 })
  await comesTo(() => answers(page).filter({ visible: true }).count(), 1)
  await page.getByRole('button', { name: 'gpt-4o', exact: true }).click()
  await answers(page).filter({ visible: true, hasText: 'gpt-4o' }).waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: '移除 gpt-4o', exact: true }).click()
  await comesTo(() => answers(page).count(), 1)
  await leave(visit)
})

test('an image reaches the vendor; what is too large or no image is refused in words', async () => {
  const visit = await enter()
  const { page } = visit
  const chooser = page.locator('input[type=file]')
  await chooser.setInputFiles({
    name: 'notes.docx',
    mimeType: 'application/msword',
    buffer: Buffer.from('PK'),
  })
  await page.getByText('notes.docx 不是支持的格式').waitFor()
  await chooser.setInputFiles(fileOnDisk('large.png', 5 * 1024 * 1024 + 1))
  await page.getByText('large.png 超过 5 MB').waitFor()
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  await chooser.setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: pixel })
  await page.getByRole('img', { name: 'dot.png' }).waitFor()
  await ask(page, 'What is this?')
  await answers(page).getByText(`saw image image/png ${pixel.length} bytes`).waitFor()
  expect(asArray(lastBody().messages).at(-1)).toMatchObject({
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel.toString('base64')}` } },
    ],
  })
  await page.reload()
  await page.getByText('dot.png').waitFor()
  expect(await page.evaluate(() => localStorage.getItem('playground-conversation'))).not.toContain('base64')
  await leave(visit)
})

test('a PDF reaches the vendor as a file; one that is none, or too large, is refused in words', async () => {
  const visit = await enter()
  const { page } = visit
  const chooser = page.locator('input[type=file]')
  const mimeType = 'application/pdf'
  await chooser.setInputFiles({ name: 'fake.pdf', mimeType, buffer: Buffer.from('<html>') })
  await page.getByText('无法读取 fake.pdf').waitFor()
  await chooser.setInputFiles(fileOnDisk('large.pdf', 10 * 1024 * 1024 + 1))
  await page.getByText('large.pdf 超过 10 MB').waitFor()
  // By its name, where the browser says nothing of its type.
  const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>')
  await chooser.setInputFiles({ name: 'Report.PDF', mimeType: '', buffer: pdf })
  await page.getByRole('button', { name: '移除 Report.PDF' }).waitFor()
  await ask(page, 'What does it say?')
  await answers(page).waitFor()
  expect(asArray(lastBody().messages).at(-1)).toMatchObject({
    content: [
      { type: 'text', text: 'What does it say?' },
      {
        type: 'file',
        file: {
          filename: 'Report.PDF',
          file_data: `data:application/pdf;base64,${pdf.toString('base64')}`,
        },
      },
    ],
  })
  await page.reload()
  await page.getByTitle('图片和 PDF 不会保存').getByText('Report.PDF').waitFor()
  expect(await page.evaluate(() => localStorage.getItem('playground-conversation'))).not.toContain('base64')
  await leave(visit)
})

test('code is shown without the key and copied with it', async () => {
  const { json } = await house.root.post('/api/token/', { name: 'mine', unlimited_quota: true })
  expect(json.success).toBe(true)
  const key = (await house.root.get('/api/token/?p=0&size=10')).json.data[0].key
  const visit = await house.stage.visit({ asRoot: true, permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  await page.goto('/playground')
  await page.getByRole('button', { name: '代码' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Python' }).click()
  await dialog.getByText('from openai import OpenAI').waitFor()
  await dialog.getByRole('button', { name: '复制（含令牌）' }).click()
  await page.getByText('已复制到剪贴板！').waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain(`api_key="sk-${key}"`)
  expect(copied).toContain(`base_url="${house.stage.url}/v1"`)
  expect(await dialog.textContent()).not.toContain(key)
  await leave(visit)
})

test('the conversation is exported as it was', async () => {
  const visit = await enter()
  const { page } = visit
  await ask(page, 'Hello')
  await answers(page).getByText('You said: Hello').waitFor()
  await page.getByRole('button', { name: '导出对话' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: '导出为 JSON' }).click(),
  ])
  const exported = await Bun.file(await file.path()).json()
  expect(exported.messages[0]).toMatchObject({ content: 'Hello', answers: [{ content: 'You said: Hello' }] })
  await leave(visit)
})

test('whoever is no longer logged in is told so', async () => {
  const visit = await enter()
  const { page } = visit
  visit.expectFault(/401/)
  await endLogin(page)
  await ask(page, 'Hello')
  await answers(page, 'error').getByText('未登录或登录已过期，请重新登录！').waitFor()
  await page.getByRole('link', { name: '重新登录' }).click()
  await logIn(page, 'root', ROOT_PASSWORD)
  await page.waitForURL('**/playground')
  await answers(page, 'error').waitFor()
  await leave(visit)
})

test('a model without a channel, and a user without a model, hear who can help', async () => {
  const visit = await enter()
  const { page } = visit
  visit.expectFault(/503/)
  await page.evaluate(() => localStorage.setItem('playground-settings', '{"models":["no-such-model"]}'))
  await page.reload()
  await page.getByText('该分组下没有此模型').waitFor()
  await ask(page, 'Hello')
  await answers(page, 'error').getByText('该分组下没有启用的渠道提供此模型').waitFor()
  await leave(visit)

  await house.root.post('/api/user/', { username: 'lonely', password: 'lonely-pass-1', group: 'svip' })
  await house.root.saveOption('UserUsableGroups', '{}')
  const lonely = new Client(house.stage.url)
  await lonely.login('lonely', 'lonely-pass-1')
  const { json } = await house.root.get('/api/user/search?keyword=lonely')
  const row = (json.data.items ?? json.data)[0]
  await house.root.put('/api/user/', { ...row, password: '', group: 'svip' })
  const other = await house.stage.visit({ as: lonely })
  await other.page.goto('/playground')
  await other.page.getByText('请联系管理员添加渠道').waitFor()
  await leave(other)
})
