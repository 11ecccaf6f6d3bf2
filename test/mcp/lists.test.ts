// Lists that come in pages, from one server and from all of them together; and servers that take too long.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Rig, SeededToken } from '../relay/rig.ts'
import { serveLoopback } from '../serve-loopback.ts'
import { dropAll } from '../services/databases.ts'
import { addMcpServer, connectClient, openMcpRig, postMcp } from './house.ts'

/** A server whose tools come `size` at a time. */
function startPaged(names: readonly string[], size: number) {
  const build = () => {
    const server = new Server({ name: 'paged', version: '1' }, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/list', ({ params }) => {
      const from = Number(params?.cursor ?? 0)
      const tools = names
        .slice(from, from + size)
        .map(name => ({ name, inputSchema: { type: 'object' as const } }))
      const next = from + size
      return { tools, ...(next < names.length && { nextCursor: String(next) }) }
    })
    return server
  }
  return serveLoopback(async request => {
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined })
    await build().connect(transport)
    return transport.handleRequest(request)
  })
}

const many = startPaged(['a', 'b', 'c', 'd', 'e'], 2)
const few = startPaged(['x', 'y', 'z'], 2)
const silent = serveLoopback(() => new Promise<Response>(() => {}))

let rig: Rig
let token: SeededToken

beforeAll(async () => {
  rig = await openMcpRig(async books => {
    const address = (port: number | undefined) => `http://127.0.0.1:${port}/mcp`
    await addMcpServer(books, { name: 'many', url: address(many.port) })
    await addMcpServer(books, { name: 'few', url: address(few.port), tools: ['x', 'z'] })
    await addMcpServer(books, { name: 'silent', url: address(silent.port), groups: ['vip'], timeout: 600 })
    await addMcpServer(books, { name: 'here', url: address(few.port), groups: ['vip'] })
    token = await books.addToken({ userId: await books.addUser() })
  })
})

afterAll(async () => {
  await rig.close()
  for (const server of [many, few, silent]) await server.stop(true)
  await dropAll()
})

async function pagesOf(url: string): Promise<string[][]> {
  const pages: string[][] = []
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const params = cursor === undefined ? {} : { cursor }
    const answer = await postMcp(url, token.key, { jsonrpc: '2.0', id: 1, method: 'tools/list', params })
    const { result } = await answer.json()
    pages.push(result.tools.map(({ name }: { name: string }) => name))
    cursor = result.nextCursor
  }
  return pages
}

test('pages of one server, and of all of them', async () => {
  expect(await pagesOf(`${rig.url}/mcp/many`)).toEqual([['a', 'b'], ['c', 'd'], ['e']])
  // What may not be used is left out of its page.
  expect(await pagesOf(`${rig.url}/mcp/few`)).toEqual([['x'], ['z']])
  expect(await pagesOf(`${rig.url}/mcp`)).toEqual([
    ['few__x', 'many__a', 'many__b'],
    ['few__z', 'many__c', 'many__d'],
    ['many__e'],
  ])
  const { client } = await connectClient(`${rig.url}/mcp`, token.key, 'older')
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual(
    ['few__x', 'few__z', 'many__a', 'many__b', 'many__c', 'many__d', 'many__e'].sort(),
  )
  await client.close()
})

test('a place in a list that nobody gave is refused, or leads nowhere', async () => {
  const ask = async (cursor: string) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor } }
    return (await postMcp(`${rig.url}/mcp`, token.key, message)).json()
  }
  expect((await ask('%%%')).error.code).toBe(-32602)
  const foreign = Buffer.from(JSON.stringify({ silent: 'x', __proto__: 'y', nobody: '1' })).toString(
    'base64url',
  )
  expect((await ask(foreign)).result.tools).toEqual([])
})

test('nobody waits for ever for a server that says nothing', async () => {
  const vip = await rig.addToken({ userId: await rig.addUser({ group: 'vip' }) })
  const { client } = await connectClient(`${rig.url}/mcp`, vip.key, 'older')
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['here__x', 'here__y', 'here__z'])
  await client.close()
})
