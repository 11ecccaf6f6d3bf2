import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import type { FakeUpstream } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { anthropic, ask, chat, gemini, problemIn, type Way, ways } from '../ways.ts'

// Some clients pack what they send. What comes out of it is a body like any other.

const LARGEST = 64 * 1024 * 1024

let rig: Rig
let key = ''
const fakes = new Map<Way, FakeUpstream>()

beforeAll(async () => {
  for (const way of [chat, anthropic, gemini]) fakes.set(way, await way.start())
  rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    for (const [way, { url: baseUrl, key: vendorKey }] of fakes)
      await books.addChannel({
        type: way.channelType,
        baseUrl,
        key: vendorKey,
        models: way === chat ? [way.model, 'whisper-1'] : [way.model],
      })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  for (const fake of fakes.values()) expect(fake.complaints).toEqual([])
  await rig.close()
  for (const fake of fakes.values()) await fake.stop()
})

const packers: [string, (bytes: Uint8Array) => Uint8Array][] = [
  ['gzip', bytes => gzipSync(bytes)],
  ['x-gzip', bytes => gzipSync(bytes)],
  ['deflate', bytes => deflateSync(bytes)],
  ['br', bytes => brotliCompressSync(bytes)],
  ['ZSTD', bytes => zstdCompressSync(bytes)],
  ['identity', bytes => bytes],
  ['', bytes => bytes],
]

const bodyOf = (way: Way, text = 'grüezi 👋'): Uint8Array =>
  Buffer.from(JSON.stringify(way.body(way.model, text, false)))

/** Announced, and in chunks. */
const bothWays = (bytes: Uint8Array): BodyInit[] => [
  new Uint8Array(bytes),
  new ReadableStream({
    start(sending) {
      for (let at = 0; at < bytes.length; at += 7) sending.enqueue(bytes.slice(at, at + 7))
      sending.close()
    },
  }),
]

describe.each([...ways])('$name', way => {
  test.each(packers)('packed by %s it is the same call', async (coding, pack) => {
    for (const rawBody of bothWays(pack(bodyOf(way)))) {
      const response = await ask(rig.url, way, { key, rawBody, headers: { 'content-encoding': coding } })
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining('You said: grüezi 👋'),
      ])
    }
  })

  const refused: [string, number, string, () => Uint8Array][] = [
    ['what is not packed as it says', 415, 'gzip', () => bodyOf(way)],
    ['what is cut off', 415, 'gzip', () => gzipSync(bodyOf(way)).subarray(0, 40)],
    ['a way of packing that nobody knows', 415, 'compress', () => bodyOf(way)],
    ['packed twice', 415, 'gzip, br', () => brotliCompressSync(gzipSync(bodyOf(way)))],
    ['what is no JSON inside', 400, 'gzip', () => gzipSync('hello')],
    ['what is too much once it is unpacked', 413, 'gzip', () => gzipSync(Buffer.alloc(LARGEST + 1, 32))],
  ]
  test.each(refused)('refused: %s', async (_, status, coding, make) => {
    const response = await ask(rig.url, way, {
      key,
      rawBody: new Uint8Array(make()),
      headers: { 'content-encoding': coding },
    })
    const text = await response.text()
    expect([response.status, problemIn(way, text) !== undefined]).toEqual([status, true])
    if (status === 415) expect(text).toContain(coding)
  })
})

test('a form may be packed too', async () => {
  const form = new FormData()
  form.set('model', 'whisper-1')
  form.set('file', new File([new Uint8Array(3200)], 'a.wav', { type: 'audio/wav' }))
  const plain = new Response(form)
  const response = await fetch(`${rig.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': plain.headers.get('content-type') ?? '',
      'content-encoding': 'gzip',
    },
    body: new Uint8Array(gzipSync(new Uint8Array(await plain.arrayBuffer()))),
  })
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
})
