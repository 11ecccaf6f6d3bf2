import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, loggedIn, rootClient } from '../client.ts'
import { freshDataDir, type Program, ROOT_PASSWORD, startProgram, until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { type FakeUpstream, startOpenai } from '../upstreams/index.ts'
import {
  addToLitellm,
  boxed,
  digestOf,
  fillLitellm,
  type LitellmTables,
  SALT,
  sealed,
} from './litellm-tables.ts'
import { run } from './older-house.ts'

const OCR = { path: '/ocr', target: 'https://ocr.example/api' }
const emptyUrl = async (wanted: string): Promise<string> =>
  (await engines.find(({ name }) => name === wanted)?.emptyUrl()) ?? ''

const DAY = 86_400_000
const NOW = Math.floor(Date.now() / 1000) * 1000
const inDays = (days: number): Date => new Date(NOW + days * DAY)
const PASSWORD = 'anna-password'

/** By what they are called there. */
const keys = {
  plain: 'sk-Zx81hQ_2mWnP4rT6vY8aB0',
  dashed: 'sk-my-team-1234',
  numbered: 'sk-my-99',
  leading: 'sk--begins-with-a-dash',
  monthly: 'sk-monthly_key_of_anna',
  shared: 'sk-shared-budget',
  gone: 'sk-expired',
  off: 'sk-blocked',
  spent: 'sk-spent',
  ofTeam: 'sk-team-one',
  ofTeamToo: 'sk-team-two',
  orphan: 'sk-orphan',
  info: 'sk-info-only',
  zero: 'sk-limit-of-zero',
  late: 'sk-made-later',
  dashboard: 'sk-a-look-at-the-pages',
}
const of = (key: keyof typeof keys) => ({ token: digestOf(keys[key]), key_alias: key })

/** As the pages of LiteLLM write them down, by one version after another. */
const models = () => {
  const at = `${upstream.url}/v1`
  const model = (name: string, params: object, more = {}) => ({
    ...{ model_id: name, model_name: name, model_info: { id: name, db_model: true }, ...more },
    litellm_params: { use_in_pass_through: false, ...params },
  })
  const in3 = (name: string) => ({
    model: sealed(`openai/${name}`, 'v3'),
    api_key: sealed('sk-upstream', 'v3'),
  })
  return [
    model('boxed', { model: boxed.model, api_key: boxed.key, api_base: sealed(at, 'v2'), rpm: 600 }),
    model('newest', { ...in3('gpt-4o'), api_base: sealed(at, 'v3'), input_cost_per_token: 0.000002 }),
    model('open', { model: 'openai/gpt-4o', api_key: 'sk-upstream', api_base: `${upstream.url}/v1/open` }),
    model('foreign', { model: sealed('openai/gpt-4o', 'v3', 'other'), api_key: sealed('x', 'v3', 'other') }),
    model('lent', { ...in3('gpt-4o'), litellm_credential_name: sealed('theirs', 'v3') }),
    model('of-team', in3('gpt-4o'), { model_info: { team_id: 't-1' } }),
    model('shut', in3('gpt-4o'), { blocked: true }),
  ]
}

const house = (): LitellmTables => ({
  LiteLLM_BudgetTable: [{ budget_id: 'b1', max_budget: 3, rpm_limit: 7, budget_duration: '1d' }],
  LiteLLM_UserTable: [
    {
      ...{ user_id: 'u-anna', user_alias: 'Anna', user_email: 'Anna@Example.com', password: 'scrypt:x' },
      ...{ user_role: 'proxy_admin', max_budget: 25.5, spend: 0.30000000000000004, models: [] },
      created_at: new Date('2025-01-02T03:04:05Z'),
    },
    { user_id: 'u-bo', user_email: 'bo@example.com', models: ['gpt-4o*', 'other'], rpm_limit: 90 },
  ],
  LiteLLM_TeamTable: [
    {
      ...{ team_id: 't-1', team_alias: 'Research', max_budget: 10, spend: 4, budget_duration: '30d' },
      ...{ models: ['gpt-4o-mini'], tpm_limit: 100_000, members: ['u-bo', 'u-anna'], admins: ['u-lost'] },
      members_with_roles: JSON.stringify([
        { role: 'admin', user_id: 'u-anna' },
        { role: 'user', user_id: 'u-bo' },
        { role: 'user', user_email: 'no-user@example.com' },
      ]),
    },
  ],
  LiteLLM_VerificationToken: [
    { ...of('plain'), user_id: 'u-anna', max_budget: 2, spend: 0.75, rpm_limit: 500, tpm_limit: 90_000 },
    {
      ...{ ...of('dashed'), user_id: 'u-anna', models: ['gpt-4o'], max_parallel_requests: 3 },
      metadata: { tags: ['prod', 'team, a', 7, ''] },
    },
    { ...of('numbered'), user_id: 'u-anna', models: ['all-proxy-models'] },
    { ...of('leading'), user_id: 'u-anna', metadata: { tags: [...'abcdefghij'] } },
    {
      ...{ ...of('monthly'), user_id: 'u-anna', max_budget: 5, spend: 1.25, budget_duration: '30d' },
      ...{ budget_reset_at: inDays(9), expires: inDays(40), last_active: new Date('2026-01-01T00:00:00Z') },
    },
    { ...of('shared'), user_id: 'u-bo', spend: 1, budget_id: 'b1', aliases: { fast: 'gpt-4o-mini' } },
    { ...of('gone'), user_id: 'u-anna', expires: inDays(-1) },
    { ...of('off'), user_id: 'u-anna', blocked: true },
    { ...of('spent'), user_id: 'u-anna', max_budget: 1, spend: 1.5 },
    { ...of('ofTeam'), user_id: 'u-anna', team_id: 't-1', models: ['all-team-models'] },
    { ...of('ofTeamToo'), team_id: 't-1', models: ['gpt-4o', 'gpt-4o-mini'] },
    { token: digestOf(keys.orphan), key_name: 'sk-...phan', user_id: 'nobody-knows' },
    { ...of('info'), user_id: 'u-anna', allowed_routes: ['info_routes'] },
    { ...of('zero'), user_id: 'u-anna', rpm_limit: 0 },
    { ...of('dashboard'), user_id: 'u-anna', team_id: 'litellm-dashboard' },
  ],
  LiteLLM_ProxyModelTable: models(),
  LiteLLM_Config: [{ param_name: 'general_settings', param_value: { pass_through_endpoints: [OCR] } }],
  LiteLLM_SearchToolsTable: [{ search_tool_id: 's', search_tool_name: 'finder', litellm_params: {} }],
  LiteLLM_OrganizationTable: [{ organization_id: 'o', organization_alias: 'Org', budget_id: 'b1' }],
})

let upstream: FakeUpstream
let source: string
let environment: Record<string, string>
let imported: { code: number | null; out: string; err: string }
let program: Program
let root: Client
let anna: Client

beforeAll(async () => {
  upstream = await startOpenai({ key: 'sk-upstream' })
  source = await emptyUrl('postgres')
  await fillLitellm(source, house())
  environment = { DATA_DIR: freshDataDir(), ROOT_PASSWORD }
  const config = join(environment.DATA_DIR ?? '', 'config.yaml')
  const params = `{ model: openai/MODEL, api_base: "${upstream.url}/v1", api_key: sk-upstream }`
  const lines = ['gpt-4o', 'gpt-4o-mini'].map(
    name => `- { model_name: ${name}, litellm_params: ${params.replace('MODEL', name)} }`,
  )
  writeFileSync(config, `model_list:\n${lines.map(line => `  ${line}\n`).join('')}`)
  expect((await run(environment, 'import', config)).code).toBe(0)
  // As it stands in LiteLLM's own environment.
  const address = `${source}?schema=public&connection_limit=10&pool_timeout=20`
  imported = await run({ ...environment, LITELLM_SALT_KEY: SALT }, 'import', address)
  program = await startProgram(environment)
  root = await rootClient(program.url)
  await root.liftLimits()
  const { id } = await userOf('Anna')
  await root.put('/api/user/', { id, username: 'Anna', password: PASSWORD })
  anna = await loggedIn(program.url, 'anna@example.com', PASSWORD)
})
afterAll(async () => {
  await program?.stop()
  await Promise.all([upstream?.stop(), dropAll()])
})

async function userOf(username: string) {
  const found = (await root.get('/api/user/?p=1&page_size=100')).json.data.items
  return found.find((user: { username: string }) => user.username === username)
}

async function tokenOf(name: string) {
  const found = (await anna.get('/api/token/?p=0&size=100')).json.data
  return found.find((token: { name: string }) => token.name === name)
}

async function call(
  headers: Record<string, string>,
  { model = 'gpt-4o', path = '/v1/chat/completions' } = {},
) {
  const response = await fetch(program.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': 'en', ...headers },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 20 }),
  })
  return { status: response.status, text: await response.text() }
}
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

