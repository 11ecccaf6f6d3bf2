import { describe, expect, test } from 'bun:test'
import { until, upstreamsPerTest } from '../../test/outbound/loopback-upstream.ts'
import { AppError } from '../errors.ts'
import { createOutbound, type OutboundOptions } from './client.ts'

const start = upstreamsPerTest()

/** `up.test` is this machine; anything else does not exist. */
function connect(addresses: Record<string, string[]> = { 'up.test': ['127.0.0.1'] }) {
  const state = { lookups: 0 }
  const outbound = createOutbound({
    async lookup(host) {
      state.lookups++
      const found = addresses[host]
      if (!found) throw new Error(`getaddrinfo ENOTFOUND ${host}`)
      return found
    },
  })
  return { outbound, state }
}

async function failure(promise: Promise<unknown>): Promise<AppError> {
  try {
    await promise
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('it did not fail')
}

const asOperator: OutboundOptions = { policy: 'operator' }

describe('a request to a name', () => {
  test('goes to the pinned address under the name, without what belongs to our own connection', async () => {
    const upstream = await start()
    const { outbound } = connect()
    const response = await outbound.fetch(`http://up.test:${upstream.port}/a/../b?c=1#d`, {
      ...asOperator,
      method: 'post',
      headers: { authorization: 'Bearer k', connection: 'close', host: 'evil.test', 'content-length': '99' },
      body: 'hello',
    })
    expect([response.status, await response.text()]).toEqual([200, 'ok'])
    const request = upstream.requests.join('').toLowerCase()
    expect(request).toStartWith('post /b?c=1 http/1.1\r\n')
    expect(request).toContain(`\r\nhost: up.test:${upstream.port}\r\n`)
    expect(request).toContain('\r\nauthorization: bearer k\r\n')
    expect(request).toContain('\r\ncontent-length: 5\r\n')
    expect(request).toContain('\r\naccept-encoding: identity\r\n')
    expect(request).toEndWith('\r\n\r\nhello')
    expect(request).not.toContain('evil')
    expect(request).not.toContain('connection: close')
  })

  test('reuses the connection and looks the name up once', async () => {
    const upstream = await start()
    const { outbound, state } = connect()
    for (let index = 0; index < 5; index++) {
      const response = await outbound.fetch(`http://up.test:${upstream.port}/${index}`, asOperator)
      await response.text()
    }
    expect(upstream.requests).toHaveLength(5)
    expect(upstream.connections).toBe(1)
    expect(state.lookups).toBe(1)
  })

  test('tries the next address when one does not answer, and starts there next time', async () => {
    const upstream = await start()
    const { outbound } = connect({ 'up.test': ['127.0.0.2', '127.0.0.1'] })
    for (const body of ['a', 'b']) {
      const response = await outbound.fetch(`http://up.test:${upstream.port}/`, {
        ...asOperator,
        method: 'POST',
        body,
      })
      expect(await response.text()).toBe('ok')
    }
    expect(upstream.requests).toHaveLength(2)
  })

  test('does not send a stream twice', async () => {
    const upstream = await start()
    const { outbound } = connect({ 'up.test': ['127.0.0.2', '127.0.0.1'] })
    const body = new ReadableStream<Uint8Array>({ pull: controller => controller.close() })
    const sent = outbound.fetch(`http://up.test:${upstream.port}/`, { ...asOperator, method: 'POST', body })
    expect((await failure(sent)).code).toBe('outbound.connect')
    expect(upstream.connections).toBe(0)
  })

  test('carries bytes, forms and streams', async () => {
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const type = request.headers.get('content-type') ?? ''
        const form = type.startsWith('multipart/') ? await request.formData() : null
        return new Response(form ? `form ${form.get('name')}` : await request.text())
      },
    })
    const { outbound } = connect()
    const form = new FormData()
    form.set('name', 'value')
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('one '))
        controller.enqueue(new TextEncoder().encode('two'))
        controller.close()
      },
    })
    const answers: string[] = []
    for (const body of [new TextEncoder().encode('bytes'), form, stream]) {
      const url = `http://up.test:${server.port}/`
      const response = await outbound.fetch(url, { ...asOperator, method: 'POST', body })
      answers.push(await response.text())
    }
    expect(answers).toEqual(['bytes', 'form value', 'one two'])
    await server.stop(true)
  })

  test('credentials in an operator URL travel as a header', async () => {
    const upstream = await start()
    const { outbound } = connect()
    await outbound.fetch(`http://us%40er:p%3Aw@up.test:${upstream.port}/`, asOperator)
    expect(upstream.requests[0]).toContain(`Basic ${btoa('us@er:p:w')}`)
    const broken = outbound.fetch(`http://%ff@up.test:${upstream.port}/`, asOperator)
    expect((await failure(broken)).code).toBe('outbound.bad-url')
  })
})

