import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash, createHmac } from 'node:crypto'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { client as ssoClient, startOidcProvider } from '../api/sign-in/oidc-stand-in.ts'
import { secrets, startProviders } from '../api/sign-in/sign-in-stand-in.ts'
import { openStage, ROOT_PASSWORD, type Stage } from './harness.ts'
import { addPerson, arrive, codeFor, done, logIn } from './people.ts'

const bot = '123456:bot-token'
let stage: Stage
let providers: ReturnType<typeof startProviders>

beforeAll(async () => {
  providers = startProviders()
  stage = await openStage()
  const root = await stage.root()
  const options = {
    CriticalRateLimit: '0',
    GlobalApiRateLimit: '0',
    ServerAddress: stage.url,
    GitHubAddress: providers.url,
    GitHubClientId: secrets.github.id,
    GitHubClientSecret: secrets.github.secret,
    GitHubOAuthEnabled: 'true',
    DiscordAddress: `${providers.url}/discord`,
    DiscordClientId: secrets.discord.id,
    DiscordClientSecret: secrets.discord.secret,
    DiscordOAuthEnabled: 'true',
    LinuxDOAddress: providers.url,
    LinuxDOClientId: secrets.linuxdo.id,
    LinuxDOClientSecret: secrets.linuxdo.secret,
    LinuxDOOAuthEnabled: 'true',
    WeChatServerAddress: providers.url,
    WeChatServerToken: secrets.wechatToken,
    WeChatAuthEnabled: 'true',
    TelegramBotToken: bot,
    TelegramBotName: 'gate_bot',
    TelegramOAuthEnabled: 'true',
  }
  for (const [key, value] of Object.entries(options))
    expect([key, (await root.saveOption(key, value)).json.success]).toEqual([key, true])
})
afterAll(async () => {
  await stage.close()
  await providers.stop()
})

/** Telegram's page, at which this person agrees. */
async function seatAtTelegram(page: Page, person: Record<string, string | number>): Promise<void> {
  await page.unroute('https://oauth.telegram.org/**')
  await page.route('https://oauth.telegram.org/**', route => {
    const query = new URL(route.request().url()).searchParams
    expect(query.get('bot_id')).toBe('123456')
    expect(query.get('origin')).toBe(stage.url)
    const given = { ...person, auth_date: Math.floor(Date.now() / 1000) }
    const lines = Object.entries(given)
      .map(([name, value]) => `${name}=${value}`)
      .sort()
    const key = createHash('sha256').update(bot).digest()
    const hash = createHmac('sha256', key).update(lines.join('\n')).digest('hex')
    const answer = Buffer.from(JSON.stringify({ ...given, hash })).toString('base64url')
    const back = JSON.stringify(`${query.get('return_to')}#tgAuthResult=${answer}`)
    return route.fulfill({ contentType: 'text/html', body: `<script>location.replace(${back})</script>` })
  })
}

test.each([
  {
    name: 'GitHub',
    person: { id: 7, login: 'octo', name: 'Octo' },
    known: { github_id: '7', display_name: 'Octo' },
  },
  {
    name: 'Discord',
    person: { id: '80351110224678912', username: 'nelly', global_name: 'Nelly' },
    known: { discord_id: '80351110224678912', display_name: 'Nelly' },
  },
])('$name opens in a window of its own, logs in there, and the first window follows', async given => {
  providers.seat(given.person)
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/login')
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: `使用 ${given.name} 登录` }).click(),
  ])
  await arrive(other)
  await arrive(page)
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}'))
  expect(stored).toMatchObject(given.known)
  expect(await other.evaluate(() => window.opener)).toBeNull()
  await done(visit)
})

test('single sign-on bears the name that the operator gave it, for login and in the account', async () => {
  const sso = startOidcProvider()
  sso.about.person = { sub: 'e-12', name: 'Emma' }
  const root = await stage.root()
  const options = {
    OIDCIssuer: sso.issuer,
    OIDCClientId: ssoClient.id,
    OIDCClientSecret: ssoClient.secret,
    OIDCName: '示例公司',
    OIDCEnabled: 'true',
  }
  for (const [key, value] of Object.entries(options)) await root.saveOption(key, value)
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/login')
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: '使用 示例公司 登录' }).click(),
  ])
  await arrive(other)
  await arrive(page)
  await page.goto('/setting?tab=personal')
  const bound = page
    .getByRole('region', { name: '账户绑定' })
    .getByRole('listitem')
    .filter({ hasText: '示例公司' })
  await bound.getByText('已绑定').waitFor()
  await done(visit)
  await root.saveOption('OIDCEnabled', 'false')
  sso.stop()
})

test('a callback that nobody asked for says that it failed and leads to login', async () => {
  const visit = await stage.visit()
  visit.expectFault(/403/)
  const { page } = visit
  await page.goto('/oauth/github?code=1e5&state=0123')
  await page.getByText('操作失败，重定向至登录界面中...').waitFor()
  await page.getByText('错误：state is empty or not same').waitFor()
  await page.waitForURL('/login')
  await page.goto('/oauth/telegram?state=x#tgAuthResult=e30')
  await page.getByText('操作失败，重定向至登录界面中...').waitFor()
  await page.goto('/oauth/nobody')
  await page.getByText('操作失败，重定向至登录界面中...').waitFor()
  await page.waitForURL('/login')
  await logIn(page, 'root', ROOT_PASSWORD)
  await page.waitForURL(({ pathname }) => pathname === '/token')
  await done(visit)
})

