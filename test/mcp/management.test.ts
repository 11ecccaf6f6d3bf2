// How servers are added, changed, tested and taken away, and what users see of them.

import { afterAll, expect, test } from 'bun:test'
import { openApi, TokenClient } from '../api/rig-client.ts'
import { rootClient } from '../client.ts'
import { until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { postMcp, textOf } from './house.ts'
import { startMcpUpstream } from './upstream.ts'

const upstream = startMcpUpstream('sessions')
const modern = startMcpUpstream('modern')

afterAll(async () => {
  await upstream.stop()
  await modern.stop()
  await dropAll()
})

const SECRET = 'Bearer nobody-is-told-this'
const call = {
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name: 'add', arguments: { a: 1, b: 2 } },
}

test.concurrent.each(engines.map(engine => [engine.name, engine] as const))(
  'a server from its first to its last day (%s)',
  async (_name, engine) => {
    const rig = await openApi(await engine.freshUrl(), {
      GroupRatio: JSON.stringify({ default: 1, vip: 1, inner: 1 }),
      UserUsableGroups: JSON.stringify({ default: 'd', vip: 'v' }),
    })
    try {
      const root = await rootClient(rig.url)
      const admin = await TokenClient.of(rig, await rig.addUser({ role: 10 }))
      const user = await TokenClient.of(rig, await rig.addUser())
      const { key } = await rig.addToken({ userId: user.id })

      const seen = upstream.seen.length
      const headers = { Authorization: SECRET, 'X-Team': 'blue' }
      const fields = { name: 'tools', url: upstream.url, headers, groups: ['default', 'inner'], price: 70 }
      const made = (await admin.post('/api/mcp_server', fields)).json
      expect([made.success, made.data.header_names]).toEqual([true, ['Authorization', 'X-Team']])
      expect(JSON.stringify(made)).not.toContain('nobody-is-told')
      const { id } = made.data

      // It is there at once, and proves itself by what was stored.
      const answer = await (await postMcp(`${rig.url}/mcp/tools`, key, call)).json()
      expect(textOf(answer.result)).toBe('3')
      for (const sent of upstream.seen.slice(seen))
        expect([sent.get('authorization'), sent.get('x-team')]).toEqual([SECRET, 'blue'])

      const tested = (await admin.post(`/api/mcp_server/${id}/test`, {})).json
      expect(tested.data.title).toBe('sample sessions')
      expect(tested.data.tools.map(({ name }: { name: string }) => name)).toContain('add')
      expect(upstream.sessions() >= 0).toBe(true)

      expect((await user.get('/api/mcp/servers')).json.data).toEqual([
        {
          ...{ name: 'tools', note: '', price: 70, tool_prices: {} },
          ...{ groups: ['default'], group_ratio: { default: 1 } },
        },
      ])
      const tools = (await user.get('/api/mcp/servers/tools/tools')).json
      expect(tools.data).toContainEqual({ name: 'add', description: 'Adds two numbers', price: 70 })
      expect((await user.get('/api/status')).json.data.enable_mcp).toBe(true)

      const again = (await admin.post('/api/mcp_server', { ...fields, headers: {} })).json
      expect([again.success, again.message]).toEqual([false, '已有名为 tools 的 MCP 服务'])

      // Who may not see the headers cannot have them sent elsewhere.
      const path = `/api/mcp_server/${id}`
      const moved = (await admin.put(path, { url: modern.url })).json
      expect([moved.success, moved.message]).toEqual([false, '修改地址或代理时请重新填写请求头'])
      expect((await admin.put(path, { proxy: 'http://127.0.0.1:1' })).json.success).toBe(false)
      expect((await admin.put(path, { url: modern.url, headers: {} })).json.data.header_names).toEqual([])
      const elsewhere = (await root.put(path, { url: upstream.url, headers })).json
      expect(elsewhere.data.url).toBe(upstream.url)
      expect((await root.put(path, { url: modern.url })).json.data.header_names).toHaveLength(2)

      const limited = (await admin.put(path, { tools: ['add', 'add', 'fail'], timeout: 5 })).json.data
      expect([limited.tools, limited.timeout, limited.price]).toEqual([['add', 'fail'], 5, 70])
      const few = (await user.get('/api/mcp/servers/tools/tools')).json.data
      expect(few.map(({ name }: { name: string }) => name).sort()).toEqual(['add', 'fail'])

      // Prices of single tools stay, whatever becomes of the list of tools; users are told those that they may use.
      const tool_prices = { fail: 0, add: 900, 'not/there': 5 }
      const priced = (await admin.put(path, { tool_prices })).json.data
      expect([priced.price, priced.tool_prices]).toEqual([70, tool_prices])
      const of = async () => (await user.get('/api/mcp/servers')).json.data[0].tool_prices
      expect(await of()).toEqual({ fail: 0, add: 900 })
      const costs = async () => {
        const { data } = (await user.get('/api/mcp/servers/tools/tools')).json
        return Object.fromEntries(
          data.map(({ name, price }: { name: string; price: number }) => [name, price]),
        )
      }
      expect(await costs()).toEqual({ fail: 0, add: 900 })
      const before = await rig.balance(user.id)
      expect(textOf((await (await postMcp(`${rig.url}/mcp/tools`, key, call)).json()).result)).toBe('3')
      expect(await rig.balance(user.id)).toBe(before - 900)
      expect((await admin.put(path, { tools: ['count'] })).json.data.tool_prices).toEqual(tool_prices)
      expect([await of(), await costs()]).toEqual([{}, { count: 70 }])
      expect((await admin.put(path, { tools: [] })).json.data.tool_prices).toEqual(tool_prices)
      expect(await of()).toEqual(tool_prices)
      expect(await costs()).toMatchObject({ add: 900, fail: 0, count: 70 })
      // The same again is no change, whatever order it is in; given, they take the place of all.
      expect(
        (await admin.put(path, { tool_prices: { add: 900, 'not/there': 5, fail: 0 } })).json.success,
      ).toBe(true)
      expect((await admin.put(path, { tool_prices: { add: 1 } })).json.data.tool_prices).toEqual({ add: 1 })
      expect((await admin.put(path, { tool_prices: {} })).json.data.tool_prices).toEqual({})
      expect(await costs()).toMatchObject({ add: 70, fail: 70 })

      expect((await admin.put(path, { enabled: false })).json.data.enabled).toBe(false)
      expect((await user.get('/api/mcp/servers')).json.data).toEqual([])
      expect((await user.get('/api/mcp/servers/tools/tools')).json.success).toBe(false)
      expect((await user.get('/api/status')).json.data.enable_mcp).toBe(false)
      expect((await (await postMcp(`${rig.url}/mcp/tools`, key, call)).json()).error.code).toBe(-32000)
      // Also of one that is off it can be seen whether it answers.
      expect((await admin.post(`${path}/test`, {})).json.success).toBe(true)

      expect((await admin.send('DELETE', path)).json.success).toBe(true)
      expect((await admin.get(path)).json.success).toBe(false)
      expect((await admin.get('/api/mcp_server?p=1&page_size=10')).json.data.items).toEqual([])

      const records = await rig.store.db
        .selectFrom('audit_records')
        .select(['action', 'before', 'after'])
        .where('subject', '=', `mcp-server:${id}`)
        .orderBy('id')
        .execute()
      expect(records.map(({ action }) => action)).toEqual([
        'mcp-server.create',
        ...Array(10).fill('mcp-server.update'),
        'mcp-server.delete',
      ])
      expect(JSON.stringify(records)).not.toContain('nobody-is-told')
      const sealed = await rig.store.db.selectFrom('mcp_servers').selectAll().execute()
      expect(sealed).toEqual([])
      await until(async () => (await rig.differences()).length === 0)
    } finally {
      await rig.close()
    }
  },
)

