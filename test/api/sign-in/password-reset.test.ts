import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Answer, Client, rootClient } from '../../client.ts'
import { Mailbox } from '../../mailbox.ts'
import { type Program, ROOT_PASSWORD, startProgram } from '../../program.ts'
import { Authority } from '../../services/authority.ts'

const password = 'first-password'
let program: Program
let root: Client
let database: Database
let mailbox: Mailbox

const [authority, otherAuthority] = [new Authority(), new Authority()]
const [trusted, unknown] = [authority.issue('127.0.0.1'), otherAuthority.issue('127.0.0.1')]

beforeAll(async () => {
  program = await startProgram({ ROOT_PASSWORD, NODE_EXTRA_CA_CERTS: authority.file })
  database = new Database(join(program.dataDir, 'tollgate.db'))
  database.exec('pragma busy_timeout = 60000')
  root = await rootClient(program.url)
  await root.liftLimits()
  await root.saveOption('ServerAddress', 'https://gate.example')
  mailbox = await Mailbox.open()
  for (const name of ['alice', 'bob', 'carol', 'gone', 'banned', 'Mixed']) {
    await new Client(program.url).post('/api/user/register', { username: name, password })
    database.query('update users set email = ? where username = ?').run(`${name}@example.com`, name)
  }
  database.exec("update users set deleted_at = 1 where username = 'gone'")
  database.exec("update users set status = 2 where username = 'banned'")
})
afterAll(async () => {
  database.close()
  await mailbox.close()
  await program.stop()
  for (const each of [authority, otherAuthority]) each.close()
})
beforeEach(async () => {
  await mailbox.connect(root)
  database.exec('delete from throttles')
})

function ask(email: string, headers?: Record<string, string>): Promise<Answer> {
  return new Client(program.url).get(`/api/reset_password?email=${encodeURIComponent(email)}`, headers)
}
function reset(email: string, token: string): Promise<Answer> {
  return new Client(program.url).post('/api/user/reset', { email, token })
}
async function linkFor(email: string): Promise<URL> {
  const before = mailbox.letters.length
  await ask(email)
  while (mailbox.letters.length === before) await Bun.sleep(10)
  return new URL(/https:\S+/.exec(mailbox.letters.at(-1)?.text ?? '')?.[0] ?? '')
}

