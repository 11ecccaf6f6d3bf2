// What is no request, or not this caller's, is refused in the protocol's own words, and the program goes on.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '../program.ts'
import type { Rig, SeededToken } from '../relay/rig.ts'
import { serveLoopback } from '../serve-loopback.ts'
import { dropAll } from '../services/databases.ts'
import { addMcpServer, connectClient, openMcpRig, postMcp, textOf } from './house.ts'
import { startMcpUpstream } from './upstream.ts'

const upstream = startMcpUpstream('sessions')
/** What a server that is none answers. */
let nonsense: (request: Request) => Response | Promise<Response> = () => new Response('hello')
const strange = serveLoopback(request => nonsense(request))

let rig: Rig
let token: SeededToken
let other: SeededToken
let patient: SeededToken

beforeAll(async () => {
  rig = await openMcpRig(
    async books => {
      await addMcpServer(books, { name: 'good', url: upstream.url, price: 10 })
      const address = `http://127.0.0.1:${strange.port}/mcp`
      const headers = { Authorization: 'Bearer strange-secret' }
      await addMcpServer(books, { name: 'strange', url: address, headers, price: 10, timeout: 1 })
      // The same, waited for.
      await addMcpServer(books, {
        name: 'candid',
        url: address,
        headers,
        price: 10,
        timeout: 30,
        groups: ['vip'],
      })
      const userId = await books.addUser()
      token = await books.addToken({ userId })
      other = await books.addToken({ userId })
      await books.setOption('UserUsableGroups', JSON.stringify({ default: 'd', vip: 'v' }))
      patient = await books.addToken({ userId, group: 'vip' })
    },
    { WORKERS: '2' },
  )
})

afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  await upstream.stop()
  await strange.stop(true)
  await dropAll()
})

async function send(body: unknown, headers: Record<string, string> = {}, server = 'good') {
  const answer = await postMcp(`${rig.url}/mcp/${server}`, token.key, body, headers)
  const text = await answer.text()
  const json = text === '' ? undefined : JSON.parse(text)
  return { status: answer.status, json, code: json?.error?.code as number | undefined, text }
}

const rpc = (method: string, params: object = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })
const adding = rpc('tools/call', { name: 'add', arguments: { a: 1, b: 2 } })

describe('requests that are none', () => {
  const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}}`
  const crowded = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[${'[],'.repeat(600_000)}1]}}`
  const cases: readonly [string, unknown, number, number][] = [
    ['not JSON', '{', 400, -32700],
    ['nothing', '', 400, -32700],
    ['a batch', [adding, adding], 400, -32600],
    ['a number', '7', 400, -32600],
    ['no version', { id: 1, method: 'ping' }, 400, -32600],
    ['another version', { ...adding, jsonrpc: '1.0' }, 400, -32600],
    ['an id that is an object', { ...adding, id: {} }, 400, -32600],
    ['an id that is null', { ...adding, id: null }, 400, -32600],
    ['a method that is a number', { ...adding, method: 7 }, 400, -32600],
    ['a method without end', { ...adding, method: 'x'.repeat(5000) }, 400, -32600],
    ['params that are a list', { ...adding, params: [] }, 400, -32600],
    ['deep JSON', deep, 400, -32600],
    ['crowded JSON', crowded, 400, -32600],
    ['a body that is too large', `{"a":"${'x'.repeat(9 * 1024 * 1024)}"}`, 413, -32600],
  ]
  for (const [name, body, status, code] of cases)
    test(name, async () => {
      const answer = await send(body)
      expect([answer.status, answer.code]).toEqual([status, code])
    })
})

test('methods that are not there, or not in this version, are told so', async () => {
  for (const method of ['tasks/get', 'constructor', '__proto__', 'server/discover', 'sampling/createMessage'])
    expect([method, (await send(rpc(method))).code]).toEqual([method, -32601])
  expect((await send(rpc('ping'))).json).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  const notified = await send({ jsonrpc: '2.0', method: 'notifications/anything' })
  expect([notified.status, notified.text]).toEqual([202, ''])
})

test('only POST asks something', async () => {
  const headers = { authorization: `Bearer ${token.key}`, accept: 'text/event-stream' }
  const got = await fetch(`${rig.url}/mcp`, { headers })
  expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST, DELETE'])
  expect((await fetch(`${rig.url}/mcp`, { method: 'PUT', headers, body: '{}' })).status).toBe(405)
})

