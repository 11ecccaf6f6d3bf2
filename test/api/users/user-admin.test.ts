import type { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Answer, Client, loggedIn } from '../../client.ts'
import { type OpenProgram, openProgram } from '../../open-program.ts'
import { type Program, ROOT_PASSWORD } from '../../program.ts'
import { userRow } from './user-row.ts'

const password = 'good-password'
let house: OpenProgram
let program: Program
let root: Client
let admin: Client
let database: Database

beforeAll(async () => {
  house = await openProgram()
  ;({ program, database, root } = house)
  for (const username of ['admin', 'admin2', 'alice', 'bob']) await create(root, { username, password })
  for (const username of ['admin', 'admin2']) await manage(root, idOf(username), 'promote')
  admin = await enter('admin')
})
afterAll(() => house.close())

function create(by: Client, body: unknown): Promise<Answer> {
  return by.post('/api/user/', body)
}
function manage(by: Client, id: unknown, action: unknown): Promise<Answer> {
  return by.post('/api/user/manage', { id, action })
}
const enter = (username: string, secret = password) => loggedIn(program.url, username, secret)
const rowOf = (username: string) => userRow(database, username)
function idOf(username: string): number {
  return rowOf(username).id
}
function names(rows: { username: string }[]): string[] {
  return rows.map(({ username }) => username)
}

describe('adding users', () => {
  test('always ordinary ones, with nothing but what may be given', async () => {
    const body = {
      username: 'new',
      password,
      role: 5,
      quota: 9e9,
      group: 'vip',
      status: 2,
      id: 1,
      email: 'a@b.co',
    }
    expect((await create(admin, body)).json).toEqual({ success: true, message: '', data: null })
    expect(rowOf('new')).toMatchObject({
      display_name: 'new',
      role: 1,
      status: 1,
      quota: 0,
      group: 'default',
      email: null,
    })
    await create(admin, { username: 'named', password, display_name: 'A Name' })
    expect(rowOf('named').display_name).toBe('A Name')
  })

  test('refusals', async () => {
    const table: [Client, unknown, string][] = [
      [admin, {}, '无效的参数'],
      [admin, { username: 'x' }, '无效的参数'],
      [admin, { username: 'x', password: 'short' }, '密码长度必须在 8 到 20 个字符之间'],
      [admin, { username: 'x'.repeat(13), password }, '用户名长度必须在 1 到 12 个字符之间'],
      [admin, { username: 'alice', password }, '用户名已存在，或已注销'],
      [admin, { username: 'x', password, role: 10 }, '无法创建权限大于等于自己的用户'],
      [root, { username: 'x', password, role: 100 }, '无法创建权限大于等于自己的用户'],
      [admin, { username: 'x', password, role: 'root' }, '输入不合法 role'],
    ]
    for (const [by, body, message] of table)
      expect((await create(by, body)).json.message).toStartWith(message)
    expect(() => rowOf('x')).toThrow('there is no user')
  })
})

