import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type House, openHouse, password } from './sign-in-house.ts'
import { type Browser, secrets, startProviders } from './sign-in-stand-in.ts'

let house: House
let providers: ReturnType<typeof startProviders>

beforeAll(async () => {
  providers = startProviders()
  house = await openHouse({
    GitHubAddress: providers.url,
    GitHubClientId: secrets.github.id,
    GitHubClientSecret: secrets.github.secret,
    GitHubOAuthEnabled: 'true',
    LinuxDOAddress: providers.url,
    LinuxDOClientId: secrets.linuxdo.id,
    LinuxDOClientSecret: secrets.linuxdo.secret,
    LinuxDOOAuthEnabled: 'true',
  })
  for (const [key, value] of Object.entries({
    ServerAddress: house.program.url,
    DiscordAddress: `${providers.url}/discord`,
    DiscordClientId: secrets.discord.id,
    DiscordClientSecret: secrets.discord.secret,
    DiscordOAuthEnabled: 'true',
  }))
    expect([key, (await house.root.saveOption(key, value)).json.success]).toEqual([key, true])
})
afterAll(async () => {
  providers.stop()
  await house.close()
})

/** The whole way: the authorize address, consent there, and back. */
async function signIn(
  client: Browser,
  provider: 'github' | 'discord' | 'linuxdo',
  who: Record<string, unknown>,
  aff = '',
) {
  const { json } = await client.get(`/api/oauth/authorize?provider=${provider}${aff && `&aff=${aff}`}`)
  const { code, state } = await providers.consent(json.data, who)
  return client.get(`/api/oauth/${provider}?code=${code}&state=${state}`)
}