describe('no connection is made', () => {
  test('for any disguise of a forbidden address', async () => {
    const canary = await start()
    const { outbound } = connect({ 'rb.test': ['127.0.0.1'], 'mix.test': ['93.184.215.14', '127.0.0.1'] })
    const hosts = [
      '0',
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[fec0::1]',
      '100.64.0.1',
      'localhost',
      'localhost.',
      'a.localhost',
      'rb.test',
      'mix.test',
    ]
    for (const host of hosts) {
      for (const port of [canary.port, 80]) {
        const error = await failure(outbound.fetch(`http://${host}:${port}/`, { policy: 'user' }))
        expect(error.code).toBeOneOf(['outbound.address', 'outbound.port'])
        expect(error.status).toBe(400)
        expect(error.message).not.toContain(host.length > 1 ? host : '0.0.0.0')
      }
    }
    for (const host of [
      '[::ffff:169.254.169.254]',
      '[64:ff9b::a9fe:a9fe]',
      '[2002:a9fe:a9fe::]',
      '169.254.169.254',
    ]) {
      for (const policy of ['user', 'operator'] as const) {
        expect((await failure(outbound.fetch(`http://${host}/`, { policy }))).code).toBe('outbound.address')
      }
    }
    expect((await failure(outbound.fetch('file:///etc/passwd', asOperator))).code).toBe('outbound.scheme')
    expect(canary.connections).toBe(0)
  })

  test('once private addresses are switched off', async () => {
    const canary = await start()
    const outbound = createOutbound({ lookup: async () => ['127.0.0.1'], allowPrivate: () => false })
    for (const host of ['127.0.0.1', 'localhost', 'up.test']) {
      const sent = outbound.fetch(`http://${host}:${canary.port}/`, asOperator)
      expect((await failure(sent)).code).toBe('outbound.address')
    }
    expect(canary.connections).toBe(0)
  })

  test('for a header that would smuggle another', async () => {
    const upstream = await start()
    const { outbound } = connect()
    const headers = { 'x-key': 'a\r\nx-admin: 1' }
    const sent = outbound.fetch(`http://up.test:${upstream.port}/`, { ...asOperator, headers })
    expect((await failure(sent)).code).toBe('outbound.header')
    expect(upstream.connections).toBe(0)
  })

  test('by a check', async () => {
    const canary = await start()
    const { outbound } = connect()
    await outbound.check(`http://up.test:${canary.port}/`, 'operator')
    expect((await failure(outbound.check('http://up.test/', 'user'))).code).toBe('outbound.address')
    expect(canary.connections).toBe(0)
  })
})

describe('failures', () => {
  test('a closed port, a missing name and a broken answer are told without host or key', async () => {
    const gone = await start()
    gone.stop()
    const rude = await start((_request, socket) => socket.destroy())
    const { outbound } = connect()
    const cases = [
      [`http://up.test:${gone.port}/`, 'outbound.connect'],
      ['http://nowhere.test/', 'outbound.resolve'],
      [`http://up.test:${rude.port}/`, 'outbound.failed'],
    ] as const
    for (const [url, code] of cases) {
      const headers = { authorization: 'Bearer sk-secret' }
      const error = await failure(outbound.fetch(url, { ...asOperator, headers, method: 'POST', body: '{}' }))
      expect(error.code).toBe(code)
      for (const language of ['zh', 'en'] as const) {
        expect(error.text(language)).not.toMatch(/test|127|\d{4}|sk-|secret/)
      }
      expect(error.cause).toBeDefined()
    }
  })

  test('an upstream that does not answer in time', async () => {
    const upstream = await start(() => {})
    const { outbound } = connect()
    const sent = outbound.fetch(`http://up.test:${upstream.port}/`, { ...asOperator, timeoutMs: 20 })
    expect((await failure(sent)).code).toBe('outbound.timeout')
    await until(() => upstream.closed === upstream.connections)
  })

  test('a resolver that does not answer in time', async () => {
    const outbound = createOutbound({ lookup: () => new Promise(() => {}) })
    const sent = outbound.fetch('http://up.test/', { ...asOperator, timeoutMs: 20 })
    expect((await failure(sent)).code).toBe('outbound.timeout')
  })

  test('the caller leaving is the caller’s reason, and closes the upstream', async () => {
    const upstream = await start(() => {})
    const { outbound } = connect()
    const reason = new Error('the client left')
    const caller = new AbortController()
    const sent = outbound.fetch(`http://up.test:${upstream.port}/`, { ...asOperator, signal: caller.signal })
    await until(() => upstream.requests.length === 1)
    caller.abort(reason)
    await expect(sent).rejects.toBe(reason)
    await until(() => upstream.closed === 1)
    const late = outbound.fetch(`http://up.test:${upstream.port}/`, { ...asOperator, signal: caller.signal })
    await expect(late).rejects.toBe(reason)
    expect(upstream.connections).toBe(1)
  })
})

test('a socket is pinned like a request', async () => {
  const { outbound } = connect()
  expect(await outbound.pinSocket('wss://up.test:8443/v1/realtime?model=x', 'operator')).toEqual({
    url: 'wss://127.0.0.1:8443/v1/realtime?model=x',
    headers: { host: 'up.test:8443' },
    tls: { serverName: 'up.test' },
  })
  expect((await failure(outbound.pinSocket('ws://up.test/', 'user'))).code).toBe('outbound.address')
  expect((await failure(outbound.pinSocket('http://up.test/', 'operator'))).code).toBe('outbound.scheme')
})
