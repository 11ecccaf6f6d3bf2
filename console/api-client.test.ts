import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { optionEndpoints } from '../contract/options.ts'
import { systemEndpoints } from '../contract/system.ts'
import { userEndpoints } from '../contract/users.ts'
import { ApiError, createClient } from './api-client.ts'

let answer: () => Response
let received: { method: string; url: URL; headers: Headers; body: string } | undefined
let loggedOut = 0
let proofs = 0

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { method, headers } = request
    received = { method, url: new URL(request.url), headers, body: await request.text() }
    return answer()
  },
})
afterAll(() => server.stop(true))
beforeEach(() => {
  received = undefined
  loggedOut = 0
  proofs = 0
})

const parts = {
  patience: 60_000,
  left: () => undefined,
  userId: () => 7,
  teamId: () => undefined as number | undefined,
  onOutOfTeam: () => {},
  language: () => 'en' as const,
  explain: (kind: string, detail: string) => `${kind}|${detail}`,
  onLoggedOut: () => {
    loggedOut += 1
  },
  prove: async () => {
    proofs += 1
    return proofs < 2
  },
}
const call = createClient({ ...parts, origin: server.url.origin })
const failure = async (promise: Promise<unknown>): Promise<ApiError> => {
  try {
    await promise
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('the call succeeded')
}

test('what the page has asked for already is not asked for again', async () => {
  const named = (system_name: string) => Response.json({ success: true, message: '', data: { system_name } })
  const early = [Promise.resolve(named('early'))]
  const client = createClient({ ...parts, origin: server.url.origin, begun: () => early.pop() })
  answer = () => named('late')
  expect(await client(systemEndpoints.status)).toEqual(expect.objectContaining({ system_name: 'early' }))
  expect(received).toBeUndefined()
  expect(await client(systemEndpoints.status)).toEqual(expect.objectContaining({ system_name: 'late' }))
})

test('while somebody leaves nothing is read for them, and afterwards only what is still wanted', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const leaving = createClient({ ...parts, origin: server.url.origin, left: () => promise })
  answer = () => Response.json({ success: true, message: '', data: {} })
  const given = new AbortController()
  const dropped = leaving(userEndpoints.self, { signal: given.signal })
  const kept = leaving(userEndpoints.self, { signal: new AbortController().signal })
  await leaving(systemEndpoints.status, { signal: new AbortController().signal })
  expect(received?.url.pathname).toBe('/api/status')
  given.abort()
  resolve()
  expect(await dropped.catch((error: Error) => error.name)).toBe('AbortError')
  await kept
  expect(received?.url.pathname).toBe('/api/user/self')
})

describe('a call', () => {
  test('sends who, in which language, and what; and hands back the data', async () => {
    answer = () => Response.json({ success: true, message: '', data: { id: 7 } })
    const user = await call(userEndpoints.login, {
      body: { username: 'a', password: 'b' },
      query: { turnstile: 'x y' },
    })
    expect(user).toMatchObject({ id: 7 })
    expect(received?.method).toBe('POST')
    expect(received?.url.pathname).toBe('/api/user/login')
    expect(received?.url.searchParams.get('turnstile')).toBe('x y')
    expect(received?.headers.get('new-api-user')).toBe('7')
    expect(received?.headers.get('accept-language')).toBe('en')
    expect(received?.headers.get('cache-control')).toBe('no-store')
    expect(JSON.parse(received?.body ?? '')).toEqual({ username: 'a', password: 'b' })
  })

  test('hands back the whole answer of a bare endpoint', async () => {
    answer = () => Response.json({ success: true, message: '', data: [], secrets_set: ['SMTPToken'] })
    expect((await call(optionEndpoints.listOptions)).secrets_set).toEqual(['SMTPToken'])
  })

  test('fills parameters into the path, escaped', async () => {
    answer = () => Response.json({ success: true, message: '', data: null })
    await call({ ...userEndpoints.self, path: '/api/user/:id' }, { params: { id: 'a/b' } })
    expect(received?.url.pathname).toBe('/api/user/a%2Fb')
  })
})

