// What belongs to someone else is answered like what is not there.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/index.ts'
import { putContents } from '../../server/store/log-contents.ts'
import { type Client, rootClient } from '../client.ts'
import { addMcpServer } from '../mcp/house.ts'
import { openRig, type Rig, type SeededToken } from '../relay/rig.ts'
import { addPrompt } from '../services/add-prompt.ts'
import { dropAll } from '../services/databases.ts'
import { TokenClient } from './rig-client.ts'

const ABSENT = 987_654
const table: Endpoint[] = Object.values(endpoints)

let rig: Rig
let root: Client
let alice: TokenClient
let bob: TokenClient
let token: SeededToken
let username = ''
/** What alice has, by the address that it is asked for under. */
let own: Record<string, string | number> = {}

beforeAll(async () => {
  rig = await openRig(async books => {
    for (const key of ['GlobalApiRateLimit', 'CriticalRateLimit']) await books.setOption(key, '0')
  })
  root = await rootClient(rig.url)
  alice = await TokenClient.of(rig, await rig.addUser({ group: 'svip' }))
  bob = await TokenClient.of(rig, await rig.addUser())
  token = await rig.addToken({ userId: alice.id })
  const hold = { node_id: 'gone', user_id: alice.id, token_id: 0, amount: 0, token_amount: 0 }
  const rest = { checkpoint: 0, charge: 0, state: 'released', price: '{}', created_at: 1, updated_at: 1 }
  const { db } = rig.store
  await db
    .insertInto('holds')
    .values({ id: 'alices-request', ...hold, ...rest })
    .execute()
  const passkey = {
    user_id: alice.id,
    name: 'k',
    credential_hash: 'h',
    credential_id: 'c',
    public_key: 'p',
  }
  const more = { counter: 0, transports: '', created_at: 1, last_used_at: 1 }
  await db
    .insertInto('passkeys')
    .values({ ...passkey, ...more })
    .execute()
  const { id } = await db.selectFrom('passkeys').select('id').executeTakeFirstOrThrow()
  own = { '/api/token': token.id, '/api/user/passkey': id, '/api/log/trail': 'alices-request' }
  const seen = { role: 1, created_at: 1, seen_at: 1, expires_at: 9e9, address: '', user_agent: '' }
  await db
    .insertInto('sessions')
    .values({ id_hash: 'alices-session', user_id: alice.id, ...seen })
    .execute()
  own['/api/user/sessions'] = 'alices-session'
  own['/api/prompt'] = await addPrompt(rig.store, alice.id)
  const users = rig.store.db.selectFrom('users').where('id', '=', alice.id)
  username = (await users.select('username').executeTakeFirstOrThrow()).username
  const made = await root.post('/api/team', { name: 'alices', owner: username })
  own['/api/team'] = made.json.data.id
  const invited = await root.post(`/api/team/${made.json.data.id}/invitations`, { invitee: 'carol' })
  expect(invited.json.success).toBe(true)
  const bytes = Buffer.from('what alice has asked')
  const words = { request: bytes, answer: bytes, words: bytes }
  const nothing = { requestLeftOut: 0, answerLeftOut: 0, wordsLeftOut: 0 }
  const of = { requestId: 'alices-request', userId: alice.id, createdAt: 1 }
  await putContents(rig.store, [{ ...of, ...words, ...nothing }])
  own['/api/log/content'] = of.requestId
  await addMcpServer(rig, { name: 'alices-tools', url: 'http://127.0.0.1:9/mcp', groups: ['svip'] })
  own['/api/mcp/servers'] = 'alices-tools'
  expect((await alice.get('/api/mcp/servers')).text).toContain('alices-tools')
  expect((await alice.get(`/api/log/content/${of.requestId}`)).json.data.words).toBe(String(bytes))
})

afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  await dropAll()
})

const bodies: Record<string, object> = {
  invitations: { invitee: 'bob' },
  ':member': { role: 'member' },
  limits: { limits: [{ period: 'day', amount: 1 }] },
  ':label': { version: 1 },
  version: { messages: [{ role: 'user', content: 'mine' }], use: true },
}

