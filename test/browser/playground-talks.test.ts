import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { asArray, asObject } from '../../server/dialects/json.ts'
import type { Client, Visit } from './harness.ts'
import { addPerson, arrive, comesTo, logIn, password } from './people.ts'
import { openPlaygroundHouse, type PlaygroundHouse } from './playground-house.ts'

let house: PlaygroundHouse
let poor: Client

beforeAll(async () => {
  house = await openPlaygroundHouse()
  poor = await addPerson(house.stage, 'poor')
})
afterAll(async () => {
  expect(house.upstream.complaints).toEqual([])
  await house.close()
})

async function enter(path = '/playground'): Promise<Visit> {
  const visit = await house.stage.visit({ asRoot: true })
  await visit.page.goto(path)
  await input(visit.page).waitFor()
  return visit
}

async function leave(visit: Visit): Promise<void> {
  expect(visit.faults).toEqual([])
  await visit.close()
}

const input = (page: Page) => page.getByRole('textbox', { name: '消息' })
const answers = (page: Page) => page.locator('[data-state=complete]')

async function ask(page: Page, text: string): Promise<void> {
  await input(page).fill(text)
  await input(page).press('Enter')
}

const lastBody = () => asObject(house.upstream.requests.at(-1)?.json ?? null) ?? {}
const lastContents = () => asArray(lastBody().messages).map(one => asObject(one)?.content)

test('the log calls a call from here by the name of this page, and the rankings of a first hour are short', async () => {
  const visit = await enter()
  const { page } = visit
  await ask(page, 'Hello')
  await answers(page).getByText('You said: Hello').waitFor()
  await page.goto('/log')
  const token = page.getByRole('button', { name: '操练场', exact: true }).first()
  await token.waitFor()
  // Whole where it is pointed at, and under the row.
  expect(await token.getAttribute('title')).toStartWith('playground-default')
  await page.getByRole('button', { name: /^展开/ }).first().click()
  await page.getByRole('definition').filter({ hasText: 'playground-default' }).waitFor()
  await page.goto('/detail')
  const users = page.getByRole('region', { name: '排行' }).getByRole('region', { name: '消费 · 按用户' })
  const row = users.getByRole('listitem').filter({ hasText: 'root' })
  await row.waitFor()
  expect(await users.getByRole('listitem').count()).toBe(1)
  const [list, one] = await Promise.all([users.getByRole('list').boundingBox(), row.boundingBox()])
  expect(list?.height).toBe(one?.height ?? 0)
  await leave(visit)
})

test('an answer made anew leaves the old one to be read, gone on from, and kept', async () => {
  const visit = await enter()
  const { page } = visit
  house.upstream.next({ reply: { text: 'First try' } })
  await ask(page, 'Name it')
  await answers(page).getByText('First try').waitFor()
  expect(await page.getByRole('button', { name: '上一个回答' }).count()).toBe(0)
  house.upstream.next({ reply: { text: 'Second try' } })
  await page.getByRole('button', { name: '重新生成' }).click()
  await answers(page).getByText('Second try').waitFor()
  await page.getByText('2 / 2').waitFor()
  await page.getByRole('button', { name: '上一个回答' }).click()
  await answers(page).getByText('First try').waitFor()
  await page.reload()
  await page.getByText('1 / 2').waitFor()
  await ask(page, 'Go on')
  await answers(page).getByText('You said: Go on').waitFor()
  expect(lastContents().slice(1)).toEqual(['Name it', 'First try', 'Go on'])
  // What was paid for both is in the sum.
  await page.getByRole('button', { name: '下一个回答' }).click()
  await answers(page).getByText('Second try').waitFor()
  await page.getByRole('button', { name: '删除回答' }).first().click()
  await answers(page).getByText('First try').waitFor()
  expect(await page.getByText('/ 2').count()).toBe(0)
  await leave(visit)
})

test('conversations are put aside, found again by their first words, and deleted', async () => {
  const visit = await enter()
  const { page } = visit
  const history = page.getByRole('button', { name: '历史对话' })
  expect(await history.count()).toBe(0)
  await ask(page, 'About bridges')
  await answers(page).getByText('You said: About bridges').waitFor()
  await page.getByRole('button', { name: '新对话' }).click()
  await page.getByText('试用模型').waitFor()
  await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA')
  await ask(page, 'About tunnels')
  await answers(page).getByText('You said: About tunnels').waitFor()
  await page.reload()
  await history.click()
  const list = page.getByRole('dialog', { name: '历史对话' })
  await list.getByRole('button', { name: /^About bridges/ }).click()
  await answers(page).getByText('You said: About bridges').waitFor()
  expect(await page.getByText('About tunnels').count()).toBe(0)
  await history.click()
  await comesTo(() => list.getByRole('listitem').count(), 1)
  await list.getByRole('button', { name: '删除对话 About tunnels' }).click()
  await list.waitFor({ state: 'detached' })
  await history.waitFor({ state: 'detached' })

  // Another question in the middle puts what followed aside.
  await ask(page, 'Longest one?')
  await answers(page).getByText('You said: Longest one?').waitFor()
  await page.getByRole('button', { name: '编辑消息' }).first().click()
  await page.getByRole('textbox', { name: '编辑消息' }).fill('About ferries')
  await page.getByRole('button', { name: '保存并重新生成' }).click()
  await answers(page).getByText('You said: About ferries').waitFor()
  expect(await page.getByText('Longest one?').count()).toBe(0)
  await history.click()
  await list.getByRole('button', { name: /^About bridges/ }).click()
  await answers(page).getByText('You said: Longest one?').waitFor()
  await leave(visit)

  // Nobody finds what somebody else has said.
  const other = await house.stage.visit({ as: poor })
  await other.page.goto('/playground')
  await input(other.page).waitFor()
  expect(await other.page.getByRole('button', { name: '历史对话' }).count()).toBe(0)
  await leave(other)
})

