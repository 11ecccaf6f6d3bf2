import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { insert } from '../api/logs/log-house.ts'
import { S3Bucket, s3Options } from '../s3-bucket.ts'
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
  await page.goto('/setting?tab=operation')
  await section('模型倍率设置').getByRole('row').nth(10).waitFor()
})
afterEach(async () => {
  expect(visit.faults).toEqual([])
  await visit.close()
})

const section = (name: string): Locator => page.getByRole('region', { name, exact: true })
const save = (name: string) =>
  section(name)
    .getByRole('button', { name: `保存：${name}` })
    .click()
const said = (words: string | RegExp) => page.getByText(words).waitFor()

async function option(key: string): Promise<string> {
  const { json } = await (await stage.root()).get('/api/option/')
  return json.data.find((one: { key: string }) => one.key === key)?.value
}

test('the sections stand in order', async () => {
  const names = await page.getByRole('navigation', { name: '设置分组' }).getByRole('link').allInnerTexts()
  expect(names).toEqual([
    '通用设置',
    '路由与超时',
    '回答缓存',
    '绘图设置',
    '屏蔽词过滤设置',
    '护栏',
    '日志设置',
    '日志投递',
    '数据看板设置',
    '监控设置',
    '额度设置',
    '聊天设置',
    '分组设置',
    '模型倍率设置',
  ])
  await save('绘图设置')
  await said('你似乎并没有修改什么')
})

test('a number, a flag and JSON are saved; broken JSON names its place', async () => {
  await section('额度设置').getByLabel('新用户初始额度').fill('2500')
  // What that is worth.
  await section('额度设置').getByText('$0.0050', { exact: true }).waitFor()
  await save('额度设置')
  await said('保存成功')
  expect(await option('QuotaForNewUser')).toBe('2500')

  const chats = section('聊天设置').getByRole('textbox', { name: '聊天配置' })
  await chats.fill('[\n  {"Mine": }\n]')
  await section('聊天设置').getByText('不是合法的 JSON 字符串（第 2 行第 12 列）').waitFor()
  await save('聊天设置')
  await said('请检查输入')
  await chats.fill('[{"Mine": "https://chat.example.com/#{key}"}]')
  await save('聊天设置')
  await page.waitForFunction(() => !document.body.innerText.includes('处修改未保存'))
  expect(JSON.parse(await option('Chats'))).toEqual([{ Mine: 'https://chat.example.com/#{key}' }])
})

test('a model of one’s own is added, changed and deleted in the table', async () => {
  const ratios = section('模型倍率设置')
  const dialog = page.getByRole('dialog')
  await ratios.getByRole('button', { name: '添加模型' }).click()
  await dialog.getByLabel('模型名称').fill('gpt-4o')
  await dialog.getByText('模型名称已存在').waitFor()
  await dialog.getByLabel('模型名称').fill('house-70b')
  await dialog.getByLabel('模型倍率').fill('cheap')
  await dialog.getByText('请输入数字').waitFor()
  await dialog.getByLabel('固定价格').fill('0.5')
  expect(await dialog.getByLabel('模型倍率').isDisabled()).toBe(true)
  expect(await dialog.getByLabel('补全倍率').isDisabled()).toBe(true)
  await dialog.getByLabel('固定价格').fill('')
  await dialog.getByLabel('模型倍率').fill('1.25')
  await dialog.getByLabel('补全倍率').fill('4')
  await dialog.getByText('提示 $2.50 / 1M Token，补全 $10.00 / 1M Token').waitFor()
  await dialog.getByRole('button', { name: '确定' }).click()
  await dialog.waitFor({ state: 'hidden' })

  const row = ratios.getByRole('row').filter({ hasText: 'house-70b' })
  await row.getByText('自定义').waitFor()
  await row.getByText('$2.50 / $10.00').waitFor()
  await ratios.getByText('2 处修改未保存').waitFor()
  await save('模型倍率设置')
  await said('保存成功')
  expect(JSON.parse(await option('ModelRatio'))['house-70b']).toBe(1.25)
  expect(JSON.parse(await option('CompletionRatio'))['house-70b']).toBe(4)

  await row.getByRole('button', { name: '编辑：house-70b' }).click()
  await dialog.getByLabel('固定价格').fill('0.02')
  await dialog.getByRole('button', { name: '确定' }).click()
  await row.getByText('$0.02').waitFor()
  await save('模型倍率设置')
  await page.waitForFunction(() => !document.body.innerText.includes('处修改未保存'))
  expect(JSON.parse(await option('ModelPrice'))['house-70b']).toBe(0.02)
  expect(JSON.parse(await option('ModelRatio'))['house-70b']).toBeUndefined()

  await row.getByRole('button', { name: '删除：house-70b' }).click()
  await row.waitFor({ state: 'hidden' })
  await save('模型倍率设置')
  await page.waitForFunction(() => !document.body.innerText.includes('处修改未保存'))
  expect(JSON.parse(await option('ModelPrice'))['house-70b']).toBeUndefined()
})