/** Calls of ordinary users that name something, in the address or in the body. */
const naming = table.filter(({ access, path }) => access === 'user' && path.includes('/:'))
test('every call that names something is among them', () => {
  expect(naming.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    'DELETE /api/prompt/:id',
    'DELETE /api/prompt/:id/label/:label',
    'DELETE /api/prompt/:id/version/:version',
    'DELETE /api/team/:id/invitations/:invitation',
    'DELETE /api/team/:id/members/:member',
    'DELETE /api/token/:id',
    'DELETE /api/user/passkey/:id',
    'DELETE /api/user/sessions/:id',
    'GET /api/log/content/:request_id',
    'GET /api/log/trail/:request_id',
    'GET /api/mcp/servers/:name/tools',
    'GET /api/prompt/:id',
    'GET /api/prompt/:id/release',
    'GET /api/prompt/:id/version/:version',
    'GET /api/team/:id',
    'GET /api/token/:id',
    'POST /api/prompt/:id/version',
    'POST /api/team/:id/accept',
    'POST /api/team/:id/decline',
    'POST /api/team/:id/invitations',
    'POST /api/team/:id/leave',
    'POST /api/token/:id/key',
    'PUT /api/prompt/:id',
    'PUT /api/prompt/:id/label/:label',
    'PUT /api/team/:id',
    'PUT /api/team/:id/members/:member',
    'PUT /api/team/:id/members/:member/limits',
    'PUT /api/user/passkey/:id',
  ])
})

test.each(naming.map(endpoint => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s',
  async (_name, { method, path }) => {
    const body =
      bodies[path.slice(path.lastIndexOf('/') + 1)] ?? (method === 'PUT' ? { name: 'mine' } : undefined)
    // What a team has, after its own id: the first invitation there is, or the team's owner.
    const further = path.includes(':member') ? alice.id : path.includes(':label') ? 'staging' : 1
    const call = (id: string | number) =>
      bob.send(method, path.replace(/:\w+/, String(id)).replace(/:\w+/, String(further)), { body })
    const foreign = await call(own[path.slice(0, path.indexOf('/:'))] ?? '')
    const absent = await call(ABSENT)
    expect([foreign.status, foreign.text]).toEqual([absent.status, absent.text])
    expect(foreign.json.success).toBe(false)
  },
)

test('a prompt of another’s is as it was', async () => {
  const { json } = await alice.get(`/api/prompt/${own['/api/prompt']}`)
  expect(json.data).toMatchObject({ name: 'hello', version: 1, newest: 1, versions: [{ version: 1 }] })
  expect((await bob.get('/api/prompt?page_size=100')).json.data.total).toBe(0)
})

test('PUT /api/token changes nothing of another’s, and answers as of one that is not there', async () => {
  const change = (id: number, query = '') => bob.put(`/api/token/${query}`, { id, name: 'mine', status: 2 })
  expect((await change(token.id)).text).toBe((await change(ABSENT)).text)
  expect((await change(token.id, '?status_only=1')).text).toBe((await change(ABSENT, '?status_only=1')).text)
  const row = await rig.store.db.selectFrom('tokens').selectAll().where('id', '=', token.id).execute()
  expect(row).toMatchObject([{ user_id: alice.id, status: 1, deleted_at: null }])
  expect(row[0]?.name).not.toBe('mine')
})

test('POST /api/token/batch passes over what is another’s, as what is not there', async () => {
  const drop = (id: number) => bob.post('/api/token/batch', { ids: [id] })
  const foreign = await drop(token.id)
  expect(foreign.json).toEqual({ success: true, message: '', data: 0 })
  expect(foreign.text).toBe((await drop(ABSENT)).text)
  const row = await rig.store.db.selectFrom('tokens').selectAll().where('id', '=', token.id).execute()
  expect(row).toMatchObject([{ user_id: alice.id, deleted_at: null }])
})

test('no list shows anything of another’s', async () => {
  const lists = table
    .filter(({ method, access }) => method === 'GET' && access === 'user')
    .map(({ path }) => path)
    .filter(path => !path.includes(':') && !path.endsWith('/tail'))
  const showsHers = async (who: Client, path: string) => {
    const { text } = await who.get(`${path}?user_id=${alice.id}&username=${username}&p=1&page_size=100`)
    return text.includes(`"user_id":${alice.id},`)
  }
  expect(lists).toContain('/api/token')
  expect(await showsHers(alice, '/api/token')).toBe(true)
  for (const path of lists) expect([path, await showsHers(bob, path)]).toEqual([path, false])
})
