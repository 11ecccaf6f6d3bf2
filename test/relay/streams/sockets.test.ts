import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { until } from '../../program.ts'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { ask, chat } from '../ways.ts'
import { rawRequest, sendRaw } from './raw-socket.ts'

const IDLE_CONNECTIONS = 2000
/** Longer than a request may take that does not come to its end. */
const UNFINISHED_MS = 60_000

let rig: Rig
let fake: FakeUpstream
let key = ''

beforeAll(async () => {
  fake = await startOpenai()
  rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    await books.addChannel({ type: 1, baseUrl: fake.url, key: fake.key, models: [chat.model] })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  expect(fake.complaints).toEqual([])
  await rig.close()
  await fake.stop()
})

const body = JSON.stringify(chat.body(chat.model, 'hi', false))
const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
const head = () => ['POST /v1/chat/completions HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${key}`]
const length = `Content-Length: ${body.length}`
/** A second request, hidden behind the first. */
const hidden = () => rawRequest([...head(), length], body)

/** Of all answers on one connection. */
const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(found => Number(found[1]))

describe('a request that can be read in two ways is refused, and the connection closed', () => {
  const rows: [string, () => string][] = [
    [
      'length and chunks',
      () => rawRequest([...head(), length, 'Transfer-Encoding: chunked'], chunked + hidden()),
    ],
    [
      'chunks and length',
      () => rawRequest([...head(), 'Transfer-Encoding: chunked', 'Content-Length: 4'], chunked),
    ],
    ['two lengths', () => rawRequest([...head(), length, 'Content-Length: 5'], body + hidden())],
    ['a list of lengths', () => rawRequest([...head(), `${length}, ${body.length}`], body)],
    ['a length with a sign', () => rawRequest([...head(), `Content-Length: +${body.length}`], body)],
    ['a negative length', () => rawRequest([...head(), 'Content-Length: -1'], body)],
    ['a length in hex', () => rawRequest([...head(), 'Content-Length: 0x20'], body)],
    ['an unknown coding', () => rawRequest([...head(), 'Transfer-Encoding: xchunked'], chunked)],
    ['chunks not last', () => rawRequest([...head(), 'Transfer-Encoding: chunked, identity'], chunked)],
    [
      'two codings',
      () => rawRequest([...head(), 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], chunked),
    ],
    ['a space before the colon', () => rawRequest([...head(), 'Transfer-Encoding : chunked'], chunked)],
    ['a vertical tab', () => rawRequest([...head(), 'Transfer-Encoding: \x0bchunked'], chunked)],
    [
      'a chunk of no size',
      () => rawRequest([...head(), 'Transfer-Encoding: chunked'], `zz\r\n${body}\r\n0\r\n\r\n`),
    ],
    [
      'a chunk of too much',
      () =>
        rawRequest([...head(), 'Transfer-Encoding: chunked'], `fffffffffffffffff\r\n${body}\r\n0\r\n\r\n`),
    ],
    ['a bare LF between headers', () => hidden().replace('localhost\r\n', 'localhost\n')],
    ['a bare CR in a header', () => hidden().replace('localhost', 'localhost\rX: y')],
    ['a folded header', () => hidden().replace('Bearer ', 'Bearer\r\n ')],
    ['a NUL in the key', () => hidden().replace(key, `${key}\0`)],
    ['no Host', () => hidden().replace('Host: localhost\r\n', '')],
    ['a space in a name', () => rawRequest([...head(), 'X Y: 1', length], body)],
    ['no HTTP at all', () => 'hello there\r\n\r\n'],
  ]
  test.each(rows)('%s', async (_name, request) => {
    const before = fake.requests.length
    const answer = await sendRaw(rig.url, request(), { toTheEnd: true })
    expect(statusesIn(answer.text)).toEqual([400])
    expect(answer.closed).toBe(true)
    expect(fake.requests.length).toBe(before)
  })

  test('nothing but LF', async () => {
    const before = fake.requests.length
    const answer = await sendRaw(rig.url, hidden().replaceAll('\r\n', '\n'), { toTheEnd: true })
    expect([400, 505]).toContain(answer.status)
    expect([answer.closed, fake.requests.length]).toEqual([true, before])
  })

  test('two Hosts', async () => {
    const before = fake.requests.length
    const answer = await sendRaw(rig.url, hidden().replace('localhost', 'localhost\r\nHost: evil.example'))
    expect([answer.status, fake.requests.length]).toEqual([400, before])
  })
})

describe('what is left on the line is never a request of somebody else', () => {
  test('a body that is longer than it said', async () => {
    const before = fake.requests.length
    const longer = rawRequest([...head(), length], body) + hidden().slice(0, 40)
    const answer = await sendRaw(rig.url, longer, { toTheEnd: true, waitMs: 4000 })
    expect(fake.requests.length - before).toBeLessThanOrEqual(1)
    expect(statusesIn(answer.text).filter(status => status === 200).length).toBeLessThanOrEqual(1)
  })

  test('a request in the body of another', async () => {
    const before = fake.requests.length
    const inner = hidden()
    const outer = rawRequest(
      ['GET /v1/models HTTP/1.1', ...head().slice(1), `Content-Length: ${inner.length}`],
      inner,
    )
    const answer = await sendRaw(rig.url, outer, { toTheEnd: true, waitMs: 4000 })
    expect(statusesIn(answer.text)).toEqual([200])
    expect(fake.requests.length).toBe(before)
  })

  test('a key with a line end in it adds no header', async () => {
    const evil = hidden().replace(key, `${key}%0d%0aX-Evil: 1`)
    expect((await sendRaw(rig.url, evil)).status).toBe(401)
    const split = hidden().replace(key, `sk-nobody\r\nX-Api-Key: ${key}`)
    expect((await sendRaw(rig.url, split)).status).toBe(401)
  })

  test.each([
    ['a header of 100 kB', () => rawRequest([...head(), `X-Big: ${'x'.repeat(100_000)}`, length], body)],
    [
      'five hundred headers',
      () => rawRequest([...head(), ...Array.from({ length: 500 }, (_, at) => `X-${at}: y`), length], body),
    ],
  ])('%s', async (_name, request) => {
    const answer = await sendRaw(rig.url, request(), { toTheEnd: true })
    expect([answer.status, answer.closed]).toEqual([431, true])
  })
})

/** A client that never comes to the end of its request; resolves when it is cut off. */
function trickle(first: string, drop: string, sockets: Socket[]): Promise<number> {
  const { hostname, port } = new URL(rig.url)
  const { promise, resolve } = Promise.withResolvers<number>()
  const began = performance.now()
  const socket = connect({ host: hostname, port: Number(port) })
  sockets.push(socket)
  socket.on('error', () => {})
  socket.on('connect', () => socket.write(first))
  const timer = setInterval(() => socket.writable && socket.write(drop), 500)
  socket.on('close', () => {
    clearInterval(timer)
    resolve(performance.now() - began)
  })
  return promise
}

describe('clients that only hold on', () => {
  test('many of them do not keep others from being served', async () => {
    const { hostname, port } = new URL(rig.url)
    const sockets: Socket[] = []
    try {
      for (let at = 0; at < IDLE_CONNECTIONS; at++) {
        const socket = connect({ host: hostname, port: Number(port) })
        socket.on('error', () => {})
        sockets.push(socket)
        if (at % 2 === 0) socket.write('POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n')
        if (at % 100 === 99) await new Promise(resolve => socket.once('connect', resolve))
      }
      for (let at = 0; at < 20; at++) expect((await ask(rig.url, chat, { key })).status).toBe(200)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })

  test.concurrent('one whose head never ends is cut off', async () => {
    const sockets: Socket[] = []
    const first = 'POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n'
    const lasted = await Promise.all([
      trickle(first, 'X-A: b\r\n', sockets),
      trickle(`${first}X-A: `, 'b', sockets),
      trickle('PO', '', sockets),
    ])
    for (const ms of lasted) expect(ms).toBeLessThan(UNFINISHED_MS)
  })

  test.concurrent('one whose body never ends is cut off', async () => {
    const sockets: Socket[] = []
    const late = Bun.sleep(UNFINISHED_MS).then(() => UNFINISHED_MS)
    const lasted = await Promise.all(
      [
        trickle(`${rawRequest([...head(), 'Content-Length: 1000'])}{`, ' ', sockets),
        trickle(rawRequest([...head(), 'Transfer-Encoding: chunked']), '1\r\n \r\n', sockets),
        trickle(rawRequest([...head(), 'Content-Length: 1000']), '', sockets),
      ].map(one => Promise.race([one, late])),
    )
    for (const socket of sockets) socket.destroy()
    for (const ms of lasted) expect(ms).toBeLessThan(UNFINISHED_MS)
  })

  test('one that leaves in the middle of its body costs nothing', async () => {
    const before = fake.requests.length
    const answer = await sendRaw(rig.url, rawRequest([...head(), length], body.slice(0, 20)), { waitMs: 200 })
    expect([answer.status, fake.requests.length]).toEqual([0, before])
    expect((await ask(rig.url, chat, { key })).status).toBe(200)
  })
})

describe('who leaves in the middle of a body has not made the program fail', () => {
  const packed = gzipSync(randomBytes(4000).toString('hex'))
  const form = 'Content-Type: multipart/form-data; boundary=x'
  const rows: [string, string, string[], string | Uint8Array][] = [
    ['a chat', '/v1/chat/completions', ['Content-Length: 100'], '{'],
    ['a long chat', '/v1/messages', ['Content-Length: 3000000'], '{'],
    ['a chat in chunks', '/v1/responses', ['Transfer-Encoding: chunked'], '1\r\n{\r\n'],
    [
      'a packed chat',
      '/v1/chat/completions',
      ['Content-Encoding: gzip', `Content-Length: ${packed.length}`],
      packed.subarray(0, packed.length / 2),
    ],
    ['a recording', '/v1/audio/transcriptions', [form, 'Content-Length: 1000'], '--x\r\n'],
    ['a file', '/v1/files', [form, 'Content-Length: 1000'], '--x\r\n'],
    ['a film', '/v1/videos', ['Content-Length: 100'], '{'],
    ['a request that is passed on', '/pass/1/x', ['Content-Length: 100'], '{'],
    ['a tool call', '/mcp', ['Content-Length: 100'], '{'],
  ]
  const gone = async (): Promise<number> => {
    const metrics = await (await fetch(`${rig.url}/metrics`)).text()
    const counted = metrics.matchAll(/http_requests_total\{[^}]*door="(?:relay|mcp)",status="499"\} (\d+)/g)
    return [...counted].reduce((sum, [, count]) => sum + Number(count), 0)
  }
  const inFlight = async (): Promise<number> =>
    Number(/http_requests_in_flight\S* (\d+)/.exec(await (await fetch(`${rig.url}/metrics`)).text())?.[1])

  test.each(rows)('%s', async (_name, path, lines, begun) => {
    const before = await gone()
    const printed = rig.program.output().length
    const { hostname, port } = new URL(rig.url)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.write(rawRequest([`POST ${path} HTTP/1.1`, ...head().slice(1), ...lines]))
    socket.write(begun)
    // The question itself is one.
    await until(async () => (await inFlight()) === 2)
    socket.destroy()
    await until(async () => (await inFlight()) === 1)
    expect(await gone()).toBe(before + 1)
    expect(rig.program.output().slice(printed)).not.toContain('failed')
  })
})
