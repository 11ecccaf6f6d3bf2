import { describe, expect, test } from 'bun:test'
import { rawRequest, sendRaw } from '../streams/raw-socket.ts'
import { requestIdOf } from '../ways.ts'
import { failures, PRICE, passHouse, problemOf } from './pass-house.ts'

const house = passHouse()

interface Echo {
  readonly method: string
  readonly target: string
  readonly headers: Record<string, string>
  readonly bytes: number
  readonly text: string
}

const echoOf = async (response: Response): Promise<Echo> => (await response.json()) as Echo

describe('what passes', () => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    '%s with its path, query, body and type',
    async method => {
      const body = method === 'GET' ? undefined : '{"question":"why"}'
      const response = await house.call('echo/v1/items/a%2Fb%20c?x=1&y=%20&x=2', {
        method,
        ...(body && { body, headers: { 'content-type': 'application/vnd.house+json' } }),
      })
      const echo = await echoOf(response)
      expect([response.status, echo.method, echo.target, echo.text]).toEqual([
        200,
        method,
        '/base/echo/v1/items/a%2Fb%20c?x=1&y=%20&x=2'.replace('/echo', ''),
        body ?? '',
      ])
      if (body) expect(echo.headers['content-type']).toBe('application/vnd.house+json')
      expect(await house.charged(response)).toBe(PRICE)
      const row = await house.rig.logOf(requestIdOf(response))
      expect([row.model_name, row.prompt_tokens, row.details.model_price]).toEqual(['echo', 0, 0.01])
    },
  )

  test('HEAD, answers without a body, and the base itself', async () => {
    const head = await house.call('echo/x', { method: 'HEAD' })
    expect([head.status, await head.text(), head.headers.get('x-total')]).toEqual([200, '', '42'])
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0)
    const nothing = await house.call('echo/nothing')
    expect([nothing.status, nothing.headers.get('x-left')]).toEqual([204, '3'])
    expect([await house.charged(head), await house.charged(nothing)]).toEqual([PRICE, PRICE])
    expect((await echoOf(await house.call('echo'))).target).toBe('/base')
    expect((await echoOf(await house.call('echo/'))).target).toBe('/base/')
    expect((await echoOf(await house.call('search%2Fweb/x'))).target).toBe('/base/x')
  })

  test('headers, but none that is between the caller and us', async () => {
    const response = await house.call('echo/x', {
      headers: {
        accept: 'audio/mpeg',
        'x-own': 'kept',
        range: 'bytes=0-1',
        'if-none-match': '"v0"',
        cookie: 'session=abc',
        origin: 'https://page.example',
        referer: 'https://page.example/a',
        'x-forwarded-for': '10.0.0.1',
        'x-api-key': house.key,
        'x-copy': `again ${house.key}`,
        'x-tollgate-labels': 'team-a',
        'x-litellm-tags': 'b',
        'idempotency-key': 'mine',
      },
    })
    const { headers } = await echoOf(response)
    expect(headers).toMatchObject({
      accept: 'audio/mpeg',
      'x-own': 'kept',
      range: 'bytes=0-1',
      'if-none-match': '"v0"',
    })
    expect(house.api.seen.at(-1)?.headers.get('authorization')).toBe(`Bearer ${house.api.key}`)
    expect(headers['idempotency-key']).toMatch(/^[0-9a-f]{64}$/)
    for (const name of ['cookie', 'x-api-key', 'x-copy', 'x-litellm-tags'])
      expect(headers[name]).toBeUndefined()
    expect((await house.rig.logOf(requestIdOf(response))).labels).toContain('team-a')
  })

  test('back come the API’s headers, but no cookie, no host, and nothing that a browser or a proxy would obey', async () => {
    const { headers } = await house.call('echo/x')
    expect([headers.get('x-total'), headers.get('etag')]).toEqual(['42', '"v1"'])
    for (const name of [
      ...['set-cookie', 'x-home', 'x-ratelimit-remaining', 'clear-site-data'],
      ...['x-accel-redirect', 'x-sendfile', 'cdn-cache-control', 'surrogate-control'],
    ])
      expect([name, headers.get(name)]).toEqual([name, null])
    expect(headers.get('content-security-policy')).toBe('sandbox')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cache-control')).toBe('private, no-cache')
  })

  test('a token stands wherever it may, and never goes on', async () => {
    const targets: string[] = []
    for (const [query, headers] of [
      [`?key=${house.key}&q=1`, {}],
      [`?q=1&key=${house.key.slice('sk-'.length)}`, {}],
      ['?q=1', { 'x-api-key': house.key }],
      ['?q=1&key=their-own', { 'api-key': house.key }],
    ] as const) {
      const response = await fetch(`${house.rig.url}/pass/echo/x${query}`, { headers })
      targets.push((await echoOf(response)).target)
    }
    expect(targets).toEqual(['/base/x?q=1', '/base/x?q=1', '/base/x?q=1', '/base/x?q=1&key=their-own'])
  })

  test('redirects stay within the service, or lead to somebody else', async () => {
    const to = async (where: string) => (await house.call(`echo/redirect/${where}`)).headers.get('location')
    expect(await to('below')).toBe('/pass/echo/echo/moved?x=1')
    expect(await to('relative')).toBe('/pass/echo/echo/near')
    expect(await to('outside')).toBeNull()
    expect(await to('door')).toBeNull()
    expect(await to('elsewhere')).toBe('https://files.example/signed?sig=1')
  })
})

