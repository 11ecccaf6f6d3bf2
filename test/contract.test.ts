import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Access, Endpoint } from '../contract/endpoint.ts'
import { type EndpointName, endpoints } from '../contract/index.ts'
import { modelCalls } from '../contract/model-calls.ts'
import type { ApiHandlers } from '../server/http/api.ts'
import { examples } from '../server/http/examples.ts'
import { FrontDoor } from '../server/http/front-door.ts'
import type { McpGateway } from '../server/mcp/gateway.ts'
import type { Relay } from '../server/relay/relay.ts'
import type { App } from '../server/services/app.ts'
import { Client, rootClient } from './client.ts'
import { type Program, ROOT_PASSWORD, startProgram, until } from './program.ts'
import { rawRequest, sendRaw } from './relay/streams/raw-socket.ts'

const table = Object.entries(endpoints) as [EndpointName, Endpoint][]
const password = 'users-pass-1'
const callers: Record<string, Client> = {}
let program: Program

beforeAll(async () => {
  program = await startProgram({ ROOT_PASSWORD })
  const root = await rootClient(program.url)
  await root.liftLimits()
  const database = new Database(join(program.dataDir, 'tollgate.db'))
  database.exec('pragma busy_timeout = 60000')
  const hash = await Bun.password.hash(password)
  for (const [name, role] of [
    ['user', 1],
    ['admin', 10],
  ] as const) {
    database
      .query(
        'insert into users (username, password_hash, role, status, "group", created_at) values (?, ?, ?, 1, ?, 1)',
      )
      .run(name, hash, role, 'default')
    const client = new Client(program.url)
    await client.login(name, password)
    callers[name] = client
  }
  database.close()
  callers.root = root
  callers.public = new Client(program.url)
})
afterAll(() => program.stop())

test('the routes that are served are the table, no more and no less', () => {
  const door = new FrontDoor(
    { settings: { get: () => '' } } as unknown as App,
    {} as Relay,
    {} as McpGateway,
    {} as ApiHandlers,
    {
      trustedProxies: [],
      consoleFolder: '/nonexistent',
      bodyMemory: 0,
    },
  )
  const served = door.routes.map(({ method, path }) => `${method} ${path}`).sort()
  expect(served).toEqual(table.map(([, { method, path }]) => `${method} ${path}`).sort())
})

const ranks: Access[] = ['public', 'user', 'admin', 'root']

describe('access', () => {
  for (const [name, endpoint] of table)
    for (const caller of ranks.slice(0, ranks.indexOf(endpoint.access)))
      test(`${name} does not answer ${caller === 'public' ? 'someone who is not logged in' : `a ${caller}`}`, async () => {
        // Said to come from elsewhere: nearby callers may read some things without logging in.
        const answer = await callers[caller]?.send(endpoint.method, endpoint.path.replace(/:\w+/g, '1'), {
          body: endpoint.bodyLimit > 0 ? { key: 'SystemName', value: 'taken over' } : undefined,
          headers: { 'x-forwarded-for': '203.0.113.9' },
        })
        expect([answer?.status, answer?.json?.success, answer?.json?.message]).toEqual(
          caller === 'public'
            ? [401, false, '无权进行此操作，未登录且未提供 access token']
            : [200, false, '无权进行此操作，权限不足'],
        )
      })

  test('metrics are open to this machine', async () => {
    const answer = await new Client(program.url).get('/metrics')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('version=0.0.4')
    expect(answer.text).toContain('tollgate_http_requests_total{worker="0",')
  })
})

/** Nodes beat and jobs take their turns by the clock, whoever asks or not. */
function movesByItself(table: string, { key = '' }: { key?: string }): boolean {
  if (table === 'throttles') return key.startsWith('job:')
  return table === 'nodes' || (table === 'system' && key === 'last-audit')
}

