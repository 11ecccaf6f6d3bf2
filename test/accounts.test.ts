import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Client, rootClient } from './client.ts'
import { type OpenProgram, openProgram } from './open-program.ts'
import { type Program, ROOT_PASSWORD, startProgram } from './program.ts'

describe('set-up', () => {
  let program: Program
  beforeAll(async () => {
    program = await startProgram()
  })
  afterAll(() => program.stop())

  const attempt = (token: string, username = 'root', password = ROOT_PASSWORD) =>
    new Client(program.url).post('/api/setup', { token, username, password })

  test('prints a one-time link, and nothing else opens the door', async () => {
    expect(program.setupToken).toMatch(/^[0-9a-f]{40}$/)
    expect((await new Client(program.url).get('/api/setup')).json.data).toEqual({ needed: true })
    expect((await new Client(program.url).get('/api/status')).json.data.setup).toBe(false)
    for (const wrong of [
      '',
      'x',
      'f'.repeat(40),
      `${program.setupToken}0`,
      (program.setupToken ?? '').slice(1),
    ])
      expect((await attempt(wrong)).status).toBe(403)
    const missing = await new Client(program.url).post('/api/setup', {
      username: 'root',
      password: ROOT_PASSWORD,
    })
    expect(missing.json.success).toBe(false)
  })

  test('refuses names and passwords out of bounds without using up the token', async () => {
    const token = program.setupToken ?? ''
    expect((await attempt(token, 'root', 'short')).json.message).toBe('密码长度必须在 8 到 20 个字符之间')
    expect((await attempt(token, 'root', 'x'.repeat(21))).json.success).toBe(false)
    expect((await attempt(token, 'a-name-too-long')).json.message).toBe('用户名长度必须在 1 到 12 个字符之间')
    expect((await attempt(token, '   ')).json.success).toBe(false)
    expect((await new Client(program.url).get('/api/setup')).json.data.needed).toBe(true)
  })

  test('of several at once one wins, and then it is closed for good', async () => {
    const token = program.setupToken ?? ''
    const answers = await Promise.all(['one', 'two', 'three', 'four'].map(name => attempt(token, name)))
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 403, 403, 403])
    expect((await attempt(token, 'late')).json.message).toBe('系统已完成初始化')
    const database = new Database(join(program.dataDir, 'tollgate.db'), { readonly: true })
    expect(database.query('select count(*) as n from users').get()).toEqual({ n: 1 })
    expect((await new Client(program.url).get('/api/status')).json.data.setup).toBe(true)
  })

  test('the next start prints no link', async () => {
    await program.stop()
    program = await startProgram({ DATA_DIR: program.dataDir })
    expect(program.setupToken).toBeUndefined()
  })
})

