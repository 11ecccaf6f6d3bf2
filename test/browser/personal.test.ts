import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Mailbox } from '../mailbox.ts'
import { Client, openStage, type Stage } from './harness.ts'
import { addPerson, comesTo, done, logIn, password } from './people.ts'

let stage: Stage
let mailbox: Mailbox

beforeAll(async () => {
  ;[stage, mailbox] = await Promise.all([openStage(), Mailbox.open()])
  const root = await stage.root()
  await mailbox.connect(root)
  await root.liftLimits()
})
afterAll(async () => {
  await stage.close()
  await mailbox.close()
})

function change(sql: string): void {
  const database = new Database(join(stage.program.dataDir, 'tollgate.db'))
  database.exec('pragma busy_timeout = 60000')
  database.exec(sql)
  database.close()
}

test('an ordinary user lands on their own settings: balance, invite link, models', async () => {
  const client = await addPerson(stage, 'owner')
  change(
    `update users set quota = 61728394, used_quota = 500000, request_count = 12345 where username = 'owner'`,
  )
  const models = Array.from({ length: 12 }, (_, index) => `model-${String(index).padStart(2, '0')}`)
  const channel = {
    name: 'one',
    type: 1,
    key: 'k',
    models: models.join(','),
    group: 'default',
    groups: ['default'],
  }
  expect((await (await stage.root()).post('/api/channel/', channel)).json.success).toBe(true)
  const visit = await stage.visit({ as: client, permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  await page.goto('/setting')
  const account = page.getByRole('region', { name: 'owner' })
  await account.getByText('$123.46').waitFor()
  await account.getByText('$1.00').waitFor()
  await account.getByText('12,345').waitFor()
  expect(await page.getByRole('link', { name: '系统设置' }).count()).toBe(0)

  const { data: code } = (await client.get('/api/user/aff')).json
  const link = `${stage.url}/register?aff=${code}`
  await page.waitForFunction(
    wanted => [...document.querySelectorAll('input')].some(({ value }) => value === wanted),
    link,
  )
  expect(await page.getByLabel('邀请链接', { exact: true }).inputValue()).toBe(link)
  await page.getByRole('button', { name: '复制邀请链接' }).click()
  await page.getByText('已复制到剪贴板！').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  expect(await page.getByRole('button', { name: '划转' }).isDisabled()).toBe(true)

  const list = page.getByRole('list', { name: '可用模型' })
  await list.getByText('model-09').waitFor()
  expect(await list.getByRole('button').count()).toBe(10)
  await page.getByRole('button', { name: '显示全部 12 个' }).click()
  await list.getByText('model-11').click()
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) === 'model-11')
  await page.getByRole('button', { name: '收起', exact: true }).click()
  await page.getByRole('region', { name: '可用模型' }).getByRole('button', { name: '复制全部' }).click()
  const whole = models.join(',')
  await page.waitForFunction(async wanted => (await navigator.clipboard.readText()) === wanted, whole)
  expect(await list.getByRole('button').count()).toBe(10)
  await done(visit)
})

test('an invite link leads to the public address, by whichever whoever copies it has come', async () => {
  const client = await addPerson(stage, 'host-inside')
  const { data: code } = (await client.get('/api/user/aff')).json
  const root = await stage.root()
  expect((await root.saveOption('ServerAddress', 'https://gate.example')).json.success).toBe(true)
  const visit = await stage.visit({ as: client })
  const { page } = visit
  await page.goto('/setting')
  const link = page.getByLabel('邀请链接', { exact: true })
  await comesTo(() => link.inputValue(), `https://gate.example/register?aff=${code}`)
  expect((await root.saveOption('ServerAddress', '')).json.success).toBe(true)
  await done(visit)
})

