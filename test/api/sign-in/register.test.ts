import type { Database } from 'bun:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Answer, Client } from '../../client.ts'
import { Mailbox } from '../../mailbox.ts'
import { type OpenProgram, openProgram } from '../../open-program.ts'
import type { Program } from '../../program.ts'
import { serveLoopback } from '../../serve-loopback.ts'
import { userRow } from '../users/user-row.ts'

const password = 'good-password'
let house: OpenProgram
let program: Program
let root: Client
let database: Database
let mailbox: Mailbox

const defaults = {
  RegisterEnabled: 'true',
  PasswordRegisterEnabled: 'true',
  EmailVerificationEnabled: 'false',
  EmailDomainRestrictionEnabled: 'false',
  EmailAliasRestrictionEnabled: 'false',
  QuotaForNewUser: '0',
  QuotaForInvitee: '0',
  QuotaForInviter: '0',
}

beforeAll(async () => {
  house = await openProgram()
  ;({ program, database, root } = house)
  mailbox = await Mailbox.open()
})
afterAll(async () => {
  await mailbox.close()
  await house.close()
})
beforeEach(async () => {
  for (const [key, value] of Object.entries(defaults)) await root.saveOption(key, value)
})

function register(body: unknown, query = ''): Promise<Answer> {
  return new Client(program.url).post(`/api/user/register${query}`, body)
}
function askCode(email: string, headers?: Record<string, string>): Promise<Answer> {
  return new Client(program.url).get(`/api/verification?email=${encodeURIComponent(email)}`, headers)
}
const rowOf = (username: string) => userRow(database, username)
function logsOf(username: string): unknown[] {
  return database.query('select type, content, quota from logs where username = ? order by id').all(username)
}

describe('signing up', () => {
  test('makes an ordinary user who can log in, and logs nobody in by itself', async () => {
    const answer = await register({ username: 'alice', password, password2: 'ignored', aff_code: null })
    expect(answer.json).toEqual({ success: true, message: '', data: null })
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(rowOf('alice')).toMatchObject({ display_name: 'alice', role: 1, status: 1, quota: 0, email: null })
    expect(rowOf('alice').password_hash).toStartWith('$argon2id$')
    expect((await new Client(program.url).login('alice', password)).json.success).toBe(true)
  })

  test('writes nothing but what may be given, whatever is sent', async () => {
    const greedy = {
      username: 'greedy',
      password,
      role: 100,
      status: 2,
      quota: 9e9,
      group: 'vip',
      id: 1,
      inviter_id: 1,
      aff_quota: 5,
      display_name: 'Root',
      email: 'unverified@example.com',
      github_id: 'octocat',
    }
    expect((await register(greedy)).json.success).toBe(true)
    expect(rowOf('greedy')).toMatchObject({
      role: 1,
      status: 1,
      quota: 0,
      group: 'default',
      inviter_id: 0,
      aff_quota: 0,
      display_name: 'greedy',
      email: null,
      github_id: null,
    })
  })

  const refusals: [string, unknown, string][] = [
    ['no name', { password }, '无效的参数'],
    ['blank name', { username: '   ', password }, '无效的参数'],
    ['no password', { username: 'bob' }, '无效的参数'],
    ['short password', { username: 'bob', password: '1234567' }, '密码长度必须在 8 到 20 个字符之间'],
    ['long password', { username: 'bob', password: 'x'.repeat(21) }, '密码长度必须在 8 到 20 个字符之间'],
    ['long name', { username: 'a-name-too-long', password }, '用户名长度必须在 1 到 12 个字符之间'],
    ['a name of another type', { username: { a: 1 }, password }, '输入不合法 username'],
    ['a name with a bell in it', { username: 'a\u0007b', password }, '输入不合法 username'],
    ['a name like another’s', { username: 'ro\u200bot', password }, '用户名不能含有不可见的字符'],
    [
      'a name in letters put together like another’s',
      { username: 'jose\u0301', password },
      '用户名中的字符须为',
    ],
    ['a name like none', { username: '\u3164', password }, '用户名不能含有不可见的字符'],
    ['a name that runs backwards', { username: '\u202etoor', password }, '用户名不能含有不可见的字符'],
    ['somebody’s address for a name', { username: 'Boss@corp.io', password }, '用户名不能是邮箱地址'],
    ['an array', [], '输入不合法'],
  ]
  for (const [what, body, message] of refusals)
    test(`refuses ${what}`, async () => {
      const answer = await register(body)
      expect(answer.status).toBe(200)
      expect(answer.json.message).toStartWith(message)
      expect(() => rowOf('bob')).toThrow('there is no user')
    })

  test('takes names of any script, and pictures that are made of several', async () => {
    for (const username of ['王小明', 'José', '한국', '👩‍👩‍👧‍👦❤️', 'a b', '@ann', 'a@home'])
      expect([username, (await register({ username, password })).json.message]).toEqual([username, ''])
  })

  test('a name is taken for good: in use, deleted, and by two at once', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => register({ username: 'carol', password })))
    expect(answers.map(({ json }) => json.success).sort()).toEqual([false, false, false, true])
    for (const { json } of answers)
      expect(json.success || json.message === '用户名已存在，或已注销').toBe(true)
    database.exec("update users set deleted_at = 1 where username = 'carol'")
    expect((await register({ username: 'carol', password })).json.message).toBe('用户名已存在，或已注销')
  })

  test('can be closed, wholly or for passwords', async () => {
    await root.saveOption('PasswordRegisterEnabled', 'false')
    expect((await register({ username: 'dave', password })).json.message).toBe(
      '管理员关闭了通过密码进行注册，请使用第三方账户验证的形式进行注册',
    )
    await root.saveOption('RegisterEnabled', 'false')
    expect((await register({ username: 'dave', password })).json.message).toBe('管理员关闭了新用户注册')
  })

  test('counts as critical', async () => {
    await root.saveOption('CriticalRateLimit', '2')
    const statuses: number[] = []
    for (let at = 0; at < 4; at++)
      statuses.push((await askCode('not-an-address', { 'x-forwarded-for': `203.0.113.${at}` })).status)
    await root.saveOption('CriticalRateLimit', '0')
    expect(statuses.slice(-2)).toEqual([429, 429])
  })
})