describe('versions', () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const said = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'add' }
  const modern = rpc('tools/call', { name: 'add', arguments: { a: 1, b: 2 }, _meta: meta })

  test('one that nobody speaks', async () => {
    const answer = await send(adding, { 'mcp-protocol-version': '1999-01-01' })
    expect([answer.status, answer.code]).toEqual([400, -32022])
    expect(answer.json.error.data.supported).toContain('2026-07-28')
    const inside = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
    const asked = await send(rpc('tools/list', { _meta: inside }), { 'mcp-method': 'tools/list' })
    expect([asked.status, asked.code]).toEqual([400, -32022])
  })

  test('headers that say something else than the body', async () => {
    expect(textOf((await send(modern, said)).json.result)).toBe('3')
    for (const wrong of [
      { ...said, 'mcp-name': 'fail' },
      { ...said, 'mcp-method': 'tools/list' },
      { ...said, 'mcp-protocol-version': '2025-11-25' },
      { 'mcp-protocol-version': '2026-07-28' },
    ]) {
      const answer = await send(modern, wrong as Record<string, string>)
      expect([answer.status, answer.code]).toEqual([400, -32020])
    }
    const bare = await send(adding, said)
    expect([bare.status, bare.code]).toEqual([400, -32602])
  })
})

describe('sessions', () => {
  test('any process serves them, and nothing of the server’s own is in them', async () => {
    const { client, transport } = await connectClient(`${rig.url}/mcp`, token.key, 'older')
    const session = transport.sessionId ?? ''
    expect(session.length).toBeGreaterThan(20)
    for (const text of [session, Buffer.from(session.split('.')[1] ?? '', 'base64url').toString('latin1')])
      expect(text).not.toContain('secret-session')
    const began = upstream.seen.filter(headers => !headers.has('mcp-session-id')).length
    // Each on a connection of its own, so on either of the two processes.
    for (let round = 0; round < 20; round++)
      expect(textOf(await client.callTool({ name: 'good__add', arguments: { a: round, b: 0 } }))).toBe(
        String(round),
      )
    expect(upstream.seen.filter(headers => !headers.has('mcp-session-id')).length).toBe(began)
    await client.close()
  })

  test('whichever process hears that a call is cancelled, its server is told', async () => {
    const { client } = await connectClient(`${rig.url}/mcp/good`, token.key, 'older')
    for (let round = 0; round < 8; round++) {
      const begun = upstream.begun.wait ?? 0
      const ended = upstream.cancelled.length
      const stop = new AbortController()
      const call = client
        .callTool({ name: 'wait', arguments: {} }, { signal: stop.signal })
        .catch(() => 'gone')
      await until(() => (upstream.begun.wait ?? 0) > begun)
      stop.abort()
      expect(await call).toBe('gone')
      await until(() => upstream.cancelled.length > ended)
    }
    upstream.letGo()
    await client.close()
    expect(await rig.differences()).toEqual([])
  })

  test('those of others, and what was altered, are none', async () => {
    const { client, transport } = await connectClient(`${rig.url}/mcp/good`, token.key, 'older')
    const session = transport.sessionId ?? ''
    const asked = upstream.seen.length
    const foreign = await postMcp(`${rig.url}/mcp/good`, other.key, adding, { 'mcp-session-id': session })
    expect([foreign.status, (await foreign.json()).error.code]).toEqual([404, -32001])
    const middle = Math.floor(session.length / 2)
    const flipped = `${session.slice(0, middle)}${session[middle] === 'A' ? 'B' : 'A'}${session.slice(middle + 1)}`
    for (const bad of [flipped, session.slice(0, -4), 'v1.', 'x', 'v1.AAAA', 'x'.repeat(7000)]) {
      const answer = await send(adding, { 'mcp-session-id': bad })
      expect([bad.slice(0, 9), answer.status, answer.code]).toEqual([bad.slice(0, 9), 404, -32001])
    }
    expect(upstream.seen.length).toBe(asked)
    expect(textOf((await send(adding, { 'mcp-session-id': session })).json.result)).toBe('3')
    await client.close()
  })

  test('one that its server has forgotten is over, and another begins', async () => {
    const { client, transport } = await connectClient(`${rig.url}/mcp`, token.key, 'older')
    upstream.forget()
    const headers = { 'mcp-session-id': transport.sessionId ?? '' }
    for (const message of [
      rpc('tools/call', { name: 'good__add', arguments: { a: 1, b: 2 } }),
      rpc('tools/list'),
    ]) {
      const answer = await postMcp(`${rig.url}/mcp`, token.key, message, headers)
      expect([answer.status, (await answer.json()).error.code]).toEqual([404, -32001])
    }
    const again = await connectClient(`${rig.url}/mcp`, token.key, 'older')
    expect(textOf(await again.client.callTool({ name: 'good__add', arguments: { a: 1, b: 2 } }))).toBe('3')
    await client.close()
    await again.client.close()
  })
})

