import { describe, expect, jest, test } from 'bun:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { type Answer, reply, until, upstreamsPerTest } from '../../test/outbound/loopback-upstream.ts'
import { createOutbound, readBytes, readJson, readText } from './client.ts'

const startUpstream = upstreamsPerTest()
async function start(answer: Answer) {
  const upstream = await startUpstream(answer)
  return { upstream, url: `http://up.test:${upstream.port}/` }
}

const outbound = createOutbound({ lookup: async () => ['127.0.0.1'] })
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
const zeros = new Uint8Array(20_000_000)

describe('encoded answers', () => {
  test.each([
    ['gzip', gzipSync('plain text')],
    ['deflate', deflateSync('plain text')],
    ['br', brotliCompressSync('plain text')],
    ['zstd', zstdCompressSync('plain text')],
    ['GZIP', gzipSync('plain text')],
  ] as const)('%s is decoded, and the headers say so', async (coding, bytes) => {
    const { url } = await start(reply(bytes, '200 OK', { 'Content-Encoding': coding, 'X-Kept': '1' }))
    const response = await outbound.fetch(url, { policy: 'operator' })
    expect(await response.text()).toBe('plain text')
    expect(response.headers.get('content-encoding')).toBeNull()
    expect(response.headers.get('content-length')).toBeNull()
    expect(response.headers.get('x-kept')).toBe('1')
  })

  test('an unknown coding goes on as it came', async () => {
    const { url } = await start(reply('???', '200 OK', { 'Content-Encoding': 'rot13' }))
    const response = await outbound.fetch(url, { policy: 'operator' })
    expect([await response.text(), response.headers.get('content-encoding')]).toEqual(['???', 'rot13'])
  })

  test.each([
    ['gzip', gzipSync(zeros)],
    ['br', brotliCompressSync(zeros)],
    ['zstd', zstdCompressSync(zeros)],
  ] as const)('a %s bomb is stopped at the limit', async (coding, bomb) => {
    const { upstream, url } = await start((request, socket) => {
      // Its end is held back, so that the connection would stay open if it were not closed on purpose.
      const head = { 'Content-Encoding': coding, 'Content-Length': String(bomb.length) }
      reply(bomb.subarray(0, bomb.length - 8), '200 OK', head)(request, socket)
    })
    const response = await outbound.fetch(url, { policy: 'operator', maxBytes: 1_000_000 })
    let received = 0
    const read = async () => {
      for await (const part of response.body ?? []) received += part.byteLength
    }
    await expect(read()).rejects.toMatchObject({ code: 'outbound.too-large' })
    expect(received).toBeLessThanOrEqual(1_000_000)
    await until(() => upstream.closed === 1)
  })

  test('a corrupt or cut answer is a failure of the upstream', async () => {
    const whole = gzipSync('plain text')
    for (const bytes of [Buffer.alloc(40, 1), whole.subarray(0, 15)]) {
      const { url } = await start(reply(bytes, '200 OK', { 'Content-Encoding': 'gzip' }))
      const response = await outbound.fetch(url, { policy: 'operator' })
      await expect(response.text()).rejects.toMatchObject({ code: 'outbound.failed' })
    }
  })

  test('answers without a body stay as they are', async () => {
    const { url } = await start(reply('', '204 No Content', { 'Content-Encoding': 'gzip' }))
    const none = await outbound.fetch(url, { policy: 'operator', maxBytes: 10 })
    expect([none.status, await none.text()]).toEqual([204, ''])
    const empty = await start(reply('', '200 OK', { 'Content-Encoding': 'gzip' }))
    const response = await outbound.fetch(empty.url, { policy: 'operator', maxBytes: 10 })
    expect(await response.text()).toBe('')
  })
})

