// What administrators are told of a server that cannot be asked, and what users are not.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openApi } from '../api/rig-client.ts'
import { type Client, rootClient } from '../client.ts'
import { serveLoopback } from '../serve-loopback.ts'
import { Authority } from '../services/authority.ts'
import { dropAll, engines } from '../services/databases.ts'

let rig: Awaited<ReturnType<typeof openApi>>
let root: Client
const authority = new Authority()
const open = serveLoopback(request => {
  const status = Number(new URL(request.url).pathname.slice(1))
  if (status === 0) return new Promise(() => {})
  return status === 200 ? new Response('<html>hello</html>') : new Response('no', { status })
})
const { key, cert } = authority.issue('other.test')
const secure = Bun.serve({ idleTimeout: 0, port: 0, tls: { key, cert }, fetch: () => new Response('hello') })

beforeAll(async () => {
  rig = await openApi(await (engines[0] as (typeof engines)[number]).freshUrl())
  root = await rootClient(rig.url)
})
afterAll(async () => {
  await open.stop(true)
  await secure.stop(true)
  authority.close()
  await rig.close()
  await dropAll()
})

const at = (path: string) => `http://127.0.0.1:${open.port}/${path}`
const cases: readonly (readonly [string, string, string, string])[] = [
  ['resolve', 'http://nobody.invalid/mcp', '无法解析域名', 'cannot be resolved'],
  ['connect', 'http://127.0.0.1:9/mcp', '连接被拒绝', 'The connection was refused'],
  ['tls', `https://127.0.0.1:${secure.port}/mcp`, 'TLS 连接失败', 'TLS failed'],
  ['slow', at('0'), '响应超时', 'took too long'],
  ['denied', at('401'), '要求授权', 'needs authorisation'],
  ['forbidden', at('403'), '（状态码 403）', '(status 403)'],
  ['missing', at('404'), '没有 MCP 服务', 'There is no MCP server at this address'],
  ['failing', at('503'), '状态码 503', 'status 503'],
  ['other', at('200'), '不是 MCP 协议', 'does not speak MCP'],
]

test.each(cases)('%s', async (name, url, zh, en) => {
  // Nobody waits for the others, however busy the machine is.
  const server = { name, url, groups: ['default'], timeout: name === 'slow' ? 1 : 30 }
  const { id } = (await root.post('/api/mcp_server', server)).json.data
  const told = async (language: string): Promise<string> => {
    const headers = { 'accept-language': language }
    const { json } = await root.post(`/api/mcp_server/${id}/test`, {}, headers)
    expect(json.success).toBe(false)
    return json.message
  }
  expect(await told('zh')).toContain(zh)
  expect(await told('en')).toContain(en)
  // A user hears of no more than that it does not work, and of no host.
  const user = (await root.get(`/api/mcp/servers/${name}/tools`)).json
  expect(user.success).toBe(false)
  expect(user.message).not.toMatch(/127\.0\.0\.1|nobody\.invalid|防火墙|TLS|解析/)
  await root.send('DELETE', `/api/mcp_server/${id}`)
})