test('who fails at a third party and logs in otherwise still gets to where they were going', async () => {
  const visit = await stage.visit()
  visit.expectFault(/403/)
  const { page } = visit
  await page.goto('/log')
  await page.waitForURL('/login')
  await page.goto('/oauth/github?code=x&state=y')
  await page.getByText('操作失败，重定向至登录界面中...').waitFor()
  await page.waitForURL('/login')
  await logIn(page, 'root', ROOT_PASSWORD)
  await page.waitForURL(({ pathname }) => pathname === '/log')
  await done(visit)
})

test('LinuxDO is bound from the settings, and asks for the second step at the next login', async () => {
  const client = await addPerson(stage, 'binder')
  providers.seat({ id: 99, username: 'tux', name: 'Tux' })
  const visit = await stage.visit({ as: client })
  const { page } = visit
  await page.goto('/setting?tab=personal')
  const panel = page.getByRole('region', { name: '账户绑定' })
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    panel.getByRole('button', { name: '绑定 LinuxDO' }).click(),
  ])
  await other.getByText('绑定成功！').waitFor()
  await other.waitForURL('/setting?tab=personal')
  await other.getByRole('region', { name: '账户绑定' }).getByText('99').waitFor()
  await done(visit)

  const { data } = (await client.post('/api/user/2fa/setup', {})).json
  await client.post('/api/user/2fa/enable', { code: codeFor(data.secret) })
  const again = await stage.visit()
  await again.page.goto('/login')
  const [callback] = await Promise.all([
    again.page.context().waitForEvent('page'),
    again.page.getByRole('button', { name: '使用 LinuxDO 登录' }).click(),
  ])
  await callback.getByLabel('验证码').fill(data.backup_codes[0])
  await callback.getByRole('main').getByRole('button', { name: '登录', exact: true }).click()
  await arrive(callback)
  await done(again)
})

test('GitHub is bound anew by who moved in from a tool that knew them there by their name', async () => {
  const client = await addPerson(stage, 'movedin')
  const database = new Database(join(stage.program.dataDir, 'tollgate.db'))
  database.exec('pragma busy_timeout = 60000')
  database.exec("update users set github_id = 'former-name' where username = 'movedin'")
  database.close()
  providers.seat({ id: 77, login: 'former-name', name: 'Moved' })
  const visit = await stage.visit({ as: client })
  const { page } = visit
  await page.goto('/setting?tab=personal')
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: '绑定 GitHub' }).click(),
  ])
  await other.getByText('绑定成功！').waitFor()
  await other.getByRole('region', { name: '账户绑定' }).getByText('77').waitFor()
  await done(visit)
})

test('WeChat asks for the code of its account and leads home', async () => {
  providers.followers.set('111', 'open-id-1')
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/login')
  await page.getByRole('button', { name: '使用 微信 登录' }).click()
  const dialog = page.getByRole('dialog', { name: '使用 微信 登录' })
  await dialog.getByText('三分钟内有效').waitFor()
  const submit = dialog.getByRole('button', { name: '使用 微信 登录' })
  await submit.click()
  await page.getByText('请输入验证码！').waitFor()
  await dialog.getByLabel('验证码').fill('000')
  await submit.click()
  await page.getByText('验证码错误或已过期').waitFor()
  await dialog.getByLabel('验证码').fill('111')
  await submit.click()
  await page.getByText('登录成功！').waitFor()
  await page.waitForURL('/')
  await done(visit)
})

test('WeChat is bound from the settings', async () => {
  providers.followers.set('222', 'open-id-2')
  const visit = await stage.visit({ as: await addPerson(stage, 'follower') })
  const { page } = visit
  await page.goto('/setting')
  const panel = page.getByRole('region', { name: '账户绑定' })
  await panel.getByRole('button', { name: '绑定 微信' }).click()
  const dialog = page.getByRole('dialog', { name: '绑定微信' })
  await dialog.getByLabel('验证码').fill('222')
  await dialog.getByRole('button', { name: '绑定微信' }).click()
  await page.getByText('微信账户绑定成功！').waitFor()
  await panel.getByText('已绑定').waitFor()
  expect(await panel.getByRole('button', { name: '绑定 微信' }).count()).toBe(0)
  await done(visit)
})

test('Telegram binds and then logs in, without any script of theirs on our page', async () => {
  const person = { id: 4242, first_name: '小明' }
  const bound = await stage.visit({ as: await addPerson(stage, 'messenger') })
  await seatAtTelegram(bound.page, person)
  await bound.page.goto('/setting')
  await bound.page.getByRole('button', { name: '绑定 Telegram' }).click()
  await bound.page.getByText('绑定成功！').waitFor()
  await bound.page.waitForURL('/setting?tab=personal')
  await bound.page.getByRole('region', { name: '账户绑定' }).getByText('4242').waitFor()
  await done(bound)

  const visit = await stage.visit()
  const { page } = visit
  await seatAtTelegram(page, { ...person, username: 'ming' })
  await page.goto('/login')
  await page.getByRole('button', { name: '使用 Telegram 登录' }).click()
  await page.getByText('登录成功！').waitFor()
  await page.waitForURL('/')
  await page.getByRole('button', { name: '账户：messenger' }).waitFor()
  await done(visit)
})