describe('gifts', () => {
  test('go through the books, with a log row each; the inviter earns', async () => {
    await register({ username: 'inviter', password })
    const inviter = new Client(program.url)
    await inviter.login('inviter', password)
    const [first, again] = [await inviter.get('/api/user/aff'), await inviter.get('/api/user/aff')]
    expect(first.json.data).toMatch(/^[0-9A-Za-z]{4}$/)
    expect(again.json.data).toBe(first.json.data)

    await root.saveOption('QuotaForNewUser', '500000')
    await root.saveOption('QuotaForInvitee', '250000')
    await root.saveOption('QuotaForInviter', '100000')
    await register({ username: 'invited', password, aff_code: first.json.data })
    expect(rowOf('invited')).toMatchObject({ quota: 750_000, inviter_id: rowOf('inviter').id })
    expect(rowOf('inviter')).toMatchObject({
      quota: 0,
      aff_count: 1,
      aff_quota: 100_000,
      aff_history_quota: 100_000,
    })
    expect(logsOf('invited')).toEqual([
      { type: 4, content: '新用户注册赠送 ＄1.000000 额度', quota: 500_000 },
      { type: 4, content: '使用邀请码赠送 ＄0.500000 额度', quota: 250_000 },
    ])
    expect(logsOf('inviter')).toEqual([{ type: 4, content: '邀请用户赠送 ＄0.200000 额度', quota: 0 }])
    const books = (await root.get('/api/ledger/audit')).json.data
    expect(books.differences).toEqual([])
  })

  test('an unknown invite code turns nobody away', async () => {
    await root.saveOption('QuotaForInvitee', '7')
    expect((await register({ username: 'lost', password, aff_code: 'zz%_' })).json.success).toBe(true)
    expect(rowOf('lost')).toMatchObject({ quota: 0, inviter_id: 0 })
  })

  test('an inviter is counted only while there is a reward', async () => {
    const code = rowOf('inviter').aff_code
    await register({ username: 'unpaid', password, aff_code: code })
    expect(rowOf('unpaid').inviter_id).toBe(rowOf('inviter').id)
    expect(rowOf('inviter').aff_count).toBe(1)
  })
})

