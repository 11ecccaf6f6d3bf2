import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Client } from '../../client.ts'
import { Mailbox } from '../../mailbox.ts'
import { type House, openHouse, password } from './sign-in-house.ts'
import { secrets, startProviders } from './sign-in-stand-in.ts'

let house: House
let providers: ReturnType<typeof startProviders>
let mailbox: Mailbox

beforeAll(async () => {
  providers = startProviders()
  house = await openHouse({
    GitHubAddress: providers.url,
    GitHubClientId: secrets.github.id,
    GitHubClientSecret: secrets.github.secret,
    GitHubOAuthEnabled: 'true',
    WeChatServerAddress: providers.url,
    WeChatServerToken: secrets.wechatToken,
    WeChatAuthEnabled: 'true',
    TelegramBotToken: '1:bot',
    TelegramBotName: 'gate_bot',
    TelegramOAuthEnabled: 'true',
  })
  mailbox = await Mailbox.open()
  await mailbox.connect(house.root)
})
afterAll(async () => {
  await mailbox.close()
  providers.stop()
  await house.close()
})

const prove = (client: Client) => client.post('/api/verify', { method: 'password', password })
/** As if the login had been six minutes ago. */
const age = (client: Client) =>
  house.database.exec(`update sessions set created_at = created_at - 360 where user_id = ${client.userId}`)
const emailOf = (client: Client) =>
  house.rows(`select email from users where id = ${client.userId}`)[0]?.email ?? null

async function codeTo(email: string): Promise<string> {
  await new Client(house.program.url).get(`/api/verification?email=${email}`)
  return /[2-9A-Z]{6}/.exec((await mailbox.last(email)).text)?.[0] ?? ''
}
const bind = (client: Client, email: string, code: string, headers: Record<string, string> = {}) =>
  client.get(`/api/oauth/email/bind?email=${email}&code=${code}`, headers)

const calls: [what: string, method: string, path: string][] = [
  ['binding an e-mail address', 'GET', '/api/oauth/email/bind?email=new@example.com&code=AAAAAA'],
  ['binding WeChat', 'GET', '/api/oauth/wechat/bind?code=111'],
  ['binding Telegram', 'GET', '/api/oauth/telegram/bind?id=1'],
  ['preparing the second step', 'POST', '/api/user/2fa/setup'],
  ['deleting a passkey', 'DELETE', '/api/user/passkey/1'],
]

describe.each(calls)('%s', (_, method, path) => {
  const name = path.replace(/\W/g, '').slice(-12)

  test('is not for access tokens, and asks an older session for a proof', async () => {
    const client = await house.addUser(name)
    const token = (await client.get('/api/user/token')).json.data
    const thief = new Client(house.program.url)
    expect((await thief.send(method, path, { headers: { authorization: token } })).status).toBe(400)
    const wanted = {
      success: false,
      message: '需要安全验证',
      data: null,
      code: 'VERIFICATION_REQUIRED',
    }
    // Just logged in: that was proof enough.
    expect((await client.send(method, path)).status).toBe(200)
    age(client)
    const refused = await client.send(method, path)
    expect([refused.status, refused.json]).toEqual([403, wanted])
    await prove(client)
    expect((await client.send(method, path)).status).toBe(200)
    house.database.exec(
      `update sessions set verified_at = verified_at - 301 where user_id = ${client.userId}`,
    )
    expect((await client.send(method, path)).json).toEqual(wanted)
    // Of a clock that was ahead by a day: it would count for that long.
    house.database.exec(
      `update sessions set verified_at = verified_at + 86400 where user_id = ${client.userId}`,
    )
    expect((await client.send(method, path)).json).toEqual(wanted)
    // Who has nothing to show could never bring what is asked for.
    house.database.exec(`update users set password_hash = '' where id = ${client.userId}`)
    expect((await client.send(method, path)).status).toBe(200)
    expect((await thief.send(method, path, { headers: { authorization: token } })).status).toBe(400)
  })
})

test('leaving for GitHub while logged in asks for a proof, and a visitor for none', async () => {
  const client = await house.addUser('leaves')
  age(client)
  for (const path of ['/api/oauth/state', '/api/oauth/authorize?provider=github']) {
    expect((await client.get(path)).status).toBe(403)
    expect((await house.browser().get(path)).json.success).toBe(true)
  }
  await prove(client)
  const { json } = await client.get('/api/oauth/authorize?provider=github')
  const { code, state } = await providers.consent(json.data, { id: 5, login: 'five', name: 'Five' })
  expect((await client.get(`/api/oauth/github?code=${code}&state=${state}`)).json.message).toBe('bind')
})

test('the address that is replaced is told, in the reader’s language; a first one replaces none', async () => {
  const client = await house.addUser('moves')
  expect((await bind(client, 'one@example.com', await codeTo('one@example.com'))).json.success).toBe(true)
  const second = await codeTo('two@example.com')
  age(client)
  expect((await bind(client, 'two@example.com', second)).status).toBe(403)
  expect([emailOf(client), mailbox.letters.filter(letter => /更换/.test(letter.subject))]).toEqual([
    'one@example.com',
    [],
  ])
  await prove(client)
  expect((await bind(client, 'two@example.com', second)).json.success).toBe(true)
  expect(emailOf(client)).toBe('two@example.com')
  const told = async (to: string, words: RegExp) => {
    for (;;) {
      const letter = mailbox.letters.find(({ to: [first], subject }) => first === to && words.test(subject))
      if (letter) return letter
      await Bun.sleep(20)
    }
  }
  expect((await told('one@example.com', /绑定邮箱已更换/)).text).toContain('账户 moves 已改为绑定另一个邮箱')
  const third = await codeTo('three@example.com')
  await bind(client, 'three@example.com', third, { 'accept-language': 'en' })
  const letter = await told('two@example.com', /address was replaced/)
  expect(letter.text).toContain('the account moves has another email address now')
  expect(letter.text + letter.html).not.toContain('three@example.com')
})

test('a first password takes a session, and what else there is to show', async () => {
  const client = await house.addUser('by-github')
  const token = (await client.get('/api/user/token')).json.data
  house.database.exec(`update users set password_hash = '' where id = ${client.userId}`)
  const thief = new Client(house.program.url)
  const change = { body: { password: 'stolen-1234' } }
  const byToken = await thief.send('PUT', '/api/user/self', { ...change, headers: { authorization: token } })
  expect(byToken.status).toBe(400)
  age(client)
  house.database.exec(
    `insert into two_factors (user_id, secret_sealed, confirmed_at, last_step, created_at) values (${client.userId}, 'x', 1, 0, 1)`,
  )
  expect((await client.send('PUT', '/api/user/self', change)).status).toBe(403)
  house.database.exec(`delete from two_factors where user_id = ${client.userId}`)
  expect((await client.send('PUT', '/api/user/self', change)).json.success).toBe(true)
})