describe('accounts', () => {
  let house: OpenProgram
  let program: Program
  let database: Database
  const usersPassword = 'users-pass-1'

  beforeAll(async () => {
    house = await openProgram()
    ;({ program, database } = house)
    addUser('alice', await Bun.password.hash(usersPassword), 1)
    addUser('mallory', await Bun.password.hash(usersPassword), 1)
    addUser('admin', await Bun.password.hash(usersPassword), 10)
    addUser('legacy', await Bun.password.hash(usersPassword, { algorithm: 'bcrypt', cost: 4 }), 1)
  })
  afterAll(() => house.close())

  function addUser(username: string, passwordHash: string, role: number): void {
    database
      .query(
        'insert into users (username, password_hash, display_name, role, status, "group", created_at, email) values (?, ?, ?, ?, 1, ?, 1, ?)',
      )
      .run(username, passwordHash, username, role, 'default', `${username}@example.com`)
  }

  async function loggedIn(username: string): Promise<Client> {
    const client = new Client(program.url)
    const answer = await client.login(username, usersPassword)
    expect(answer.json.success).toBe(true)
    return client
  }

  test('login by name or e-mail gives the user without a secret, and a guarded cookie', async () => {
    const client = new Client(program.url)
    const answer = await client.login('alice@example.com', usersPassword)
    expect(answer.json).toMatchObject({ success: true, message: '' })
    expect(answer.json.data).toMatchObject({
      username: 'alice',
      role: 1,
      status: 1,
      group: 'default',
      password: '',
    })
    expect(answer.text).not.toContain('argon2')
    const cookie = answer.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/)
    expect((await client.get('/api/user/self')).json.data.username).toBe('alice')
    const stored = database.query('select id_hash from sessions').all() as { id_hash: string }[]
    expect(stored.some(row => row.id_hash.includes(client.cookie ?? '?'))).toBe(false)
  })

  test('the cookie is Secure when the public address is https', async () => {
    const root = await rootClient(program.url)
    await root.saveOption('ServerAddress', 'https://gate.example')
    const answer = await new Client(program.url).post(
      '/api/user/login',
      { username: 'alice', password: usersPassword },
      { host: 'gate.example', origin: 'https://gate.example' },
    )
    await root.saveOption('ServerAddress', '')
    expect(answer.headers.get('set-cookie')).toEndWith('; Secure')
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  test('a page takes pictures without TLS only where it has none itself', async () => {
    const root = await rootClient(program.url)
    await root.saveOption('ServerAddress', 'https://gate.example')
    const pictures = async (host: string) => {
      const { headers } = await new Client(program.url).get('/login', { host })
      return /img-src [^;]*/.exec(headers.get('content-security-policy') ?? '')?.[0]
    }
    expect(await pictures('gate.example')).toBe("img-src 'self' data: https:")
    expect(await pictures('10.0.0.5:3000')).toBe("img-src 'self' data: https: http:")
    await root.saveOption('ServerAddress', '')
  })

  test('logout ends the session, and login never keeps the one that was there', async () => {
    const client = await loggedIn('alice')
    const before = client.cookie
    await client.login('alice', usersPassword)
    expect(client.cookie).not.toBe(before)
    const old = new Client(program.url)
    old.cookie = before
    old.userId = client.userId
    expect((await old.get('/api/user/self')).status).toBe(401)
    const ended = client.cookie
    const left = await client.get('/api/user/logout')
    expect(left.json.success).toBe(true)
    // With these words the browser forgets it at once.
    expect(left.headers.get('set-cookie')).toBe('session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax')
    expect(client.cookie).toBeUndefined()
    client.cookie = ended
    expect((await client.get('/api/user/self')).status).toBe(401)
  })

  test('the user header must be there and right', async () => {
    const client = await loggedIn('alice')
    const said = async (header: string) => {
      const { status, json } = await client.send('GET', '/api/user/self', {
        headers: { 'new-api-user': header },
      })
      return [status, json.message]
    }
    expect(await said('')).toEqual([401, '无权进行此操作，未提供 New-Api-User'])
    expect(await said('abc')).toEqual([401, '无权进行此操作，New-Api-User 格式错误'])
    expect(await said('999')).toEqual([401, '无权进行此操作，New-Api-User 与登录用户不匹配'])
    expect(await said('-1')).toEqual([401, '无权进行此操作，New-Api-User 与登录用户不匹配'])
  })

  test('an access token works with and without Bearer, alone or with the right header, until it is replaced', async () => {
    const session = await loggedIn('alice')
    const token = (await session.get('/api/user/token')).json.data as string
    expect(token.length).toBeGreaterThanOrEqual(28)
    const self = (headers: Record<string, string>) => new Client(program.url).get('/api/user/self', headers)
    expect((await self({ authorization: token })).json.data.username).toBe('alice')
    expect(
      (await self({ authorization: `Bearer ${token}`, 'new-api-user': `${session.userId}` })).json.success,
    ).toBe(true)
    expect((await self({ authorization: token, 'new-api-user': '999' })).status).toBe(401)
    const bad = await self({ authorization: "' or '1'='1" })
    expect([bad.status, bad.json.success, bad.json.message]).toEqual([
      200,
      false,
      '无权进行此操作，access token 无效',
    ])
    await session.get('/api/user/token')
    expect((await self({ authorization: token })).json.success).toBe(false)
    const row = database.query("select access_token_hash as h from users where username = 'alice'").get()
    expect(JSON.stringify(row)).not.toContain(token)
  })

  test('a ban is in force at once, for the session, the token and the next login', async () => {
    const client = await loggedIn('mallory')
    const token = (await client.get('/api/user/token')).json.data as string
    database.exec("update users set status = 2 where username = 'mallory'")
    expect((await client.get('/api/user/self')).json).toMatchObject({
      success: false,
      message: '用户已被封禁',
    })
    const byToken = await new Client(program.url).get('/api/user/self', { authorization: token })
    expect(byToken.json.message).toBe('用户已被封禁')
    const again = await new Client(program.url).login('mallory', usersPassword)
    expect(again.json.message).toBe('用户名或密码错误，或用户已被封禁')
    database.exec("update users set status = 1 where username = 'mallory'")
  })

  test('a change of role is in force at once and replaces the session id', async () => {
    const client = await loggedIn('admin')
    const before = client.cookie
    expect((await client.get('/api/option/')).json.message).toBe('无权进行此操作，权限不足')
    database.exec("update users set role = 100 where username = 'admin'")
    expect((await client.get('/api/option/')).json.success).toBe(true)
    expect(client.cookie).not.toBe(before)
    database.exec("update users set role = 10 where username = 'admin'")
    expect((await client.get('/api/option/')).json.message).toBe('无权进行此操作，权限不足')
  })

  test('a change of role logs no one out, and the session it replaces is over in moments', async () => {
    addUser('promoted', await Bun.password.hash(usersPassword), 10)
    const client = await loggedIn('promoted')
    // Proofs that were given for it go on to count, and no longer than they did.
    database.exec(
      `update sessions set created_at = created_at - 1000, verified_at = created_at - 900 where user_id = ${client.userId}`,
    )
    const { cookie: before, userId } = client
    const sessions = () =>
      database
        .query('select created_at, verified_at, expires_at, role from sessions where user_id = ?')
        .all(userId ?? 0) as { created_at: number; verified_at: number; expires_at: number; role: number }[]
    const known = new Set(
      (await client.get('/api/user/sessions')).json.data.map(({ id }: { id: string }) => id),
    )
    database.exec("update users set role = 100 where username = 'promoted'")
    const call = async () => {
      const each = new Client(program.url)
      Object.assign(each, { cookie: before, userId })
      const { json } = await each.get('/api/option/')
      return { cookie: each.cookie, success: json.success }
    }
    const answers = await Promise.all(Array.from({ length: 6 }, call))
    expect(answers.map(({ success }) => success)).toEqual(Array(6).fill(true))
    // One of them brought the new session; the old one never brings another.
    const [fresh, ...more] = answers.filter(({ cookie }) => cookie !== before)
    expect(more).toEqual([])
    expect(await call()).toEqual({ cookie: before, success: true })
    client.cookie = fresh?.cookie
    expect((await client.get('/api/option/')).json.success).toBe(true)
    const listed = (await client.get('/api/user/sessions')).json.data as { id: string; current: boolean }[]
    expect(listed.filter(({ id }) => !known.has(id))).toMatchObject([{ current: true }])
    expect(listed).toHaveLength(known.size)

    const ending = Math.floor(Date.now() / 1000) + 30
    const rows = sessions().filter(({ role }) => role === 100)
    expect(rows.filter(({ expires_at }) => expires_at <= ending)).toHaveLength(1)
    expect(rows.filter(({ expires_at }) => expires_at > ending)).toHaveLength(1)
    expect(rows[0]).toMatchObject({ created_at: rows[1]?.created_at, verified_at: rows[1]?.verified_at })
    const retired = `user_id = ${userId} and role = 100 and expires_at <= ${ending}`
    database.exec(`update sessions set expires_at = 1 where ${retired}`)
    const late = new Client(program.url)
    Object.assign(late, { cookie: before, userId })
    expect((await late.get('/api/option/')).status).toBe(401)
  })

  test('a role that changes during a call to the playground leaves the new session behind', async () => {
    const client = await loggedIn('admin')
    const before = client.cookie
    database.exec("update users set role = 100 where username = 'admin'")
    await client.post('/pg/chat/completions', { model: 'none', messages: [] })
    expect(client.cookie).not.toBe(before)
    expect((await client.get('/api/option/')).json.success).toBe(true)
    database.exec("update users set role = 10 where username = 'admin'")
  })

  test('bcrypt is verified and replaced by argon2id', async () => {
    const hash = () =>
      (
        database.query("select password_hash as h from users where username = 'legacy'").get() as {
          h: string
        }
      ).h
    expect(hash()).toStartWith('$2')
    await loggedIn('legacy')
    expect(hash()).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
    await loggedIn('legacy')
    const stolen = await new Client(program.url).login('legacy', hash())
    expect(stolen.json.success).toBe(false)
  })

  test('a known and an unknown user get the same answer', async () => {
    const known = await new Client(program.url).login('alice', 'wrong-password')
    const unknown = await new Client(program.url).login('nobody-here', 'wrong-password')
    expect(known.text).toBe(unknown.text)
    expect([known.status, unknown.status]).toEqual([200, 200])
    expect(known.json.message).toBe('用户名或密码错误，或用户已被封禁')
    const english = await new Client(program.url).post(
      '/api/user/login',
      { username: 'alice', password: 'wrong-password' },
      { 'accept-language': 'en-GB,en;q=0.9' },
    )
    expect(english.json.message).toBe('Wrong username or password, or the user is banned')
  })

  test('guesses at one account end in 429, whatever addresses they claim to come from', async () => {
    const statuses: number[] = []
    for (let at = 0; at < 15; at++) {
      const forged = {
        'x-forwarded-for': `203.0.113.${at}`,
        'x-real-ip': `203.0.113.${at}`,
        forwarded: `for=203.0.113.${at}`,
      }
      const guess = { username: 'target', password: `guess-number-${at}` }
      statuses.push((await new Client(program.url).post('/api/user/login', guess, forged)).status)
    }
    expect(statuses).toEqual([...Array(10).fill(200), ...Array(5).fill(429)])
    // Others are not affected.
    await loggedIn('alice')
  })

  test('guesses are counted by account: no other name of it helps, nor anyone else’s login', async () => {
    addUser('Victim', await Bun.password.hash(usersPassword), 1)
    addUser('victim', await Bun.password.hash(usersPassword), 1)
    database.exec("update users set email = 'other@example.com' where username = 'victim'")
    database.exec("update users set email = 'victim@example.com' where username = 'Victim'")
    const guess = async (username: string) =>
      (await new Client(program.url).login(username, 'wrong-password')).status
    const statuses: number[] = []
    for (const name of ['Victim', 'Victim@example.com', 'victim@example.com', 'Victim', 'Victim']) {
      statuses.push(await guess(name), await guess(name))
      await loggedIn('victim')
    }
    expect(statuses).toEqual(Array(10).fill(200))
    expect([await guess('Victim'), await guess('VICTIM@example.com')]).toEqual([429, 429])
    await loggedIn('victim')
    // Nobody's address is counted in the same way, so that the limit tells nothing.
    for (let at = 0; at < 10; at++)
      expect(await guess(at % 2 ? 'No@example.com' : 'no@example.com')).toBe(200)
    expect(await guess('NO@example.com')).toBe(429)
  })

  test('an address that asks for too much is told so, and XFF does not help', async () => {
    const root = await rootClient(program.url)
    // One is spent: the first login of this file, before the limit was lifted.
    await root.saveOption('CriticalRateLimit', '4')
    const statuses: number[] = []
    for (let at = 0; at < 6; at++) {
      const answer = await new Client(program.url).post(
        '/api/user/login',
        { username: `user-${at}`, password: 'some-password' },
        { 'x-forwarded-for': `198.51.100.${at}` },
      )
      statuses.push(answer.status)
    }
    await root.saveOption('CriticalRateLimit', '0')
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429])
  })

  test('password login can be switched off', async () => {
    const root = await rootClient(program.url)
    await root.saveOption('PasswordLoginEnabled', 'false')
    const refused = await new Client(program.url).login('alice', usersPassword)
    await root.saveOption('PasswordLoginEnabled', 'true')
    expect(refused.json.message).toBe('管理员关闭了密码登录')
  })

  test('nothing the program printed holds a password, token or cookie', () => {
    for (const secret of [ROOT_PASSWORD, usersPassword, 'wrong-password', '$argon2id$'])
      expect(program.output()).not.toContain(secret)
  })
})