describe('a server that is none', () => {
  const endless = () =>
    new Response(new ReadableStream({ pull: () => new Promise(() => {}) }), {
      headers: { 'content-type': 'text/event-stream' },
    })
  const answers: readonly [string, () => Response][] = [
    ['text', () => new Response('hello')],
    ['JSON of another kind', () => Response.json([1, 2])],
    ['an answer to something else', () => Response.json({ jsonrpc: '2.0', id: 'other', result: {} })],
    ['an answer without a result', () => Response.json({ jsonrpc: '2.0', id: 'initialize' })],
    ['a stream that ends', () => new Response('', { headers: { 'content-type': 'text/event-stream' } })],
    ['a stream that says nothing', endless],
    ['a refusal', () => new Response('no', { status: 403 })],
    ['a failure', () => new Response('no', { status: 500 })],
    ['a way round in circles', () => new Response(null, { status: 307, headers: { location: '/mcp' } })],
  ]
  for (const [name, answer] of answers)
    test(name, async () => {
      nonsense = answer
      const { status, json, code, text } = await send(adding, {}, 'strange')
      expect([status, code]).toEqual([200, -32603])
      expect(json.error.message).toContain('strange')
      expect(text).not.toContain(`:${strange.port}`)
      const listed = await postMcp(`${rig.url}/mcp`, token.key, rpc('tools/list'))
      expect(JSON.stringify(await listed.json())).toContain('good__add')
    })
})

test('what a server says of its own failure is handed on without what only the operator may know', async () => {
  const said = `127.0.0.1:${strange.port} will not have strange-secret of you`
  const error = { code: -32050, message: said, data: { said } }
  nonsense = () => Response.json({ jsonrpc: '2.0', id: 'initialize', error })
  const text = await (await postMcp(`${rig.url}/mcp/candid`, patient.key, adding)).text()
  expect(JSON.parse(text).error).toEqual({ code: -32050, message: '*** will not have *** of you' })
  expect(text).not.toContain('strange-secret')
})

describe('a tool that shows what it was asked', () => {
  const versions = {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'candid' },
  }
  const frame = (message: object) => `event: message\ndata: ${JSON.stringify(message)}\n\n`

  test.each(['whole', 'stream'])('gives nobody what proves the gateway (%s)', async way => {
    nonsense = async request => {
      const { id, method } = (await request.json()) as { id?: string; method: string }
      const said = (result: object) => ({ jsonrpc: '2.0', id, result })
      if (method === 'initialize') return Response.json(said(versions))
      if (method === 'server/discover')
        return Response.json({ ...said({}), result: undefined }, { status: 404 })
      if (method !== 'tools/call') return new Response(null, { status: 202 })
      const heard = request.headers.get('authorization')
      const text = `127.0.0.1:${strange.port} refuses ${heard}`
      const answer = said({
        content: [{ type: 'text', text }],
        structuredContent: { deep: [{ heard }] },
        isError: true,
      })
      if (way === 'whole') return Response.json(answer)
      const params = { level: 'info', data: { heard } }
      const note = { jsonrpc: '2.0', method: 'notifications/message', params }
      const headers = { 'content-type': 'text/event-stream' }
      return new Response(frame(note) + frame(answer), { headers })
    }
    const text = await (await postMcp(`${rig.url}/mcp/candid`, patient.key, adding)).text()
    // Where it was is what was asked for, as far as anybody knows.
    expect(text).toContain(`127.0.0.1:${strange.port} refuses ***`)
    expect(text).toContain('"deep":[{"heard":"***"}]')
    if (way === 'stream') expect(text).toContain('"data":{"heard":"***"}')
    expect(text).not.toContain('strange-secret')
  })
})

test('clients that look for another way to log in find none', async () => {
  const answer = await postMcp(`${rig.url}/mcp`, 'sk-wrong', rpc('ping'))
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, null])
  for (const path of [
    'oauth-protected-resource',
    'oauth-protected-resource/mcp',
    'oauth-authorization-server',
  ])
    expect((await fetch(`${rig.url}/.well-known/${path}`)).status).toBe(404)
})

test('a page of any site may ask, with a key', async () => {
  const asked = await fetch(`${rig.url}/mcp`, { method: 'OPTIONS', headers: { origin: 'https://a.example' } })
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  const answer = await postMcp(`${rig.url}/mcp`, token.key, rpc('ping'), { origin: 'https://a.example' })
  expect(answer.headers.get('access-control-expose-headers')).toBe('*')
})
