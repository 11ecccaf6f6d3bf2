import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { Client } from '../../client.ts'
import { type House, openHouse, password } from './sign-in-house.ts'
import { SoftwareAuthenticator } from './software-authenticator.ts'

const origin = 'https://gate.example'
const rpId = 'gate.example'
let house: House
beforeAll(async () => {
  house = await openHouse()
})
beforeEach(async () => {
  await house.root.saveOption('ServerAddress', origin)
})
afterAll(() => house.close())

const path = '/api/user/passkey'
const prove = (client: Client) => client.post('/api/verify', { method: 'password', password })
const begin = async (client: Client, at: string) =>
  (await client.post(`${path}/${at}/begin`, {})).json.data.options.publicKey

/** A logged-in user and the passkey they have added. */
async function owner(username: string, role = 1) {
  const client = await house.addUser(username, { role })
  await prove(client)
  const passkey = new SoftwareAuthenticator()
  const { challenge, user } = await begin(client, 'register')
  const made = passkey.create({ challenge, origin, rpId }, user.id)
  const answer = await client.post(`${path}/register/finish`, { ...made, name: ' My key ' })
  expect(answer.json).toEqual({ success: true, message: '', data: null })
  return { client, passkey }
}

async function logIn(
  passkey: SoftwareAuthenticator,
  twists: Parameters<SoftwareAuthenticator['get']>[1] = {},
  ceremony = {},
) {
  const visitor = new Client(house.program.url)
  const { challenge } = await begin(visitor, 'login')
  const answer = await visitor.post(
    `${path}/login/finish`,
    passkey.get({ challenge, origin, rpId, ...ceremony }, twists),
  )
  return { visitor, answer, challenge }
}