test('an amount of any size stands whole on one line, and within its panel', async () => {
  const client = await addPerson(stage, 'magnate')
  const [balance, spent] = [6_172_839_450_000, 61_728_394_500_000]
  change(
    `update users set quota = ${balance}, used_quota = ${spent}, request_count = 1234567,
     aff_quota = ${balance}, aff_history_quota = ${spent} where username = 'magnate'`,
  )
  const visit = await stage.visit({ as: client })
  const { page } = visit
  await page.goto('/setting')
  const figures = page.getByRole('main').locator('dl dd')
  await page.getByRole('button', { name: '复制邀请链接' }).waitFor()
  const whole = ['$12,345,678.90', '$123,456,789.00']
  expect(await figures.allInnerTexts()).toEqual([...whole, '1,234,567', ...whole, '0'])
  for (const width of [1280, 1000, 390]) {
    await page.setViewportSize({ width, height: 800 })
    const faults = await figures.evaluateAll(all =>
      all.flatMap(figure => {
        const text = document.createRange()
        text.selectNodeContents(figure)
        const end = figure.closest('section')?.getBoundingClientRect().right ?? 0
        const isWithin = text.getBoundingClientRect().right < end
        return text.getClientRects().length === 1 && isWithin ? [] : [figure.textContent]
      }),
    )
    expect({ width, faults }).toEqual({ width, faults: [] })
  }
  await done(visit)
})

test('earnings are moved to the balance, never less than one unit nor more than there is', async () => {
  const client = await addPerson(stage, 'inviter')
  change(`update users set quota = 0, aff_quota = 1750000, aff_count = 3 where username = 'inviter'`)
  const visit = await stage.visit({ as: client })
  const { page } = visit
  await page.goto('/setting')
  await page.getByRole('button', { name: '划转' }).click()
  const dialog = page.getByRole('dialog', { name: '划转邀请收益' })
  const amount = dialog.getByLabel('划转额度')
  const submit = dialog.getByRole('button', { name: '划转到余额' })
  expect(await amount.inputValue()).toBe('500000')
  for (const [text, fault] of [
    ['499999', '划转金额最低为 $1.00'],
    ['1750001', '可用额度不足'],
    ['1.5', '请输入整数额度'],
  ] as const) {
    await amount.fill(text)
    await submit.click()
    await dialog.getByText(fault).waitFor()
  }
  await dialog.getByRole('button', { name: '全部' }).click()
  expect(await amount.inputValue()).toBe('1750000')
  await amount.fill('1000000')
  await submit.click()
  await page.getByText('划转成功').waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('region', { name: 'inviter' }).getByText('$2.00').waitFor()
  await page.getByRole('region', { name: '邀请' }).getByText('$1.50').waitFor()
  await done(visit)
})

test('an e-mail address is bound with the code it was sent, after a proof where one is wanted', async () => {
  const visit = await stage.visit({ as: await addPerson(stage, 'mailed') })
  const { page } = visit
  await page.goto('/setting')
  const panel = page.getByRole('region', { name: '账户绑定' })
  await panel.getByText('管理员未启用').first().waitFor()
  await panel.getByRole('button', { name: '绑定 邮箱' }).click()
  const dialog = page.getByRole('dialog', { name: '绑定邮箱' })
  const submit = dialog.getByRole('button', { name: '绑定', exact: true })
  await submit.click()
  await page.getByText('请输入邮箱！').waitFor()
  await dialog.getByLabel('邮箱', { exact: true }).fill('own@example.com')
  await submit.click()
  await page.getByText('请输入邮箱验证码！').waitFor()
  await dialog.getByRole('button', { name: '获取验证码' }).click()
  await dialog.getByRole('button', { name: /重新发送（\d+）/ }).waitFor()
  const letter = await mailbox.last('own@example.com')
  await dialog.getByLabel('邮箱验证码').fill(/[2-9A-Z]{6}/.exec(letter.text)?.[0] ?? '')
  visit.expectFault(/403/)
  const wanted = { success: false, message: '需要安全验证', data: null, code: 'VERIFICATION_REQUIRED' }
  const once = { times: 1 }
  await page.route('**/api/oauth/email/bind?*', route => route.fulfill({ status: 403, json: wanted }), once)
  await submit.click()
  const proof = page.getByRole('dialog', { name: '安全验证' })
  await proof.getByLabel('登录密码', { exact: true }).fill(password)
  await proof.getByRole('button', { name: '验证并继续' }).click()
  await page.getByText('邮箱账户绑定成功！').waitFor()
  await panel.getByText('own@example.com').waitFor()
  await done(visit)
})

