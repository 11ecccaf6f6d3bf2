// Official clients of both kinds, official servers of all three, and the gateway between them.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { atRest } from '../at-rest.ts'
import { until } from '../program.ts'
import type { Rig, SeededToken } from '../relay/rig.ts'
import { dropAll } from '../services/databases.ts'
import { addMcpServer, type ClientKind, connectClient, openMcpRig, textOf } from './house.ts'
import { type Kind, type McpUpstream, startMcpUpstream } from './upstream.ts'

const kinds: readonly Kind[] = ['sessions', 'plain', 'modern']
const clients: readonly ClientKind[] = ['older', 'modern']
const SECRET = 'Bearer what-only-the-server-knows'

let rig: Rig
let token: SeededToken
const upstreams = {} as Record<Kind, McpUpstream>

beforeAll(async () => {
  for (const kind of kinds) upstreams[kind] = startMcpUpstream(kind)
  rig = await openMcpRig(async books => {
    for (const kind of kinds)
      await addMcpServer(books, {
        name: kind,
        url: upstreams[kind].url,
        headers: { Authorization: SECRET },
      })
    token = await books.addToken({ userId: await books.addUser({ quota: 1_000_000 }) })
  })
})

afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  for (const kind of kinds) await upstreams[kind].stop()
  await rig.close()
  await dropAll()
})

for (const clientKind of clients)
  for (const kind of kinds)
    describe(`a client of the ${clientKind} kind and a server of the kind ${kind}`, () => {
      const connect = () => connectClient(`${rig.url}/mcp/${kind}`, token.key, clientKind)

      test('tools are listed and called', async () => {
        const { client, requestIds } = await connect()
        expect(client.getProtocolEra()).toBe(clientKind === 'modern' ? 'modern' : 'legacy')
        const { tools } = await client.listTools()
        expect(tools.map(({ name }) => name).sort()).toEqual([
          'add',
          'count',
          'fail',
          'half',
          'link',
          'tell',
          'wait',
        ])
        expect(client.getInstructions()).toBe(`Ask the ${kind} one.`)
        const result = await client.callTool({ name: 'add', arguments: { a: 2, b: 40 } })
        expect(textOf(result)).toBe('42')
        const row = await rig.logOf(requestIds.at(-1) ?? '')
        expect([row.type, row.model_name, row.quota]).toEqual([2, `mcp/${kind}/add`, 0])
        await client.close()
      })

      test('progress is told while a tool works', async () => {
        const { client } = await connect()
        const told: number[] = []
        const result = await client.callTool(
          { name: 'count', arguments: {} },
          { onprogress: ({ progress }) => told.push(progress) },
        )
        expect(textOf(result)).toBe('counted')
        expect(told).toEqual([1, 2, 3])
        await client.close()
      })

      test('what a tool says of its own failure is its answer; what is wrong with a call is an error', async () => {
        const { client, requestIds } = await connect()
        const result = await client.callTool({ name: 'fail', arguments: {} })
        expect([result.isError, textOf(result)]).toEqual([true, 'it went wrong'])
        await expect(client.readResource({ uri: 'note://nowhere' })).rejects.toThrow(/not found/i)
        const none = client.callTool({ name: 'nothing', arguments: {} })
        const error = await none.then(answer => (answer.isError ? textOf(answer) : ''), String)
        expect(error).toMatch(/not found/i)
        expect(requestIds.length).toBeGreaterThan(0)
        await client.close()
      })

      test('resources and prompts are listed, read and got', async () => {
        const { client } = await connect()
        const { resources } = await client.listResources()
        expect(resources.map(({ uri }) => uri)).toEqual(['note://one'])
        const { contents } = await client.readResource({ uri: 'note://one' })
        expect(contents).toEqual([{ uri: 'note://one', text: `a note of the ${kind} one` }])
        const { resourceTemplates } = await client.listResourceTemplates()
        expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['note://any/{name}'])
        const { prompts } = await client.listPrompts()
        expect(prompts.map(({ name }) => name)).toEqual(['greet'])
        const prompt = await client.getPrompt({ name: 'greet', arguments: { who: 'Ada' } })
        expect(prompt.messages[0]?.content).toEqual({ type: 'text', text: 'Greet Ada' })
        await client.close()
      })

      test('a call that the client cancels ends at the server too, and costs nothing', async () => {
        const upstream = upstreams[kind]
        const { client } = await connect()
        const begun = upstream.begun.wait ?? 0
        const ended = upstream.cancelled.length
        const stop = new AbortController()
        const call = client.callTool({ name: 'wait', arguments: {} }, { signal: stop.signal })
        await until(async () => (upstream.begun.wait ?? 0) > begun)
        stop.abort('enough')
        await expect(call).rejects.toThrow()
        // A server that keeps nothing between requests cannot be told of the one under way.
        if (kind !== 'plain') await until(async () => upstream.cancelled.length > ended)
        upstream.letGo()
        await client.close()
      })
    })

