import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { dialects } from '../../dialects/index.ts'
import { FrameCount } from '../counting/frame-count.ts'
import type { Sink } from './client-sink.ts'
import { PassConveyor } from './pass-conveyor.ts'
import { isCrumb, releaseChunk } from './release-chunk.ts'

const KB = 1024

test('only a large chunk that has its memory to itself gives it back', () => {
  const whole = new Uint8Array(64 * KB)
  const part = new Uint8Array(128 * KB).subarray(0, 64 * KB)
  const small = new Uint8Array(KB)
  expect([whole, part, small].map(releaseChunk)).toEqual([true, false, false])
  expect([whole.length, part.length, small.length]).toEqual([0, 64 * KB, KB])
})

test('a crumb is less than half of something large', () => {
  const large = new Uint8Array(64 * KB)
  expect([30, 34, 64].map(size => isCrumb(large.subarray(0, size * KB)))).toEqual([true, false, false])
  expect(isCrumb(new Uint8Array(16 * KB).subarray(0, 10))).toBe(false)
})

describe('what passes in large chunks, each given back as soon as the conveyor is done with it', () => {
  const frame = (at: number, size: number) =>
    `data: {"choices":[{"index":0,"delta":{"content":"${String(at % 10).repeat(size)}"}}]}\n\n`
  const end =
    'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n' +
    'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\ndata: [DONE]\n\n'

  test.each([
    [16 * KB, 250 * KB],
    [16 * KB, 40 * KB],
    [200 * KB, 64 * KB],
    [100 * KB, 33 * KB],
    [40, 70 * KB],
    [16 * KB, 5 * KB],
  ])('frames of %i in chunks of %i are the same bytes', (frameSize, chunkSize) => {
    const frames = Array.from({ length: Math.ceil((2 * KB * KB) / frameSize) }, (_, at) =>
      frame(at, frameSize),
    )
    const text = frames.join('') + end
    const sent = Buffer.from(text)
    // A thread that keeps all that it is given, and answers nothing.
    const count = new FrameCount({ count: () => new Promise(() => {}), forget: () => {} })
    const conveyor = new PassConveyor(dialects['openai-chat'], true, count)
    let got = ''
    let released = 0
    const write = (piece: Uint8Array | readonly Uint8Array[]): void => {
      for (const bytes of piece instanceof Uint8Array ? [piece] : piece) got += Buffer.from(bytes).toString()
    }
    for (let at = 0; at < sent.length; at += chunkSize) {
      const chunk = new Uint8Array(sent.subarray(at, at + chunkSize))
      const piece = conveyor.take(chunk)
      if (piece) write(piece)
      if (conveyor.isFree && releaseChunk(chunk)) released++
    }
    expect(conveyor.end()).toBe(true)
    write(conveyor.rest())
    expect(got === text).toBe(true)
    if (chunkSize > 2 * frameSize && chunkSize > 64 * KB) expect(released).toBeGreaterThan(0)
  })
})

test('what a sink has been given is its own, however slowly the client reads', async () => {
  const sent = createHash('sha256')
  const pull = async (sink: Sink): Promise<void> => {
    for (let count = 0; count < 100; count++) {
      const chunk = crypto.getRandomValues(new Uint8Array(64 * KB))
      sent.update(chunk)
      sink.write(chunk)
      expect(releaseChunk(chunk)).toBe(true)
      // Whoever asks for memory now may get what was given back.
      new Uint8Array(64 * KB).fill(count)
      await sink.flush(true)
    }
    sink.close()
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(new ReadableStream({ type: 'direct', pull } as unknown as UnderlyingSource)),
  })
  const got = createHash('sha256')
  const response = await fetch(server.url)
  for await (const bytes of response.body ?? []) {
    got.update(bytes)
    await Bun.sleep(1)
  }
  expect(got.digest('hex')).toBe(sent.digest('hex'))
  await server.stop(true)
})
