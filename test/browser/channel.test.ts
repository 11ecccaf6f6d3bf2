import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../program.ts'
import { type FakeUpstream, startOpenai } from '../upstreams/index.ts'
import { type Client, openStage, ROOT_PASSWORD, type Stage, type Visit } from './harness.ts'
import { leaveTime } from './leave-time.ts'
import { addPerson, done } from './people.ts'

let stage: Stage
let root: Client
let upstream: FakeUpstream

beforeAll(async () => {
  upstream = await startOpenai()
  stage = await openStage()
  root = await stage.root()
  await root.liftLimits()
})
afterAll(async () => {
  await stage.close()
  await upstream.stop()
})

async function enter(
  path: string,
  options: Parameters<Stage['visit']>[0] = { asRoot: true },
): Promise<Visit> {
  const visit = await stage.visit(options)
  await visit.page.goto(path)
  await visit.page.getByRole('heading', { name: '渠道', exact: true }).waitFor()
  return visit
}

async function make(name: string, fields: object = {}): Promise<number> {
  const channel = {
    type: 1,
    key: upstream.key,
    base_url: upstream.url,
    models: 'gpt-4o-mini',
    ...fields,
    name,
  }
  const { json } = await root.post('/api/channel/', channel)
  if (!json.success) throw new Error(json.message)
  return json.data.ids[0]
}

const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })
const read = async (id: number) => (await root.get(`/api/channel/${id}`)).json.data
const find = async (keyword: string) => (await root.get(`/api/channel/search?keyword=${keyword}`)).json.data

