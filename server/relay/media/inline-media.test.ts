import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { SettingKey } from '../../../contract/settings/index.ts'
import {
  type Answer,
  type LoopbackUpstream,
  reply,
  startUpstream,
  until,
} from '../../../test/outbound/loopback-upstream.ts'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import type { NeutralRequest, Part } from '../../dialects/spec.ts'
import { AppError } from '../../errors.ts'
import { createOutbound, type Outbound, type OutboundOptions } from '../../outbound/client.ts'
import type { Store } from '../../store/index.ts'
import { optionPlace } from '../../store/settings-snapshot.ts'
import { inlineMedia, namesFiles } from './inline-media.ts'

const MB = 1024 * 1024
const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
const pdf = Buffer.from('%PDF-1.7\n')
const pngPart = { data: png.toString('base64'), mediaType: 'image/png' }

let store: Store
const started: LoopbackUpstream[] = []
beforeAll(async () => {
  const url = (await engines[0]?.freshUrl()) ?? ''
  store = await openSampleStore(url)
})
afterEach(() => {
  for (const upstream of started.splice(0)) upstream.stop()
})
afterAll(async () => {
  await store.close()
  await dropAll()
})

async function start(answer: Answer): Promise<LoopbackUpstream> {
  const upstream = await startUpstream(answer)
  started.push(upstream)
  return upstream
}

interface Near extends Outbound {
  readonly sent: OutboundOptions[]
}

/** The internet on this machine: `*.test` is here, by any port and without TLS, as an operator could have it. */
function near(): Near {
  const real = createOutbound({ lookup: async () => ['127.0.0.1'] })
  const sent: OutboundOptions[] = []
  return {
    ...real,
    sent,
    fetch(url, options) {
      sent.push(options)
      return real.fetch(String(url).replace('https:', 'http:'), { ...options, policy: 'operator' })
    },
  }
}

function ask(...parts: Part[]): NeutralRequest {
  return { model: 'm', stream: false, system: [], messages: [{ role: 'user', parts }], tools: [] }
}
const image = (url: string): Part => ({ type: 'image', source: { url } })
const file = (url: string): Part => ({ type: 'file', source: { url } })

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    error => error,
  )
  if (!(error instanceof AppError)) throw new Error(`no refusal but ${error}`)
  expect([error.code, error.status]).toEqual(['relay.media', 400])
  return error.message.slice('A file could not be fetched: '.length)
}

const inline = (outbound: Outbound, request: NeutralRequest, signal?: AbortSignal) =>
  inlineMedia({ outbound, settings: store.settings }, request, signal)

test('what is named by an address of the web, pictures aside', () => {
  const sound: Part = { type: 'audio', source: { url: 'HTTPS://up.test/a.wav' } }
  const result: Part = {
    type: 'tool-result',
    callId: 'c',
    content: [{ type: 'file', source: { url: 'http://a' } }],
  }
  for (const part of [file('http://up.test/a.pdf'), sound, result]) expect(namesFiles(ask(part))).toBe(true)
  const held: Part = { type: 'file', source: { data: 'QUJD', mediaType: 'application/pdf' } }
  const stored: Part = { type: 'file', source: { fileId: 'http://a' } }
  const none = ask(image('http://up.test/a.png'), held, stored, file('gs://bucket/a.pdf'))
  expect(namesFiles(none)).toBe(false)
})

