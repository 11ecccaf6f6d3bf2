import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { rawRequest, sendRaw } from '../streams/raw-socket.ts'
import { anthropic, ask, chat, gemini, problemIn, requestIdOf, responses, type Way, ways } from '../ways.ts'

const REALTIME = 'gpt-4o-realtime-preview'

let rig: Rig
let fake: FakeUpstream
let key = ''

beforeAll(async () => {
  fake = await startOpenai()
  rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    await books.addChannel({ type: 1, baseUrl: fake.url, key: fake.key, models: ['gpt-4o', REALTIME] })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  expect(fake.complaints).toEqual([])
  await rig.close()
  await fake.stop()
})

const body = JSON.stringify(chat.body('gpt-4o', 'hi', false))

/** A chat call whose first line and Host are as given. */
function knock(target: string, host = 'localhost', credentials = `Authorization: Bearer ${key}`) {
  return sendRaw(
    rig.url,
    rawRequest(
      [
        `POST ${target} HTTP/1.1`,
        `Host: ${host}`,
        credentials,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Connection: close',
      ],
      body,
    ),
  )
}

describe('only the exact spelling of a path is a route', () => {
  const tricks = [
    '//v1//chat/completions',
    '/v1//chat/completions',
    '/v1/%63hat/completions',
    '/%76%31/chat/completions',
    '/V1/chat/completions',
    '/v1/chat/completions/',
    '/v1/chat/completions/..',
    '/v1/%2e%2e/v1/chat/completions%2f',
    '/v1/chat/completions%00',
    '/v1/chat/completions%2f',
    '/v1/chat/completions;x=1',
  ]
  test.each(tricks)('%s', async target => {
    const before = fake.requests.length
    for (const credentials of [`Authorization: Bearer ${key}`, 'X-Nothing: 1']) {
      const { status } = await knock(target, 'localhost', credentials)
      expect([target, [400, 401, 404, 405].includes(status), status]).toEqual([target, true, status])
    }
    expect(fake.requests.length).toBe(before)
  })

  const dotted = ['/v1/x/../chat/completions', '/v1/./chat/completions', '/api/../v1/chat/completions']
  test.each(dotted)('%s is judged by where it leads', async target => {
    expect((await knock(target, 'localhost', 'X-Nothing: 1')).status).toBeOneOf([400, 401, 404])
    expect((await knock(target.replace('chat/completions', '../api/user/self'))).status).not.toBe(200)
  })

  test('a target with a host in it needs a key as well', async () => {
    const absolute = 'http://localhost/v1/chat/completions'
    expect((await knock(absolute, 'localhost', 'X-Nothing: 1')).status).toBeOneOf([400, 401, 404])
    expect((await knock('http://evil.example/api/user/self', 'localhost')).status).toBeOneOf([
      400, 401, 404, 405,
    ])
  })

  test.each(['a/?', 'evil.example/v1', 'x y', 'a@b', 'a#b', 'a\\b', '[::1', 'localhost:123456'])(
    'Host: %s',
    async host => {
      const before = fake.requests.length
      expect((await knock('/v1/chat/completions', host)).status).toBe(400)
      expect(fake.requests.length).toBe(before)
    },
  )

  test('a fragment and a query change nothing', async () => {
    expect((await knock('/v1/chat/completions?x=/v1/messages')).status).toBe(200)
  })
})

