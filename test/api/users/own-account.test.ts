import type { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Client, loggedIn } from '../../client.ts'
import { Mailbox } from '../../mailbox.ts'
import { type OpenProgram, openProgram } from '../../open-program.ts'
import type { Program } from '../../program.ts'
import { userRow } from './user-row.ts'

const password = 'first-password'
let house: OpenProgram
let program: Program
let root: Client
let database: Database

beforeAll(async () => {
  house = await openProgram()
  ;({ program, database, root } = house)
})
afterAll(() => house.close())

function lastAudit(action: string): unknown {
  const sql = 'select after from audit_records where action = ? order by id desc limit 1'
  return JSON.parse(database.query<{ after: string }, [string]>(sql).get(action)?.after ?? 'null')
}

async function newUser(username: string): Promise<Client> {
  await new Client(program.url).post('/api/user/register', { username, password })
  return enter(username)
}
const enter = (username: string, secret = password) => loggedIn(program.url, username, secret)
const rowOf = (username: string) => userRow(database, username)

describe('one’s own account', () => {
  test('only name, display name and password can be changed, whatever is sent', async () => {
    const alice = await newUser('alice')
    const before = rowOf('alice')
    const greedy = {
      role: 100,
      quota: 9e9,
      used_quota: 5,
      group: 'vip',
      status: 1,
      id: 1,
      email: 'x@example.com',
      github_id: 'octocat',
      aff_quota: 7,
      access_token: 'x',
      inviter_id: 1,
      DeletedAt: null,
    }
    expect((await alice.put('/api/user/self', greedy)).json).toEqual({
      success: true,
      message: '',
      data: null,
    })
    expect(rowOf('alice')).toEqual(before)
    expect((await alice.put('/api/user/self', { ...greedy, display_name: 'Alice' })).json.success).toBe(true)
    expect(rowOf('alice')).toEqual({ ...before, display_name: 'Alice' })
    expect((await root.get('/api/user/self')).json.data.username).toBe('root')
  })

  test('a name must be free and of the right length; blanks change nothing', async () => {
    const bob = await newUser('bob')
    expect((await bob.put('/api/user/self', { username: 'alice' })).json.message).toBe(
      '用户名已存在，或已注销',
    )
    expect((await bob.put('/api/user/self', { username: 'x'.repeat(13) })).json.message).toBe(
      '用户名长度必须在 1 到 12 个字符之间',
    )
    expect((await bob.put('/api/user/self', { display_name: 'x'.repeat(21) })).json.success).toBe(false)
    expect((await bob.put('/api/user/self', { username: 5 })).json.message).toStartWith('输入不合法 username')
    const before = rowOf('bob')
    await bob.put('/api/user/self', { username: '', display_name: '', password: '' })
    expect(rowOf('bob')).toEqual(before)
    await bob.put('/api/user/self', { username: 'bobby' })
    expect((await bob.get('/api/user/self')).json.data.username).toBe('bobby')
  })

  test('names that are sent back as they were read are not judged, however long they are', async () => {
    const mover = await newUser('mover')
    const names = { username: 'moved-in-from-elsewhere', display_name: 'Somebody Who Moved In Here' }
    database.run(
      `update users set username = '${names.username}', display_name = '${names.display_name}' where username = 'mover'`,
    )
    const body = { ...names, password: 'second-password', original_password: password }
    expect((await mover.put('/api/user/self', body)).json).toMatchObject({ success: true })
    expect(rowOf(names.username)).toMatchObject(names)
    expect((await mover.put('/api/user/self', { display_name: 'x'.repeat(21) })).json.success).toBe(false)
    await enter(names.username, 'second-password')
  })

  test('a new password needs the present one, and ends the other sessions', async () => {
    const carol = await newUser('carol')
    const elsewhere = await enter('carol')
    const change = (body: Record<string, string>) => carol.put('/api/user/self', body)
    expect((await change({ password: 'second-password' })).json.message).toBe('修改密码需要提供原密码')
    expect((await change({ password: 'second-password', original_password: 'wrong' })).json.message).toBe(
      '原密码错误',
    )
    expect((await change({ password: 'short', original_password: password })).json.message).toBe(
      '密码长度必须在 8 到 20 个字符之间',
    )
    expect((await elsewhere.get('/api/user/self')).json.success).toBe(true)
    expect((await change({ password: 'second-password', original_password: password })).json.success).toBe(
      true,
    )
    expect((await carol.get('/api/user/self')).json.success).toBe(true)
    expect((await elsewhere.get('/api/user/self')).status).toBe(401)
    expect((await new Client(program.url).login('carol', password)).json.success).toBe(false)
    await enter('carol', 'second-password')
  })

  test('a new password leaves the access token alone, or revokes it where that is wished', async () => {
    const owner = await newUser('toni')
    const token = (await owner.get('/api/user/token')).json.data
    const works = async () =>
      (await new Client(program.url).get('/api/user/self', { authorization: token })).json.success
    const change = (from: string, to: string, more: Record<string, unknown> = {}) =>
      owner.put('/api/user/self', { password: to, original_password: from, ...more })
    expect((await change(password, 'second-password')).json.success).toBe(true)
    expect(await works()).toBe(true)
    expect((await owner.put('/api/user/self', { revoke_access_token: 'yes' })).json.success).toBe(false)
    const revoking = await change('second-password', 'third-password', { revoke_access_token: true })
    expect(revoking.json.success).toBe(true)
    expect(await works()).toBe(false)
    expect(lastAudit('account.update')).toEqual({ password_hash: '******', access_token_hash: null })
  })

  test('the access token can be revoked without another taking its place', async () => {
    const owner = await newUser('tara')
    const token = (await owner.get('/api/user/token')).json.data
    const byToken = () => new Client(program.url).get('/api/user/self', { authorization: token })
    expect((await byToken()).json.success).toBe(true)
    const records = () =>
      database.query("select id from audit_records where action = 'account.revoke-token'").all()
    for (const _ of ['with a token', 'without one'])
      expect((await owner.send('DELETE', '/api/user/token')).json).toMatchObject({ success: true })
    expect(records().length).toBe(1)
    expect((await byToken()).json.message).toBe('无权进行此操作，access token 无效')
    expect((await owner.get('/api/user/self')).json.success).toBe(true)
  })

  test('guessing the present password ends in 429', async () => {
    const dave = await newUser('dave')
    const statuses: number[] = []
    for (let at = 0; at < 12; at++)
      statuses.push(
        (await dave.put('/api/user/self', { password: 'second-password', original_password: `no-${at}` }))
          .status,
      )
    expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
  })

  test('can be deleted: sessions, access token and name are gone with it', async () => {
    const erin = await newUser('erin')
    const other = await enter('erin')
    const token = (await erin.get('/api/user/token')).json.data
    const answer = await erin.send('DELETE', '/api/user/self')
    expect(answer.json.success).toBe(true)
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await other.get('/api/user/self')).status).toBe(401)
    const byToken = await new Client(program.url).get('/api/user/self', { authorization: token })
    expect(byToken.json.message).toBe('无权进行此操作，access token 无效')
    expect((await new Client(program.url).login('erin', password)).json.success).toBe(false)
    const again = await new Client(program.url).post('/api/user/register', { username: 'erin', password })
    expect(again.json.message).toBe('用户名已存在，或已注销')
    expect(rowOf('erin').deleted_at).toBeGreaterThan(0)
  })

  test('the super administrator’s cannot', async () => {
    expect((await root.send('DELETE', '/api/user/self')).json.message).toBe('不能删除超级管理员账户')
    expect((await root.get('/api/user/self')).json.success).toBe(true)
  })
})