for (const clientKind of clients)
  test(`all servers together, for a client of the ${clientKind} kind`, async () => {
    const { client } = await connectClient(`${rig.url}/mcp`, token.key, clientKind)
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    for (const kind of kinds) expect(names).toContain(`${kind}__add`)
    for (const kind of kinds) {
      const result = await client.callTool({ name: `${kind}__add`, arguments: { a: 1, b: 1 } })
      expect(textOf(result)).toBe('2')
      const linked = await client.callTool({ name: `${kind}__link`, arguments: {} })
      const [link] = linked.content as { uri: string }[]
      expect(link?.uri).toBe(`${kind}+note://one`)
      const { contents } = await client.readResource({ uri: link?.uri ?? '' })
      expect(contents[0]).toEqual({ uri: `${kind}+note://one`, text: `a note of the ${kind} one` })
      const prompt = await client.getPrompt({ name: `${kind}__greet`, arguments: { who: 'Ada' } })
      expect(prompt.messages).toHaveLength(1)
    }
    await client.close()
  })

test('the address that others have leads to the same, and so does their choice of servers', async () => {
  const one = await connectClient(`${rig.url}/plain/mcp`, token.key, 'older')
  expect((await one.client.listTools()).tools.map(({ name }) => name)).toContain('add')
  await one.client.close()
  const chosen = { 'x-mcp-servers': 'plain, modern' }
  const some = await connectClient(`${rig.url}/mcp`, token.key, 'older', chosen)
  const names = (await some.client.listTools()).tools.map(({ name }) => name)
  expect([names.includes('plain__add'), names.includes('sessions__add')]).toEqual([true, false])
  await some.client.close()
})

test('a server is asked with its own headers, and never shown the caller’s key', async () => {
  for (const kind of kinds) {
    expect(upstreams[kind].seen.length).toBeGreaterThan(0)
    for (const headers of upstreams[kind].seen) {
      expect(headers.get('authorization')).toBe(SECRET)
      expect(JSON.stringify([...headers])).not.toContain(token.key)
    }
  }
})

test('sessions that a client ends, and those of one request, are ended at the server', async () => {
  const upstream = upstreams.sessions
  // Those of the requests before may still be about to be ended.
  await atRest()
  const before = upstream.sessions()
  const { client, transport } = await connectClient(`${rig.url}/mcp/sessions`, token.key, 'older')
  expect(upstream.sessions()).toBe(before + 1)
  expect(transport.sessionId).toBeDefined()
  await transport.terminateSession()
  await until(async () => upstream.sessions() === before)
  await client.close()
  const modern = await connectClient(`${rig.url}/mcp/sessions`, token.key, 'modern')
  expect(textOf(await modern.client.callTool({ name: 'add', arguments: { a: 1, b: 2 } }))).toBe('3')
  await until(async () => upstream.sessions() === before)
  await modern.client.close()
})
