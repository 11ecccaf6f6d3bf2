import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { openStage, type Stage, type Visit } from './harness.ts'

let stage: Stage
let visit: Visit
let page: Page

beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  visit = await stage.visit({ asRoot: true })
  page = visit.page
  await page.goto('/setting?tab=operation#operation.guards')
})
afterEach(async () => {
  expect(visit.faults).toEqual([])
  await visit.close()
})

const section = (): Locator => page.getByRole('region', { name: '护栏', exact: true })
const dialog = (): Locator => page.getByRole('dialog')
const rowOf = (name: string): Locator => section().getByRole('row', { name: new RegExp(name) })

async function save(): Promise<void> {
  await section().getByRole('button', { name: '保存：护栏' }).click()
  await page.waitForFunction(() => !document.body.innerText.includes('处修改未保存'))
}

async function saved(): Promise<{ name: string; enabled: boolean }[]> {
  const { json } = await (await stage.root()).get('/api/option/')
  return JSON.parse(json.data.find((one: { key: string }) => one.key === 'Guards').value)
}

async function add(name: string, fill: () => Promise<void>): Promise<void> {
  await section().getByRole('button', { name: '添加规则' }).click()
  await dialog().getByLabel('名称').fill(name)
  await fill()
  await dialog().getByRole('button', { name: '确定' }).click()
}