test('what cannot be is refused in words, and a server that is away is told of in words', async () => {
  const rig = await openApi(await (engines[0] as (typeof engines)[number]).freshUrl())
  try {
    const root = await rootClient(rig.url)
    const good = { name: 'a', url: upstream.url, groups: ['default'] }
    const bad: readonly object[] = [
      { ...good, name: 'A' },
      { ...good, name: 'a_b' },
      { ...good, name: '1a' },
      { ...good, name: 'x'.repeat(33) },
      { ...good, url: 'ftp://a.example' },
      { ...good, url: 'javascript:alert(1)' },
      { ...good, groups: [] },
      { ...good, groups: ['a,b'] },
      { ...good, groups: ['nobody-has-this'] },
      { ...good, price: -1 },
      { ...good, price: 0.5 },
      { ...good, tool_prices: { a: -1 } },
      { ...good, tool_prices: { a: 0.5 } },
      { ...good, tool_prices: { a: '1' } },
      { ...good, tool_prices: { '': 1 } },
      { ...good, tool_prices: { 'a\nb': 1 } },
      { ...good, tool_prices: { ['x'.repeat(129)]: 1 } },
      { ...good, tool_prices: Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`t${at}`, 1])) },
      { ...good, timeout: 0 },
      { ...good, timeout: 3601 },
      { ...good, headers: { 'a b': 'c' } },
      { ...good, headers: { a: 'b\nc' } },
      { ...good, headers: { 'Mcp-Session-Id': 'x' } },
      { ...good, headers: { Host: 'x' } },
      { ...good, tools: ['a\nb'] },
      { ...good, proxy: 'socks5://a' },
    ]
    for (const body of bad) {
      const { json } = await root.post('/api/mcp_server', body)
      expect([body, json.success, typeof json.message]).toEqual([body, false, 'string'])
    }
    const away = await root.post('/api/mcp_server', { ...good, url: 'http://127.0.0.1:9/mcp' })
    const tested = await root.post(`/api/mcp_server/${away.json.data.id}/test`, {})
    expect([tested.status, tested.json.success]).toEqual([200, false])
    expect(tested.json.message).toBe('连接失败：连接被拒绝，或对方不可达，请检查主机、端口、代理与防火墙')
  } finally {
    await rig.close()
  }
})
