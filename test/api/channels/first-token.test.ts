import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Client, rootClient } from '../../client.ts'
import { type Program, ROOT_PASSWORD, startProgram } from '../../program.ts'
import { Browser, secrets, startProviders } from '../sign-in/sign-in-stand-in.ts'

const password = 'good-password'
let program: Program
let root: Client

beforeAll(async () => {
  program = await startProgram({ ROOT_PASSWORD, GENERATE_DEFAULT_TOKEN: 'true' })
  root = await rootClient(program.url)
  await root.liftLimits()
})
afterAll(() => program.stop())

async function tokensOf(username: string) {
  const client = new Client(program.url)
  expect((await client.login(username, password)).json.success).toBe(true)
  return (await client.get('/api/token/?p=0')).json.data
}

test('whoever registers has a first token, which calls at once', async () => {
  const answer = await new Client(program.url).post('/api/user/register', { username: 'alice', password })
  expect(answer.json).toEqual({ success: true, message: '', data: null })
  const [token, ...others] = await tokensOf('alice')
  expect(others).toEqual([])
  expect(token).toMatchObject({
    ...{ name: 'alice的初始令牌', status: 1, unlimited_quota: true, expired_time: -1, group: '' },
    ...{ model_limits_enabled: false, remain_quota: 0, used_quota: 0 },
  })
  const authorization = `Bearer sk-${token.key}`
  const models = await fetch(`${program.url}/v1/models`, { headers: { authorization } })
  expect(models.status).toBe(200)
})

test('and so has whoever comes through a third party, once', async () => {
  const providers = startProviders()
  const options = {
    GitHubAddress: providers.url,
    GitHubClientId: secrets.github.id,
    GitHubClientSecret: secrets.github.secret,
    GitHubOAuthEnabled: 'true',
    ServerAddress: program.url,
  }
  for (const [key, value] of Object.entries(options)) await root.saveOption(key, value)
  for (const _ of ['first', 'again']) {
    const browser = new Browser(program.url)
    const { json } = await browser.get('/api/oauth/authorize?provider=github')
    const { code, state } = await providers.consent(json.data, { id: 7, login: 'octo', name: 'Octo' })
    const entered = await browser.get(`/api/oauth/github?code=${code}&state=${state}`)
    const { id, username } = entered.json.data
    const tokens = await browser.get('/api/token/?p=0', { 'new-api-user': String(id) })
    expect(tokens.json.data.map(({ name }: { name: string }) => name)).toEqual([`${username}的初始令牌`])
  }
  providers.stop()
})

test('a name that would be too long for its owner to keep is left out', async () => {
  const username = '名'.repeat(12)
  await new Client(program.url).post('/api/user/register', { username, password })
  const [token] = await tokensOf(username)
  expect(token.name).toBe('初始令牌')
})

test('a registration that fails leaves no token, and one made by an administrator has none', async () => {
  await new Client(program.url).post('/api/user/register', { username: 'alice', password })
  expect((await root.post('/api/user/', { username: 'made', password })).json.success).toBe(true)
  expect(await tokensOf('made')).toEqual([])
  const database = new Database(join(program.dataDir, 'tollgate.db'), { readonly: true })
  expect(database.query('select count(*) as count from tokens').get()).toEqual({ count: 3 })
  database.close()
})

test('in group auto, where the operator wants new tokens there and has groups for it', async () => {
  const groupOf = async (username: string) => {
    await new Client(program.url).post('/api/user/register', { username, password })
    return (await tokensOf(username))[0].group
  }
  await root.saveOption('DefaultUseAutoGroup', 'true')
  expect((await new Client(program.url).get('/api/status')).json.data.default_use_auto_group).toBe(true)
  expect(await groupOf('early')).toBe('')
  await root.saveOption('AutoGroups', '["svip","default"]')
  expect(await groupOf('later')).toBe('auto')
  await root.saveOption('DefaultUseAutoGroup', 'false')
  expect(await groupOf('latest')).toBe('')
})