describe('with a verified address', () => {
  beforeEach(async () => {
    await root.saveOption('EmailVerificationEnabled', 'true')
    await mailbox.connect(root)
  })

  async function codeFor(email: string): Promise<string> {
    expect((await askCode(email)).json).toEqual({ success: true, message: '', data: null })
    return /[2-9A-Z]{6}/.exec((await mailbox.last(email.toLowerCase())).text)?.[0] ?? ''
  }

  test('the code arrives as text and HTML, in either language', async () => {
    const code = await codeFor('zh@example.com')
    const chinese = await mailbox.last('zh@example.com')
    expect(chinese.subject).toBe('Tollgate 邮箱验证邮件')
    expect(chinese.from).toBe('gate@example.com')
    expect(chinese.text).toContain(`您的验证码为： ${code}`)
    expect(chinese.html).toContain(`<strong>${code}</strong>`)
    await root.saveOption('SystemName', 'A <b>gate</b>')
    await askCode('en@example.com', { 'accept-language': 'en' })
    await root.saveOption('SystemName', 'Tollgate')
    const english = await mailbox.last('en@example.com')
    expect(english.subject).toBe('A <b>gate</b>: your verification code')
    expect(english.html).toContain('A &lt;b&gt;gate&lt;/b&gt;')
  })

  test('it opens the door once, whatever its case, and only for that address', async () => {
    const code = await codeFor('Erin@Example.com')
    const body = { username: 'erin', password, email: 'erin@example.com' }
    expect((await register(body)).json.message).toBe('管理员开启了邮箱验证，请输入邮箱地址和验证码')
    expect((await register({ ...body, verification_code: 'WRONG1' })).json.message).toBe('验证码错误或已过期')
    const other = { ...body, email: 'other@example.com', verification_code: code }
    expect((await register(other)).json.message).toBe('验证码错误或已过期')
    // A name that is taken costs neither the code nor a try.
    for (let at = 0; at < 6; at++)
      expect((await register({ ...body, username: 'alice', verification_code: code })).json.message).toBe(
        '用户名已存在，或已注销',
      )
    expect((await register({ ...body, verification_code: code.toLowerCase() })).json.success).toBe(true)
    expect(rowOf('erin').email).toBe('erin@example.com')
    const twice = await register({ ...body, username: 'erin2', verification_code: code })
    expect(twice.json.message).toBe('验证码错误或已过期')
    expect((await askCode('ERIN@example.com')).json.message).toBe('邮箱地址已被占用')
    expect((await new Client(program.url).login('Erin@example.com', password)).json.success).toBe(true)
  })

  test('five wrong guesses use it up; the right one comes too late', async () => {
    const code = await codeFor('frank@example.com')
    const body = { username: 'frank', password, email: 'frank@example.com' }
    for (let at = 0; at < 5; at++) await register({ ...body, verification_code: `GUESS${at}` })
    expect((await register({ ...body, verification_code: code })).json.message).toBe('验证码错误或已过期')
  })

  test('one code used by many at once makes one account', async () => {
    const code = await codeFor('race@example.com')
    const answers = await Promise.all(
      [1, 2, 3, 4].map(at =>
        register({ username: `race${at}`, password, email: 'race@example.com', verification_code: code }),
      ),
    )
    expect(answers.filter(({ json }) => json.success).length).toBe(1)
  })

  test('it expires, and is kept as a hash only', async () => {
    const code = await codeFor('grace@example.com')
    const kept = JSON.stringify(database.query('select * from proofs').all())
    expect(kept).not.toContain(code)
    expect(kept).not.toContain('grace')
    database.exec('update proofs set expires_at = 1')
    const body = { username: 'grace', password, email: 'grace@example.com', verification_code: code }
    expect((await register(body)).json.message).toBe('验证码错误或已过期')
  })

  test('addresses are judged: shape, domain, alias', async () => {
    for (const email of [
      'x',
      '@example.com',
      'a@b',
      'a b@example.com',
      'a@example.com,b@example.com',
      'é@x.com',
    ])
      expect([email, (await askCode(email)).json.message]).toEqual([email, '无效的邮箱地址'])
    expect((await askCode('')).json.message).toBe('无效的参数')
    await root.saveOption('EmailDomainWhitelist', 'allowed.com')
    await root.saveOption('EmailDomainRestrictionEnabled', 'true')
    expect((await askCode('a@example.com')).json.message).toContain('不在白名单中')
    expect((await askCode('a@sub.allowed.com')).json.success).toBe(false)
    expect((await askCode('a@ALLOWED.com')).json.success).toBe(true)
    await root.saveOption('EmailAliasRestrictionEnabled', 'true')
    for (const email of ['a+b@allowed.com', 'a.b@allowed.com'])
      expect((await askCode(email)).json.message).toContain('邮箱别名限制')
    expect((await askCode('ab@allowed.com')).json.success).toBe(true)
  })

  test('nobody’s mailbox is filled, and without a server it says so', async () => {
    const statuses: number[] = []
    for (let at = 0; at < 12; at++) statuses.push((await askCode('flood@example.com')).status)
    expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
    await root.saveOption('SMTPServer', '')
    expect((await askCode('any@example.com')).json.message).toBe('SMTP 服务器未配置')
  })

  test('a server that does not answer is told apart from success', async () => {
    await root.saveOption('SMTPPort', '1')
    expect((await askCode('down@example.com')).json.message).toBe('邮件发送失败，请稍后重试')
  })
})

