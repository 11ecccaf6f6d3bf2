import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash, createHmac } from 'node:crypto'
import { totpCode } from '../../../server/services/sign-in/totp.ts'
import { Client } from '../../client.ts'
import { type House, openHouse, password } from './sign-in-house.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const step = () => Math.floor(Date.now() / 30_000)
/** Lets a code of the present window be shown once more. */
const forgetStep = () => house.database.exec('update two_factors set last_step = 0')

function unbase32(text: string): Uint8Array {
  const bits = [...text]
    .map(letter => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], byte => Number.parseInt(byte, 2))
}

/** Someone with an authenticator app, and what is in it. */
async function enrol(username: string, role = 1) {
  const client = await house.addUser(username, { role })
  const { data } = (await client.post('/api/user/2fa/setup', {})).json
  const secret = unbase32(data.secret)
  const code = (off = 0) => totpCode(secret, step() + off)
  expect((await client.post('/api/user/2fa/enable', { code: code() })).json.success).toBe(true)
  forgetStep()
  return { client, code, secret, backup: data.backup_codes as string[] }
}

const begin = async (username: string) => {
  const client = new Client(house.program.url)
  const { json } = await client.post('/api/user/login', { username, password })
  return { client, json, ticket: json.data?.flow_token as string }
}
const second = (client: Client, flow_token: string, code: string) =>
  client.post('/api/user/login/2fa', { flow_token, code })