test('what costs next to nothing is told to cost that, and can be edited again', async () => {
  const ratios = section('模型倍率设置')
  const dialog = page.getByRole('dialog')
  await ratios.getByRole('button', { name: '添加模型' }).click()
  await dialog.getByLabel('模型名称').fill('house-tiny')
  await dialog.getByLabel('模型倍率').fill('0.0000001')
  await dialog.getByRole('button', { name: '确定' }).click()
  const row = ratios.getByRole('row').filter({ hasText: 'house-tiny' })
  await row.getByText('$0.0000002 / $0.0000002').waitFor()
  await row.getByRole('button', { name: '编辑：house-tiny' }).click()
  expect(await dialog.getByLabel('模型倍率').inputValue()).toBe('0.0000001')
  await dialog.getByLabel('补全倍率').fill('2')
  await dialog.getByRole('button', { name: '确定' }).click()
  await row.getByText('$0.0000002 / $0.0000004').waitFor()
  await row.getByRole('button', { name: '删除：house-tiny' }).click()
  await row.waitFor({ state: 'hidden' })
})

test('what long input costs is entered with the rest of a price, and an example shows what comes of it', async () => {
  const ratios = section('模型倍率设置')
  const dialog = page.getByRole('dialog')
  await ratios.getByRole('button', { name: '添加模型' }).click()
  await dialog.getByLabel('模型名称').fill('house-long')
  await dialog.getByLabel('模型倍率').fill('2.5')
  await dialog.getByLabel('补全倍率').fill('6')
  await dialog.getByLabel('长输入起点').fill('0')
  await dialog.getByText('请输入整数').waitFor()
  await dialog.getByLabel('长输入起点').fill('272000')
  await dialog.getByLabel('长输入提示').fill('2')
  await dialog.getByLabel('长输入补全').fill('1.5')
  await dialog.getByText('输入超过 272,000 Token：提示 $10.00，补全 $45.00').waitFor()
  // (1,000 + 500 × 6) × 2.5 ÷ 500,000, and beyond the length (300,000 + 500 × 4.5) × 5 ÷ 500,000.
  await dialog.getByText('$0.02', { exact: true }).waitFor()
  await dialog.getByLabel('示例：提示').fill('272000')
  await dialog.getByText('$1.375', { exact: true }).waitFor()
  await dialog.getByLabel('示例：提示').fill('300000')
  await dialog.getByText('$3.0225', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: '确定' }).click()
  const row = ratios.getByRole('row').filter({ hasText: 'house-long' })
  await row.getByText('>272K $10.00 / $45.00').waitFor()
  await save('模型倍率设置')
  await page.waitForFunction(() => !document.body.innerText.includes('处修改未保存'))
  const maps = ['LongInputFrom', 'LongInputRatio', 'LongOutputRatio'] as const
  const stored = async () => Promise.all(maps.map(async key => JSON.parse(await option(key))['house-long']))
  expect(await stored()).toEqual([272_000, 2, 1.5])
  await row.getByRole('button', { name: '删除：house-long' }).click()
  await save('模型倍率设置')
  await page.waitForFunction(() => !document.body.innerText.includes('处修改未保存'))
  expect(await stored()).toEqual([undefined, undefined, undefined])
})

test('built-in models are found, overridden and restored; both views edit one draft', async () => {
  const ratios = section('模型倍率设置')
  expect(await ratios.getByRole('row').count()).toBe(11)
  await ratios.getByRole('textbox', { name: '搜索模型名称' }).fill('gpt-4o-mini')
  await page.keyboard.press('Enter')
  const row = ratios.getByRole('row').filter({ has: page.getByText('gpt-4o-mini', { exact: true }) })
  await row.getByRole('button', { name: '编辑：gpt-4o-mini', exact: true }).click()
  await page.getByRole('dialog').getByLabel('模型倍率').fill('0.2')
  await page.keyboard.press('Enter')
  await row.getByText('已修改').waitFor()

  await ratios.getByRole('tab', { name: 'JSON 倍率' }).click()
  const json = ratios.getByRole('textbox', { name: '模型倍率', exact: true })
  await json.waitFor()
  await json.fill('{"gpt-4o-mini": 0.3')
  await ratios.getByRole('tab', { name: '可视化倍率表' }).click()
  await ratios.getByText('“模型倍率”不是合法的 JSON').waitFor()
  await ratios.getByRole('tab', { name: 'JSON 倍率' }).click()
  await json.fill('{"gpt-4o-mini": 0.3}')
  await ratios.getByRole('tab', { name: '可视化倍率表' }).click()
  await row.getByText('0.3', { exact: true }).waitFor()
  await row.getByRole('button', { name: '恢复内置：gpt-4o-mini', exact: true }).click()
  await row.getByText('0.075', { exact: true }).waitFor()
  await ratios.getByRole('button', { name: '撤销修改' }).click()
})