describe('media by URL', () => {
  test('a request without any is the same request', async () => {
    const request = ask(
      { type: 'text', text: 'http://up.test/a.png' },
      { type: 'image', source: pngPart },
      { type: 'file', source: { fileId: 'file-1' } },
    )
    const outbound = near()
    expect(await inline(outbound, request)).toBe(request)
    expect(outbound.sent).toEqual([])
  })

  test('becomes data, in tool results too, and one URL is fetched once', async () => {
    const upstream = await start((request, socket) => {
      const isPdf = request.startsWith('GET /b')
      const type = isPdf ? 'application/pdf' : 'image/png'
      reply(isPdf ? pdf : png, '200 OK', { 'Content-Type': type })(request, socket)
    })
    const at = `http://up.test:${upstream.port}`
    const request = ask(
      { type: 'text', text: 'look' },
      { type: 'image', source: { url: `${at}/a` }, detail: 'low', cache: 'hour' },
      { type: 'file', source: { url: `${at}/b` }, name: 'b.pdf' },
      { type: 'tool-result', callId: 'c', content: [{ type: 'image', source: { url: `${at}/a` } }] },
      { type: 'tool-result', callId: 'd', content: [{ type: 'text', text: 'none' }] },
    )
    const before = structuredClone(request)
    const outbound = near()
    expect((await inline(outbound, request)).messages[0]?.parts).toEqual([
      { type: 'text', text: 'look' },
      { type: 'image', source: pngPart, detail: 'low', cache: 'hour' },
      {
        type: 'file',
        source: { data: pdf.toString('base64'), mediaType: 'application/pdf' },
        name: 'b.pdf',
      },
      { type: 'tool-result', callId: 'c', content: [{ type: 'image', source: pngPart }] },
      { type: 'tool-result', callId: 'd', content: [{ type: 'text', text: 'none' }] },
    ])
    expect(request).toEqual(before)
    expect(upstream.requests.map(head => head.split(' ', 2).join(' ')).sort()).toEqual(['GET /a', 'GET /b'])
    expect(outbound.sent.map(({ policy, redirect, maxBytes }) => [policy, redirect, maxBytes])).toEqual([
      ['user', 3, 20 * MB],
      ['user', 3, 20 * MB],
    ])
  })

  test('must be of the kind that it is said to be', async () => {
    const page = reply('<!doctype html><p>Sign in', '200 OK', { 'Content-Type': 'text/html' })
    const table: [Answer, (url: string) => Part, string][] = [
      [page, image, 'It is not an image, a PDF, audio or text'],
      [page, file, 'It is not an image, a PDF, audio or text'],
      [reply(pdf, '200 OK', { 'Content-Type': 'image/png' }), image, 'It is not an image'],
      [reply(png), url => ({ type: 'audio', source: { url } }), 'It is not audio'],
      [reply('gone', '404 Not Found'), image, 'The address answered with status 404'],
      [reply(''), image, 'It is not an image, a PDF, audio or text'],
    ]
    for (const [answer, part, expected] of table) {
      const { port } = await start(answer)
      expect(await refusal(inline(near(), ask(part(`http://up.test:${port}/`))))).toBe(expected)
    }
  })

  test('is limited in size, alone and together, and in number', async () => {
    const sized = (size: number): Answer =>
      reply(Buffer.concat([png, Buffer.alloc(size - png.length)]), '200 OK', { 'Content-Type': 'image/png' })
    const { port } = await start(sized(20 * MB + 1))
    expect(await refusal(inline(near(), ask(image(`http://up.test:${port}/`))))).toBe(
      'The answer is too large',
    )

    const large = await start(sized(17 * MB))
    const at = `http://up.test:${large.port}`
    const two = await inline(near(), ask(image(`${at}/a`), image(`${at}/b`)))
    expect(two.messages[0]?.parts).toHaveLength(2)
    const together = 'The files are too large together: at most 50 MB'
    for (const paths of ['abc', 'aaa'])
      expect(await refusal(inline(near(), ask(...[...paths].map(path => image(`${at}/${path}`)))))).toBe(
        together,
      )

    const outbound = near()
    const many = Array.from({ length: 21 }, () => image('http://up.test/'))
    expect(await refusal(inline(outbound, ask(...many)))).toBe('At most 20 files')
    expect(outbound.sent).toEqual([])
  })

  test('is fetched four at a time; when one fails the others are given up', async () => {
    // Nobody is answered before four have asked, so a fifth or a missing fourth would show.
    const upstream = await start((request, socket) => {
      if (upstream.requests.length === 4) reply('no', '500 Oops')(request, socket)
    })
    const urls = Array.from({ length: 9 }, (_, index) => image(`http://up.test:${upstream.port}/${index}`))
    expect(await refusal(inline(near(), ask(...urls)))).toBe('The address answered with status 500')
    await until(() => upstream.closed >= 3)
    expect(upstream.requests).toHaveLength(4)
  })

  test('is given up with the reason of the caller when the caller gives up', async () => {
    const upstream = await start(() => stop.abort(new Error('the client left')))
    const stop = new AbortController()
    const request = ask(image(`http://up.test:${upstream.port}/`))
    const error = await inline(near(), request, stop.signal).catch(error => error)
    expect(error.message).toBe('the client left')
    await until(() => upstream.closed === 1)
  })

  test('follows three redirects and judges each', async () => {
    const hop = (to: string): Answer => reply('', '302 Found', { Location: to })
    const upstream = await start((request, socket) => {
      const left = Number(request.charAt('GET /'.length))
      const answer = left === 0 ? reply(png) : hop(`/${left - 1}`)
      answer(request, socket)
    })
    const at = `http://up.test:${upstream.port}`
    const followed = await inline(near(), ask(image(`${at}/3`)))
    expect(followed.messages[0]?.parts[0]).toEqual({ type: 'image', source: pngPart })
    expect(await refusal(inline(near(), ask(image(`${at}/4`))))).toBe('Too many redirects')
    for (const target of ['http://169.254.169.254/latest/meta-data/', 'http://0/', 'file:///etc/passwd']) {
      const { port } = await start(hop(target))
      expect(await refusal(inline(near(), ask(image(`http://up.test:${port}/`))))).not.toContain('169.254')
    }
  })
})