describe('what does not', () => {
  const tricks = [
    '..%2fsecret',
    'a/..%2f..%2fsecret',
    'a/%2e%2e%2f%2e%2e%2fsecret',
    '%252e%252e/secret',
    '%252e%252e%252fsecret',
    '..%5csecret',
    'a/..%5c..%5csecret',
    '..;/secret',
    '..;a=b/secret',
    '%c0%ae%c0%ae/secret',
    '%e0%80%ae%e0%80%ae/secret',
    '%25f0%2580%2580%25ae./secret',
    '%u002e%u002e/secret',
    'a%00/secret',
    'x%0d%0aHost:%20other',
    '.%09./secret',
  ]
  test.each(tricks)('%s leads nowhere', async trick => {
    const asked = house.api.seen.length
    const request = [
      `GET /pass/echo/${trick} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${house.key}`,
    ]
    const { status } = await sendRaw(house.rig.url, rawRequest([...request, 'Connection: close'], ''))
    expect([400, 404]).toContain(status)
    expect(house.api.seen.length).toBe(asked)
  })

  test.each(['/pass/echo/http://127.0.0.1:1/x', '/pass/echo//127.0.0.1:1/x', '/pass/echo/@127.0.0.1:1/x'])(
    '%s stays below the base',
    async target => {
      const lines = [`GET ${target} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${house.key}`]
      const { status } = await sendRaw(house.rig.url, rawRequest([...lines, 'Connection: close'], ''))
      expect(status).toBe(200)
      expect(house.api.seen.at(-1)?.target.startsWith('/base/')).toBe(true)
    },
  )

  test('dots that the way here has taken out lead to what is there: never above the service', async () => {
    const asked = house.api.seen.length
    for (const target of [
      '/pass/echo/../../v1/models',
      '/pass/../pass/nobody/x',
      '/pass/echo/%2e%2e/nobody/x',
    ]) {
      const lines = [`GET ${target} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${house.key}`]
      await sendRaw(house.rig.url, rawRequest([...lines, 'Connection: close'], ''))
    }
    expect(house.api.seen.length).toBe(asked)
  })

  test('scripts and styles of a page at our own address', async () => {
    const asked = house.api.seen.length
    for (const dest of ['script', 'style', 'worker', 'serviceworker', 'audioworklet', 'object', 'embed']) {
      const response = await house.call('echo/x', { headers: { 'sec-fetch-dest': dest } })
      expect([dest, response.status]).toEqual([dest, 403])
    }
    expect(house.api.seen.length).toBe(asked)
    for (const dest of ['empty', 'image', 'audio'])
      expect((await house.call('echo/x', { headers: { 'sec-fetch-dest': dest } })).status).toBe(200)
  })

  test('WebSockets, other methods, and a GET with a body are refused in plain words', async () => {
    const socket = await house.call('echo/x', {
      headers: {
        upgrade: 'websocket',
        connection: 'upgrade',
        'sec-websocket-key': 'x',
        'sec-websocket-version': '13',
      },
    })
    expect(await problemOf(socket)).toMatchObject({
      status: 400,
      message: expect.stringContaining('WebSocket'),
    })
    const lines = ['PROPFIND /pass/echo/x HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${house.key}`]
    const odd = await sendRaw(house.rig.url, rawRequest([...lines, 'Connection: close'], ''))
    expect(odd.status).toBeGreaterThanOrEqual(400)
    const get = ['GET /pass/echo/x HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${house.key}`]
    const withBody = await sendRaw(
      house.rig.url,
      rawRequest([...get, 'Content-Length: 2', 'Connection: close'], '{}'),
    )
    expect(withBody.status).toBe(400)
  })

  test('who has no token, no right, no money, and what has no price', async () => {
    const asked = house.api.seen.length
    const statusOf = async (path: string, key?: string) =>
      (await house.call(path, key === undefined ? {} : { key })).status
    expect(await statusOf('echo/x', 'sk-nobody')).toBe(401)
    expect(await statusOf('echo/x', house.stranger)).toBe(503)
    expect(await statusOf('nobody/x')).toBe(503)
    expect(await statusOf('echo/x', house.poor)).toBe(403)
    expect(await statusOf('unpriced/x')).toBe(400)
    // By the token only, which is no price for a call.
    const byToken = await house.call('gpt-4o/x')
    expect(await problemOf(byToken)).toMatchObject({ status: 400, code: 'model_price_error' })
    const limited = await house.rig.addToken({ userId: house.userId, models: ['gift'] })
    expect(await statusOf('echo/x', limited.key)).toBe(403)
    const elsewhere = await house.rig.addToken({ userId: house.userId, allowIps: '10.9.8.7' })
    expect(await statusOf('echo/x', elsewhere.key)).toBe(403)
    expect(house.api.seen.length).toBe(asked)
    expect(await statusOf('gift/x', limited.key)).toBe(200)
    // A service is no model, and a model no service.
    const chat = await fetch(`${house.rig.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${house.key}`, 'content-type': 'application/json' },
      body: '{"model":"echo","messages":[{"role":"user","content":"hi"}]}',
    })
    expect(chat.status).toBe(503)
  })

  test('limits hold, and are told', async () => {
    const token = await house.rig.addToken({ userId: house.userId, limits: { rpm: 1 } })
    const first = await house.call('echo/x', { key: token.key })
    expect([first.status, first.headers.get('x-ratelimit-limit-requests')]).toEqual([200, '1'])
    expect((await house.call('echo/x', { key: token.key })).status).toBe(429)
  })
})

describe('errors', () => {
  test.each(failures.filter(status => status !== 429))(
    '%d comes as it was, without key and host, and costs nothing',
    async status => {
      const response = await house.call(`fails-${status}/status/${status}`)
      const said = (await response.json()) as { error: string; status: number }
      expect([response.status, said.status, response.headers.get('x-trace')]).toEqual([status, status, 'a1'])
      expect(said.error).toBe(`${status} at ***, key ***`)
      expect(await house.charged(response)).toBeUndefined()
      expect((await house.rig.logOf(requestIdOf(response))).details.status_code).toBe(status)
    },
  )

  test('that our key was refused, or was asked too often, is told in our words', async () => {
    const refused = await house.call('locked/x')
    expect(await problemOf(refused)).toMatchObject({ status: 502, code: 'do_request_failed' })
    // A caller chooses the path: what is refused there takes the channel from nobody.
    expect((await house.call('locked/x')).status).toBe(502)
    const busy = await house.call('fails-429/status/429')
    expect([busy.status, busy.headers.has('retry-after')]).toEqual([429, true])
  })

  test('what is no text is not handed on: a key could be in it', async () => {
    const response = await house.call('echo/picture')
    expect(await problemOf(response)).toMatchObject({ status: 422 })
  })
})
