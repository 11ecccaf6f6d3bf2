import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Mailbox } from '../mailbox.ts'
import { serveLoopback } from '../serve-loopback.ts'
import { Client, openStage, type Stage } from './harness.ts'
import { addPerson, arrive, done, logIn, password } from './people.ts'

let stage: Stage
let mailbox: Mailbox

async function set(options: Record<string, string>): Promise<void> {
  const root = await stage.root()
  for (const [key, value] of Object.entries(options))
    expect([key, (await root.saveOption(key, value)).json.success]).toEqual([key, true])
}

beforeAll(async () => {
  ;[stage, mailbox] = await Promise.all([openStage(), Mailbox.open()])
  await mailbox.connect(await stage.root())
  await set({ CriticalRateLimit: '0', GlobalApiRateLimit: '0', ServerAddress: stage.url })
})
afterAll(async () => {
  await stage.close()
  await mailbox.close()
})

test('the login screen offers what is switched on, and nothing else', async () => {
  const visit = await stage.visit()
  const { page } = visit
  const main = page.getByRole('main')
  await page.goto('/login')
  await main.getByRole('link', { name: '立即注册' }).waitFor()
  expect(await main.getByRole('button', { name: /^使用/ }).count()).toBe(0)

  await set({ RegisterEnabled: 'false', PasswordLoginEnabled: 'false' })
  await page.reload()
  await page.getByText('管理员关闭了密码登录，请使用其他方式登录。').waitFor()
  expect(await page.getByLabel('用户名或邮箱').count()).toBe(0)
  expect(await page.getByRole('link', { name: /注册|忘记密码/ }).count()).toBe(0)
  await page.goto('/register')
  await page.getByText('管理员关闭了新用户注册。').waitFor()
  await set({ RegisterEnabled: 'true', PasswordLoginEnabled: 'true', PasswordRegisterEnabled: 'false' })
  await page.reload()
  await page.getByText('管理员已关闭密码注册，请使用第三方账户注册。').waitFor()
  await set({ PasswordRegisterEnabled: 'true' })
  await done(visit)
})

test('registration checks what is typed, mails a code, and counts for whoever invited', async () => {
  await set({ EmailVerificationEnabled: 'true' })
  const code = (await (await stage.root()).get('/api/user/aff')).json.data
  const visit = await stage.visit()
  const { page } = visit
  await page.goto(`/login?aff=${code}`)
  await page.getByRole('link', { name: '立即注册' }).click()
  // The login form has fields of the same names.
  await page.getByLabel('确认密码').waitFor()
  const submit = page.getByRole('main').getByRole('button', { name: '注册', exact: true })
  await page.getByLabel('用户名').fill('a-name-too-long')
  await page.getByLabel('密码', { exact: true }).fill('short')
  await page.getByLabel('确认密码').fill('other')
  await submit.click()
  await page.getByText('用户名最长 12 个字符！').waitFor()
  await page.getByText('密码长度不得小于 8 位！').waitFor()
  await page.getByText('两次输入的密码不一致！').waitFor()
  await page.getByText('请输入邮箱验证码！').waitFor()

  await page.getByLabel('用户名').fill('newcomer')
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByLabel('确认密码').fill(password)
  const send = page.getByRole('button', { name: '获取验证码' })
  await send.click()
  await page.getByRole('alert').getByText('请输入邮箱！').waitFor()
  await page.getByLabel('邮箱', { exact: true }).fill('new@example.com')
  await send.click()
  await page.getByText('验证码发送成功，请检查你的邮箱！').waitFor()
  expect(await page.getByRole('button', { name: /重新发送（\d+）/ }).isDisabled()).toBe(true)
  const letter = await mailbox.last('new@example.com')

  await page.getByLabel('邮箱验证码').fill('WRONG2')
  await submit.click()
  await page.getByText('验证码错误或已过期').waitFor()
  await page.getByLabel('邮箱验证码').fill(/[2-9A-Z]{6}/.exec(letter.text)?.[0] ?? '')
  await submit.click()
  await page.getByText('注册成功！').waitFor()
  // Whoever has just chosen a password is not asked for it again.
  await page.waitForURL('/')
  await arrive(page)
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}'))
  expect(stored).toMatchObject({ username: 'newcomer', email: 'new@example.com', inviter_id: 1 })
  await set({ EmailVerificationEnabled: 'false' })
  await done(visit)
})