describe('sessions', () => {
  test('are listed without what would open them, and can be ended one by one', async () => {
    const frank = await newUser('frank')
    const phone = new Client(program.url)
    await phone.post('/api/user/login', { username: 'frank', password }, { 'user-agent': 'Phone/1.0' })
    phone.userId = frank.userId
    const list = await frank.get('/api/user/sessions')
    expect(list.json.data.length).toBe(2)
    expect(list.text).not.toContain(frank.cookie ?? '')
    const mine = list.json.data.find(({ current }: { current: boolean }) => current)
    const other = list.json.data.find(({ current }: { current: boolean }) => !current)
    expect(other).toMatchObject({ user_agent: 'Phone/1.0', address: '127.0.0.1' })
    expect(Object.keys(other).sort()).toEqual(
      ['address', 'created_at', 'current', 'expires_at', 'id', 'seen_at', 'user_agent'].sort(),
    )

    // Nobody else's, nothing that is not there, no patterns.
    const stranger = await newUser('stranger')
    for (const id of [other.id, 'f'.repeat(16), '%', '________________', other.id.slice(0, 8)])
      expect((await stranger.send('DELETE', `/api/user/sessions/${id}`)).json?.message).toBe(
        'record not found',
      )
    expect((await phone.get('/api/user/self')).json.success).toBe(true)

    expect((await frank.send('DELETE', `/api/user/sessions/${other.id}`)).json.success).toBe(true)
    expect((await phone.get('/api/user/self')).status).toBe(401)
    expect((await frank.get('/api/user/self')).json.success).toBe(true)
    const last = await frank.send('DELETE', `/api/user/sessions/${mine.id}`)
    expect(last.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await frank.get('/api/user/self')).status).toBe(401)
  })
})