describe('a call that fails', () => {
  test('repeats what the server refused it with', async () => {
    answer = () => Response.json({ success: false, message: '用户名或密码错误' })
    const error = await failure(call(userEndpoints.self))
    expect(error.kind).toBe('refused')
    expect(error.message).toBe('用户名或密码错误')
  })

  test.each([
    [429, 'too-many'],
    [500, 'internal'],
    [405, 'demo-only'],
    [403, 'failed'],
    [503, 'failed'],
  ] as const)('is told apart by status %i', async (status, kind) => {
    answer = () => Response.json({ success: false, message: 'why' }, { status })
    const error = await failure(call(userEndpoints.self))
    expect(error.kind).toBe(kind)
    expect(error.status).toBe(status)
    expect(error.message).toBe(`${kind}|why`)
    expect(loggedOut).toBe(0)
  })

  test('survives an empty body, as rate limits send, and does not repeat the protocol’s words', async () => {
    answer = () => new Response(null, { status: 429, statusText: 'Too Many Requests' })
    expect((await failure(call(userEndpoints.self))).message).toBe('too-many|')
    answer = () => new Response('down', { status: 500, statusText: 'Internal Server Error' })
    expect((await failure(call(userEndpoints.self))).message).toBe('internal|')
    answer = () => new Response('down', { status: 502, statusText: 'Bad Gateway' })
    expect((await failure(call(userEndpoints.self))).message).toBe('failed|Bad Gateway')
  })

  test('reads the errors of unknown addresses', async () => {
    answer = () => Response.json({ error: { message: 'Invalid URL (GET /x)' } }, { status: 404 })
    expect((await failure(call(userEndpoints.self))).message).toBe('failed|Invalid URL (GET /x)')
  })

  test('ends the session on 401, once', async () => {
    answer = () => Response.json({ success: false, message: '未登录' }, { status: 401 })
    expect((await failure(call(userEndpoints.self))).kind).toBe('logged-out')
    expect(loggedOut).toBe(1)
  })

  test('ends no login that began after it was made', async () => {
    let userId = -1
    const client = createClient({ ...parts, origin: server.url.origin, userId: () => userId })
    answer = () => {
      userId = 7
      return Response.json({ success: false, message: '未登录' }, { status: 401 })
    }
    expect((await failure(client(userEndpoints.self))).kind).toBe('logged-out')
    expect(loggedOut).toBe(0)
  })

  test('is made again once it is proved who calls, and not when that is not', async () => {
    const wanted = { success: false, message: 'prove it', data: null, code: 'VERIFICATION_REQUIRED' }
    answer = () =>
      proofs === 0
        ? Response.json(wanted, { status: 403 })
        : Response.json({ success: true, message: '', data: { id: 7 } })
    const body = { username: 'a', password: 'b' }
    expect(await call(userEndpoints.login, { body })).toMatchObject({ id: 7 })
    expect([proofs, JSON.parse(received?.body ?? '')]).toEqual([1, body])
    answer = () => Response.json(wanted, { status: 403 })
    const error = await failure(call(userEndpoints.self))
    expect([error.kind, error.status, error.message, proofs]).toEqual(['failed', 403, 'failed|prove it', 2])
  })

  test('does not take a page for an answer', async () => {
    answer = () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
    expect((await failure(call(userEndpoints.self))).kind).toBe('failed')
  })

  test('says when nobody answers', async () => {
    const nobody = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    const { origin } = nobody.url
    await nobody.stop(true)
    const error = await failure(createClient({ ...parts, origin })(userEndpoints.self))
    expect(error.kind).toBe('unreachable')
  })

  test('says when a read is never answered, so that it does not wait for ever', async () => {
    const mute = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Promise<Response>(() => {}) })
    const read = createClient({ ...parts, origin: mute.url.origin, patience: 20 })
    const { signal } = new AbortController()
    expect((await failure(read(userEndpoints.self, { signal }))).kind).toBe('unreachable')
    await mute.stop(true)
  })

  test('is silent when the caller gave up', async () => {
    answer = () => Response.json({ success: true, message: '', data: null })
    const gone = AbortSignal.abort()
    await expect(call(userEndpoints.self, { signal: gone })).rejects.toHaveProperty('name', 'AbortError')
  })
})