describe('a forgotten password', () => {
  test('is replaced by way of the mailbox, once; every session and the access token end', async () => {
    const alice = new Client(program.url)
    await alice.login('alice', password)
    const authorization = (await alice.get('/api/user/token')).json.data
    const byToken = () => new Client(program.url).get('/api/user/self', { authorization })
    expect((await byToken()).json.success).toBe(true)
    const link = await linkFor('alice@example.com')
    expect(link.origin + link.pathname).toBe('https://gate.example/user/reset')
    expect(link.searchParams.get('email')).toBe('alice@example.com')
    const token = link.searchParams.get('token') ?? ''
    expect(token).toMatch(/^[0-9a-f]{32}$/)
    expect(JSON.stringify(database.query('select * from proofs').all())).not.toContain(token)

    expect((await reset('alice@example.com', 'f'.repeat(32))).json.message).toBe('重置链接非法或已过期')
    expect((await reset('bob@example.com', token)).json.message).toBe('重置链接非法或已过期')
    const answer = await reset('alice@example.com', token)
    expect(answer.json).toMatchObject({ success: true, message: '' })
    expect(answer.json.data).toMatch(/^[0-9A-Za-z]{12}$/)
    expect((await reset('alice@example.com', token)).json.message).toBe('重置链接非法或已过期')

    expect((await alice.get('/api/user/self')).status).toBe(401)
    expect((await byToken()).json.message).toBe('无权进行此操作，access token 无效')
    expect((await new Client(program.url).login('alice', password)).json.success).toBe(false)
    expect((await new Client(program.url).login('alice', answer.json.data)).json.success).toBe(true)
  })

  test('whoever guessed too often at it need not wait with the new one', async () => {
    const enter = (secret: string) => new Client(program.url).login('carol', secret)
    for (let at = 0; at < 10; at++) await enter('not-this-one')
    expect((await enter(password)).status).toBe(429)
    const link = await linkFor('carol@example.com')
    const fresh = (await reset('carol@example.com', link.searchParams.get('token') ?? '')).json.data
    expect((await enter(fresh)).json).toMatchObject({ success: true })
  })

  test('nobody learns who is registered', async () => {
    const sent = mailbox.letters.length
    const known = await ask('bob@example.com')
    const others = [
      await ask('nobody@example.com'),
      await ask('gone@example.com'),
      await ask('banned@example.com'),
    ]
    expect(known.json).toEqual({ success: true, message: '', data: null })
    for (const other of others) expect([other.status, other.text]).toEqual([known.status, known.text])
    await mailbox.last('bob@example.com')
    await linkFor('bob@example.com')
    expect(mailbox.letters.slice(sent).flatMap(({ to }) => to)).toEqual([
      'bob@example.com',
      'bob@example.com',
    ])
  })

  test('the mail is in the asker’s language, as text and HTML', async () => {
    await ask('bob@example.com', { 'accept-language': 'en' })
    const letter = await mailbox.last('bob@example.com')
    while (mailbox.letters.at(-1)?.subject !== 'Tollgate: reset your password') await Bun.sleep(10)
    const english = mailbox.letters.at(-1)
    expect(english?.html).toContain(
      '<a href="https://gate.example/user/reset?email=bob%40example.com&amp;token=',
    )
    expect(letter.to).toEqual(['bob@example.com'])
    await linkFor('bob@example.com')
    expect(mailbox.letters.at(-1)?.subject).toBe('Tollgate 密码重置')
  })

  test('the link leads home, wherever the request says it came from', async () => {
    const before = mailbox.letters.length
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    await ask('bob@example.com', headers)
    while (mailbox.letters.length === before) await Bun.sleep(10)
    expect(mailbox.letters.at(-1)?.text).not.toContain('evil')
  })

  test('an address from before they were kept in one case works too', async () => {
    const link = await linkFor('Mixed@example.com')
    const answer = await reset(link.searchParams.get('email') ?? '', link.searchParams.get('token') ?? '')
    expect(answer.json.success).toBe(true)
  })

  test('a link expires, is replaced by the next, and no stranger’s tries use it up', async () => {
    const first = (await linkFor('bob@example.com')).searchParams.get('token') ?? ''
    const second = (await linkFor('bob@example.com')).searchParams.get('token') ?? ''
    expect((await reset('bob@example.com', first)).json.success).toBe(false)
    database.exec('update proofs set expires_at = 1')
    expect((await reset('bob@example.com', second)).json.message).toBe('重置链接非法或已过期')
    const third = (await linkFor('bob@example.com')).searchParams.get('token') ?? ''
    for (let at = 0; at < 12; at++)
      expect((await reset('bob@example.com', `guess-${at}`)).json.success).toBe(false)
    expect((await reset('bob@example.com', third)).json.success).toBe(true)
    const fourth = (await linkFor('bob@example.com')).searchParams.get('token') ?? ''
    const answers = await Promise.all([1, 2, 3].map(() => reset('bob@example.com', fourth)))
    expect(answers.filter(({ json }) => json.success).length).toBe(1)
  })

  test('bad input and a missing server are told plainly', async () => {
    expect((await reset('', '')).json.message).toBe('无效的参数')
    expect((await reset('bob@example.com', '')).json.message).toBe('无效的参数')
    expect((await ask('nonsense')).json.message).toBe('无效的邮箱地址')
    await root.saveOption('SMTPServer', '')
    expect((await ask('bob@example.com')).json.message).toBe('SMTP 服务器未配置')
    expect((await ask('nobody@example.com')).json.message).toBe('SMTP 服务器未配置')
  })
})

describe('the way a mail takes', () => {
  const code = (email: string): Promise<Answer> =>
    new Client(program.url).get(`/api/verification?email=${email}`)

  test('STARTTLS is used where it is offered, with the account', async () => {
    const secure = await Mailbox.open({ ...trusted })
    await secure.connect(root)
    await root.saveOption('SMTPAccount', 'gate')
    await root.saveOption('SMTPToken', 'mail-secret')
    expect((await code('tls@example.com')).json).toMatchObject({ success: true, message: '' })
    expect(await secure.last('tls@example.com')).toMatchObject({ secure: true, account: 'gate' })
    await root.saveOption('SMTPToken', 'wrong')
    expect((await code('tls2@example.com')).json.message).toBe('邮件发送失败，请稍后重试')
    await root.saveOption('SMTPAccount', '')
    await secure.close()
  })

  test('TLS from the first byte when the operator says so', async () => {
    const secure = await Mailbox.open({ ...trusted, secure: true })
    await secure.connect(root)
    await root.saveOption('SMTPSSLEnabled', 'true')
    const answer = await code('implicit@example.com')
    await root.saveOption('SMTPSSLEnabled', 'false')
    expect(answer.json.success).toBe(true)
    expect(await secure.last('implicit@example.com')).toMatchObject({ secure: true })
    await secure.close()
  })

  test('a certificate that cannot be verified ends it, either way', async () => {
    for (const secure of [false, true]) {
      const stranger = await Mailbox.open({ ...unknown, secure })
      await stranger.connect(root)
      await root.saveOption('SMTPSSLEnabled', String(secure))
      const answer = await code(`stranger-${secure}@example.com`)
      await root.saveOption('SMTPSSLEnabled', 'false')
      expect(answer.json.message).toBe('邮件发送失败，请稍后重试')
      expect(stranger.letters).toEqual([])
      await stranger.close()
    }
  })
})

test('nothing that was printed holds a link or a password', () => {
  expect(program.output()).not.toContain('token=')
  expect(program.output()).not.toContain('mail-secret')
})