describe.each([
  {
    provider: 'github' as const,
    column: 'github_id',
    name: 'GitHub',
    label: 'GitHub',
    path: '/login/oauth/authorize',
    below: '',
    settings: { address: 'GitHubAddress', flag: 'GitHubOAuthEnabled' },
  },
  {
    provider: 'discord' as const,
    column: 'discord_id',
    name: 'Discord',
    label: 'Discord',
    path: '/discord/oauth2/authorize',
    below: '/discord',
    settings: { address: 'DiscordAddress', flag: 'DiscordOAuthEnabled' },
  },
  {
    provider: 'linuxdo' as const,
    column: 'linux_do_id',
    name: 'LinuxDO',
    label: 'Linux DO',
    path: '/oauth2/authorize',
    below: '',
    settings: { address: 'LinuxDOAddress', flag: 'LinuxDOOAuthEnabled' },
  },
])('$name', ({ provider, column, name, label, path, below, settings }) => {
  const person = (id: number, more: Record<string, unknown> = {}) => ({
    id: provider === 'discord' ? String(id) : id,
    login: `person-${id}`,
    username: `person-${id}`,
    name: `Person ${id}`,
    global_name: `Person ${id}`,
    ...more,
  })

  test('registers whoever comes first and finds them again by their number', async () => {
    const client = house.browser()
    const first = await signIn(client, provider, person(101))
    expect(first.json).toMatchObject({
      success: true,
      message: '',
      data: { [column]: '101', display_name: 'Person 101', role: 1, email: '' },
    })
    expect(first.json.data.username).toBe(`${provider}_${first.json.data.id}`)
    expect((await client.get('/api/user/self')).json.data.id).toBe(first.json.data.id)
    const again = await signIn(
      house.browser(),
      provider,
      person(101, { login: 'renamed', username: 'renamed', name: null }),
    )
    expect(again.json.data.id).toBe(first.json.data.id)
    expect(providers.refusals).toEqual([])
  })

  test('the authorize address carries what the provider needs', async () => {
    const { json } = await house.browser().get(`/api/oauth/authorize?provider=${provider}`)
    const url = new URL(json.data)
    expect(url.origin + url.pathname).toBe(providers.url + path)
    expect(url.searchParams.get('redirect_uri')).toBe(`${house.program.url}/oauth/${provider}`)
    expect(url.searchParams.has('code_challenge')).toBe(provider !== 'linuxdo')
    expect(json.data).not.toContain(secrets[provider].secret)
  })

  test('a console that builds the address on its own gets by with the state', async () => {
    const client = house.browser()
    const state = (await client.get('/api/oauth/state?aff=abcd')).json.data
    expect(state).toMatch(/^[\w-]{43}$/)
    expect((await client.get('/api/oauth/state')).headers.get('set-cookie')).toMatch(
      /^sign_in_browser=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    )
    const query = `client_id=${secrets[provider].id}&state=${state}&response_type=code&scope=identify`
    const { code } = await providers.consent(`${providers.url}${path}?${query}`, person(102))
    expect((await client.get(`/api/oauth/${provider}?code=${code}&state=${state}`)).json.success).toBe(true)
  })

  test('a state that is missing, made up, used, expired, of another browser or another provider is refused', async () => {
    const client = house.browser()
    const begin = async (from: Browser) => {
      const { json } = await from.get(`/api/oauth/authorize?provider=${provider}`)
      return providers.consent(json.data, person(103))
    }
    const before = house.rows('select count(*) as n from users')
    const refused = async (from: Browser, query: string, at = provider as string) => {
      const answer = await from.get(`/api/oauth/${at}?${query}`)
      expect([answer.status, answer.json]).toEqual([
        403,
        { success: false, message: 'state is empty or not same', data: null },
      ])
      expect(from.cookie).toBeUndefined()
    }
    await refused(client, 'code=x')
    await refused(client, `code=x&state=${'x'.repeat(43)}`)
    const elsewhere = await begin(client)
    await refused(house.browser(), `code=${elsewhere.code}&state=${elsewhere.state}`)
    await refused(client, `code=${elsewhere.code}&state=${elsewhere.state}`)
    const crossed = await begin(client)
    await refused(
      client,
      `code=${crossed.code}&state=${crossed.state}`,
      provider === 'github' ? 'linuxdo' : 'github',
    )
    const late = await begin(client)
    house.database.exec('update sign_in_flows set expires_at = 1')
    await refused(client, `code=${late.code}&state=${late.state}`)
    // Somebody logged in meanwhile: what was begun as a login must not become a binding.
    const begun = await begin(client)
    await house.addUser(`${provider}-late`)
    const session = house.browser()
    await session.login(`${provider}-late`, password)
    const switched = await client.get(`/api/oauth/${provider}?code=${begun.code}&state=${begun.state}`, {
      cookie: `session=${session.cookie}; ${client.signInCookie}`,
    })
    expect(switched.status).toBe(403)
    expect(house.rows('select count(*) as n from users')).toEqual([{ n: Number(before[0]?.n) + 1 }])
    expect(house.rows(`select id from users where ${column} = '103'`)).toEqual([])
  })

  test('binds for whoever is logged in, once per account', async () => {
    const client = await house.addUser(`${provider}-bind`)
    const answer = await signIn(client, provider, person(104))
    expect(answer.json).toEqual({ success: true, message: 'bind', data: null })
    expect((await client.get('/api/user/self')).json.data[column]).toBe('104')
    const other = await house.addUser(`${provider}-two`)
    expect((await signIn(other, provider, person(104))).json.message).toBe(`该 ${label} 账户已被绑定`)
    expect((await signIn(house.browser(), provider, person(104))).json.data.username).toBe(`${provider}-bind`)
  })

  test('an e-mail address never links an account', async () => {
    const victim = `${provider}-victim@example.com`
    await house.addUser(`${provider}-victim`, { email: victim })
    const taken = await signIn(house.browser(), provider, person(105, { email: victim, verified: true }))
    expect(taken.json.data.username).not.toBe(`${provider}-victim`)
    expect(taken.json.data.email).toBe('')
  })

  test('the banned, the deleted and, while registration is closed, the new stay outside', async () => {
    await signIn(house.browser(), provider, person(106))
    house.database.exec(`update users set status = 2 where ${column} = '106'`)
    const banned = house.browser()
    expect((await signIn(banned, provider, person(106))).json.message).toBe('用户已被封禁')
    expect(banned.cookie).toBeUndefined()
    house.database.exec(`update users set status = 1, deleted_at = 5 where ${column} = '106'`)
    expect((await signIn(house.browser(), provider, person(106))).json.message).toBe('用户已注销')
    await house.root.saveOption('RegisterEnabled', 'false')
    const closed = await signIn(house.browser(), provider, person(107))
    const known = await signIn(house.browser(), provider, person(101))
    await house.root.saveOption('RegisterEnabled', 'true')
    expect(closed.json).toEqual({ success: false, message: '管理员关闭了新用户注册', data: null })
    expect(known.json.success).toBe(true)
  })

  test('what the provider does not confirm is refused in plain words', async () => {
    const client = house.browser()
    const attempt = async (code: string) => {
      const { json } = await client.get(`/api/oauth/authorize?provider=${provider}`)
      const state = new URL(json.data).searchParams.get('state')
      return (await client.get(`/api/oauth/${provider}?code=${code}&state=${state}`)).json
    }
    expect(await attempt('made-up')).toEqual({
      success: false,
      message: `${name} 未确认此次登录，请重新登录`,
      data: null,
    })
    expect((await attempt('')).message).toBe('无效的参数')
    for (const broken of [{}, { id: null }, { id: '7' }, { id: -1, login: 'x', username: 'x' }, []] as Record<
      string,
      unknown
    >[])
      expect((await signIn(house.browser(), provider, broken)).json.success).toBe(false)
    await house.root.saveOption(settings.address, 'http://127.0.0.1:9')
    const unreachable = await attempt('x')
    await house.root.saveOption(settings.address, providers.url + below)
    expect(unreachable.message).toBe(`无法连接至 ${name} 服务器，请稍后重试！`)
    providers.refusals.length = 0
  })

  test('switched off means off', async () => {
    const client = house.browser()
    const state = (await client.get('/api/oauth/state')).json.data
    await house.root.saveOption(settings.flag, 'false')
    const begun = await client.get(`/api/oauth/authorize?provider=${provider}`)
    const finished = await client.get(`/api/oauth/${provider}?code=x&state=${state}`)
    await house.root.saveOption(settings.flag, 'true')
    for (const answer of [begun, finished])
      expect(answer.json.message).toBe(`管理员未开启通过 ${label} 登录以及注册`)
  })

  test('of many that bring the same new account at once, one user comes out', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => signIn(house.browser(), provider, person(108))),
    )
    expect(new Set(answers.map(answer => answer.json.data?.id)).size).toBe(1)
    expect(house.rows(`select id from users where ${column} = '108'`)).toHaveLength(1)
  })
})