test('the password is changed with the present one; names on a page of their own', async () => {
  const changer = await addPerson(stage, 'changer')
  const visit = await stage.visit({ as: changer })
  const { page } = visit
  const authorization = (await changer.get('/api/user/token')).json.data
  await page.goto('/setting')
  await page.getByRole('button', { name: '修改密码' }).click()
  const dialog = page.getByRole('dialog', { name: '修改密码' })
  const submit = dialog.getByRole('button', { name: '修改密码' })
  await dialog.getByText('同时吊销系统访问令牌').waitFor()
  await dialog.getByLabel('原密码').fill('not-it-at-all')
  await dialog.getByLabel('新密码', { exact: true }).fill('brand-new-one')
  await dialog.getByLabel('确认新密码').fill('brand-new-two')
  await submit.click()
  await dialog.getByText('两次输入的密码不一致！').waitFor()
  await dialog.getByLabel('确认新密码').fill('brand-new-one')
  await submit.click()
  await dialog.getByText('原密码错误').waitFor()
  expect(await dialog.getByLabel('原密码').getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByRole('alert').count()).toBe(0)
  await dialog.getByLabel('原密码').fill(password)
  await submit.click()
  await page.getByText('密码修改成功！').waitFor()
  expect((await new Client(stage.url).login('changer', 'brand-new-one')).json.success).toBe(true)
  const byToken = await new Client(stage.url).get('/api/user/self', { authorization })
  expect(byToken.json.message).toBe('无权进行此操作，access token 无效')

  await page.getByRole('link', { name: '编辑资料' }).click()
  await page.waitForURL('/user/edit')
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByText('你似乎并没有修改什么').waitFor()
  await page.getByLabel('用户名').fill('a-name-too-long')
  await page.getByText('用户名长度必须在 1 到 12 个字符之间').waitFor()
  await page.getByLabel('用户名').fill('changed')
  await page.getByLabel('显示名称').fill('新名字')
  const held = Promise.withResolvers<void>()
  let sent = 0
  await page.route('**/api/user/self', async route => {
    if (route.request().method() === 'PUT') {
      sent++
      await held.promise
    }
    await route.continue()
  })
  await page.keyboard.press('Control+s')
  await page.locator('main button[data-loading]').waitFor()
  await page.keyboard.press('Control+s')
  held.resolve()
  await page.getByText('用户信息更新成功！').waitFor()
  expect(sent).toBe(1)
  await page.getByRole('region', { name: '新名字' }).waitFor()
  await page.getByRole('button', { name: '账户：changed' }).waitFor()
  await done(visit)
})

test('names that are longer than anyone may choose stay, and do not keep their owner from changing the other', async () => {
  const client = await addPerson(stage, 'comer')
  const long = 'moved in under a long name'
  change(`update users set username = 'linuxdo_10000', display_name = '${long}' where username = 'comer'`)
  const visit = await stage.visit({ as: client })
  const { page } = visit
  const self = async () => (await client.get('/api/user/self')).json.data
  await page.goto('/user/edit')
  await page.getByLabel('显示名称').fill('短名')
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByRole('region', { name: '短名' }).waitFor()
  expect(await self()).toMatchObject({ username: 'linuxdo_10000', display_name: '短名' })
  change(`update users set display_name = '${long}' where username = 'linuxdo_10000'`)
  await page.goto('/user/edit')
  await page.getByLabel('用户名').fill('comer')
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByRole('button', { name: '账户：comer' }).waitFor()
  expect(await self()).toMatchObject({ username: 'comer', display_name: long })
  await done(visit)
})