describe('where nothing is served', () => {
  const nowhere: [string, string, Way][] = [
    ['POST', '/v1/chat/completions/more', chat],
    ['POST', '/v1/nothing', chat],
    ['POST', '/v1', chat],
    ['GET', '/v1beta/openai/nothing', chat],
    ['PUT', '/v1/messages/batches', anthropic],
    ['POST', '/v1/messages/batches/more/of/them', anthropic],
    ['POST', '/v1beta/models/gpt-4o:fly', gemini],
    ['POST', '/v1beta/nothing', gemini],
    ['GET', '/v1/chat/completions', chat],
    ['DELETE', '/v1/chat/completions', chat],
    ['PUT', '/v1/responses', chat],
    ['GET', '/v1/messages', anthropic],
    ['PATCH', '/v1/messages', anthropic],
    ['DELETE', '/v1beta/models/gpt-4o', gemini],
    ['POST', '/v1/models', chat],
  ]
  test.each(nowhere)('%s %s', async (method, path, way) => {
    const response = await fetch(rig.url + path, { method, headers: { authorization: `Bearer ${key}` } })
    const text = await response.text()
    expect([path, response.status]).toEqual([path, 404])
    const message = problemIn(way, text)?.message
    expect(message).toBe(`Invalid URL (${method} ${path})`)
    expect(requestIdOf(response)).not.toBe('')
  })

  test('a long or evil path comes back short and harmless', async () => {
    const long = await fetch(`${rig.url}/v1/${'x'.repeat(5000)}`, { method: 'POST' })
    expect(long.status).toBe(404)
    expect((await long.text()).length).toBeLessThan(600)
    const evil = await fetch(`${rig.url}/v1/<script>alert(1)</script>`, { method: 'POST' })
    expect(evil.status).toBe(404)
    expect(evil.headers.get('content-type')).toBe('application/json')
    expect(evil.headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('pages of other sites', () => {
  test('ask first, and may', async () => {
    for (const way of ways) {
      const response = await fetch(rig.url + way.path('gpt-4o', false), {
        method: 'OPTIONS',
        headers: {
          origin: 'https://app.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,x-stainless-os',
        },
      })
      expect(response.status).toBe(204)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('access-control-allow-headers')).toContain('x-stainless-os')
      expect(response.headers.get('access-control-allow-methods')).toContain('POST')
      expect(response.headers.has('access-control-allow-credentials')).toBe(false)
    }
  })

  test('read answers and refusals, plain and streamed, but never with cookies', async () => {
    const headers = { origin: 'https://app.example' }
    for (const way of ways)
      for (const asking of [{ key }, { key, stream: true }, { key: 'sk-nobody' }]) {
        const response = await ask(rig.url, way, { ...asking, headers, model: 'gpt-4o' })
        await response.text()
        expect(response.headers.get('access-control-allow-origin')).toBe('*')
        expect(response.headers.get('access-control-expose-headers')).toBe('*')
        expect(response.headers.has('access-control-allow-credentials')).toBe(false)
        expect(response.headers.has('set-cookie')).toBe(false)
      }
  })

  test('get nothing out of the playground', async () => {
    const response = await fetch(`${rig.url}/pg/chat/completions`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    })
    expect(response.headers.has('access-control-allow-origin')).toBe(false)
  })
})

test('a session opens nothing that needs a key', async () => {
  const login = await fetch(`${rig.url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'root', password: 'correct-horse' }),
  })
  const cookie = /session=[^;]+/.exec(login.headers.get('set-cookie') ?? '')?.[0] ?? ''
  expect(cookie).not.toBe('')
  for (const way of [chat, responses, anthropic]) {
    const response = await fetch(rig.url + way.path('gpt-4o', false), {
      method: 'POST',
      headers: { cookie, 'new-api-user': '1', 'content-type': 'application/json' },
      body,
    })
    expect(response.status).toBe(401)
  }
})

test('a key among the protocols of a WebSocket is found', async () => {
  const tryKey = (given: string) =>
    fetch(`${rig.url}/v1/realtime?model=gpt-4o`, {
      headers: {
        'sec-websocket-protocol': `realtime, openai-insecure-api-key.${given}, openai-beta.realtime-v1`,
      },
    })
  expect((await tryKey(key)).status).toBe(426)
  expect((await tryKey('sk-nobody')).status).toBe(401)

  const before = fake.requests.length
  const open = (given: string) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const address = `${rig.url.replace('http', 'ws')}/v1/realtime?model=${REALTIME}`
    const socket = new WebSocket(address, ['realtime', `openai-insecure-api-key.${given}`])
    socket.onmessage = ({ data }) => {
      resolve(`${socket.protocol}: ${String(JSON.parse(String(data)).type)}`)
      socket.close()
    }
    socket.onerror = () => resolve('refused')
    return promise
  }
  expect(await open('sk-nobody')).toBe('refused')
  expect(fake.requests.length).toBe(before)
  expect(await open(key)).toBe('realtime: session.created')
  expect(fake.requests.at(-1)?.headers.authorization).toBe(`Bearer ${fake.key}`)
})