describe('groups and models', () => {
  test('what may be used: the groups for all and one’s own, as far as they have a ratio', async () => {
    const grace = await newUser('grace')
    await root.saveOption('GroupRatio', '{"default":1,"vip":0.5,"inner":2}')
    await root.saveOption('UserUsableGroups', '{"default":"默认分组","vip":"vip分组","unpriced":"x"}')
    const common = { default: { ratio: 1, desc: '默认分组' }, vip: { ratio: 0.5, desc: 'vip分组' } }
    expect((await new Client(program.url).get('/api/user/groups')).json.data).toEqual(common)
    expect((await grace.get('/api/user/self/groups')).json.data).toEqual(common)
    database.exec("update users set \"group\" = 'inner' where username = 'grace'")
    expect((await grace.get('/api/user/self/groups')).json.data).toEqual({
      ...common,
      inner: { ratio: 2, desc: '用户分组' },
    })
  })

  test('the ratio is that of the user’s own group, and auto stands for those that may be used', async () => {
    const grace = await enter('grace')
    const groupsOf = async (client: Client) => (await client.get('/api/user/self/groups')).json.data
    await root.saveOption('GroupGroupRatio', '{"inner":{"vip":0.4,"inner":1.5},"default":{"vip":7}}')
    const usual = {
      default: { ratio: 1, desc: '默认分组' },
      vip: { ratio: 0.4, desc: 'vip分组' },
      inner: { ratio: 1.5, desc: '用户分组' },
    }
    expect(await groupsOf(grace)).toEqual(usual)
    expect((await new Client(program.url).get('/api/user/groups')).json.data.vip.ratio).toBe(0.5)
    await root.saveOption('AutoGroups', '["unheard-of","vip","inner"]')
    expect(await groupsOf(grace)).toEqual({ ...usual, auto: { ratio: 1.5, desc: 'vip → inner' } })
    expect((await groupsOf(await newUser('outer'))).auto).toEqual({ ratio: 7, desc: 'vip' })
    expect((await new Client(program.url).get('/api/user/groups')).json.data).not.toHaveProperty('auto')
    await root.saveOption('AutoGroups', '["unheard-of"]')
    expect(await groupsOf(grace)).toEqual(usual)
    await root.saveOption('GroupGroupRatio', '{}')
    await root.saveOption('AutoGroups', '[]')
  })

  test('models of enabled channels in these groups, each once; an empty list is a list', async () => {
    const grace = await enter('grace')
    expect((await grace.get('/api/user/models')).json.data).toEqual([])
  })
})

describe('binding an e-mail address', () => {
  test('takes the code that was mailed to it, once, and no address of anyone else', async () => {
    const mailbox = await Mailbox.open()
    await mailbox.connect(root)
    const heidi = await newUser('heidi')
    await new Client(program.url).get('/api/verification?email=heidi@example.com')
    const code = /[2-9A-Z]{6}/.exec((await mailbox.last('heidi@example.com')).text)?.[0] ?? ''
    await mailbox.close()
    const bind = (client: Client, email: string, given: string) =>
      client.get(`/api/oauth/email/bind?email=${email}&code=${given}`)
    expect((await bind(heidi, 'heidi@example.com', 'WRONG1')).json.message).toBe('验证码错误或已过期')
    expect((await bind(heidi, 'victim@example.com', code)).json.message).toBe('验证码错误或已过期')
    expect((await bind(new Client(program.url), 'heidi@example.com', code)).status).toBe(401)
    expect((await bind(heidi, 'heidi@example.com', code)).json).toEqual({
      success: true,
      message: '',
      data: null,
    })
    expect(rowOf('heidi').email).toBe('heidi@example.com')
    expect((await bind(heidi, 'heidi@example.com', code)).json.message).toBe('验证码错误或已过期')
  })

  test('no page of another site can do it', async () => {
    const heidi = await enter('heidi')
    const path = '/api/oauth/email/bind?email=evil@example.com&code=AAAAAA'
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ] as Record<string, string>[])
      expect((await heidi.get(path, headers)).status).toBe(403)
    expect((await heidi.get(path, { 'new-api-user': '' })).status).toBe(401)
  })

  test('where one user’s name is another’s address, the address logs in its owner', async () => {
    // Nobody can take such a name any more, but some have one from before.
    await newUser('squatter')
    database.exec("update users set username = 'squat@ex.co' where username = 'squatter'")
    database.exec("update users set email = 'squat@ex.co' where username = 'heidi'")
    const client = await enter('squat@ex.co')
    expect((await client.get('/api/user/self')).json.data.username).toBe('heidi')
  })
})
