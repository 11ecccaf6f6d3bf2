import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:tls'
import { openSocket } from '../server/relay/upstream/open-socket.ts'
import { type Nginx, startNginx } from './behind-nginx.ts'
import { Client } from './client.ts'
import { ROOT_PASSWORD, until } from './program.ts'
import { openRig, type Rig } from './relay/rig.ts'
import { chat, readUntil, requestIdOf } from './relay/ways.ts'
import { endlessStream, type FakeUpstream, startOpenai } from './upstreams/index.ts'

const REALTIME = 'gpt-4o-realtime-preview'
/** More than nginx keeps in memory. */
const UPLOAD_BYTES = 20 * 1024 * 1024

let rig: Rig
let fake: FakeUpstream
let nginx: Nginx
let userId = 0
let key = ''

beforeAll(async () => {
  fake = await startOpenai()
  rig = await openRig(
    async books => {
      userId = await books.addUser()
      key = (await books.addToken({ userId })).key
      await books.addChannel({
        type: 1,
        baseUrl: fake.url,
        key: fake.key,
        models: [chat.model, REALTIME, 'whisper-1'],
      })
    },
    { TRUSTED_PROXIES: '127.0.0.1' },
  )
  nginx = await startNginx(rig.url)
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  expect(fake.complaints).toEqual([])
  await nginx.stop()
  await rig.close()
  await fake.stop()
})

const call = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(nginx.url + path, { ...init, tls: { ca: nginx.cert } })

function askStream(signal?: AbortSignal): Promise<Response> {
  return call(chat.path(chat.model, true), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(chat.body(chat.model, 'one two three four five', true)),
    ...(signal ? { signal } : {}),
  })
}

test('words of a stream arrive one by one, as the upstream makes them', async () => {
  const mayGoOn = Promise.withResolvers<void>()
  // The rest is made only when the client has the first word: whoever buffers waits for ever.
  fake.next({ hold: { afterFrames: 3, until: mayGoOn.promise } })
  const response = await askStream()
  expect(response.headers.get('content-type')).toStartWith('text/event-stream')
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    if (text.includes('You')) mayGoOn.resolve()
  }
  expect(text).toMatch(chat.endMark)
  expect(await rig.chargeOf(requestIdOf(response))).toBeGreaterThan(0)
})

test('a client who leaves ends the upstream’s work and pays once', async () => {
  fake.next({ ...(endlessStream as object), gapMs: 5 })
  const leave = new AbortController()
  const response = await askStream(leave.signal)
  // Words go on to come as long as there is somebody to read them.
  let [text, came] = ['', 0]
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    if (text.includes('You') && ++came > 4) break
  }
  leave.abort()
  const served = fake.served.at(-1)
  await served?.done
  expect(served?.aborted).toBe(true)
  const row = await rig.logOf(requestIdOf(response))
  expect(row.completion_tokens).toBeGreaterThan(0)
  const charges = await rig.store.db
    .selectFrom('ledger_entries')
    .select('user_amount')
    .where('kind', '=', 'charge')
    .where('ref', '=', requestIdOf(response))
    .execute()
  expect(charges).toEqual([{ user_amount: -row.quota }])
})

test('the live log tells of a call as it is made', async () => {
  const root = await logIn()
  const leave = new AbortController()
  const tail = await call('/api/log/tail?after_id=0', {
    headers: { cookie: `session=${root.cookie}`, 'new-api-user': String(root.userId) },
    signal: leave.signal,
  })
  expect(tail.headers.get('content-type')).toStartWith('text/event-stream')
  const made = await askStream()
  await made.text()
  await readUntil(tail, requestIdOf(made))
  leave.abort()
})

test('a realtime session talks through it', async () => {
  const address = `${nginx.url.replace('https', 'wss')}/v1/realtime?model=${REALTIME}`
  const socket = openSocket(address, {
    headers: { authorization: `Bearer ${key}` },
    tls: { ca: nginx.cert },
  })
  const heard: string[] = []
  socket.onmessage = ({ data }) => heard.push(String(JSON.parse(String(data)).type))
  await until(() => heard.includes('session.created'))
  const content = [{ type: 'input_text', text: 'good morning' }]
  socket.send(
    JSON.stringify({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } }),
  )
  socket.send(JSON.stringify({ type: 'response.create' }))
  await until(() => heard.includes('response.done'))
  socket.close()
})

test('turns of the Responses API go through it', async () => {
  const address = `${nginx.url.replace('https', 'wss')}/v1/responses`
  const socket = openSocket(address, {
    headers: { authorization: `Bearer ${key}` },
    tls: { ca: nginx.cert },
  })
  const heard: string[] = []
  socket.onmessage = ({ data }) => heard.push(String(data))
  await until(() => socket.readyState === WebSocket.OPEN)
  socket.send(JSON.stringify({ type: 'response.create', model: chat.model, input: 'good morning' }))
  const last = await until(() => heard.find(text => text.includes('response.completed')))
  expect(last).toContain('You said: good morning')
  socket.close()
})

test('a large upload reaches the upstream whole', async () => {
  const form = new FormData()
  form.append('file', new File([new Uint8Array(UPLOAD_BYTES)], 'talk.mp3', { type: 'audio/mpeg' }))
  form.append('model', 'whisper-1')
  const response = await call('/v1/audio/transcriptions', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: form,
  })
  expect(((await response.json()) as { text: string }).text).toContain(`${UPLOAD_BYTES} bytes`)
})

test('the client is who came to the proxy, whatever he says of himself', async () => {
  const bound = await rig.addToken({ userId, allowIps: '127.0.0.2' })
  expect(await statusFrom('127.0.0.2', bound.key)).toBe(200)
  expect(await statusFrom('127.0.0.3', bound.key, 'X-Forwarded-For: 127.0.0.2')).toBe(403)
})

test('cookies are for TLS only, and the probes answer', async () => {
  const root = await logIn()
  expect(root.setCookie).toContain('Secure')
  expect(await (await call('/healthz')).text()).toBe('ok\n')
  expect(await (await call('/readyz')).text()).toBe('ready\n')
})

/** As a browser does, with its page's origin. */
async function logIn(): Promise<Client & { setCookie: string }> {
  const response = await call('/api/user/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: nginx.url, 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username: 'root', password: ROOT_PASSWORD }),
  })
  const setCookie = response.headers.get('set-cookie') ?? ''
  const { data } = (await response.json()) as { data: { id: number } }
  const client = new Client(nginx.url)
  client.cookie = /session=([^;]*)/.exec(setCookie)?.[1]
  client.userId = data.id
  return Object.assign(client, { setCookie })
}

/** A call from another address of this machine. */
async function statusFrom(localAddress: string, given: string, ...more: string[]): Promise<number> {
  const { port } = new URL(nginx.url)
  const body = JSON.stringify(chat.body(chat.model, 'hi', false))
  const head = [
    `POST ${chat.path(chat.model, false)} HTTP/1.1`,
    `Host: localhost:${port}`,
    `Authorization: Bearer ${given}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
    ...more,
  ]
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const near = { host: '127.0.0.1', port: Number(port), localAddress }
  const socket = connect({ ...near, ca: nginx.cert, servername: 'localhost' })
  let answer = ''
  socket.on('data', chunk => {
    answer += chunk
  })
  socket.on('error', reject)
  socket.on('close', () => resolve(answer))
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  return Number(/^HTTP\/1\.1 (\d+)/.exec(await promise)?.[1])
}