describe('adding one', () => {
  test('asks for a discoverable key and user verification, and says nothing about the user', async () => {
    const client = await house.addUser('adds')
    await prove(client)
    const options = await begin(client, 'register')
    expect(options).toMatchObject({
      rp: { id: rpId },
      user: { name: 'adds' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    })
    expect(options.pubKeyCredParams.map(({ alg }: { alg: number }) => alg)).toEqual([-8, -7, -257])
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32)
    expect(Buffer.from(options.challenge, 'base64url').length).toBeGreaterThanOrEqual(16)
  })

  test('needs fresh proof of who one is from whoever can give it', async () => {
    const client = await house.addUser('fresh')
    const refused = await client.post(`${path}/register/begin`, {})
    expect([refused.status, refused.json.message]).toEqual([403, '需要安全验证'])
    await prove(client)
    expect((await client.post(`${path}/register/begin`, {})).json.success).toBe(true)
    house.database.exec(
      `update sessions set verified_at = verified_at - 301 where user_id = ${client.userId}`,
    )
    expect((await client.post(`${path}/register/begin`, {})).status).toBe(403)
    house.database.exec(`update users set password_hash = '' where id = ${client.userId}`)
    expect((await client.post(`${path}/register/begin`, {})).json.success).toBe(true)
    const token = (await client.get('/api/user/token')).json.data
    const byToken = await new Client(house.program.url).post(
      `${path}/register/begin`,
      {},
      { authorization: token },
    )
    expect(byToken.status).toBe(400)
  })

  test('refuses what was not made for us, here and now', async () => {
    const client = await house.addUser('refuses')
    const other = await house.addUser('refuses-2')
    for (const each of [client, other]) await prove(each)
    const attempt = async (
      make: (challenge: string, handle: string) => unknown,
      { by = client, challengeOf = client } = {},
    ) => {
      const { challenge, user } = await begin(challengeOf, 'register')
      return (await by.post(`${path}/register/finish`, make(challenge, user.id))).json
    }
    const key = () => new SoftwareAuthenticator()
    const failed = { success: false, message: '通行密钥验证失败，请重试', data: null }
    const create =
      (ceremony: object, twists = {}) =>
      (challenge: string, handle: string) =>
        key().create({ challenge, origin, rpId, ...ceremony }, handle, twists)
    expect(await attempt(create({ challenge: 'bWFkZSB1cA' }))).toEqual(failed)
    expect(await attempt(create({ origin: 'https://evil.example' }))).toEqual(failed)
    expect(await attempt(create({ rpId: 'evil.example' }))).toEqual(failed)
    expect(await attempt(create({}, { type: 'webauthn.get' }))).toEqual(failed)
    expect(await attempt(create({}, { flags: 0x41 }))).toEqual(failed)
    expect(await attempt(create({}, { flags: 0x05 }))).toEqual(failed)
    expect(await attempt(create({}), { challengeOf: other })).toEqual(failed)
    // Certificates were not asked for; reading them would mean fetching addresses they name.
    const x5c = Buffer.from('a163783563814100', 'hex')
    for (const format of ['packed', 'apple', 'android-key', 'tpm', 'fido-u2f', 'odd'])
      expect(await attempt(create({}, { format, statement: x5c }))).toEqual(failed)
    const used = await begin(client, 'register')
    const made = key().create({ challenge: used.challenge, origin, rpId }, used.user.id)
    expect((await client.post(`${path}/register/finish`, made)).json.success).toBe(true)
    expect((await client.post(`${path}/register/finish`, made)).json).toEqual(failed)
    const late = await begin(client, 'register')
    house.database.exec('update sign_in_flows set expires_at = 1')
    const old = key().create({ challenge: late.challenge, origin, rpId }, late.user.id)
    expect((await client.post(`${path}/register/finish`, old)).json).toEqual(failed)
    expect((await client.get(path)).json.data.passkeys).toHaveLength(1)
  })

  test('malformed input gets a refusal, never a fault', async () => {
    const client = await house.addUser('malformed')
    await prove(client)
    const { challenge, user } = await begin(client, 'register')
    const good = new SoftwareAuthenticator().create({ challenge, origin, rpId }, user.id)
    for (const body of [
      {},
      { ...good, id: null },
      { ...good, id: 'x'.repeat(20_000) },
      { ...good, type: 'password' },
      { ...good, response: null },
      { ...good, response: { ...good.response, attestationObject: '!!' } },
      { ...good, response: { ...good.response, attestationObject: 'AAAA' } },
      { ...good, response: { ...good.response, attestationObject: 'ow' } },
      { ...good, response: { ...good.response, clientDataJSON: 'AAAA' } },
      { ...good, response: { ...good.response, clientDataJSON: Buffer.from('null').toString('base64url') } },
      {
        ...good,
        response: { ...good.response, clientDataJSON: Buffer.from('{"challenge":{}}').toString('base64url') },
      },
      { ...good, name: 'x'.repeat(51) },
    ]) {
      const answer = await client.post(`${path}/register/finish`, body)
      expect([answer.status, answer.json.success]).toEqual([200, false])
    }
    for (const body of [
      {},
      { ...good },
      { ...good, response: { signature: 'AA', authenticatorData: 'AA', clientDataJSON: 'AA' } },
    ]) {
      const answer = await new Client(house.program.url).post(`${path}/login/finish`, body)
      expect([answer.status, answer.json.success]).toEqual([200, false])
    }
    expect(house.program.output()).not.toContain('a request failed')
  })

  test('needs a public address that a browser takes', async () => {
    const client = await house.addUser('address')
    await prove(client)
    for (const address of ['', 'http://gate.example', 'https://203.0.113.7', 'https://[2001:db8::1]']) {
      await house.root.saveOption('ServerAddress', address)
      for (const at of ['register', 'login', 'verify']) {
        const { json } = await client.post(`${path}/${at}/begin`, {})
        expect([address, at, json.message]).toEqual([
          address,
          at,
          '使用通行密钥前，请管理员先填写服务器地址（https 或 localhost）',
        ])
      }
    }
    await house.root.saveOption('ServerAddress', 'http://localhost:3000')
    expect((await begin(client, 'login')).rpId).toBe('localhost')
  })
})