test('what is written and not sent waits while its writer is on another page, and its words over a reload', async () => {
  const visit = await enter()
  const { page } = visit
  await input(page).fill('half a question')
  await page.locator('input[type=file]').setInputFiles({
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('noted'),
  })
  await page.getByRole('button', { name: '移除 notes.txt' }).waitFor()
  await page.getByRole('link', { name: '模型价格' }).click()
  await page.waitForURL('/pricing')
  await page.getByRole('link', { name: '控制台' }).click()
  await page.getByRole('link', { name: '操练场' }).click()
  await page.getByRole('button', { name: '移除 notes.txt' }).waitFor()
  expect(await input(page).inputValue()).toBe('half a question')
  await page.reload()
  await comesTo(() => input(page).inputValue(), 'half a question')
  await input(page).press('Enter')
  await answers(page).getByText('You said: half a question').waitFor()
  await page.reload()
  await answers(page).getByText('You said: half a question').waitFor()
  expect(await input(page).inputValue()).toBe('')
  await leave(visit)
})

test('a text file goes with the question and is there after a reload', async () => {
  const visit = await enter()
  const { page } = visit
  const chooser = page.locator('input[type=file]')
  await chooser.setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('x,y\n1,2\n') })
  await page.getByRole('button', { name: '移除 a.csv' }).waitFor()
  const large = Buffer.alloc(512 * 1024 + 1, 'a')
  await chooser.setInputFiles({ name: 'large.log', mimeType: '', buffer: large })
  await page.getByText('large.log 超过 0.5 MB').waitFor()
  await ask(page, 'Sum it up')
  await answers(page).waitFor()
  const sent = 'Sum it up\n\na.csv\n```\nx,y\n1,2\n```'
  expect(lastContents().at(-1)).toBe(sent)
  await page.reload()
  await page.locator('summary').getByText('a.csv', { exact: true }).click()
  await page.locator('details code').getByText('x,y').waitFor()
  await ask(page, 'Again')
  await answers(page).nth(1).waitFor()
  expect(lastContents()[1]).toBe(sent)
  await leave(visit)
})

test('models have their prices beside them; a link from the price list chooses one', async () => {
  const visit = await house.stage.visit()
  const { page } = visit
  await page.goto('/pricing')
  await page
    .getByRole('row', { name: /gpt-4o / })
    .getByRole('button')
    .first()
    .click()
  await page.getByRole('link', { name: '在操练场试用' }).click()
  // The login comes in between.
  await page.waitForURL('/login')
  await logIn(page, 'poor', password)
  await arrive(page)
  await page.waitForURL('/playground')
  const model = page.getByRole('combobox', { name: '模型' }).or(page.getByLabel('模型', { exact: true }))
  await comesTo(() => model.first().inputValue(), 'gpt-4o')
  await page.getByText('提示 $2.50 · 补全 $10.00 / 1M').waitFor()
  await model.first().click()
  await page.getByRole('option', { name: 'gpt-4o-mini $0.15 / $0.60' }).click()
  await page.getByText('提示 $0.15 · 补全 $0.60 / 1M').waitFor()

  // Who has nothing left hears where to get more.
  visit.expectFault(/403/)
  await ask(page, 'Hello')
  await page.locator('[data-state=error]').getByRole('link', { name: '前往充值' }).click()
  await page.waitForURL('/topup')
  await leave(visit)
})

test('all parameters are sent, and an answer that was cut off says so', async () => {
  const visit = await enter('/playground?model=gpt-4o')
  const { page } = visit
  await page.waitForURL('/playground')
  await page.getByRole('slider', { name: 'Top P' }).fill('0.85')
  await page.getByLabel('最大 Token 数').fill('3')
  await page.getByLabel('推理强度').selectOption('low')
  const asked = page.waitForRequest('**/pg/chat/completions')
  await ask(page, 'Tell me a long story, please')
  // To this model the relay does not pass on what only those know that think.
  expect((await asked).postDataJSON()).toMatchObject({ reasoning_effort: 'low' })
  await answers(page).getByText('达到最大 Token 数').waitFor()
  expect(lastBody()).toMatchObject({ model: 'gpt-4o', top_p: 0.85, max_tokens: 3 })
  await page.getByRole('button', { name: '清除：Top P' }).click()
  await page.getByRole('button', { name: '恢复默认参数' }).click()
  await ask(page, 'Short')
  await answers(page).getByText('You said: Short').waitFor()
  for (const name of ['top_p', 'max_tokens']) expect(lastBody()).not.toHaveProperty(name)
  await leave(visit)
})