test('the first channel is made, tested, disabled, enabled, copied, tagged and deleted', async () => {
  const visit = await enter('/channel')
  const { page } = visit
  await page.getByText('还没有渠道').waitFor()
  await page.getByRole('button', { name: '添加第一个渠道' }).click()
  const drawer = page.getByRole('dialog', { name: '添加渠道' })
  // What a channel begins with is more than this upstream has: one press takes the rest away.
  await drawer.locator('#channel-base_url').fill(upstream.url)
  await drawer.getByRole('button', { name: '模型 获取模型列表' }).click()
  await page.getByText('请填写密钥！').waitFor()
  await drawer.locator('#channel-key').fill('sk-of-somebody-else')
  await drawer.getByRole('button', { name: '模型 获取模型列表' }).click()
  await page.getByText(/^获取模型列表失败：.*401/).waitFor()
  await drawer.locator('#channel-key').fill(upstream.key)
  await drawer.getByRole('button', { name: '模型 获取模型列表' }).click()
  await page.getByRole('button', { name: /^移除这 \d+ 个$/ }).click()
  await drawer.getByText('已选 3 个').waitFor()
  await drawer.getByRole('button', { name: '模型 清除所有模型' }).click()
  await drawer.locator('#channel-key').fill('')
  await drawer.getByRole('button', { name: '创建', exact: true }).click()
  await drawer.getByRole('alert').getByText('请填写渠道名称和渠道密钥！').waitFor()
  await drawer.getByRole('alert').getByText('请至少选择一个模型！').waitFor()

  await drawer.locator('#channel-name').fill('vendor')
  await drawer.locator('#channel-base_url').fill(`${upstream.url}/`)
  await drawer.locator('#channel-key').fill(upstream.key)
  await drawer.getByRole('button', { name: '模型 获取模型列表' }).click()
  await page.getByText(/已从上游获取 \d+ 个模型，新增 3 个$/).waitFor()
  await drawer.getByRole('button', { name: '模型 清除所有模型' }).click()
  const custom = drawer.getByRole('textbox', { name: '自定义模型名称' })
  await custom.fill(' gpt-4o-mini , mine')
  await custom.press('Enter')
  await drawer.getByText('已选 2 个').waitFor()
  await custom.fill('other,mine')
  await drawer.getByRole('button', { name: '填入', exact: true }).click()
  await drawer.getByText('某些模型已存在！').waitFor()
  await drawer.getByText('已选 2 个').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('渠道创建成功！').waitFor()
  expect((await find('vendor'))[0]).toMatchObject({
    base_url: upstream.url,
    models: 'gpt-4o-mini,mine',
    group: 'default',
    auto_ban: 1,
  })

  const row = rowOf(page, 'vendor')
  await row.getByText('未测试').waitFor()
  await page.getByRole('button', { name: '测试：vendor', exact: true }).click()
  await page.getByText(/渠道 vendor 测试成功，耗时 [\d.]+ 秒。/).waitFor()
  await row.getByText(/^[\d.]+ s$/).waitFor()
  await page.getByRole('button', { name: '选择测试方式：vendor' }).click()
  upstream.next(upstream.failWith('bad-key', 'no such key'))
  await page.getByRole('menuitem', { name: 'gpt-4o-mini', exact: true }).click()
  await page.getByText(/^vendor：.*no such key/).waitFor()
  await row.getByText('失败', { exact: true }).waitFor()

  await page.getByRole('button', { name: '禁用：vendor' }).click()
  await row.getByText('已禁用').waitFor()
  await page.getByRole('button', { name: '启用：vendor' }).click()
  await row.getByText('已启用').waitFor()

  const menu = page.getByRole('button', { name: '更多操作：vendor', exact: true })
  await menu.click()
  await page.getByRole('menuitem', { name: '复制' }).click()
  await page.getByText('渠道复制成功').waitFor()
  const copy = rowOf(page, 'vendor_复制')
  await copy.waitFor()

  await leaveTime(page)
  await page.getByRole('button', { name: '更多操作：vendor_复制' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await copy.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '撤销' }).click()
  await copy.waitFor()
  await page.getByRole('button', { name: '更多操作：vendor_复制' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await copy.waitFor({ state: 'detached' })
  // Who leaves does not wait for what can still be undone.
  await page.reload()
  await until(async () => (await find('vendor')).length === 1)
  await done(visit)
})

test('a new channel begins with the models of its type, until someone has chosen others', async () => {
  const byType: Record<string, string[]> = (await root.get('/api/models')).json.data
  const visit = await enter('/channel/add')
  const { page } = visit
  const drawer = page.getByRole('dialog', { name: '添加渠道' })
  const count = (type: number) => drawer.getByText(`已选 ${byType[type]?.length} 个`)
  const choose = async (name: string) => {
    await drawer.locator('#channel-type').click()
    await drawer.locator('#channel-type').fill(name)
    await page.getByRole('listbox').getByRole('option', { name }).first().click()
  }
  await count(1).waitFor()
  expect(await drawer.getByText(/处修改/).count()).toBe(0)
  await choose('DeepSeek')
  await count(43).waitFor()
  await choose('Anthropic Claude')
  await count(14).waitFor()
  await drawer.getByRole('button', { name: '模型 清除所有模型' }).click()
  await drawer.getByRole('textbox', { name: '自定义模型名称' }).fill('mine')
  await page.keyboard.press('Enter')
  await choose('DeepSeek')
  await drawer.getByText('已选 1 个').waitFor()
  await drawer.getByRole('button', { name: '移除 mine' }).waitFor()
  await done(visit)
})

test('many keys make many channels; the batch works on what is ticked, also inside tags', async () => {
  const visit = await enter('/channel/add')
  const { page } = visit
  const drawer = page.getByRole('dialog', { name: '添加渠道' })
  await drawer.locator('#channel-name').fill('batch')
  await drawer.locator('#channel-key').fill('sk-a\nsk-b\n\nsk-c')
  await drawer.getByRole('button', { name: '模型 填入相关模型' }).click()
  await drawer.getByRole('button', { name: '创建', exact: true }).click()
  await drawer.getByText('要以多行密钥创建渠道，请打开批量创建').first().waitFor()
  await drawer.getByRole('switch', { name: '批量创建' }).click({ force: true })
  await page.keyboard.press('Control+s')
  await page.getByText('已创建 3 个渠道！').waitFor()

  await page.goto('/channel?keyword=batch')
  await page.getByRole('switch', { name: '批量操作' }).click()
  await page.getByRole('button', { name: '删除所选渠道' }).click()
  await page.getByText('请先选择要删除的通道！').waitFor()
  await page.getByRole('button', { name: '批量设置标签' }).click()
  await page.getByText('请先选择要设置标签的渠道！').waitFor()
  const top = () => page.evaluate(() => document.querySelector('table')?.getBoundingClientRect().top)
  const before = await top()
  await page.getByRole('checkbox', { name: '全选本页' }).check()
  // What can be done with them is offered once, and no row moved under the pointer.
  const chosen = page.getByRole('region', { name: '所选项' })
  await chosen.getByRole('button', { name: '批量设置标签' }).waitFor()
  for (const name of ['启用', '禁用', '批量设置标签', '删除所选渠道'])
    expect([name, await page.getByRole('button', { name, exact: true }).count()]).toEqual([name, 1])
  expect(await top()).toBe(before)
  await chosen.getByRole('button', { name: '批量设置标签' }).click()
  const tagging = page.getByRole('dialog', { name: '批量设置标签' })
  await tagging.getByRole('button', { name: '设置标签' }).click()
  await tagging.getByText('标签不能为空！').waitFor()
  await tagging.getByLabel('标签').fill('crowd')
  await tagging.getByRole('button', { name: '设置标签' }).click()
  await page.getByText('已为 3 个渠道设置标签！').waitFor()

  await page.getByRole('switch', { name: '标签聚合模式' }).click()
  await page.waitForURL('**/channel?keyword=batch&tag_mode=true')
  await page.getByRole('button', { name: '全部禁用：crowd' }).click()
  await rowOf(page, 'crowd').getByText('已禁用').waitFor()
  expect((await find('batch')).map(({ status }: { status: number }) => status)).toEqual([2, 2, 2])
  await page.getByRole('button', { name: '全部启用：crowd' }).click()
  await rowOf(page, 'crowd').getByText('启用 3/3').waitFor()

  await page.getByRole('button', { name: '编辑：crowd' }).click()
  const editing = page.getByRole('dialog', { name: '编辑标签 crowd' })
  await editing.getByRole('button', { name: '保存' }).click()
  await page.getByText('没有任何修改！').waitFor()
  await editing.getByLabel('优先级').fill('1.5')
  await editing.getByLabel('权重').fill('-1')
  await editing.getByRole('button', { name: '保存' }).click()
  await editing.getByText('优先级必须是整数！').waitFor()
  await editing.getByText('权重必须是非负整数！').waitFor()
  await editing.getByLabel('优先级').fill('7')
  await editing.getByLabel('权重').fill('')
  await editing.getByRole('button', { name: '模型重定向 填入模板' }).click()
  await editing.getByLabel('标签名称').fill('herd')
  await editing.getByRole('button', { name: '保存' }).click()
  await page.getByText('标签更新成功！').waitFor()
  const [one] = await find('batch')
  expect(one).toMatchObject({ tag: 'herd', priority: 7 })
  expect(JSON.parse(one.model_mapping)).toEqual({ 'gpt-3.5-turbo': 'gpt-3.5-turbo-0125' })

  await page.getByRole('button', { name: /^herd/ }).click()
  await page.getByRole('checkbox', { name: '选择：batch' }).first().check()
  await page.getByText('已选 1 项').waitFor()
  await page.getByRole('checkbox', { name: '选择：herd' }).click()
  await page.getByText('已选 3 项').waitFor()
  await page.getByRole('region', { name: '所选项' }).getByRole('button', { name: '删除所选渠道' }).click()
  const question = page.getByRole('dialog', { name: '确定删除所选的 3 个渠道？' })
  await question.getByRole('button', { name: '删除所选渠道' }).click()
  await page.getByText('已删除 3 个渠道！').waitFor()
  expect(await find('batch')).toEqual([])
  await done(visit)
})

test('numbers are edited in their cells, and come back when they could not be saved', async () => {
  const id = await make('numbers', { priority: 3, weight: 4 })
  const visit = await enter('/channel?keyword=numbers')
  const { page } = visit
  const type = async (name: RegExp, text: string) => {
    await page.getByRole('button', { name }).click()
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }
  await type(/^numbers 的优先级/, '-2000')
  await page.getByRole('button', { name: 'numbers 的优先级：-999，点击修改' }).waitFor()
  await type(/^numbers 的权重/, '-5')
  await page.getByRole('button', { name: 'numbers 的权重：0，点击修改' }).waitFor()
  await type(/^numbers 的权重/, '1.5')
  await page.getByText('请输入整数').waitFor()
  await until(async () => (await read(id)).priority === -999)
  await until(async () => (await read(id)).weight === 0)

  // Who goes on elsewhere stays there.
  await page.getByRole('button', { name: /^numbers 的权重/ }).click()
  await page.keyboard.type('１')
  await page.locator('[data-search]').click()
  await page.getByRole('button', { name: 'numbers 的权重：1，点击修改' }).waitFor()
  await until(async () => (await read(id)).weight === 1)
  expect(await page.locator('[data-search]').evaluate(box => box === document.activeElement)).toBe(true)
  await type(/^numbers 的权重/, '0')
  await until(async () => (await read(id)).weight === 0)

  await page.route('**/api/channel', route =>
    route.request().method() === 'PUT'
      ? route.fulfill({ json: { success: false, message: 'no room' } })
      : route.continue(),
  )
  await type(/^numbers 的权重/, '9')
  await page.getByText('no room').waitFor()
  await page.getByRole('button', { name: 'numbers 的权重：0，点击修改' }).waitFor()

  await page.route(`**/api/channel/update_balance/${id}`, route =>
    route.fulfill({ json: { success: true, message: '', balance: 12.5 } }),
  )
  await page.getByRole('button', { name: '更新余额：numbers' }).click()
  await rowOf(page, 'numbers').getByText('剩余 $12.50').waitFor()
  await done(visit)
})

test('fields follow the type; what is wrong is said at its field; keys are shown to root alone', async () => {
  const id = await make('fields')
  const visit = await enter(`/channel/edit/${id}`)
  const { page } = visit
  const drawer = page.getByRole('dialog', { name: '编辑渠道' })
  const choose = async (name: string) => {
    await drawer.locator('#channel-type').click()
    await drawer.locator('#channel-type').fill(name)
    await page.getByRole('listbox').getByRole('option', { name }).first().click()
  }
  await choose('AWS Claude')
  await drawer.getByText('按照如下格式输入：Ak|Sk|Region，或 ApiKey|Region').waitFor()
  await drawer.locator('#channel-key').fill('nonsense')
  await choose('Google PaLM2')
  await drawer.getByText('Google 已停用 PaLM2 接口，请改用 Google Gemini').waitFor()
  await choose('Vertex AI')
  await drawer.getByRole('button', { name: '部署地区 填入模板' }).click()
  expect(await drawer.getByLabel('部署地区').first().inputValue()).toContain('"default": "us-central1"')
  await choose('自定义渠道')
  await drawer.getByRole('button', { name: '高级设置' }).click()
  await drawer.getByRole('switch', { name: '强制格式化' }).click({ force: true })
  await drawer.getByRole('button', { name: '渠道额外设置 system_prompt' }).click()
  await drawer.locator('#channel-priority').fill('x')
  await drawer.locator('[data-name=channel-model_mapping]').fill('{')
  await page.keyboard.press('Control+s')
  await drawer.getByRole('alert').getByText('优先级必须是整数！').waitFor()
  await drawer.getByRole('alert').getByText('模型映射必须是合法的 JSON 格式！').waitFor()
  await drawer.locator('#channel-priority').fill('5')
  await drawer.locator('[data-name=channel-model_mapping]').fill('')
  await drawer.locator('#channel-rpm').fill('60')
  // What only the server can tell stands at the field, as long as that stays as it is.
  const setting = drawer.locator('[data-name=channel-setting]')
  await setting.fill('{"force_format":true,"param_override":{"operations":[{"mode":"explode"}]}}')
  await page.keyboard.press('Control+s')
  const wrong = 'param_override：operations[0].mode 不支持 explode'
  await drawer.getByRole('alert').getByText(wrong).waitFor()
  await setting.fill(
    '{"force_format":true,"param_override":{"operations":[{"mode":"delete","path":"user"}]}}',
  )
  await drawer.getByText(wrong).waitFor({ state: 'detached' })
  const cost = drawer.getByLabel('成本倍率')
  await cost.fill('0.3x')
  await page.keyboard.press('Control+s')
  await drawer.locator('#channel-cost-error').getByText('成本倍率须为 0 到 1000 的数').waitFor()
  await cost.fill('')
  await cost.pressSequentially('0.30')
  expect(await cost.inputValue()).toBe('0.30')
  await page.keyboard.press('Control+s')
  await page.getByText('渠道更新成功！').waitFor()
  const saved = await read(id)
  expect(saved).toMatchObject({ type: 8, priority: 5, rpm: 60, weight: 0 })
  expect(JSON.parse(saved.setting)).toEqual({
    force_format: true,
    param_override: { operations: [{ mode: 'delete', path: 'user' }] },
    cost_ratio: 0.3,
  })

  await page.goto(`/channel/edit/${id}`)
  await drawer.getByRole('button', { name: '查看密钥' }).click()
  const reveal = page.getByRole('dialog', { name: '渠道 fields 的密钥' })
  await reveal.getByLabel('登录密码').fill(ROOT_PASSWORD)
  await reveal.getByRole('button', { name: '显示密钥' }).click()
  await reveal.getByText('nonsense').waitFor()
  await page.goto('/channel/edit/999999')
  await drawer.getByText('渠道未找到，请刷新页面后重试。').waitFor()
  await done(visit)
})

test('whoever may not see a key enters it again before it goes elsewhere', async () => {
  const id = await make('guarded')
  const admin = await addPerson(stage, 'keeper')
  const { json } = await root.get('/api/user/search?keyword=keeper&group=&p=1&page_size=10')
  await root.post('/api/user/manage', { id: json.data.items[0].id, action: 'promote' })
  await admin.login('keeper', 'staple-battery')
  const visit = await enter(`/channel/edit/${id}`, { as: admin })
  const drawer = visit.page.getByRole('dialog', { name: '编辑渠道' })
  await drawer.locator('#channel-base_url').fill('https://elsewhere.example')
  expect(await drawer.getByRole('button', { name: '查看密钥' }).count()).toBe(0)
  await visit.page.keyboard.press('Control+s')
  await drawer.getByText('修改渠道的类型、地址或代理时，请重新填写密钥').first().waitFor()
  await drawer.locator('#channel-key').fill('sk-new')
  await visit.page.keyboard.press('Control+s')
  await visit.page.getByText('渠道更新成功！').waitFor()
  expect((await read(id)).base_url).toBe('https://elsewhere.example')
  await done(visit)
})

test('long jobs show how far they have come and can be stopped; what is disabled goes at once', async () => {
  for (let each = 0; each < 12; each++) await make(`slow-${each}`)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  upstream.always(async () => {
    await held
    return {}
  })
  const visit = await enter('/channel')
  const { page } = visit
  await page.getByRole('button', { name: '测试所有渠道' }).click()
  const jobs = page.getByRole('region', { name: '后台任务' })
  await jobs.getByText('正在测试渠道').waitFor()
  await page.reload()
  await jobs.getByText(/^\d+ \/ \d+$/).waitFor()
  await jobs.getByRole('button', { name: '停止' }).click()
  await jobs.getByText(/渠道测试已停止：完成 \d+\/\d+/).waitFor()
  release()
  upstream.always({})
  await jobs.getByRole('button', { name: '关闭' }).click()
  await jobs.waitFor({ state: 'detached' })

  await leaveTime(page)
  await root.put('/api/channel/', { id: (await find('slow-1'))[0].id, status: 2 })
  await page.getByRole('button', { name: '删除禁用渠道' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '删除禁用渠道' }).click()
  await page.getByText('已删除所有禁用渠道，共计 1 个').waitFor()
  await page.getByRole('button', { name: '修复数据库一致性' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '修复数据库一致性' }).click()
  await page.getByText('已修复 0 个渠道！').waitFor()
  await done(visit)
})