test('rules are added, tried, put in another order, switched off and deleted', async () => {
  await add('people', async () => {
    await dialog().getByRole('button', { name: '确定' }).click()
    await dialog().getByText('请至少选择一项').waitFor()
    await dialog().getByRole('combobox', { name: '常见类型' }).click()
    await page.getByRole('option', { name: '邮箱地址' }).click()
    await page.keyboard.press('Escape')
    await dialog().getByRole('combobox', { name: '检查对象' }).click()
    await page.getByRole('option', { name: '回答' }).click()
    await page.getByRole('option', { name: 'MCP 工具结果' }).click()
    await page.keyboard.press('Escape')
  })
  await add('orders', async () => {
    await dialog().getByLabel('检查内容').selectOption('pattern')
    await dialog().getByLabel('正则表达式').fill('(ORD')
    await dialog().getByText('正则表达式无法使用').waitFor()
    await dialog().getByLabel('正则表达式').fill('ORD-\\d+')
    await dialog().getByLabel('处理方式').selectOption('block')
    await dialog().getByLabel('模型').fill('gpt-*, o3')
  })
  await rowOf('orders').waitFor()

  const box = section().getByLabel('试一试')
  await box.fill('from ada@example.com')
  await section().getByText('from [email]').first().waitFor()
  await box.fill('see ORD-77')
  await section().getByText('被“orders”拦截').waitFor()

  await save()
  expect(await saved()).toEqual([
    {
      name: 'people',
      enabled: true,
      where: ['input', 'output', 'tool-output'],
      groups: [],
      models: [],
      looks: { by: 'kinds', kinds: ['email'] },
      action: 'mask',
    },
    {
      name: 'orders',
      enabled: true,
      where: ['input'],
      groups: [],
      models: ['gpt-*', 'o3'],
      looks: { by: 'pattern', pattern: 'ORD-\\d+' },
      action: 'block',
    },
  ] as never)

  const act = async (name: string, action: string): Promise<void> => {
    await rowOf(name).getByRole('button').last().click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await act('orders', '上移')
  await act('people', '停用')
  await save()
  expect((await saved()).map(({ name, enabled }) => [name, enabled])).toEqual([
    ['orders', true],
    ['people', false],
  ])
  await act('orders', '删除')
  await save()
  expect((await saved()).map(({ name }) => name)).toEqual(['people'])
})

test('a rule that was begun is not lost by a slip, and what it lacks has the focus', async () => {
  await section().getByRole('button', { name: '添加规则' }).click()
  await dialog().getByLabel('名称').fill('half')
  await dialog().getByRole('button', { name: '确定' }).click()
  await dialog().getByText('请至少选择一项').waitFor()
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
  const question = page.getByRole('dialog', { name: '放弃未保存的修改？' })
  await dialog().getByLabel('名称').press('Escape')
  await question.getByRole('button', { name: '取消' }).click()
  await question.waitFor({ state: 'hidden' })
  expect(await dialog().getByLabel('名称').inputValue()).toBe('half')
  await dialog().getByLabel('名称').press('Escape')
  await question.getByRole('button', { name: '放弃修改' }).click()
  await dialog().first().waitFor({ state: 'hidden' })
})

test('a webhook is set up, and its secret is not shown again', async () => {
  await add('own-check', async () => {
    await dialog().getByLabel('检查内容').selectOption('webhook')
    await dialog().getByLabel('Webhook 地址').fill('ftp://nowhere')
    await dialog().getByText('必须是以 http:// 或 https:// 开头的地址').waitFor()
    await dialog().getByLabel('Webhook 地址').fill('https://checks.example.com/')
    await dialog().getByLabel('没有答复时').selectOption('block')
  })
  await section().getByLabel('Webhook 密钥').fill('hook-secret-1')
  await save()
  expect((await saved()).at(-1)).toMatchObject({
    name: 'own-check',
    looks: { by: 'webhook', url: 'https://checks.example.com/', seconds: 5, otherwise: 'block' },
  })
  await page.reload()
  await section().getByText('已设置').waitFor()
  expect(
    await section()
      .getByRole('textbox', { name: /Webhook 密钥/ })
      .inputValue(),
  ).toBe('')
})

test('a model is asked from scores on, and cannot mask', async () => {
  await add('moderation', async () => {
    await dialog().getByLabel('检查内容').selectOption('model')
    await dialog().getByRole('button', { name: '确定' }).click()
    await dialog().getByText('请输入模型').waitFor()
    await dialog().getByLabel('审核模型').fill('omni-moderation-latest')
    await dialog().getByLabel('计入的类别').fill('violence 7\nhate')
    await dialog().getByRole('button', { name: '确定' }).click()
    await dialog().getByText('分数必须是 0 到 1 之间的数字').waitFor()
    await dialog().getByLabel('计入的类别').fill('violence 0.7\nhate\nself-harm/intent: 0.25')
    expect(await dialog().getByLabel('处理方式').locator('option').allInnerTexts()).toEqual([
      '拦截',
      '仅记录',
    ])
  })
  await rowOf('moderation').getByText('violence 0.7').waitFor()
  await save()
  expect((await saved()).at(-1)).toMatchObject({
    name: 'moderation',
    action: 'block',
    looks: {
      by: 'model',
      model: 'omni-moderation-latest',
      categories: { violence: 0.7, hate: 'flagged', 'self-harm/intent': 0.25 },
      seconds: 5,
      otherwise: 'allow',
    },
  })
})

test('a webhook has a secret of its own, which is kept, lost with its address, and taken away', async () => {
  const secret = () => dialog().getByLabel('单独的密钥')
  const edit = () => rowOf('sealed').getByRole('button').first().click()
  const apply = () => dialog().getByRole('button', { name: '确定' }).click()
  const secretSaved = async () =>
    ((await saved()).at(-1) as unknown as { looks: { secret?: string } }).looks.secret
  await add('sealed', async () => {
    await dialog().getByLabel('检查内容').selectOption('webhook')
    await dialog().getByLabel('Webhook 地址').fill('https://sealed.example.com/')
    await secret().fill('own-secret-1')
  })
  await save()
  expect(await secretSaved()).toBe('******')
  await page.reload()
  await edit()
  expect([await secret().inputValue(), await secret().getAttribute('placeholder')]).toEqual([
    '',
    '已设置，输入则替换',
  ])
  await dialog().getByLabel('Webhook 地址').fill('https://other.example.com/')
  await apply()
  await dialog().getByText('名称或地址已变，请重新输入').waitFor()
  await dialog().getByLabel('Webhook 地址').fill('https://sealed.example.com/')
  await dialog().getByLabel('没有答复时').selectOption('block')
  await apply()
  await save()
  expect(await secretSaved()).toBe('******')
  await edit()
  await dialog().getByRole('button', { name: '移除' }).click()
  await apply()
  await save()
  expect(await secretSaved()).toBeUndefined()
})
