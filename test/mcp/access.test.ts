// Who may use which server and which of its tools, and how often.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '../program.ts'
import type { Rig } from '../relay/rig.ts'
import { dropAll } from '../services/databases.ts'
import { addMcpServer, connectClient, openMcpRig, postMcp, textOf } from './house.ts'
import { startMcpUpstream } from './upstream.ts'

const upstream = startMcpUpstream('sessions')
const plain = startMcpUpstream('plain')
let rig: Rig
let userId = 0

beforeAll(async () => {
  rig = await openMcpRig(async books => {
    await books.setOption('GroupRatio', JSON.stringify({ default: 1, vip: 1, inner: 1 }))
    await books.setOption('UserUsableGroups', JSON.stringify({ default: 'd', vip: 'v' }))
    await books.setOption('AutoGroups', JSON.stringify(['vip', 'default']))
    await addMcpServer(books, { name: 'open', url: upstream.url, groups: ['default', 'vip'] })
    await addMcpServer(books, { name: 'vips', url: plain.url, groups: ['vip'] })
    await addMcpServer(books, { name: 'few', url: plain.url, groups: ['default'], tools: ['add', 'count'] })
    await addMcpServer(books, { name: 'off', url: plain.url, groups: ['default', 'vip'], enabled: false })
    await addMcpServer(books, { name: 'away', url: 'http://127.0.0.1:9/mcp', groups: ['default', 'vip'] })
    userId = await books.addUser()
  })
})

afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  await upstream.stop()
  await plain.stop()
  await dropAll()
})

async function serversSeen(key: string): Promise<string[]> {
  const { client } = await connectClient(`${rig.url}/mcp`, key, 'older')
  const { tools } = await client.listTools()
  await client.close()
  return [...new Set(tools.map(({ name }) => name.split('__')[0] ?? ''))].sort()
}

const add = (name = 'add') => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, arguments: { a: 1, b: 2 } },
})

async function errorOf(path: string, key: string | undefined, body: unknown = add()) {
  const answer = await postMcp(`${rig.url}${path}`, key, body)
  const { error } = (await answer.json()) as { error?: { code: number; message: string } }
  return { status: answer.status, code: error?.code, message: error?.message }
}

test('a token sees the servers of its group; those that are off or away are not there', async () => {
  const own = await rig.addToken({ userId })
  const vip = await rig.addToken({ userId, group: 'vip' })
  const auto = await rig.addToken({ userId, group: 'auto' })
  expect(await serversSeen(own.key)).toEqual(['few', 'open'])
  expect(await serversSeen(vip.key)).toEqual(['open', 'vips'])
  expect(await serversSeen(auto.key)).toEqual(['few', 'open', 'vips'])
})

test('what is not offered cannot be called, and is told apart from nothing by nobody', async () => {
  const { key } = await rig.addToken({ userId })
  for (const server of ['vips', 'off', 'nowhere']) {
    const { code, message } = await errorOf(`/mcp/${server}`, key)
    expect([server, code, message?.replace(server, '').includes('MCP')]).toEqual([server, -32000, true])
    expect((await errorOf('/mcp', key, add(`${server}__add`))).code).toBe(-32602)
  }
  for (const path of ['/mcp/few', '/few/mcp']) {
    expect((await errorOf(path, key)).code).toBeUndefined()
    expect((await errorOf(path, key, add('wait'))).code).toBe(-32602)
  }
  const listed = await (
    await postMcp(`${rig.url}/mcp/few`, key, { jsonrpc: '2.0', id: 1, method: 'tools/list' })
  ).json()
  expect(listed.result.tools.map(({ name }: { name: string }) => name).sort()).toEqual(['add', 'count'])
})

test('a token that is limited to models has only the servers and tools that its list names', async () => {
  const models = ['gpt-4o', 'mcp/open/add', 'mcp/few']
  const { key } = await rig.addToken({ userId, models })
  const { client } = await connectClient(`${rig.url}/mcp`, key, 'older')
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual(['few__add', 'few__count', 'open__add'])
  expect(textOf(await client.callTool({ name: 'open__add', arguments: { a: 1, b: 2 } }))).toBe('3')
  await expect(client.callTool({ name: 'open__fail', arguments: {} })).rejects.toThrow('open__fail')
  // Of a server of which it has single tools, it has nothing else.
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['few__greet'])
  await expect(client.readResource({ uri: 'open+note://one' })).rejects.toThrow()
  await client.close()
  const other = await rig.addToken({ userId, models: ['gpt-4o'] })
  expect(await serversSeen(other.key)).toEqual([])
})

test('keys, states, times and addresses count as for models', async () => {
  const now = Math.floor(Date.now() / 1000)
  const used = await rig.addToken({ userId, budget: 0 })
  const off = await rig.addToken({ userId, status: 2 })
  const late = await rig.addToken({ userId, expiresAt: now - 10 })
  const elsewhere = await rig.addToken({ userId, allowIps: '203.0.113.7' })
  const inner = await rig.addToken({ userId, group: 'inner' })
  const statuses = []
  for (const key of [undefined, 'sk-wrong', used.key, off.key, late.key, elsewhere.key, inner.key])
    statuses.push((await errorOf('/mcp', key)).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 403, 403])
  const banned = await rig.addUser()
  const token = await rig.addToken({ userId: banned })
  await rig.store.change('users', transaction =>
    transaction.updateTable('users').set({ status: 2 }).where('id', '=', banned).execute(),
  )
  await until(async () => (await errorOf('/mcp', token.key)).status === 403)
})