describe("LiteLLM's users, teams and keys", () => {
  test('what came is told, and what did not come as it was', () => {
    expect(imported).toMatchObject({ code: 0, err: '' })
    const { out } = imported
    expect(out).toMatch(/ 3 channels\n/)
    expect(out).toMatch(/ 4 accounts\n/)
    expect(out).toMatch(/ 14 keys\n/)
    expect(out).toMatch(/ 2 members of teams\n/)
    expect(out).toMatch(/ 1 limit of an account\n/)
    for (const said of [
      '! 1 user comes without a password',
      '! 1 member of a team is no user there, and is left out',
      '! 2 accounts had no budget there: each has 1000000 dollars here',
      "! 1 key is nobody's there, and has an account of its own here",
      "! 1 key of LiteLLM's own pages is left out",
      '! 1 organization, with its budgets, is left out',
      '! user Anna: was proxy_admin, and is no administrator here',
      '! 1 account had a budget that was renewed: it has 1000000 dollars here, and a limit to what it spends',
      '! key shared: without aliases',
      '! key leading: with 8 of its 10 tags',
      '! key info: disabled, for it was good for info_routes only',
      '! key zero: disabled, as its limit was 0',
      '! model foreign: left out: it was sealed with another LITELLM_SALT_KEY',
      "! model lent: left out: its key is among LiteLLM's credentials",
      '! model of-team: left out: it was for one team only',
      '! model shut: left out: it was blocked',
      '! search tool finder: left out: enter it as a channel',
      '! the log of what was spent stays where it is',
      'base URL https://ocr.example/api and the service ocr, and its price for it in ModelPrice',
    ])
      expect(out).toContain(said)
    expect(out).not.toContain('use_in_pass_through')
    for (const key of [...Object.values(keys), 'sk-upstream', SALT]) {
      expect(out).not.toContain(key)
      expect(out).not.toContain(digestOf(key))
    }
  })

  test('what all calls of a key were tagged with, they are labelled with', async () => {
    const labels = async (name: string) => (await tokenOf(name)).labels
    expect(await labels('dashed')).toEqual(['prod', 'team_ a'])
    expect(await labels('leading')).toEqual([...'abcdefgh'])
    expect(await labels('plain')).toEqual([])
  })

  test('accounts have what was left of their budgets', async () => {
    expect(await userOf('Anna')).toMatchObject({
      ...{ quota: 12_600_000, used_quota: 150_000, email: 'anna@example.com', role: 1, status: 1 },
      ...{ display_name: 'Anna', group: 'default' },
    })
    expect(await userOf('bo')).toMatchObject({ quota: 500_000_000_000, rpm: 90, email: 'bo@example.com' })
    expect(await userOf('Research')).toMatchObject({
      ...{ quota: 500_000_000_000, used_quota: 2_000_000, tpm: 100_000, role: 0 },
    })
    expect(await userOf('litellm')).toMatchObject({ quota: 500_000_000_000, status: 1 })
  })

  test('tokens have what was left of theirs', async () => {
    expect(await tokenOf('plain')).toMatchObject({
      ...{ key: '', remain_quota: 625_000, used_quota: 375_000, unlimited_quota: false, refill_at: 0 },
      ...{ rpm: 500, tpm: 90_000, concurrency: 0, model_limits_enabled: false, expired_time: -1 },
    })
    expect(await tokenOf('dashed')).toMatchObject({
      ...{ unlimited_quota: true, concurrency: 3, model_limits_enabled: true, model_limits: 'gpt-4o' },
    })
    expect(await tokenOf('numbered')).toMatchObject({ model_limits_enabled: false })
    expect(await tokenOf('monthly')).toMatchObject({
      ...{ remain_quota: 1_875_000, refill_quota: 2_500_000, refill_period: 'month', status: 1 },
      ...{ refill_at: inDays(9).getTime() / 1000, expired_time: inDays(40).getTime() / 1000 },
      accessed_time: Date.UTC(2026, 0, 1) / 1000,
    })
    for (const [name, status] of Object.entries({ gone: 3, off: 2, spent: 4, info: 2, zero: 2 }))
      expect([name, (await tokenOf(name))?.status]).toEqual([name, status])
  })
})