describe('addresses inside', () => {
  const hosts = [
    '0',
    '0.0.0.0',
    '2130706433',
    '0x7f.1',
    '127.0.0.1',
    '[::1]',
    '[::]',
    '[::ffff:169.254.169.254]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:a9fe:a9fe::]',
    '[fec0::1]',
    '100.64.0.1',
    '10.0.0.1',
    '169.254.169.254',
    'localhost',
    'localhost.',
    'metadata.google.internal',
    'rb.test',
    'user@up.test',
  ]
  const urls = (port: number): string[] => [
    ...hosts.flatMap(host => [`http://${host}/`, `https://${host}:8080/`, `http://${host}:${port}/`]),
    'file:///etc/passwd',
    'gopher://up.test/',
    'ftp://up.test/',
    'data:image/png;base64,AAAA',
    'http://',
    '//up.test/',
    '',
  ]

  test('are refused without a connection, whatever the part, worker or not', async () => {
    const canary = await start(reply(png))
    const outbound = createOutbound({ lookup: async () => ['127.0.0.1'], allowPrivate: () => true })
    for (const worker of ['', `https://worker.test:${canary.port}/`]) {
      await saveOption('WorkerUrl', worker)
      for (const url of urls(canary.port)) {
        const nested: Part = {
          type: 'tool-result',
          callId: 'c',
          content: [{ type: 'image', source: { url } }],
        }
        for (const part of [image(url), file(url), nested])
          expect(await refusal(inline(outbound, ask(part)))).not.toMatch(/test|127|169|internal|local/)
      }
    }
    expect(canary.connections).toBe(0)
    await saveOption('WorkerUrl', '')
  })
})

test('through a worker: https only, told by JSON, and its answer is looked at as closely', async () => {
  const worker = await start((request, socket) => {
    const bad = request.includes('page')
    reply(bad ? '<html>' : png, '200 OK', { 'Content-Type': 'image/png' })(request, socket)
  })
  await saveOption('WorkerUrl', `https://worker.test:${worker.port}/fetch`)
  await saveOption('WorkerValidKey', 'worker-key')
  const outbound = { ...near(), check: async () => {} }
  const inlined = await inline(outbound, ask(image('https://up.test/a.png')))
  expect(inlined.messages[0]?.parts[0]).toEqual({ type: 'image', source: pngPart })
  expect(worker.requests[0]).toStartWith('POST /fetch HTTP/1.1\r\n')
  expect(worker.requests[0]).toEndWith('\r\n\r\n{"url":"https://up.test/a.png","key":"worker-key"}')
  expect(outbound.sent[0]?.policy).toBe('operator')

  const page = inline(outbound, ask(image('https://up.test/page')))
  expect(await refusal(page)).toBe('It is not an image, a PDF, audio or text')
  const plain = inline(outbound, ask(image('http://up.test/a.png')))
  expect(await refusal(plain)).toBe('Only https addresses are fetched')
  expect(worker.requests).toHaveLength(2)
})

async function saveOption(key: SettingKey, value: string): Promise<void> {
  const stored = key === 'WorkerValidKey' ? store.cipher.seal(optionPlace(key), value) : value
  await store.change('options', async transaction => {
    await transaction.deleteFrom('options').where('key', '=', key).execute()
    await transaction.insertInto('options').values({ key, value: stored, updated_at: 1 }).execute()
  })
  await store.settings.refresh()
}