describe('limits', () => {
  test('at the limit passes, one byte more does not', async () => {
    const { url } = await start(reply('12345'))
    const fits = await outbound.fetch(url, { policy: 'operator', maxBytes: 5 })
    expect(await fits.text()).toBe('12345')
    const over = await outbound.fetch(url, { policy: 'operator', maxBytes: 4 })
    await expect(over.text()).rejects.toMatchObject({ code: 'outbound.too-large' })
  })

  test('an endless answer ends at the limit, and so does its connection', async () => {
    const { upstream, url } = await start((_request, socket) => {
      socket.write(chunked)
      const more = () => {
        while (!socket.destroyed && socket.write(chunk('x'.repeat(1000)))) {}
      }
      socket.on('drain', more)
      more()
    })
    const response = await outbound.fetch(url, { policy: 'operator', maxBytes: 100_000 })
    await expect(response.bytes()).rejects.toMatchObject({ code: 'outbound.too-large' })
    await until(() => upstream.closed === 1)
  })

  test('silence inside the body, and a whole time that is over, are timeouts', async () => {
    const { upstream, url } = await start((_request, socket) => {
      socket.write(chunked + chunk('begin'))
    })
    const idle = await outbound.fetch(url, { policy: 'operator', idleMs: 20 })
    await expect(idle.text()).rejects.toMatchObject({ code: 'outbound.timeout' })
    const whole = outbound.fetch(url, { policy: 'operator', wholeMs: 50 }).then(response => response.text())
    await expect(whole).rejects.toMatchObject({ code: 'outbound.timeout' })
    await until(() => upstream.closed === upstream.connections)
  })

  test('a reader that takes its time is not the silence of the upstream', async () => {
    const { url } = await start(reply('steady'))
    jest.useFakeTimers()
    try {
      const response = await outbound.fetch(url, { policy: 'operator', idleMs: 1_000, timeoutMs: 1_000 })
      jest.advanceTimersByTime(60_000)
      expect(await response.text()).toBe('steady')
    } finally {
      jest.useRealTimers()
    }
  })

  test('do not depend on the status, and a status that is none is a failure', async () => {
    const error = await start(reply('0123456789', '500 Oops'))
    const response = await outbound.fetch(error.url, { policy: 'operator', maxBytes: 9 })
    expect(response.status).toBe(500)
    await expect(response.text()).rejects.toMatchObject({ code: 'outbound.too-large' })
    for (const status of ['999 Odd', '101 Switching Protocols']) {
      const odd = await start(reply('0123456789', status))
      const sent = outbound.fetch(odd.url, { policy: 'operator', maxBytes: 9 })
      await expect(sent).rejects.toMatchObject({ code: 'outbound.failed' })
    }
  })

  test('a HEAD is not judged by the length it announces', async () => {
    const { url } = await start((request, socket) =>
      reply('', '200 OK', { 'Content-Length': '999' })(request, socket),
    )
    const response = await outbound.fetch(url, { policy: 'operator', method: 'HEAD', maxBytes: 9 })
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['999', ''])
  })

  test('an answer cut short is a failure without a host in it', async () => {
    const { url } = await start((_request, socket) => {
      socket.write(chunked + chunk('begin'), () => socket.destroy())
    })
    const response = await outbound.fetch(url, { policy: 'operator', maxBytes: 1_000 })
    await expect(response.text()).rejects.toMatchObject({
      code: 'outbound.failed',
      message: 'The request failed: the other side broke off, or sent what cannot be read',
    })
  })
})

describe('a caller who leaves mid-stream', () => {
  test.each([
    ['a plain stream', {}],
    ['a limited stream', { maxBytes: 1_000_000, idleMs: 60_000, wholeMs: 60_000 }],
  ])('closes the upstream of %s, with the caller’s reason', async (_name, limits) => {
    const { upstream, url } = await start((_request, socket) => {
      socket.write(chunked + chunk('begin'))
    })
    const caller = new AbortController()
    const reason = new Error('the client left')
    const response = await outbound.fetch(url, { policy: 'operator', signal: caller.signal, ...limits })
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('begin')
    const next = reader?.read()
    caller.abort(reason)
    await expect(next).rejects.toBe(reason)
    await until(() => upstream.closed === 1)
  })

  test('closes it by cancelling, too', async () => {
    const gzipped = gzipSync('x'.repeat(100_000))
    const { upstream, url } = await start((_request, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1000000\r\n\r\n')
      socket.write(gzipped.subarray(0, gzipped.length - 8))
    })
    for (const limits of [{}, { maxBytes: 1_000_000 }]) {
      const response = await outbound.fetch(url, { policy: 'operator', ...limits })
      const reader = response.body?.getReader()
      await reader?.read()
      await reader?.cancel()
    }
    await until(() => upstream.closed === 2)
  })
})

test('a stalled reader holds the upstream still', async () => {
  let sent = 0
  const { url } = await start((_request, socket) => {
    socket.write(chunked)
    const block = chunk('x'.repeat(65_536))
    const more = () => {
      while (sent < 400_000_000 && !socket.destroyed) {
        sent += block.length
        if (!socket.write(block)) return
      }
    }
    socket.on('drain', more)
    more()
  })
  for (const limits of [{}, { maxBytes: 500_000_000, idleMs: 60_000 }]) {
    sent = 0
    const response = await outbound.fetch(url, { policy: 'operator', ...limits })
    const reader = response.body?.getReader()
    await reader?.read()
    let before = -1
    while (before !== sent) {
      before = sent
      await Bun.sleep(100)
    }
    expect(sent).toBeLessThan(100_000_000)
    await reader?.cancel()
  }
})

describe('reading a small answer whole', () => {
  test('as bytes, text and JSON', async () => {
    const { url } = await start(reply('{"a":"é"}'))
    const get = () => outbound.fetch(url, { policy: 'operator' })
    expect(await readJson(await get(), 100)).toEqual({ a: 'é' })
    expect(await readText(await get(), 100)).toBe('{"a":"é"}')
    expect((await readBytes(await get(), 100)).byteLength).toBe(10)
    expect(await readText(new Response(null), 100)).toBe('')
  })

  test('within its limit', async () => {
    const { upstream, url } = await start((_request, socket) => {
      socket.write(chunked + chunk('0123456789'))
    })
    const response = await outbound.fetch(url, { policy: 'operator' })
    await expect(readText(response, 9)).rejects.toMatchObject({ code: 'outbound.too-large' })
    await until(() => upstream.closed === 1)
  })

  test('JSON that is none is a failure of the upstream', async () => {
    const { url } = await start(reply('<html>'))
    const response = await outbound.fetch(url, { policy: 'operator' })
    await expect(readJson(response, 100)).rejects.toMatchObject({ code: 'outbound.failed' })
  })
})