describe('logging in', () => {
  test('the key alone says who it is', async () => {
    const { passkey, client } = await owner('alice')
    const { visitor, answer } = await logIn(passkey)
    expect(answer.json.data).toMatchObject({ username: 'alice', password: '' })
    visitor.userId = answer.json.data.id
    expect((await visitor.get('/api/user/self')).json.data.username).toBe('alice')
    const { data } = (await client.get(path)).json
    expect(data).toMatchObject({ enabled: true, passkeys: [{ name: 'My key' }] })
    expect(data.last_used_at).toBe(data.passkeys[0].last_used_at)
    expect(Object.keys(data.passkeys[0]).sort()).toEqual(['created_at', 'id', 'last_used_at', 'name'])
  })

  test('is two factors in one: no second step', async () => {
    const { passkey, client } = await owner('both')
    house.database
      .query(
        'insert into two_factors (user_id, secret_sealed, confirmed_at, last_step, created_at) values (?, ?, 1, 0, 1)',
      )
      .run(client.userId ?? 0, 'sealed')
    expect((await logIn(passkey)).answer.json.data.username).toBe('both')
    const first = await new Client(house.program.url).login('both', password)
    expect(first.json.data).toMatchObject({ require_2fa: true, has_passkey: true })
  })

  test('refuses what was not signed for us, here and now, by the owner', async () => {
    const { passkey, client } = await owner('strict')
    const { passkey: others } = await owner('strict-2')
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const failed = [200, { success: false, message: '通行密钥验证失败，请重试', data: null }]
    const attempts: [Parameters<typeof logIn>[1], object][] = [
      [{}, { challenge: 'bWFkZSB1cA' }],
      [{}, { origin: 'https://evil.example' }],
      [{}, { origin: 'http://gate.example' }],
      [{}, { rpId: 'evil.example' }],
      [{ type: 'webauthn.create' }, {}],
      [{ flags: 0x01 }, {}],
      [{ flags: 0x04 }, {}],
      [{ signWith: stranger }, {}],
      [{ userHandle: others.userHandle }, {}],
    ]
    for (const [twists, ceremony] of attempts) {
      const { visitor, answer } = await logIn(passkey, twists, ceremony)
      expect([twists, ceremony, answer.status, answer.json]).toEqual([twists, ceremony, ...failed])
      expect(visitor.cookie).toBeUndefined()
    }
    expect((await logIn(new SoftwareAuthenticator())).answer.json.success).toBe(false)

    // A challenge is good for one try, and for its own purpose.
    const { visitor, challenge } = await logIn(passkey)
    const again = passkey.get({ challenge, origin, rpId })
    expect((await visitor.post(`${path}/login/finish`, again)).json.success).toBe(false)
    const spoiled = await logIn(passkey, { signWith: stranger })
    const right = passkey.get({ challenge: spoiled.challenge, origin, rpId })
    expect((await visitor.post(`${path}/login/finish`, right)).json.success).toBe(false)
    const { challenge: forVerify } = await begin(client, 'verify')
    const crossed = passkey.get({ challenge: forVerify, origin, rpId })
    expect((await visitor.post(`${path}/login/finish`, crossed)).json.success).toBe(false)
    // A copy of the key that counts on its own is found out.
    passkey.counter = 1
    expect((await logIn(passkey)).answer.json.success).toBe(false)
  })

  test('the banned and the deleted stay outside', async () => {
    const { passkey, client } = await owner('outside')
    house.database.exec(`update users set status = 2 where id = ${client.userId}`)
    expect((await logIn(passkey)).answer.json.message).toBe('用户已被封禁')
    house.database.exec(`update users set status = 1, deleted_at = 1 where id = ${client.userId}`)
    expect((await logIn(passkey)).answer.json.message).toBe('用户已注销')
  })
})

