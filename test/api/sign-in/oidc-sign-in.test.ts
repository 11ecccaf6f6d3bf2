import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { client, type Lies, startOidcProvider } from './oidc-stand-in.ts'
import { type House, openHouse } from './sign-in-house.ts'
import type { Browser } from './sign-in-stand-in.ts'

let house: House
const provider = startOidcProvider()
const other = startOidcProvider('/other')

beforeAll(async () => {
  house = await openHouse({ OIDCClientId: client.id, OIDCClientSecret: client.secret })
})
afterEach(() => Object.assign(provider.about, { lies: {}, more: {} }))
afterAll(async () => {
  provider.stop()
  other.stop()
  await house.close()
})

async function leave(browser: Browser): Promise<string> {
  const { json } = await browser.get('/api/oauth/authorize?provider=oidc')
  return json.success ? json.data : json.message
}

/** The whole way: the authorize page, consent there, and back. */
async function signIn(browser: Browser, person: Record<string, unknown>, at = provider) {
  at.about.person = person
  return browser.get(`/api/oauth/oidc${await at.consent(await leave(browser))}`)
}

test('is switched on when the provider, the client and our own address are known', async () => {
  const refused = '无法启用单点登录，请先填入签发者地址、OIDC Client ID 以及服务器地址！'
  expect(await leave(house.browser())).toBe('管理员未开启单点登录（OIDC）')
  expect((await house.root.saveOption('OIDCEnabled', 'true')).json.message).toBe(refused)
  await house.root.saveOption('OIDCIssuer', `${provider.issuer}/`)
  expect((await house.root.saveOption('OIDCEnabled', 'true')).json.message).toBe(refused)
  await house.root.saveOption('ServerAddress', house.program.url)
  expect((await house.root.saveOption('OIDCEnabled', 'true')).json.success).toBe(true)
  await house.root.saveOption('OIDCName', 'Example')
  expect((await house.browser().get('/api/status')).json.data).toMatchObject({
    oidc_enabled: true,
    oidc_name: 'Example',
  })
})

test('the authorize address keeps what the provider put into its own, and shows no secret', async () => {
  const url = new URL(await leave(house.browser()))
  expect(url.href).not.toContain(encodeURIComponent(client.secret))
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    kc_locale: 'en',
    response_type: 'code',
    scope: 'openid profile',
    client_id: client.id,
    redirect_uri: `${house.program.url}/oauth/oidc`,
    code_challenge_method: 'S256',
  })
})

test('registers whoever comes first, finds them again, and calls them by the name that is told', async () => {
  const first = await signIn(house.browser(), { sub: 'a-1', name: 'Ada L.', email: 'root@example.com' })
  expect(first.json).toMatchObject({
    success: true,
    message: '',
    data: { oidc_id: `${provider.issuer}#a-1`, display_name: 'Ada L.', role: 1, email: '' },
  })
  expect(first.json.data.username).toBe(`oidc_${first.json.data.id}`)
  expect((await signIn(house.browser(), { sub: 'a-1' })).json.data.id).toBe(first.json.data.id)
  provider.about.more = { preferred_username: 'grace' }
  expect((await signIn(house.browser(), { sub: 'a-2' })).json.data.display_name).toBe('grace')
  expect(provider.refusals).toEqual([])
})

test('binds for whoever is logged in, once', async () => {
  const mine = await house.addUser('oidc-mine')
  expect((await signIn(mine, { sub: 'b-1' })).json).toEqual({ success: true, message: 'bind', data: null })
  const another = await house.addUser('oidc-another')
  expect((await signIn(another, { sub: 'b-1' })).json.message).toBe('该单点登录账户已被绑定')
  expect((await signIn(house.browser(), { sub: 'b-1' })).json.data.username).toBe('oidc-mine')
})

const past = Math.floor(Date.now() / 1000) - 600
test.each<[string, Lies]>([
  ['is for another client', { claims: { aud: 'somebody else' } }],
  ['is for several, and was asked for by another', { claims: { aud: [client.id, 'x'], azp: 'x' } }],
  ['is of another provider', { claims: { iss: other.issuer } }],
  ['was made for another departure', { claims: { nonce: 'x' } }],
  ['was made for no departure', { claims: { nonce: undefined } }],
  ['is over', { claims: { exp: past } }],
  ['names nobody', { claims: { sub: '' } }],
  ['names nobody that fits', { claims: { sub: 'x'.repeat(256) } }],
  ['is none', { idToken: 'a.b.c' }],
  ['has no parts', { idToken: 'x' }],
  ['is contradicted when asked for the name', { userInfo: { sub: 'a-1' } }],
])('a token that %s lets nobody in', async (_what, lies) => {
  const users = house.rows('select count(*) as n from users')
  provider.about.lies = lies
  const browser = house.browser()
  const { json } = await signIn(browser, { sub: 'c-1' })
  expect(json).toEqual({ success: false, message: 'OIDC 未确认此次登录，请重新登录', data: null })
  expect(browser.cookie).toBeUndefined()
  expect(house.rows('select count(*) as n from users')).toEqual(users)
})

test('a state of another browser, a used one, or one that was taken without a proof key is refused', async () => {
  const browser = house.browser()
  const back = await provider.consent(await leave(browser))
  expect((await house.browser().get(`/api/oauth/oidc${back}`)).status).toBe(403)
  expect((await browser.get(`/api/oauth/oidc${back}`)).status).toBe(403)
  const { json } = await browser.get('/api/oauth/state')
  expect((await browser.get(`/api/oauth/oidc?code=x&state=${json.data}`)).status).toBe(403)
})

test('the same id at another provider is somebody else', async () => {
  const before = await signIn(house.browser(), { sub: 'd-1', name: 'First' })
  await house.root.saveOption('OIDCIssuer', other.issuer)
  const after = await signIn(house.browser(), { sub: 'd-1', name: 'Second' }, other)
  expect(after.json.data.id).not.toBe(before.json.data.id)
  other.about.issuer = provider.issuer
  await house.root.saveOption('OIDCIssuer', provider.issuer)
  expect((await signIn(house.browser(), { sub: 'd-1' })).json.data.id).toBe(before.json.data.id)
  // One that claims to be the other is not believed.
  await house.root.saveOption('OIDCIssuer', other.issuer)
  expect(await leave(house.browser())).toBe('OIDC 未确认此次登录，请重新登录')
  await house.root.saveOption('OIDCIssuer', provider.issuer)
})

test('providers that take the secret as a field, and clients without one, are served too', async () => {
  other.about.issuer = ''
  other.about.methods = ['client_secret_post']
  await house.root.saveOption('OIDCIssuer', other.issuer)
  expect((await signIn(house.browser(), { sub: 'e-1', name: 'E' }, other)).json.success).toBe(true)
  other.about.isPublic = true
  await house.root.saveOption('OIDCClientSecret', '')
  const answer = await signIn(house.browser(), { sub: 'e-1', name: 'E' }, other)
  await house.root.saveOption('OIDCClientSecret', client.secret)
  expect([answer.json.success, other.refusals]).toEqual([true, []])
})

test('a provider that is away is told in plain words', async () => {
  await house.root.saveOption('OIDCIssuer', 'http://127.0.0.1:9')
  expect(await leave(house.browser())).toBe('无法连接至 OIDC 服务器，请稍后重试！')
})