test('teams come with their members, whose keys of the team are theirs', async () => {
  const [{ id }] = (await anna.get('/api/team/self')).json.data.teams
  const { members } = (await anna.get(`/api/team/${id}`)).json.data
  expect(members).toMatchObject([
    { username: 'Anna', role: 'owner', tokens: 1 },
    { username: 'bo', role: 'member', tokens: 0 },
  ])
  const tokens = (await anna.get('/api/token/?p=0', { 'tollgate-team': String(id) })).json.data
  expect(tokens.map(({ name, creator }: { name: string; creator: string }) => [name, creator])).toEqual([
    ['ofTeamToo', ''],
    ['ofTeam', 'Anna'],
  ])
})

test('models of the database are called by their names', async () => {
  for (const [model, asked] of Object.entries({ boxed: 'gpt-4o-mini', newest: 'gpt-4o' })) {
    expect([model, (await call(bearer(keys.numbered), { model })).status]).toEqual([model, 200])
    expect(upstream.requests.at(-1)?.json).toMatchObject({ model: asked })
  }
})

describe('a key that moved in', () => {
  test('is good wherever a key may stand, whatever it looks like', async () => {
    for (const key of [keys.plain, keys.dashed, keys.numbered, keys.leading])
      expect([key, (await call(bearer(key))).status]).toEqual([key, 200])
    const key = keys.numbered
    for (const name of ['x-api-key', 'x-goog-api-key', 'mj-api-secret', 'api-key', 'x-litellm-api-key'])
      expect([name, (await call({ [name]: key })).status]).toEqual([name, 200])
    expect((await call({ authorization: key })).status).toBe(200)
    expect((await call({}, { path: `/v1/chat/completions?key=${key}` })).status).toBe(200)
    expect((await call({ 'x-api-key': key }, { path: '/v1/messages' })).status).toBe(200)
  })

  test('is no other than it was', async () => {
    const digest = digestOf(keys.plain)
    const wrong = [
      ...[digest, `sk-${digest}`, keys.plain.slice(3), `sk-${keys.plain}`, `${keys.plain}-1`],
      ...['sk-my', 'sk-my-', 'sk-my-1', 'sk-my-9', 'sk-my-990', 'sk-my-team', 'sk-', 'sk--', keys.late],
    ]
    for (const key of [...wrong, ...wrong])
      expect([key, (await call(bearer(key))).status]).toEqual([key, 401])
    const refused = async (key: string) => (await call(bearer(key))).text
    expect(await refused(keys.gone)).toContain('has expired')
    expect(await refused(keys.off)).toContain('not usable')
    expect(await refused(keys.spent)).toContain('used up')
    const other = await call(bearer(keys.dashed), { model: 'gpt-4o-mini' })
    expect([other.status, other.text.includes('gpt-4o-mini')]).toEqual([403, true])
  })

  test('is not taken for a wrong one that begins like it', async () => {
    const { id } = await tokenOf('plain')
    // Whatever is edited, nothing is remembered of any key.
    expect((await anna.put('/api/token/', { id, name: 'plain' })).json.success).toBe(true)
    expect((await call(bearer('sk-my-1'))).status).toBe(401)
    expect((await call(bearer(keys.numbered))).status).toBe(200)
    expect((await call(bearer(keys.dashed))).status).toBe(200)
  })

  test('of a team spends what is the team’s, on what is the team’s', async () => {
    const before = (await userOf('Research')).quota
    expect((await call(bearer(keys.ofTeam), { model: 'gpt-4o-mini' })).status).toBe(200)
    expect((await call(bearer(keys.ofTeamToo), { model: 'gpt-4o' })).status).toBe(403)
    expect((await userOf('Research')).quota).toBeLessThan(before)
    expect((await call(bearer(keys.orphan))).status).toBe(200)
    expect((await call(bearer(keys.shared))).status).toBe(200)
  })

  test('pays from its budget', async () => {
    const { remain_quota } = await tokenOf('plain')
    expect((await call(bearer(keys.plain))).status).toBe(200)
    const usage = async () =>
      (await fetch(`${program.url}/api/usage/token`, { headers: bearer(keys.plain) })).json()
    const after = await tokenOf('plain')
    expect(after.remain_quota).toBeLessThan(remain_quota)
    expect(after.remain_quota + after.used_quota).toBe(1_000_000)
    expect(await usage()).toMatchObject({ data: { name: 'plain', total_available: after.remain_quota } })
    const log = await fetch(`${program.url}/api/log/token?key=${keys.plain}`)
    const rows = (await log.json()) as { data: { quota: number }[] }
    expect(rows.data.reduce((sum, row) => sum + row.quota, 0)).toBe(after.used_quota - 375_000)
  })

  test('is shown to nobody, and its owner is told why', async () => {
    const { id } = await tokenOf('plain')
    const said = async (language: string): Promise<string> =>
      (await anna.post(`/api/token/${id}/key`, {}, { 'accept-language': language })).json.message
    expect(await said('en')).toContain('moved in from elsewhere')
    expect(await said('zh')).toContain('从别处迁入')
    const found = await anna.get(`/api/token/search?keyword=&token=${keys.dashed}`)
    expect(found.json.data.map(({ name }: { name: string }) => name)).toEqual(['dashed'])
  })

  test('is told apart from others that begin like it, also by the upstream', async () => {
    const named = { 'idempotency-key': 'the-same' }
    for (const key of [keys.numbered, keys.numbered, keys.dashed]) await call({ ...bearer(key), ...named })
    const names = upstream.requests.slice(-3).map(({ headers }) => headers['idempotency-key'])
    expect(names[0]).toBe(names[1] ?? '')
    expect(names[2]).not.toBe(names[0])
  })

  test('obeys whoever edits or deletes its token, at once', async () => {
    const { id } = await tokenOf('leading')
    const change = (more: object, query = '') => anna.put(`/api/token/${query}`, { id, ...more })
    const answers = async (status: number) =>
      await until(async () => (await call(bearer(keys.leading))).status === status)
    expect((await change({ status: 2 }, '?status_only=true')).json.success).toBe(true)
    await answers(401)
    expect((await change({ status: 1 }, '?status_only=true')).json.success).toBe(true)
    await answers(200)
    expect((await change({ name: 'renamed', unlimited_quota: false, remain_quota: 0 })).json.success).toBe(
      true,
    )
    await answers(401)
    expect((await change({ remain_quota: 900_000 })).json.success).toBe(true)
    await answers(200)
    await anna.send('DELETE', `/api/token/${id}`)
    await answers(401)
  })
})

