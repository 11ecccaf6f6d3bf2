import type { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Answer, Client, loggedIn } from '../../client.ts'
import { type OpenProgram, openProgram } from '../../open-program.ts'
import type { Program } from '../../program.ts'
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
  for (const username of ['admin', 'admin2', 'alice', 'bob', 'new', 'named', 'gone'])
    await root.post('/api/user/', { username, password })
  for (const username of ['admin', 'admin2']) await manage(root, idOf(username), 'promote')
  await manage(root, idOf('gone'), 'delete')
  admin = await enter('admin')
})
afterAll(() => house.close())

function manage(by: Client, id: unknown, action: unknown): Promise<Answer> {
  return by.post('/api/user/manage', { id, action })
}
const enter = (username: string) => loggedIn(program.url, username, password)
const rowOf = (username: string) => userRow(database, username)
function idOf(username: string): number {
  return rowOf(username).id
}

test('disabling bites at the next call, for sessions and access tokens; enabling undoes it', async () => {
  const bob = await enter('bob')
  const token = (await bob.get('/api/user/token')).json.data
  const answer = await manage(admin, idOf('bob'), 'disable')
  expect(answer.json.data).toMatchObject({ role: 1, status: 2 })
  expect((await bob.get('/api/user/self')).json.message).toBe('用户已被封禁')
  const byToken = await new Client(program.url).get('/api/user/self', { authorization: token })
  expect(byToken.json.message).toBe('用户已被封禁')
  expect((await manage(admin, idOf('bob'), 'enable')).json.data.status).toBe(1)
  expect((await bob.get('/api/user/self')).json.success).toBe(true)
})

test('a change of role is in force at once and replaces the session', async () => {
  const bob = await enter('bob')
  const { cookie } = bob
  expect((await bob.get('/api/user/')).json.message).toBe('无权进行此操作，权限不足')
  expect((await manage(root, idOf('bob'), 'promote')).json.data).toMatchObject({ role: 10, status: 1 })
  expect((await bob.get('/api/user/')).json.success).toBe(true)
  expect(bob.cookie).not.toBe(cookie)
  expect((await manage(root, idOf('bob'), 'demote')).json.data.role).toBe(1)
  expect((await bob.get('/api/user/')).json.message).toBe('无权进行此操作，权限不足')
})

test('who may not do what to whom', async () => {
  const rank = '无权更新同权限等级或更高权限等级的用户信息'
  const table: [Client, string, string, string][] = [
    [admin, 'alice', 'promote', '普通管理员用户无法提升其他用户为管理员'],
    [admin, 'alice', 'demote', '该用户已经是普通用户'],
    [root, 'admin', 'promote', '该用户已经是管理员'],
    [admin, 'admin2', 'disable', rank],
    [admin, 'admin', 'demote', rank],
    [admin, 'root', 'delete', rank],
    [root, 'root', 'disable', '无法禁用超级管理员用户'],
    [root, 'root', 'delete', '无法删除超级管理员用户'],
    [root, 'root', 'demote', '无法降级超级管理员用户'],
    [root, 'alice', 'explode', '无效的参数'],
    [root, 'alice', '__proto__', '无效的参数'],
    [root, 'alice', 'constructor', '无效的参数'],
  ]
  for (const [by, name, action, message] of table)
    expect([name, action, (await manage(by, idOf(name), action)).json.message]).toEqual([
      name,
      action,
      message,
    ])
  expect((await manage(root, 99_999, 'disable')).json.message).toBe('用户不存在')
  expect((await manage(root, idOf('gone'), 'enable')).json.message).toBe('用户不存在')
  expect((await manage(root, '1', 'disable')).json.message).toStartWith('输入不合法 id')
})

test('deleting keeps the row, for the books, and leaves the account of no use', async () => {
  const one = await enter('new')
  const answer = await manage(admin, idOf('new'), 'delete')
  expect(answer.json.data.DeletedAt).toMatch(/^\d{4}-\d\d-\d\dT/)
  expect((await one.get('/api/user/self')).status).toBe(401)
  expect((await admin.send('DELETE', `/api/user/${idOf('named')}/`)).json).toEqual({
    success: true,
    message: '',
    data: null,
  })
  expect(rowOf('named').deleted_at).toBeGreaterThan(0)
  const table: [Client, string, string][] = [
    [admin, 'root', '无权删除同权限等级或更高权限等级的用户'],
    [admin, 'admin2', '无权删除同权限等级或更高权限等级的用户'],
    [root, 'root', '无权删除同权限等级或更高权限等级的用户'],
    [admin, 'named', 'record not found'],
  ]
  for (const [by, name, message] of table)
    expect((await by.send('DELETE', `/api/user/${idOf(name)}`)).json.message).toBe(message)
  expect((await root.get('/api/ledger/audit')).json.data.differences).toEqual([])
})