describe('the list', () => {
  test('old form: pages of ten from 0, newest first, a plain array', async () => {
    const hash = rowOf('alice').password_hash
    const add = database.query(
      'insert into users (username, password_hash, display_name, role, status, "group", created_at, email) values (?, ?, ?, 1, 1, ?, 1, ?)',
    )
    for (let at = 0; at < 25; at++)
      add.run(`many${at}`, hash, `100% of_${at}`, at % 2 ? 'vip' : 'svip', `many${at}@example.com`)
    database.exec("update users set deleted_at = 1700000000 where username = 'many24'")
    const [first, second] = [await admin.get('/api/user/?p=0'), await admin.get('/api/user/?p=1')]
    expect(names(first.json.data)).toEqual([24, 23, 22, 21, 20, 19, 18, 17, 16, 15].map(at => `many${at}`))
    expect(first.json.data[0].DeletedAt).toBe('2023-11-14T22:13:20.000Z')
    expect(names(second.json.data)[0]).toBe('many14')
    expect((await admin.get('/api/user/?p=999')).json.data).toEqual([])
  })

  test('new form: pages from 1 with a total', async () => {
    const { total } = database.query('select count(*) as total from users').get() as { total: number }
    const page = (await admin.get('/api/user/?p=2&page_size=7')).json.data
    expect([page.page, page.page_size, page.total, page.items.length]).toEqual([2, 7, total, 7])
    expect(page.items[0].username).toBe('many17')
    expect((await admin.get('/api/user/?p=0&page_size=5')).json.data.page).toBe(1)
    expect((await admin.get('/api/user/?p=1&page_size=5000')).json.data.page_size).toBe(100)
    for (const query of ['?p=2&ps=7', '?p=2&size=7', 'search?keyword=&p=2&ps=7'])
      expect((await admin.get(`/api/user/${query}`)).json.data).toEqual(page)
  })

  test('search: name, e-mail, display name, id, group; text is taken literally', async () => {
    const find = async (query: string): Promise<string[]> =>
      names((await admin.get(`/api/user/search?${query}`)).json.data)
    expect(await find('keyword=MANY7')).toEqual(['many7'])
    expect(await find('keyword=many9@example')).toEqual(['many9'])
    expect(await find('keyword=of_12')).toEqual(['many12'])
    expect((await find('keyword=100%25')).length).toBe(25)
    expect(await find('keyword=%25%25')).toEqual([])
    expect(await find('keyword=of-1')).toEqual([])
    expect(await find(`keyword=${idOf('alice')}`)).toContain('alice')
    expect((await find('keyword=many&group=svip')).length).toBe(13)
    expect(await find("keyword=' or 1=1 --")).toEqual([])
    expect(await find(`keyword=${'%25'.repeat(600)}`)).toEqual([])
    const paged = (await admin.get('/api/user/search?keyword=many&group=&p=2&page_size=10')).json.data
    expect([paged.total, paged.page, paged.items.length]).toEqual([25, 2, 10])
  })

  test('search: who is renamed is found by the new name alone; who is deleted stays to be found', async () => {
    const found = async (keyword: string, more = ''): Promise<string[]> => {
      const query = `keyword=${encodeURIComponent(keyword)}&p=1&page_size=10${more}`
      const { items, total } = (await admin.get(`/api/user/search?${query}`)).json.data
      expect(total).toBe(items.length)
      return names(items)
    }
    await create(admin, { username: 'wang', password, display_name: '王小明' })
    for (const word of ['王', '小明', 'WANG', 'ang']) expect(await found(word)).toEqual(['wang'])
    const id = idOf('wang')
    await admin.put('/api/user/', { id, username: 'wong', display_name: 'O\'Neil "王"' })
    for (const word of ['王', "o'neil", '"王"', 'WON']) expect(await found(word)).toEqual(['wong'])
    for (const word of ['小明', 'wang']) expect(await found(word)).toEqual([])
    const wong = await enter('wong')
    expect((await wong.put('/api/user/self', { display_name: '陈_伟' })).json.success).toBe(true)
    expect([await found('_伟'), await found('陈', '&sort=-quota'), await found('neil')]).toEqual([
      ['wong'],
      ['wong'],
      [],
    ])
    await manage(admin, id, 'delete')
    expect(await found('陈_')).toEqual(['wong'])
    expect(await found('陈', '&status=deleted&group=default&role=user')).toEqual(['wong'])
    expect(await found('陈', '&status=active')).toEqual([])
    expect(await found('陈', '&group=vip')).toEqual([])
  })

  test('search: by role and by status; what it does not know under these names changes nothing', async () => {
    const found = async (query: string): Promise<string[]> =>
      names((await admin.get(`/api/user/search?page_size=100&p=1&${query}`)).json.data.items)
    expect(await found('role=root')).toEqual(['root'])
    expect(await found('role=admin')).toEqual(['admin2', 'admin'])
    await manage(root, idOf('bob'), 'disable')
    expect(await found('status=banned')).toEqual(['bob'])
    expect(await found('status=active&role=user')).not.toContain('bob')
    expect(await found('status=banned&keyword=alice')).toEqual([])
    expect(await found('role=constructor&status=9&keyword=alice')).toEqual(['alice'])
    await manage(root, idOf('bob'), 'enable')
  })

  test('nothing an administrator can read holds a secret', async () => {
    const token = (await root.get('/api/user/token')).json.data
    const alice = idOf('alice')
    for (const path of [
      '/api/user/?p=0',
      '/api/user/?p=1&page_size=100',
      '/api/user/search',
      `/api/user/${alice}`,
    ]) {
      const { text } = await admin.get(path)
      expect(text).toContain('"username"')
      for (const secret of [token, 'argon2', '_hash']) expect(text).not.toContain(secret)
      expect(text.match(/"(password|access_token)":("[^"]+"|[^"n])/)).toBeNull()
    }
  })
})