describe('keeping them', () => {
  test('they are renamed and deleted by their owner alone', async () => {
    const { client, passkey } = await owner('keeps')
    const { client: other } = await owner('keeps-2')
    const { id } = (await client.get(path)).json.data.passkeys[0]
    for (const wrong of [id, 999_999, 'x', '0x1']) {
      const by = wrong === id ? other : client
      expect((await by.put(`${path}/${wrong}`, { name: 'Mine' })).json.message).toBe('record not found')
      expect((await by.send('DELETE', `${path}/${wrong}`)).json.message).toBe('record not found')
    }
    expect((await client.put(`${path}/${id}`, { name: '  ' })).json.success).toBe(false)
    expect((await client.put(`${path}/${id}`, { name: '钥匙', user_id: 1 })).json.success).toBe(true)
    expect((await client.put(`${path}/${id}`, { name: '钥匙' })).json.success).toBe(true)
    expect((await client.get(path)).json.data.passkeys[0].name).toBe('钥匙')
    expect((await client.send('DELETE', `${path}/${id}`)).json.success).toBe(true)
    expect((await client.get(path)).json.data).toEqual({ enabled: false, last_used_at: null, passkeys: [] })
    expect((await logIn(passkey)).answer.json.success).toBe(false)
  })

  test('nobody has more than twenty', async () => {
    const { client } = await owner('many')
    for (let at = 0; at < 19; at++)
      house.database.exec(
        `insert into passkeys (user_id, credential_hash, credential_id, public_key, created_at) values (${client.userId}, 'h${at}', 'c', 'k', 1)`,
      )
    expect((await client.post(`${path}/register/begin`, {})).json.message).toBe('通行密钥最多 20 个')
  })

  test('an administrator takes them from those below, and only from them', async () => {
    const { client } = await owner('taken')
    const { client: admin } = await owner('takes', 10)
    const reset = (by: Client, id: number | undefined) => by.send('DELETE', `/api/user/${id}/reset_passkey`)
    expect((await reset(admin, house.root.userId)).json.message).toBe(
      '无权更新同权限等级或更高权限等级的用户信息',
    )
    expect((await reset(admin, 999_999)).json.message).toBe('record not found')
    expect((await reset(client, admin.userId)).json.success).toBe(false)
    expect((await reset(admin, client.userId)).json.success).toBe(true)
    expect((await client.get(path)).json.data.enabled).toBe(false)
  })
})

describe('proving again who one is', () => {
  test('takes a real assertion of the owner’s own key, once', async () => {
    const { client, passkey } = await owner('proves')
    const { passkey: others } = await owner('proves-2')
    house.database.exec('update sessions set verified_at = 0')
    const verify = (assertion?: unknown) => client.post('/api/verify', { method: 'passkey', assertion })
    const ceremony = async () => ({ challenge: (await begin(client, 'verify')).challenge, origin, rpId })
    expect((await verify()).status).toBe(403)
    expect((await verify(others.get(await ceremony()))).status).toBe(403)
    expect((await verify(passkey.get(await ceremony(), { flags: 0x01 }))).status).toBe(403)
    const forLogin = (await begin(new Client(house.program.url), 'login')).challenge
    expect((await verify(passkey.get({ challenge: forLogin, origin, rpId }))).status).toBe(403)
    expect((await client.post(`${path}/register/begin`, {})).status).toBe(403)

    const options = await begin(client, 'verify')
    expect(options.allowCredentials).toEqual([{ id: passkey.id.toString('base64url'), type: 'public-key' }])
    const assertion = passkey.get({ challenge: options.challenge, origin, rpId })
    expect((await verify(assertion)).json.data.verified).toBe(true)
    expect((await client.post(`${path}/register/begin`, {})).json.success).toBe(true)
    expect((await verify(assertion)).status).toBe(403)
    // The proof belongs to the session it was given in.
    const second = new Client(house.program.url)
    await second.login('proves', password)
    expect((await second.post(`${path}/register/begin`, {})).status).toBe(403)
  })
})