test('an invite code that was there at the beginning rewards both', async () => {
  await house.root.saveOption('QuotaForInviter', '700')
  await house.root.saveOption('QuotaForInvitee', '300')
  await house.addUser('inviter', { aff_code: 'inv1' })
  const { json } = await signIn(house.browser(), 'github', { id: 900, login: 'guest' }, 'inv1')
  for (const key of ['QuotaForInviter', 'QuotaForInvitee']) await house.root.saveOption(key, '0')
  expect(json.data.quota).toBe(300)
  expect(house.rows("select aff_quota, aff_count from users where username = 'inviter'")).toEqual([
    { aff_quota: 700, aff_count: 1 },
  ])
})

describe('who moved in from a tool that knew them at GitHub by their name', () => {
  const MOVED_IN = 1_700_000_000
  const at = (id: number, login: string, created_at: string | null = '2012-03-04T05:06:07Z') =>
    signIn(house.browser(), 'github', { id, login, created_at })
  const boundTo = (username: string) =>
    house.rows(`select github_id from users where username = '${username}'`)[0]?.github_id

  test('finds the account again, which is known by the number from then on', async () => {
    await house.addUser('moved-in', { github_id: 'Octo-Cat', created_at: MOVED_IN })
    const answers = await Promise.all(Array.from({ length: 4 }, () => at(950, 'Octo-Cat')))
    expect(answers.map(({ json }) => json.data?.username)).toEqual(Array(4).fill('moved-in'))
    expect(boundTo('moved-in')).toBe('950')
    expect((await at(950, 'renamed')).json.data.username).toBe('moved-in')
    expect((await at(951, 'Octo-Cat')).json.data.username).not.toBe('moved-in')
    const [record] = house.rows("select * from audit_records where action = 'account.bind' order by id desc")
    expect([record?.username, record?.before, record?.after]).toEqual([
      'moved-in',
      '{"github_id":"Octo-Cat"}',
      '{"github_id":"950"}',
    ])
  })

  test('and nobody else does: not who is younger than it, nor who says no age, nor a name that looks like a number', async () => {
    await house.addUser('left', { github_id: 'free-name', created_at: MOVED_IN })
    for (const [id, created_at] of [
      [960, '2024-01-01T00:00:00Z'],
      [961, null],
      [962, 'long ago'],
    ] as const)
      expect((await at(id, 'free-name', created_at)).json.data.username).not.toBe('left')
    expect(boundTo('left')).toBe('free-name')
    await house.addUser('numbered', { github_id: '970', created_at: MOVED_IN })
    expect((await at(971, '970')).json.data.username).not.toBe('numbered')
    house.database.exec("update users set status = 2 where username = 'left'")
    expect((await at(963, 'free-name')).json.message).toBe('用户已被封禁')
    expect(boundTo('left')).toBe('free-name')
  })

  test('as an administrator needs more than the name, which any older account may have taken', async () => {
    await house.addUser('moved-admin', { github_id: 'boss', created_at: MOVED_IN, role: 10 })
    const { json } = await at(980, 'boss')
    expect([json.success, json.message]).toEqual([
      false,
      '管理员账户迁入后须先用密码登录，再在个人设置中重新绑定 GitHub',
    ])
    expect(boundTo('moved-admin')).toBe('boss')
    expect(house.rows("select id from users where github_id = '980'")).toEqual([])
  })
})

test('an unknown provider is not a provider', async () => {
  for (const path of [
    '/api/oauth/authorize?provider=evil',
    '/api/oauth/authorize',
    '/api/oauth/authorize?provider=__proto__',
  ])
    expect((await house.browser().get(path)).json.success).toBe(false)
})

test('nothing the program printed or recorded holds a secret', () => {
  const kept = house.program.output() + JSON.stringify(house.rows('select * from audit_records'))
  for (const secret of [secrets.github.secret, secrets.discord.secret, secrets.linuxdo.secret])
    expect(kept).not.toContain(secret)
})