describe('changing calls', () => {
  for (const [name, endpoint] of table.filter(([, { changes }]) => changes))
    test(`${name} refuses a page of another site`, async () => {
      const path = endpoint.path.replace(/:\w+/g, '1')
      const body = endpoint.bodyLimit > 0 ? { key: 'SystemName', value: 'forged' } : undefined
      const foreign: Record<string, string>[] = [
        { origin: 'https://evil.example', 'content-type': 'text/plain' },
        { origin: 'null' },
        { origin: program.url, 'sec-fetch-site': 'cross-site', host: 'elsewhere.example' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ]
      for (const headers of foreign) {
        const answer = await callers.root?.send(endpoint.method, path, { body, headers: { ...headers } })
        expect(answer?.status).toBe(403)
      }
    })

  test('our own pages are not another site', async () => {
    const own = { origin: program.url, 'sec-fetch-site': 'same-origin' }
    const answer = await callers.root?.send('PUT', '/api/option/', {
      body: { key: 'SystemName', value: 'Ours' },
      headers: own,
    })
    expect(answer?.json.success).toBe(true)
  })

  test('our own pages are ours also behind a proxy that does not say by which name it was called', async () => {
    const save = (headers: Record<string, string>) =>
      callers.root?.send('PUT', '/api/option/', { body: { key: 'SystemName', value: 'Proxied' }, headers })
    const origin = 'https://gate.example'
    expect((await save({ origin, 'sec-fetch-site': 'same-origin' }))?.json.success).toBe(true)
    // An old browser, or a page without TLS, does not say so: then the operator is told what is missing.
    expect((await save({ origin }))?.status).toBe(403)
    await until(() => program.output().includes('its proxy has to pass on Host'))
  })

  test('every GET that is not declared as changing leaves the database as it was', async () => {
    const path = join(program.dataDir, 'tollgate.db')
    const dump = (): string => {
      const database = new Database(path, { readonly: true })
      const names = database.query("select name from sqlite_master where type = 'table'").all() as {
        name: string
      }[]
      const rows = (table: string) => database.query(`select * from "${table}"`).all() as { key?: string }[]
      const still = names.map(({ name }) => rows(name).filter(row => !movesByItself(name, row)))
      return JSON.stringify(still)
    }
    const before = dump()
    for (const [, endpoint] of table)
      if (endpoint.method === 'GET' && !endpoint.changes)
        await callers.root?.get(endpoint.path.replace(/:\w+/g, '1'))
    expect(dump()).toBe(before)
  })
})

describe('paths', () => {
  test('both slash forms are the same call, without a redirect', async () => {
    for (const path of ['/api/status', '/api/status/', '/api/user/self', '/api/user/self/'])
      expect((await callers.root?.get(path))?.json.success).toBe(true)
  })

  test('only the one true spelling of a path is a path', async () => {
    for (const path of [
      '//api//user/self',
      '/api//user/self',
      '/api/%75ser/self',
      '/api/user/self//',
      '/API/user/self',
    ])
      expect([path, (await rawGet(path)).status]).not.toEqual([path, 200])
    // Folded by the parser before anyone judges it: the guard of what it leads to applies.
    expect((await rawGet('/api/user/../option/')).status).toBe(401)
    for (const host of ['a/?', 'a b', 'evil/..', 'x@y', ''])
      expect([host, (await rawGet('/api/user/self', host)).status]).toEqual([host, 400])
    // An absolute request line is the same call as its path, guards included.
    expect((await rawGet(`${program.url}/api/option/`)).status).toBe(401)
    expect((await rawGet('http://elsewhere.example/api/option/')).status).toBe(401)
  })

  /** Sends the bytes as they are, which fetch would tidy up. */
  function rawGet(target: string, host = 'localhost'): Promise<{ status: number; text: string }> {
    const { port } = new URL(program.url)
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
    const socket = connect(Number(port), '127.0.0.1')
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text }))
    const root = callers.root
    const auth = `Cookie: session=${root?.cookie}\r\nNew-Api-User: ${root?.userId}\r\n`
    socket.write(
      `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${target.includes('self') ? auth : ''}Connection: close\r\n\r\n`,
    )
    return promise
  }

  test('an unknown path answers in the shape model clients know', async () => {
    const gemini = await callers.public?.get('/v1beta/nope')
    expect([gemini?.status, gemini?.json.error.status]).toEqual([404, 'NOT_FOUND'])
    for (const path of ['/api/nope', '/v1/nope', '/mj/nope']) {
      const answer = await callers.public?.get(path)
      expect(answer?.status).toBe(404)
      expect(answer?.json).toEqual({
        error: { message: `Invalid URL (GET ${path})`, type: 'invalid_request_error', param: '', code: '' },
      })
    }
    for (const path of ['/assets/nope.js', '/assets/..%2f..%2fpackage.json', '/assets/%2e%2e/package.json'])
      expect((await rawGet(path)).status).toBe(404)
    expect((await rawGet('/../package.json')).text).not.toContain('devDependencies')
  })

  test('every answer carries a request id of its own', async () => {
    const ids = await Promise.all(
      ['/api/status', '/api/nope', '/', '/healthz', '/v1/models'].map(async path =>
        (await new Client(program.url).get(path)).headers.get('x-oneapi-request-id'),
      ),
    )
    expect(new Set(ids).size).toBe(5)
    expect(ids.every(id => id !== null && id.length > 20)).toBe(true)
  })
})