test('done again, only what is new comes, and no money does', async () => {
  const before = await Promise.all(['Anna', 'bo', 'Research', 'litellm'].map(userOf))
  await addToLitellm(source, {
    LiteLLM_UserTable: [{ user_id: 'u-cy', user_alias: 'Anna', max_budget: 1 }],
    LiteLLM_VerificationToken: [
      { ...of('late'), user_id: 'u-cy', max_budget: 1, spend: 0.5 },
      { token: digestOf('sk-late-orphan') },
    ],
  })
  // While it runs, and after an account was renamed: nobody is taken for somebody else.
  const { id } = await userOf('bo')
  await root.put('/api/user/', { id, username: 'robert' })
  const again = await run(environment, 'import', source, '--wallet=12.5')
  expect(again).toMatchObject({ code: 0, err: '' })
  expect(again.out).toMatch(/ 1 account\n/)
  expect(again.out).toContain('! model newest: left out: set LITELLM_SALT_KEY')
  expect(again.out).toMatch(/ 2 keys\n/)
  expect(again.out).toContain('! 4 accounts have come before, and are left as they are')
  expect(again.out).toContain('! 14 keys have come before, and are left as they are')
  const after = await Promise.all(['Anna', 'robert', 'Research', 'litellm'].map(userOf))
  expect(after.map(user => user.quota)).toEqual(before.map(user => user.quota))
  expect(await userOf('Anna-2')).toMatchObject({ quota: 500_000 })
  // The key was asked for before it came, and was not known then.
  await until(async () => (await call(bearer(keys.late))).status === 200)
  expect((await call(bearer(keys.leading))).status).toBe(401)
  expect(await run(environment, 'audit')).toMatchObject({ code: 0 })
})