test('a system access token is shown once and works', async () => {
  const client = await addPerson(stage, 'caller')
  const visit = await stage.visit({ as: client })
  const { page } = visit
  await page.goto('/setting')
  await page.getByRole('button', { name: '生成令牌' }).click()
  const dialog = page.getByRole('dialog', { name: '系统访问令牌' })
  // Who has none is not offered to revoke it.
  await page.waitForLoadState('networkidle')
  await dialog.getByText('令牌拥有你的全部权限').waitFor()
  expect(await dialog.getByRole('button', { name: '吊销现有令牌' }).count()).toBe(0)
  await dialog.getByRole('button', { name: '生成令牌' }).click()
  const token = await dialog.getByLabel('系统访问令牌', { exact: true }).inputValue()
  const answer = await new Client(stage.url).get('/api/user/self', {
    authorization: token,
    'new-api-user': String(client.userId),
  })
  expect(answer.json.data.username).toBe('caller')
  // By a slip it would be lost, and cannot be shown again.
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  expect(await dialog.getByLabel('系统访问令牌', { exact: true }).inputValue()).toBe(token)
  await dialog.getByRole('button', { name: '关闭' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await page.content()).not.toContain(token)
  await page.getByRole('button', { name: '生成令牌' }).click()
  await dialog.getByRole('button', { name: '吊销现有令牌' }).click()
  await page.getByText('系统访问令牌已吊销').waitFor()
  const revoked = await new Client(stage.url).get('/api/user/self', { authorization: token })
  expect(revoked.json.message).toBe('无权进行此操作，access token 无效')
  await done(visit)
})

test('sessions are listed and ended; the one that was ended is told so', async () => {
  const client = await addPerson(stage, 'traveller')
  const others = await Promise.all(
    [1, 2, 3].map(async () => {
      const other = new Client(stage.url)
      await other.login('traveller', password)
      return other
    }),
  )
  const visit = await stage.visit({ as: client })
  const elsewhere = await stage.visit({ as: others[0] ?? client })
  await elsewhere.page.goto('/setting')
  await elsewhere.page.getByRole('heading', { name: '登录会话' }).waitFor()
  const { page } = visit
  await page.goto('/setting')
  const list = page.getByRole('list', { name: '登录会话' })
  await list.getByText('当前会话').waitFor()
  expect(await list.getByRole('listitem').count()).toBe(4)
  expect(await list.getByRole('listitem').first().innerText()).toContain('当前会话')
  await list
    .getByRole('button', { name: /^结束会话/ })
    .first()
    .click()
  await page.getByText('会话已结束').waitFor()
  await page.waitForFunction(() => document.querySelectorAll('ul[aria-label=登录会话] > li').length === 3)
  await page.getByRole('button', { name: '结束其他会话' }).click()
  const confirm = page.getByRole('dialog', { name: '结束其他会话' })
  await confirm.getByText('除当前会话外的 2 个会话都将退出登录。').waitFor()
  // Who has none is not asked about it; one that a script makes meanwhile goes too.
  await page.waitForLoadState('networkidle')
  expect(await confirm.getByText('同时吊销系统访问令牌').count()).toBe(0)
  const authorization = (await client.get('/api/user/token')).json.data
  await confirm.getByRole('button', { name: '结束其他会话' }).click()
  await page.waitForFunction(() => document.querySelectorAll('ul[aria-label=登录会话] > li').length === 1)
  for (const other of others) expect((await other.get('/api/user/self')).status).toBe(401)
  const byToken = await new Client(stage.url).get('/api/user/self', { authorization })
  expect(byToken.json.message).toBe('无权进行此操作，access token 无效')

  elsewhere.expectFault(/401/)
  await elsewhere.page.reload()
  await elsewhere.page.waitForURL('/login?expired=true')
  await elsewhere.page.getByText('未登录或登录已过期，请重新登录！').first().waitFor()
  await done(elsewhere)
  await done(visit)
})

test('an account is deleted by typing its name', async () => {
  const visit = await stage.visit({ as: await addPerson(stage, 'leaver') })
  const { page } = visit
  await page.goto('/setting')
  await page.getByRole('button', { name: '删除账户' }).click()
  const dialog = page.getByRole('dialog', { name: '删除个人账户' })
  const submit = dialog.getByRole('button', { name: '删除账户' })
  await dialog.getByLabel('请输入你的账户名 leaver 以确认删除').fill('Leaver')
  await submit.click()
  await page.getByText('请输入你的账户名以确认删除！').waitFor()
  await dialog.getByLabel('请输入你的账户名 leaver 以确认删除').fill('leaver')
  await submit.click()
  await page.getByText('账户已删除！').waitFor()
  await page.waitForURL('/login')
  await logIn(page, 'leaver', password)
  await page.getByText('用户名或密码错误，或用户已被封禁').waitFor()
  await done(visit)
})

test('the super administrator keeps the account, and sees all tabs', async () => {
  const visit = await stage.visit({ asRoot: true })
  const { page } = visit
  await page.goto('/setting')
  await page.getByRole('heading', { name: '安全' }).waitFor()
  expect(await page.getByRole('button', { name: '删除账户' }).count()).toBe(0)
  await page.getByRole('link', { name: '系统设置' }).click()
  await page.getByRole('heading', { name: '通用设置' }).waitFor()
  await done(visit)
})