describe('one user', () => {
  test('is shown to those above', async () => {
    expect((await admin.get(`/api/user/${idOf('alice')}`)).json.data).toMatchObject({
      username: 'alice',
      quota: 0,
    })
    for (const name of ['root', 'admin', 'admin2'])
      expect((await admin.get(`/api/user/${idOf(name)}`)).json.message).toBe(
        '无权获取同级或更高等级用户的信息',
      )
    expect((await root.get(`/api/user/${idOf('root')}`)).json.data.username).toBe('root')
    for (const id of ['99999', '0', '-1', 'x', '1e3', '9'.repeat(30), `${idOf('many24')}`])
      expect([id, (await root.get(`/api/user/${id}`)).json.message]).toEqual([id, 'record not found'])
  })

  test('the calls that are named under the same path are not taken for a user', async () => {
    const alice = await enter('alice')
    for (const path of ['self', 'models', 'aff', 'groups', 'sessions', 'token'])
      expect([path, (await alice.get(`/api/user/${path}`)).json.success]).toEqual([path, true])
  })
})

describe('editing', () => {
  const edit = (by: Client, body: unknown): Promise<Answer> => by.put('/api/user/', body)

  test('name, display name, group and quota; the rest of what a screen sends is not looked at', async () => {
    const shown = (await admin.get(`/api/user/${idOf('alice')}`)).json.data
    const sent = {
      ...shown,
      display_name: 'Alice A.',
      group: 'vip',
      quota: 500_000,
      email: 'x@y.zz',
      used_quota: 5,
    }
    const before = rowOf('alice')
    expect((await edit(admin, { ...sent, status: 2, role: 5, aff_quota: 3 })).json).toEqual({
      success: true,
      message: '',
      data: null,
    })
    expect(rowOf('alice')).toEqual({ ...before, display_name: 'Alice A.', group: 'vip', quota: 500_000 })
    expect(database.query('select type, content, quota from logs where user_id = ?').all(before.id)).toEqual([
      { type: 3, content: '管理员将用户额度从 ＄0.000000 额度修改为 ＄1.000000 额度', quota: 500_000 },
    ])
    await edit(admin, { id: before.id, quota: 200_000 })
    expect(rowOf('alice')).toMatchObject({ quota: 200_000, display_name: 'Alice A.', group: 'vip' })
    await edit(admin, { id: before.id, username: '', group: '', display_name: '' })
    expect(rowOf('alice')).toMatchObject({
      username: 'alice',
      quota: 200_000,
      display_name: '',
      group: 'vip',
    })
    expect((await root.get('/api/ledger/audit')).json.data.differences).toEqual([])
  })

  test('an amount is added to what there is by then, or taken from it down to nothing', async () => {
    const id = idOf('alice')
    await edit(admin, { id, quota: 1000 })
    // Somebody else changed it meanwhile.
    await edit(root, { id, quota: 700 })
    expect((await edit(admin, { id, quota: 7, quota_change: 500 })).json.success).toBe(true)
    expect(rowOf('alice').quota).toBe(1200)
    await edit(admin, { id, quota_change: -5000 })
    expect(rowOf('alice').quota).toBe(0)
    // And no further than a wallet may hold.
    await edit(admin, { id, quota: 900_000_000_000_000 })
    expect((await edit(admin, { id, quota_change: 200_000_000_000_000 })).json.success).toBe(true)
    expect(rowOf('alice').quota).toBe(1_000_000_000_000_000)
    await edit(admin, { id, quota: 0 })
    expect((await edit(admin, { id, quota_change: 1.5 })).json.success).toBe(false)
    expect((await edit(admin, { id, quota_change: 2e15 })).json.success).toBe(false)
    expect(rowOf('alice').quota).toBe(0)
  })

  test('a new password ends the user’s sessions and access token', async () => {
    const alice = await enter('alice')
    const authorization = (await alice.get('/api/user/token')).json.data
    expect((await edit(admin, { id: idOf('alice'), password: 'short' })).json.message).toBe(
      '密码长度必须在 8 到 20 个字符之间',
    )
    expect((await edit(admin, { id: idOf('alice'), password: 'other-password' })).json.success).toBe(true)
    expect((await alice.get('/api/user/self')).status).toBe(401)
    const byToken = await new Client(program.url).get('/api/user/self', { authorization })
    expect(byToken.json.message).toBe('无权进行此操作，access token 无效')
    await enter('alice', 'other-password')
  })

  test('the super administrator’s own password takes a fresh proof, and no access token, which stays', async () => {
    const id = idOf('root')
    const token = (await root.get('/api/user/token')).json.data
    const { password_hash, access_token_hash } = rowOf('root')
    const found = new Client(program.url)
    const own = { id, password: 'taken-over' }
    const byToken = await found.send('PUT', '/api/user/', { body: own, headers: { authorization: token } })
    expect([byToken.status, byToken.json.success]).toEqual([400, false])
    // A browser that was left open.
    database.exec(`update sessions set created_at = created_at - 1000 where user_id = ${id}`)
    expect((await edit(root, own)).json).toMatchObject({ success: false, code: 'VERIFICATION_REQUIRED' })
    expect((await edit(root, { id, display_name: 'Root User' })).json.success).toBe(true)
    expect(rowOf('root').password_hash).toBe(password_hash)
    await root.post('/api/verify', { method: 'password', password: ROOT_PASSWORD })
    expect((await edit(root, own)).json.success).toBe(true)
    await enter('root', own.password)
    expect(rowOf('root').access_token_hash).toBe(access_token_hash)
    await edit(root, { id, password: ROOT_PASSWORD })
  })

  test('with a new password nobody pays for guesses at the former one', async () => {
    const guess = () => new Client(program.url).login('alice', 'not-this-one')
    for (let at = 0; at < 10; at++) await guess()
    expect((await guess()).status).toBe(429)
    await edit(admin, { id: idOf('alice'), password: 'other-password' })
    await enter('alice', 'other-password')
  })

  test('refusals leave everything as it was', async () => {
    const all = () => JSON.stringify(database.query('select * from users order by id').all())
    const before = all()
    const [alice, me, peer, boss] = ['alice', 'admin', 'admin2', 'root'].map(idOf)
    const rank = '无权更新同权限等级或更高权限等级的用户信息'
    const table: [unknown, string][] = [
      [{ id: boss, password: 'taken-over' }, rank],
      [{ id: boss, quota: 0 }, rank],
      [{ id: peer, display_name: 'x' }, rank],
      [{ id: me, quota: 1000 }, rank],
      [{ id: alice, role: 10 }, '无权将其他用户权限等级提升到大于等于自己的权限等级'],
      [{ id: alice, role: 100, quota: 5 }, '无权将其他用户权限等级提升到大于等于自己的权限等级'],
      [{ id: alice, username: 'bob' }, '用户名已存在，或已注销'],
      [{ id: alice, username: 'bob', quota: 77 }, '用户名已存在，或已注销'],
      [{ id: alice, username: 'x'.repeat(13) }, '用户名长度必须在 1 到 12 个字符之间'],
      [{ id: alice, username: 'root\u00ad' }, '用户名不能含有不可见的字符'],
      [{ id: alice, group: 'nowhere' }, '分组 nowhere 不存在'],
      [{ id: alice, group: '__proto__' }, '分组 __proto__ 不存在'],
      [{ id: 99_999, quota: 5 }, 'record not found'],
      [{ quota: 5 }, '输入不合法 id'],
      [{ id: alice, quota: -1 }, '输入不合法 quota'],
      [{ id: alice, quota: 0.5 }, '输入不合法 quota'],
      [{ id: alice, quota: 2 ** 53 }, '输入不合法 quota'],
      [{ id: alice, quota: '5' }, '输入不合法 quota'],
    ]
    for (const [body, message] of table) {
      const answer = await edit(admin, body)
      expect([answer.status, answer.json.success]).toEqual([200, false])
      expect(answer.json.message).toStartWith(message)
    }
    expect(all()).toBe(before)
  })
})