test('model ratios are reset after a question', async () => {
  const root = await stage.root()
  await root.saveOption('ModelRatio', '{"house-x": 3}')
  await page.reload()
  const ratios = section('模型倍率设置')
  await ratios.getByText('house-x').waitFor()
  await ratios.getByRole('button', { name: '重置模型倍率' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '重置模型倍率' }).click()
  await said('重置模型倍率成功')
  await ratios.getByText('house-x').waitFor({ state: 'hidden' })
  expect(Object.keys(JSON.parse(await option('ModelRatio')))).not.toContain('house-x')
})

test('a group is added and changed in the table', async () => {
  const groups = section('分组设置')
  const dialog = page.getByRole('dialog')
  await groups.getByRole('button', { name: '添加分组' }).click()
  await dialog.getByLabel('分组名称').fill('vip')
  await dialog.getByText('分组名称已存在').waitFor()
  await dialog.getByLabel('分组名称').fill('gold')
  await dialog.getByLabel('分组倍率').fill('-1')
  await dialog.getByText('请输入数字').waitFor()
  await dialog.getByLabel('分组倍率').fill('0.7')
  await dialog.getByLabel('分组描述').fill('黄金')
  await dialog.getByRole('button', { name: '确定' }).click()
  await groups.getByRole('row').filter({ hasText: 'gold' }).getByText('黄金').waitFor()
  await save('分组设置')
  await said('保存成功')
  expect(JSON.parse(await option('GroupRatio')).gold).toBe(0.7)
  expect(JSON.parse(await option('UserUsableGroups')).gold).toBe('黄金')
})

test('the log is cleared before a date that is named first', async () => {
  const database = new Database(join(stage.program.dataDir, 'tollgate.db'))
  database.exec('pragma busy_timeout = 60000')
  const row = { type: 4, user_id: 1, content: 'old', other: '' }
  for (let at = 1; at <= 3; at++) insert(database, 'logs', { ...row, created_at: 1_600_000_000 + at })

  const logs = section('日志设置')
  await logs.getByRole('button', { name: '清理历史日志' }).click()
  await logs.getByText('请选择日志记录时间！').waitFor()
  await logs.getByLabel('清理此时间之前的日志').click()
  await page
    .getByRole('button', { name: /15 .*月|15 \w+ \d{4}/ })
    .first()
    .click()
  await page.getByRole('button', { name: '确定' }).click()
  await logs.getByRole('button', { name: '清理历史日志' }).click()
  const dialog = page.getByRole('dialog', { name: '清理历史日志？' })
  await dialog.getByText(/\d{4}-\d\d-15 \d\d:\d\d:\d\d 之前的所有日志将被永久删除/).waitFor()

  await page.route('**/api/log?*', route => route.abort('connectionrefused'))
  visit.expectFault(/ERR_CONNECTION_REFUSED/)
  await dialog.getByRole('button', { name: '清理历史日志' }).click()
  await said(/日志清理失败：无法连接到服务器/)
  await page.unroute('**/api/log?*')

  await logs.getByRole('button', { name: '清理历史日志' }).click()
  await dialog.getByRole('button', { name: '清理历史日志' }).click()
  await said(/^[3-9] 条日志已清理！/)
  expect(database.query("select count(*) as left from logs where content = 'old'").get()).toEqual({ left: 0 })
  database.close()
})