describe('bodies', () => {
  test('one that is too large is cut off with 413, announced or not', async () => {
    const announced = await fetch(`${program.url}/api/user/login`, {
      method: 'POST',
      body: 'x'.repeat(100_000),
    })
    expect(announced.status).toBe(413)
    expect(((await announced.json()) as { message: string }).message).toContain('8192')
    const head = ['POST /api/user/login HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked']
    const unannounced = await sendRaw(program.url, rawRequest(head, `2710\r\n${'x'.repeat(10_000)}\r\n`))
    expect(unannounced.status).toBe(413)
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536))
        if (sent > 1024 ** 3) controller.close()
      },
    })
    // The answer may be lost: who is cut off has not read it while sending.
    await fetch(`${program.url}/api/user/login`, { method: 'POST', body: endless }).catch(() => {})
    expect(sent).toBeLessThan(64 * 1024 * 1024)
    expect((await new Client(program.url).get('/healthz')).status).toBe(200)
  })

  test('wrong types, missing fields and nulls get a clear refusal; unknown fields are ignored', async () => {
    const login = (body: unknown) => new Client(program.url).post('/api/user/login', body)
    expect((await login({})).json).toEqual({ success: false, message: '无效的参数', data: null })
    expect((await login({ username: null, password: null })).json.message).toBe('无效的参数')
    expect((await login({ username: 5, password: {} })).json.message).toStartWith('输入不合法 username')
    expect((await login({ username: 'user', password, aff_code: null, extra: { a: 1 } })).json.success).toBe(
      true,
    )
    expect((await login({ username: 'x'.repeat(101), password })).json.success).toBe(false)
  })
})