test('a forgotten password is replaced by way of the mailbox', async () => {
  await set({ EmailVerificationEnabled: 'true' })
  await new Client(stage.url).get('/api/verification?email=lost@example.com')
  const code = /[2-9A-Z]{6}/.exec((await mailbox.last('lost@example.com')).text)?.[0]
  await new Client(stage.url).post('/api/user/register', {
    username: 'forgetful',
    password,
    email: 'lost@example.com',
    verification_code: code,
  })
  await set({ EmailVerificationEnabled: 'false' })
  const visit = await stage.visit()
  const { page } = visit
  await page.goto('/login')
  // What is missing, and after a refusal what was mistyped, has the focus.
  const submit = page.getByRole('main').getByRole('button', { name: '登录', exact: true })
  await submit.click()
  await page.getByText('请输入用户名和密码').waitFor()
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'username')
  await page.getByLabel('用户名或邮箱').fill('forgetful')
  await submit.click()
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'password')
  await page.keyboard.type('no idea')
  await submit.click()
  await page.getByText('用户名或密码错误，或用户已被封禁').waitFor()
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'password')
  await page.getByRole('link', { name: '忘记密码？' }).click()
  await page.waitForURL('/reset')
  await page.getByRole('button', { name: '发送重置邮件' }).click()
  await page.getByText('请输入邮箱！').waitFor()
  const before = mailbox.letters.length
  await page.getByLabel('邮箱').fill('lost@example.com')
  await page.getByRole('button', { name: '发送重置邮件' }).click()
  await page.getByText('重置邮件发送成功，请检查邮箱！').waitFor()
  expect(await page.getByRole('button', { name: /重新发送（\d+）/ }).isDisabled()).toBe(true)
  while (mailbox.letters.length === before) await Bun.sleep(20)
  const link = /http:\S+/.exec(mailbox.letters.at(-1)?.text ?? '')?.[0] ?? ''

  await page.goto(link)
  await page.waitForURL('/user/reset')
  expect(await page.getByLabel('邮箱').inputValue()).toBe('lost@example.com')
  await page.getByRole('button', { name: '生成新密码' }).click()
  await page.getByRole('heading', { name: '密码已重置' }).waitFor()
  const fresh = await page.getByLabel('新密码', { exact: true }).inputValue()
  expect(fresh).toMatch(/^\w{12}$/)
  await page.getByRole('main').getByRole('link', { name: '前往登录' }).click()
  await logIn(page, 'forgetful', password)
  await page.getByText('用户名或密码错误，或用户已被封禁').waitFor()
  await logIn(page, 'forgetful', fresh)
  await arrive(page)
  // What was wrong before is not said beside what went well.
  expect(await page.getByText('用户名或密码错误，或用户已被封禁').count()).toBe(0)

  await page.goto(link)
  await page.getByRole('button', { name: '生成新密码' }).click()
  await page.getByText('重置链接非法或已过期').waitFor()
  await page.goto('/user/reset')
  await page.getByText('无效的重置链接，请重新发起密码重置！').waitFor()
  await done(visit)
})

test('the captcha is asked before a form is sent, and only its host may run script', async () => {
  await addPerson(stage, 'human')
  const asked: string[] = []
  const vendor = serveLoopback(async request => {
    const token = new URLSearchParams(await request.text()).get('response') ?? ''
    asked.push(token)
    return Response.json({ success: token === 'solved' })
  })
  const policy = async () => (await fetch(`${stage.url}/login`)).headers.get('content-security-policy') ?? ''
  expect(await policy()).toContain("script-src 'self';")
  await set({
    TurnstileSiteKey: 'site',
    TurnstileSecretKey: 'captcha-secret',
    TurnstileVerifyUrl: `http://127.0.0.1:${vendor.port}/siteverify`,
    TurnstileCheckEnabled: 'true',
  })
  expect(await policy()).toContain("script-src 'self' https://challenges.cloudflare.com;")

  const visit = await stage.visit()
  const { page } = visit
  await page.route('https://challenges.cloudflare.com/**', route =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `window.turnstile = {
        render(host, options) {
          host.dataset.site = options.sitekey
          window.solve = options.callback
          return 'widget'
        },
        reset() {},
        remove() {},
      }`,
    }),
  )
  await page.goto('/login')
  await page.locator('[data-site=site]').waitFor()
  await logIn(page, 'human', password)
  await page.getByText('请稍后几秒重试，Turnstile 正在检查用户环境！').waitFor()
  expect(asked).toEqual([])
  const solve = (token: string) =>
    page.evaluate(text => (window as unknown as { solve(token: string): void }).solve(text), token)
  await solve('bad')
  await logIn(page, 'human', password)
  await page.getByText('Turnstile 校验失败，请刷新重试！').waitFor()
  await page.locator('[data-site=site]').waitFor()
  await solve('solved')
  await logIn(page, 'human', password)
  await arrive(page)
  expect(asked).toEqual(['bad', 'solved'])

  await page.unroute('https://challenges.cloudflare.com/**')
  await page.route('https://challenges.cloudflare.com/**', route => route.abort())
  visit.expectFault(/challenges\.cloudflare\.com|ERR_FAILED/)
  await page.goto('/reset')
  await page.getByText('人机验证加载失败，请刷新页面重试').waitFor()
  await set({ TurnstileCheckEnabled: 'false' })
  await vendor.stop(true)
  await done(visit)
})