test('how long each call stays in the books is chosen, and the last closing told', async () => {
  const logs = section('日志设置')
  await logs.getByLabel('账本逐笔保留时长').selectOption({ label: '6 个月' })
  await save('日志设置')
  await page.waitForFunction(() => !document.body.innerText.includes('处修改未保存'))
  await logs.getByText('还没有已结账的月份，满期后会自动开始').waitFor()
  expect(await option('BooksMonths')).toBe('6')

  // Or else the program, which looks every minute, may take the month for its own and close it.
  await (await stage.root()).saveOption('BooksMonths', '0')
  const database = new Database(join(stage.program.dataDir, 'tollgate.db'))
  database.exec('pragma busy_timeout = 60000')
  const month = { month: '2024-04', ends_at: 1, started_at: 1, digest: '', files: '[]', calls: 1234 }
  insert(database, 'closed_months', { ...month, state: 'closing' })
  await page.reload()
  await logs.getByText('2024-04 的结账尚未完成，启用期间会自动继续').waitFor()
  // It is told as soon as it is over.
  database.exec("update closed_months set state = 'closed', closed_at = 1750000000")
  await logs.getByText(/最近结账：2024-04，1,234 笔调用（2025-/).waitFor()
  database.exec('delete from closed_months')
  database.close()
})

test('the log is delivered where the operator says, and how far is shown', async () => {
  const bucket = new S3Bucket()
  const database = new Database(join(stage.program.dataDir, 'tollgate.db'))
  database.exec('pragma busy_timeout = 60000')
  insert(database, 'logs', { type: 2, user_id: 1, content: 'new', other: '', created_at: 1_600_000_000 })
  database.close()
  const sinks = section('日志投递')
  const tryOut = sinks.getByRole('button', { name: '向 S3 发送测试消息' })
  try {
    // Of a place that is off nothing is asked.
    await sinks.getByRole('switch', { name: '投递到 S3 兼容存储' }).waitFor()
    expect(await sinks.getByLabel(/S3 (服务地址|存储桶|Secret Key)|写入间隔|日志 Webhook/).count()).toBe(0)
    await sinks.getByRole('switch', { name: '投递到 S3 兼容存储' }).click({ force: true })
    await sinks.getByLabel('S3 服务地址').waitFor()
    expect(await sinks.getByLabel(/日志 Webhook/).count()).toBe(0)
    await save('日志投递')
    await sinks.getByText('请先填写 S3 的服务地址、存储桶、Access Key 与 Secret Key').waitFor()
    expect(await tryOut.count()).toBe(0)
    const { LogS3Bucket, LogS3Region, LogS3AccessKeyId, LogS3SecretKey } = s3Options
    await sinks.getByLabel('S3 服务地址').fill(bucket.url)
    await sinks.getByLabel('S3 存储桶').fill(LogS3Bucket)
    await sinks.getByLabel('S3 区域').fill(LogS3Region)
    await sinks.getByLabel('S3 Access Key').fill(LogS3AccessKeyId)
    await sinks.getByLabel('S3 Secret Key').fill('not this one')
    await sinks.getByLabel('写入间隔（秒）').fill('1')
    await save('日志投递')
    await tryOut.click()
    // The state beside it, which is as it comes, goes on after these words.
    await page.getByText('对方未接受日志：HTTP 403 SignatureDoesNotMatch', { exact: true }).waitFor()
    await sinks.getByText(/^对方未接受日志：HTTP 403 SignatureDoesNotMatch；自 .+ 起失败/).waitFor()
    await sinks.getByText('失败', { exact: true }).waitFor()
    expect(await option('LogS3SecretKey')).toBeUndefined()

    await sinks.getByRole('textbox', { name: /^S3 Secret Key/ }).fill(LogS3SecretKey)
    await tryOut.click()
    await said('先保存修改再测试')
    await save('日志投递')
    await page.waitForFunction(() => !document.body.innerText.includes('处修改未保存'))
    await tryOut.click()
    await said('S3 已接受')
    await sinks.getByText(/^已送达至 #\d+（.+），还有 0 条$/).waitFor()
    await sinks.getByText('投递中', { exact: true }).waitFor()
  } finally {
    await (await stage.root()).saveOption('LogS3Enabled', 'false')
    await bucket.close()
  }
})

test('a stored secret can be cleared', async () => {
  const root = await stage.root()
  await root.saveOption('SMTPToken', 'top-secret')
  await page.goto('/setting?tab=system')
  const smtp = section('SMTP 邮件')
  await smtp.getByRole('button', { name: '清除SMTP 访问凭证' }).click()
  const dialog = page.getByRole('dialog', { name: '清除SMTP 访问凭证？' })
  await dialog.getByRole('button', { name: '清除' }).click()
  await said('SMTP 访问凭证已清除')
  await smtp.getByText('未设置').waitFor()
  expect((await root.get('/api/option/')).json.secrets_set).not.toContain('SMTPToken')
})