describe('setting it up', () => {
  test('is in force only after a code has been shown', async () => {
    const client = await house.addUser('setup')
    expect((await client.get('/api/user/2fa/status')).json.data).toEqual({
      enabled: false,
      backup_codes_remaining: 0,
    })
    expect((await client.post('/api/user/2fa/enable', { code: '123456' })).json.message).toBe(
      '请先完成两步验证初始化设置',
    )
    const first = (await client.post('/api/user/2fa/setup', {})).json.data
    const { data } = (await client.post('/api/user/2fa/setup', {})).json
    expect(data.secret).not.toBe(first.secret)
    expect(data.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(data.qr_code_data).toStartWith(`otpauth://totp/`)
    expect(data.qr_code_data).toContain(`:setup?secret=${data.secret}&`)
    expect(data.backup_codes).toHaveLength(10)
    expect((await begin('setup')).json.data.username).toBe('setup')

    for (const code of ['', '000', totpCode(unbase32(first.secret), step()), data.backup_codes[0]])
      expect((await client.post('/api/user/2fa/enable', { code })).json.message).toBe(
        '验证码或备用码错误，请重试',
      )
    const code = totpCode(unbase32(data.secret), step())
    expect((await client.post('/api/user/2fa/enable', { code })).json.success).toBe(true)
    expect((await client.get('/api/user/2fa/status')).json.data).toEqual({
      enabled: true,
      backup_codes_remaining: 10,
    })
    expect((await client.post('/api/user/2fa/setup', {})).json.message).toBe(
      '用户已启用两步验证，请先禁用后重新设置',
    )
    expect((await client.post('/api/user/2fa/enable', { code })).json.success).toBe(false)
    // The code that confirmed it cannot be used to log in as well.
    const { client: late, ticket } = await begin('setup')
    expect((await second(late, ticket, code)).json.message).toBe(
      '该验证码已使用过，请等待身份验证器显示下一个验证码',
    )
    // The digits of a keyboard for Chinese, in the groups that the app shows.
    const next = totpCode(unbase32(data.secret), step() + 1)
    const wide = next.replace(/\d/g, digit => String.fromCodePoint(0xff10 + Number(digit)))
    expect((await second(late, ticket, `${wide.slice(0, 3)}　${wide.slice(3)}`)).json.success).toBe(true)

    const stored = JSON.stringify([
      house.database.query('select * from two_factors').all(),
      house.database.query('select * from backup_codes').all(),
      house.database.query('select * from audit_records').all(),
    ])
    for (const secret of [data.secret, data.backup_codes[3], data.backup_codes[3].replace('-', '')])
      expect(stored + house.program.output()).not.toContain(secret)
    expect(stored).toContain('two-factor.enable')
  })

  test('ends with a code, and is then gone', async () => {
    const { client, code } = await enrol('ends')
    expect((await client.post('/api/user/2fa/disable', { code: '000000' })).json.success).toBe(false)
    expect((await client.post('/api/user/2fa/disable', { code: code() })).json.success).toBe(true)
    expect((await begin('ends')).json.data.username).toBe('ends')
    expect((await client.post('/api/user/2fa/disable', { code: code(1) })).json.message).toBe(
      '用户未启用两步验证',
    )
    expect((await client.post('/api/user/2fa/backup_codes', { code: code(1) })).json.message).toBe(
      '用户未启用两步验证',
    )
  })
})

describe('logging in', () => {
  test('takes a second step, and nothing is open before it', async () => {
    const { code } = await enrol('alice')
    const { client, json, ticket } = await begin('alice')
    expect(json).toEqual({
      success: true,
      message: '',
      data: { require_2fa: true, flow_token: expect.any(String), has_passkey: false },
    })
    expect(client.cookie).toBeUndefined()
    const answer = await second(client, ticket, code())
    expect(answer.json.data).toMatchObject({ username: 'alice', password: '' })
    client.userId = answer.json.data.id
    expect((await client.get('/api/user/self')).json.data.username).toBe('alice')
    expect((await second(client, ticket, code(1))).json.message).toBe('登录已过期或尝试次数过多，请重新登录')
    const wrong = await new Client(house.program.url).post('/api/user/login', {
      username: 'alice',
      password: 'wrong-one',
    })
    expect(wrong.json.message).toBe('用户名或密码错误，或用户已被封禁')
  })

  test('no code works twice, not even at the same moment', async () => {
    const { code } = await enrol('twice')
    const tickets = await Promise.all(Array.from({ length: 4 }, () => begin('twice')))
    const shown = code()
    const answers = await Promise.all(tickets.map(({ client, ticket }) => second(client, ticket, shown)))
    expect(answers.filter(({ json }) => json.success)).toHaveLength(1)
    // An older one of the window is over as well.
    const { client, ticket } = await begin('twice')
    expect((await second(client, ticket, code(-1))).json.success).toBe(false)
    expect((await second(client, ticket, code(1))).json.success).toBe(true)
  })

  test('a ticket is over after five tries and after five minutes', async () => {
    const { code } = await enrol('tries')
    const { client, ticket } = await begin('tries')
    for (let at = 0; at < 5; at++)
      expect((await second(client, ticket, `00000${at}`)).json.message).toBe('验证码或备用码错误，请重试')
    expect((await second(client, ticket, code())).json.message).toBe('登录已过期或尝试次数过多，请重新登录')
    const late = await begin('tries')
    house.database.exec('update sign_in_flows set expires_at = 1')
    expect((await second(late.client, late.ticket, code())).json.success).toBe(false)
    for (const made of ['', 'x', 'x'.repeat(43)])
      expect((await second(client, made, code())).json.message).toBe('登录已过期或尝试次数过多，请重新登录')
    expect((await second(client, 'x'.repeat(600), code())).json.success).toBe(false)
  })

  test('new tickets do not give new guesses without end', async () => {
    const { code } = await enrol('guess')
    const statuses: number[] = []
    for (let round = 0; round < 3; round++) {
      const { client, ticket } = await begin('guess')
      for (let at = 0; at < 4; at++) statuses.push((await second(client, ticket, `11111${at}`)).status)
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
    const { client, ticket } = await begin('guess')
    expect((await second(client, ticket, code())).status).toBe(429)
  })

  test('each backup code works once, in any spelling, until there are new ones', async () => {
    const { client, code, backup } = await enrol('backup')
    const [one = '', two = '', three = ''] = backup
    const use = async (given: string) => {
      const started = await begin('backup')
      return (await second(started.client, started.ticket, given)).json.success
    }
    expect(await use(one)).toBe(true)
    expect(await use(one)).toBe(false)
    expect(await use(` ${two.toLowerCase().replace('-', ' ')} `)).toBe(true)
    expect((await client.get('/api/user/2fa/status')).json.data.backup_codes_remaining).toBe(8)
    const fresh = (await client.post('/api/user/2fa/backup_codes', { code: code() })).json.data.backup_codes
    expect(fresh).toHaveLength(10)
    expect(await use(three)).toBe(false)
    expect(await use(fresh[0])).toBe(true)
  })

  test('whoever is banned or deleted between the steps stays outside', async () => {
    const { code } = await enrol('between')
    const { client, ticket } = await begin('between')
    house.database.exec("update users set status = 2 where username = 'between'")
    expect((await second(client, ticket, code())).json.message).toBe('用户已被封禁')
    expect(client.cookie).toBeUndefined()
  })

  test('a third party does not get past it', async () => {
    const { client, code } = await enrol('telegram')
    const bot = '1:bot'
    for (const [key, value] of [
      ['TelegramBotToken', bot],
      ['TelegramBotName', 'gate_bot'],
      ['TelegramOAuthEnabled', 'true'],
    ] as const)
      await house.root.saveOption(key, value)
    // Of one moment: a second later the same would come of the number after.
    const now = Math.floor(Date.now() / 1000)
    const query = (ago: number) => {
      const fields = { auth_date: String(now - ago), id: '77' }
      const lines = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
      const hash = createHmac('sha256', createHash('sha256').update(bot).digest())
        .update(lines.join('\n'))
        .digest('hex')
      return new URLSearchParams({ ...fields, hash })
    }
    expect((await client.get(`/api/oauth/telegram/bind?${query(1)}`)).json.success).toBe(true)
    const visitor = new Client(house.program.url)
    const { data } = (await visitor.get(`/api/oauth/telegram/login?${query(2)}`)).json
    expect([data.require_2fa, visitor.cookie]).toEqual([true, undefined])
    expect((await second(visitor, data.flow_token, code())).json.data.username).toBe('telegram')
  })
})

describe('for someone who lost the app', () => {
  test('an administrator switches it off for those below, and only for them', async () => {
    const { client: lost } = await enrol('lost')
    const { client: admin } = await enrol('an-admin', 10)
    const idOf = (client: Client) => client.userId
    const reset = (client: Client, id: number | string | undefined) =>
      client.send('DELETE', `/api/user/${id}/2fa`)
    expect((await reset(admin, house.root.userId)).json.message).toBe(
      '无权更新同权限等级或更高权限等级的用户信息',
    )
    expect((await reset(admin, idOf(admin))).json.success).toBe(false)
    for (const id of ['999999', 'x', '-1', '1e3'])
      expect((await reset(admin, id)).json.message).toBe('record not found')
    expect((await reset(lost, idOf(lost))).json.message).toBe('无权进行此操作，权限不足')
    expect((await reset(admin, idOf(lost))).json.success).toBe(true)
    expect((await begin('lost')).json.data.username).toBe('lost')
    expect((await reset(admin, idOf(lost))).json.message).toBe('用户未启用两步验证')
    expect((await reset(house.root, idOf(admin))).json.success).toBe(true)
  })
})

describe('proving again who one is', () => {
  const verify = (client: Client, body: unknown) => client.post('/api/verify', body)
  const verifiedAt = (client: Client) =>
    house.database
      .query('select max(verified_at) as at from sessions where user_id = ?')
      .get(client.userId ?? 0) as { at: number }

  test('by password, checked here and now', async () => {
    const client = await house.addUser('verify')
    for (const body of [
      { method: 'password' },
      { method: 'password', password: '' },
      { method: 'password', password: 'not-the-one' },
      { method: '2fa', code: '123456' },
      { method: '2fa' },
      { method: 'passkey' },
      { method: 'passkey', verified: true, password },
    ]) {
      const answer = await verify(client, body)
      expect([body, answer.status, answer.json]).toEqual([
        body,
        403,
        { success: false, message: '安全验证失败', data: null },
      ])
    }
    for (const body of [
      {},
      { method: 'none' },
      { method: 'passkey', assertion: {} },
      { method: ['password'], password },
    ])
      expect((await verify(client, body)).json.success).toBe(false)
    expect(verifiedAt(client)).toEqual({ at: 0 })
    const answer = await verify(client, { method: 'password', password })
    expect(answer.json.data).toEqual({ verified: true, expires_at: verifiedAt(client).at + 300 })
  })

  test('by code where there is an authenticator app: the password alone no longer does', async () => {
    const { client, code } = await enrol('verify-2fa')
    const answer = await verify(client, { method: 'password', password })
    expect([answer.status, answer.json.message]).toEqual([403, '请使用两步验证或通行密钥进行安全验证'])
    expect((await verify(client, { method: '2fa', code: '999999' })).status).toBe(403)
    expect(verifiedAt(client)).toEqual({ at: 0 })
    const shown = code()
    expect((await verify(client, { method: '2fa', code: shown })).json.data.verified).toBe(true)
    const again = await verify(client, { method: '2fa', code: shown })
    expect([again.status, again.json.message]).toEqual([
      403,
      '该验证码已使用过，请等待身份验证器显示下一个验证码',
    ])
  })

  test('is for sessions, and guesses come to an end', async () => {
    const client = await house.addUser('verify-end')
    const token = (await client.get('/api/user/token')).json.data
    const byToken = await new Client(house.program.url).post(
      '/api/verify',
      { method: 'password', password },
      { authorization: token },
    )
    expect(byToken.status).toBe(400)
    const statuses: number[] = []
    for (let at = 0; at < 12; at++)
      statuses.push((await verify(client, { method: 'password', password: `guess-${at}` })).status)
    expect(statuses).toEqual([...Array(10).fill(403), 429, 429])
  })
})
