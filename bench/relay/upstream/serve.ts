// A very light fake of two vendors, to stand behind what is measured. Argument: a port.

import { manners } from '../requests.ts'
import { pace } from './pace.ts'
import {
  anthropicFrames,
  anthropicPlain,
  openaiEnd,
  openaiFrames,
  openaiLargeFrame,
  openaiPlain,
  openaiShort,
} from './vendor-bytes.ts'

const LARGE_BYTES = 100 * 1024 * 1024
const json = { headers: { 'content-type': 'application/json' } }
const events = { headers: { 'content-type': 'text/event-stream; charset=utf-8' } }
const largeFrame = new TextEncoder().encode(openaiLargeFrame)

Bun.serve({
  port: Number(process.argv[2]),
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    const { url, method } = request
    if (method !== 'POST') return new Response('yes')
    const body = await request.text()
    const isStream = body.includes('"stream":true')
    if (url.endsWith('/v1/messages'))
      return isStream ? streamPaced(anthropicFrames) : new Response(anthropicPlain, json)
    if (!isStream) return new Response(openaiPlain, json)
    if (body.includes(manners.short)) return streamAtOnce(openaiShort)
    if (body.includes(manners.idle)) return streamIdle()
    if (body.includes(manners.large)) return streamLarge()
    return streamPaced(openaiFrames)
  },
})

/** One frame, one write. */
function streamPaced(frames: readonly string[]): Response {
  return streamDirectly(sink => pace(sink, frames))
}

function streamAtOnce(frames: readonly string[]): Response {
  const pull = (sink: ReadableStreamDirectController): void => {
    for (const frame of frames) {
      sink.write(frame)
      sink.flush()
    }
    sink.close()
  }
  return streamDirectly(pull)
}

/** Begins to speak, and is then silent for as long as anybody listens. */
function streamIdle(): Response {
  const pull = (sink: ReadableStreamDirectController): Promise<void> => {
    sink.write(openaiFrames.slice(0, 2).join(''))
    sink.flush()
    return new Promise(() => {})
  }
  return streamDirectly(pull)
}

/** As fast as it is taken. */
function streamLarge(): Response {
  let left = Math.ceil(LARGE_BYTES / largeFrame.length)
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (left-- > 0) return controller.enqueue(largeFrame)
    controller.enqueue(new TextEncoder().encode(openaiEnd.join('')))
    controller.close()
  }
  return new Response(new ReadableStream({ pull }), events)
}

/** What is flushed goes out at once and by itself. */
function streamDirectly(pull: Bun.DirectUnderlyingSource['pull']): Response {
  const source: Bun.DirectUnderlyingSource = { type: 'direct', pull }
  // The browsers' types, which the console needs, do not know this kind of source.
  const stream: ReadableStream = Reflect.construct(ReadableStream, [source])
  return new Response(stream, events)
}