describe('the API description', () => {
  test('OpenAPI names every call with its access, in both languages', async () => {
    const english = (await callers.public?.get('/api/openapi.json', { 'accept-language': 'en' }))?.json
    expect(english.openapi).toBe('3.1.0')
    const described = Object.values(english.paths as Record<string, object>).flatMap(path =>
      Object.values(path),
    )
    const names = described.map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(table.length + modelCalls.length)
    for (const name of [...table.map(([name]) => name), 'post_v1_chat_completions'])
      expect(names).toContain(name)
    const untold = described.filter(({ responses }) => !('4XX' in responses && '5XX' in responses))
    expect(untold).toEqual([])
    expect(english.paths['/api/option'].put['x-access']).toBe('root')
    expect(
      english.paths['/api/user/login'].post.requestBody.content['application/json'].schema.properties,
    ).toHaveProperty('username')
    expect(english.paths['/api/user/login'].post.summary).toBe('Log in with username or e-mail')
    const headersOf = (path: string) =>
      english.paths[path].post.parameters.map(({ name }: { name: string }) => name)
    expect(headersOf('/v1/messages')).toEqual([
      'x-tollgate-cache',
      'x-tollgate-fallbacks',
      'x-tollgate-prompt',
      'x-tollgate-labels',
    ])
    expect([headersOf('/v1/embeddings'), headersOf('/v1/audio/speech')]).toEqual([
      ['x-tollgate-cache', 'x-tollgate-labels'],
      ['x-tollgate-labels'],
    ])
    const fieldsOf = (path: string) =>
      Object.keys(english.paths[path].post.requestBody.content['application/json'].schema.properties ?? {})
    const ofPrompts = ['prompt_id', 'prompt_version', 'prompt_variables']
    expect(fieldsOf('/v1/responses')).toEqual([
      ...['disable_fallbacks', 'fallbacks', 'num_retries'],
      ...ofPrompts,
    ])
    expect(fieldsOf('/v1/completions')).toEqual(['disable_fallbacks', 'fallbacks', 'num_retries'])
    expect(fieldsOf('/v1/prompts/{id}/render')).toEqual(['variables'])
    expect(fieldsOf('/v1/embeddings')).toEqual([])
    const provedBy = (path: string, method = 'get') => english.paths[path][method].security
    expect(provedBy('/api/user/self')).toEqual([{ session: [], userId: [] }, { accessToken: [] }])
    expect(provedBy('/api/usage/token')).toEqual([{ modelKey: [] }])
    expect([provedBy('/api/status'), provedBy('/mj/image/{id}')]).toEqual([[], []])
    expect(Object.keys(english.paths['/api/user/epay/notify'].post.requestBody.content)).toEqual([
      'application/x-www-form-urlencoded',
    ])
    const chinese = (await callers.public?.get('/api/openapi.json'))?.json
    expect(chinese.paths['/api/user/login'].post.summary).toBe('用户名或邮箱登录')
  })

  test('by what a call is proved is what proves it', async () => {
    const token = (await callers.user?.get('/api/user/token'))?.json.data
    const described = (await callers.public?.get('/api/openapi.json'))?.json
    // They would end the account or the token that asks.
    const ending = ['deleteSelf', 'accessToken', 'revokeAccessToken']
    const own = table.filter(([name, { access }]) => access === 'user' && !ending.includes(name))
    const refused: string[] = []
    const wantsSession: string[] = []
    for (const [name, { method, path, bodyLimit }] of own) {
      const { security } = described.paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()]
      if (!security.some((way: object) => 'accessToken' in way)) wantsSession.push(name)
      const body = bodyLimit > 0 ? (examples[name] ?? {}) : undefined
      const headers = { authorization: token, 'accept-language': 'en' }
      const asked = new Client(program.url).send(method, path.replace(/:\w+/g, '1'), { body, headers })
      if ((await asked).json?.message?.includes('does not take an access token')) refused.push(name)
    }
    expect(refused).toEqual(wantsSession)
    expect(wantsSession).toContain('verify')
    const page = (await callers.public?.get('/api/docs', { 'accept-language': 'en' }))?.text
    expect(page).toMatch(/\/api\/verify<\/code>(?:(?!<\/summary>).)*session only/)
  })

  test('model calls are told with every form in which they are taken', async () => {
    const described = (await callers.public?.get('/api/openapi.json'))?.json
    const { paths } = described
    const formsOf = (path: string) => Object.keys(paths[path].post.requestBody.content)
    const both = ['application/json', 'multipart/form-data']
    for (const path of ['/v1/images/edits', '/v1/videos', '/v1/video/generations'])
      expect([path, formsOf(path)]).toEqual([path, both])
    expect(formsOf('/v1/audio/transcriptions')).toEqual(['multipart/form-data'])
    for (const path of ['/mcp', '/mcp/{server}']) expect(paths[path].delete.responses).toHaveProperty('204')
    expect(paths).toHaveProperty('/v1/engines/{model}/embeddings')
    const { fallbacks } = paths['/v1/messages'].post.requestBody.content['application/json'].schema.properties
    const kinds = (fallbacks.anyOf as { type: string | string[] }[]).flatMap(({ type }) => type)
    expect(kinds).toEqual(['array', 'string', 'object'])
  })

  test('the readable page shows them and runs no script', async () => {
    const answer = await callers.public?.get('/api/docs', { 'accept-language': 'en' })
    expect(answer?.headers.get('content-type')).toContain('text/html')
    expect(answer?.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(answer?.text).not.toContain('<script')
    for (const [, { path }] of table) expect(answer?.text).toContain(path.replace(/:(\w+)/g, '{$1}'))
    expect(answer?.text).toContain('<a href="#part-0">Accounts</a>')
    expect(answer?.text).toContain('&quot;code&quot;:&quot;invalid_api_key&quot;')
  })

  test('its examples are taken as they are', () => {
    const refused = Object.entries(examples).filter(
      ([name, example]) => !endpoints[name as EndpointName].body.safeParse(example).success,
    )
    expect(refused).toEqual([])
  })
})