test('the key may stand where clients of others put it', async () => {
  const { key } = await rig.addToken({ userId })
  const places: Record<string, string>[] = [
    { 'x-api-key': key },
    { 'x-litellm-api-key': `Bearer ${key}` },
    { 'x-litellm-api-key': key },
    { 'x-portkey-api-key': key },
  ]
  for (const headers of places) {
    const answer = await postMcp(`${rig.url}/mcp/open`, undefined, add(), headers)
    expect([headers, (await answer.json()).result?.content?.[0]?.text]).toEqual([headers, '3'])
  }
})

test('limits of requests count calls, and the refusal is in the log', async () => {
  const { key, id } = await rig.addToken({ userId, limits: { rpm: 2 } })
  const first = [await errorOf('/mcp/open', key), await errorOf('/mcp/open', key)]
  expect(first.map(({ code }) => code)).toEqual([undefined, undefined])
  const { status, code } = await errorOf('/mcp/open', key)
  expect([status, code]).toEqual([200, -32000])
  const rows = await until(async () => {
    const found = await rig.store.db
      .selectFrom('logs')
      .select(['type', 'model_name'])
      .where('token_id', '=', id)
      .orderBy('id')
      .execute()
    return found.length === 3 ? found : undefined
  })
  expect(rows.map(({ type }) => type)).toEqual([2, 2, 5])
  expect(rows[2]?.model_name).toBe('mcp/open/add')
})

test('a group at its limit is passed over, and when all of them are nothing is called', async () => {
  const { key, id } = await rig.addToken({ userId, group: 'auto' })
  const groupsUsed = async () => {
    const rows = rig.store.db.selectFrom('logs').select(['group', 'type']).where('token_id', '=', id)
    return (await rows.orderBy('id').execute()).filter(({ type }) => type === 2).map(({ group }) => group)
  }
  const limits = { rpm: 2, tpm: 0, concurrency: 0 }
  await rig.setOption('GroupLimits', JSON.stringify({ vip: limits, default: limits }))
  try {
    const refused = await until(async () => (await errorOf('/mcp/open', key)).message)
    expect(refused).toContain('default')
    const used = await until(async () => {
      const groups = await groupsUsed()
      return groups.slice(-3).includes('default') ? groups : undefined
    })
    expect(used.slice(-4)).toEqual(['vip', 'vip', 'default', 'default'])
    expect((await errorOf('/mcp/vips', key)).message).toContain('vip')
  } finally {
    await rig.setOption('GroupLimits', '{}')
  }
})

test('what servers are told beside calls is limited as looking at them is', async () => {
  const { key } = await rig.addToken({ userId })
  const { client, transport } = await connectClient(`${rig.url}/mcp/open`, key, 'older')
  const session = { 'mcp-session-id': transport.sessionId ?? '' }
  const say = (message: object) =>
    postMcp(`${rig.url}/mcp/open`, key, { jsonrpc: '2.0', ...message }, session)
  await rig.setOption('GlobalApiRateLimit', '3')
  try {
    await until(async () => {
      const { error } = (await (await say({ id: 1, method: 'tools/list' })).json()) as { error?: object }
      return error !== undefined
    })
    const asked = upstream.seen.length
    for (let id = 2; id < 6; id++) {
      const level = await say({ id, method: 'logging/setLevel', params: { level: 'debug' } })
      expect(await level.json()).toMatchObject({ id, error: { code: -32000 } })
      const cancelled = await say({ method: 'notifications/cancelled', params: { requestId: 'none' } })
      expect(cancelled.status).toBe(429)
      const authorization = `Bearer ${key}`
      const ended = await fetch(`${rig.url}/mcp/open`, {
        method: 'DELETE',
        headers: { authorization, ...session },
      })
      expect(ended.status).toBe(429)
    }
    expect(upstream.seen.length).toBe(asked)
  } finally {
    await rig.setOption('GlobalApiRateLimit', '0')
  }
  await client.close()
})

test('a server that is edited is another at once: sessions with the one before are over', async () => {
  const id = await addMcpServer(rig, { name: 'moving', url: upstream.url })
  const { key } = await rig.addToken({ userId })
  const { client, transport } = await until(() =>
    connectClient(`${rig.url}/mcp/moving`, key, 'older').catch(() => undefined),
  )
  expect(textOf(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } }))).toBe('3')
  const session = transport.sessionId ?? ''
  await rig.store.change('mcp-servers', transaction =>
    transaction.updateTable('mcp_servers').set({ url: plain.url }).where('id', '=', id).execute(),
  )
  const asked = plain.seen.length
  await until(async () => {
    const answer = await postMcp(`${rig.url}/mcp/moving`, key, add(), { 'mcp-session-id': session })
    return answer.status === 404
  })
  expect(plain.seen.slice(asked)).toEqual([])
  await client.close()
})