describe('with a captcha', () => {
  let asked: Record<string, string>[] = []
  let vendor: ReturnType<typeof Bun.serve>

  beforeAll(async () => {
    vendor = serveLoopback(async request => {
      asked.push(Object.fromEntries(new URLSearchParams(await request.text())))
      const good = asked.at(-1)?.response?.startsWith('solved') === true
      // Each token counts once, as at the vendor.
      const first = asked.filter(({ response }) => response === asked.at(-1)?.response).length === 1
      return Response.json({
        success: good && first,
        'error-codes': good ? [] : ['invalid-input-response'],
      })
    })
    await root.saveOption('TurnstileSiteKey', 'site')
    await root.saveOption('TurnstileSecretKey', 'captcha-secret')
    await root.saveOption('TurnstileVerifyUrl', `http://127.0.0.1:${vendor.port}/siteverify`)
    await root.saveOption('TurnstileCheckEnabled', 'true')
  })
  afterAll(async () => {
    await root.saveOption('TurnstileCheckEnabled', 'false')
    await vendor.stop(true)
  })

  test('a form is sent only by those who solved it, and one solution serves the whole form', async () => {
    const body = { username: 'human', password }
    expect((await register(body)).json.message).toBe('Turnstile token 为空')
    expect(asked).toEqual([])
    expect((await register(body, '?turnstile=wrong')).json.message).toBe('Turnstile 校验失败，请刷新重试！')
    expect(asked).toEqual([{ secret: 'captcha-secret', response: 'wrong', remoteip: '127.0.0.1' }])
    for (const path of ['/api/verification?email=a@b.co', '/api/reset_password?email=a@b.co'])
      expect((await new Client(program.url).get(path)).json.message).toBe('Turnstile token 为空')
    const login = (query: string) =>
      new Client(program.url).post(`/api/user/login${query}`, { username: 'human', password })
    expect((await login('')).json.message).toBe('Turnstile token 为空')
    asked = []
    expect((await register({ ...body, password: 'short' }, '?turnstile=solved-1')).json.success).toBe(false)
    expect((await register(body, '?turnstile=solved-1')).json.success).toBe(true)
    expect(asked.length).toBe(1)
    expect((await login('?turnstile=solved-2')).json.success).toBe(true)
  })

  test('so is the gift of a day given', async () => {
    await root.saveOption('CheckinEnabled', 'true')
    const checkIn = (query: string) => root.post(`/api/user/checkin${query}`, undefined)
    expect((await checkIn('')).json.message).toBe('Turnstile token 为空')
    expect((await checkIn('?turnstile=wrong')).json.message).toBe('Turnstile 校验失败，请刷新重试！')
    expect((await checkIn('?turnstile=solved-checkin')).json.success).toBe(true)
  })

  test('while the vendor cannot be reached nobody passes', async () => {
    await root.saveOption('TurnstileVerifyUrl', 'http://127.0.0.1:1/siteverify')
    const answer = await register({ username: 'nobody', password }, '?turnstile=solved-3')
    expect(answer.json.message).toBe('Turnstile 校验失败，请刷新重试！')
  })

  test('the address can be cleared to have its first one again: with none nobody could log in to mend it', async () => {
    expect((await root.saveOption('TurnstileVerifyUrl', ' ')).json).toMatchObject({ success: true })
    const options: { key: string; value: string }[] = (await root.get('/api/option/')).json.data
    expect(options.find(({ key }) => key === 'TurnstileVerifyUrl')?.value).toBe(
      'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    )
  })
})

test('nothing that was printed holds a password or a code', () => {
  for (const secret of [password, 'captcha-secret', '$argon2id$'])
    expect(program.output()).not.toContain(secret)
})
