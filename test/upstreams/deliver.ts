import { gzipSync } from 'node:zlib'
import { atRest } from '../at-rest.ts'
import type { Exchange } from './http.ts'
import type { Answer } from './script.ts'
import type { Rendered, Served } from './upstream.ts'

const encoder = new TextEncoder()

/** Sends a fixed body as the script says. */
export async function deliverBody(
  exchange: Exchange,
  status: number,
  headers: Record<string, string>,
  body: Uint8Array,
  answer: Answer,
): Promise<void> {
  const bytes = answer.gzip ? gzipSync(body) : body
  const all = answer.gzip ? { ...headers, 'Content-Encoding': 'gzip' } : headers
  await exchange.head(status, all, bytes.length)
  if (!(await sendPieces(exchange, bytes, answer))) return
  if (answer.cutAfterBytes === undefined || answer.cutAfterBytes >= bytes.length) return exchange.end()
  if (answer.onceRead) await atRest()
  await exchange.cut(answer.reset)
}

/** Sends frames as the script says. */
export async function deliverFrames(
  exchange: Exchange,
  headers: Record<string, string>,
  rendered: Rendered,
  answer: Answer,
  served: Served,
): Promise<void> {
  await exchange.head(200, headers)
  for (const frame of framesOf(rendered, answer)) {
    if (served.frames === answer.hold?.afterFrames)
      await Promise.race([answer.hold.until, exchange.connection.left])
    if (served.frames === answer.cutAfterFrames) return leave(exchange, answer)
    if (served.frames === answer.stallAfterFrames) return stall(exchange)
    if (served.frames === answer.errorAfterFrames && answer.onceRead) await atRest()
    if (answer.gapMs !== undefined && served.frames > 0) await Bun.sleep(answer.gapMs)
    const bytes = rendered.pack?.(frame) ?? encoder.encode(dress(frame, answer))
    if (!(await sendPieces(exchange, bytes, answer))) return
    if (answer.cutAfterBytes !== undefined && exchange.sent >= answer.cutAfterBytes)
      return leave(exchange, answer)
    served.frames += 1
  }
  await exchange.end()
}

function* framesOf(rendered: Rendered, answer: Answer): Generator<string> {
  const own = rendered.frames ?? []
  const frames = answer.frames?.(own) ?? own
  const { errorAfterFrames } = answer
  if (errorAfterFrames !== undefined) {
    yield* frames.slice(0, errorAfterFrames)
    yield rendered.errorFrame ?? ''
    return
  }
  if (!answer.endless) return yield* frames
  const more = rendered.moreText ?? ''
  yield* frames.slice(0, frames.indexOf(more) + 1)
  for (;;) yield more
}

/** What may stand around an event without changing it. */
function dress(frame: string, answer: Answer): string {
  let dressed = frame
  if (answer.splitData) dressed = dressed.replace('data: {', 'data: {\ndata:')
  if (answer.comments) dressed = `: keep-alive\n\n${dressed}`
  return answer.crlf ? dressed.replaceAll('\n', '\r\n') : dressed
}

/** False when the client has left. Stops at the byte where the script cuts. */
async function sendPieces(exchange: Exchange, bytes: Uint8Array, answer: Answer): Promise<boolean> {
  const room = Math.max(0, (answer.cutAfterBytes ?? Number.POSITIVE_INFINITY) - exchange.sent)
  const all = bytes.length > room ? bytes.subarray(0, room) : bytes
  const step = answer.chunkBytes ?? all.length
  for (let at = 0; at < all.length; at += step) {
    if (!(await exchange.body(all.subarray(at, at + step)))) return false
  }
  return !exchange.gone
}

async function leave(exchange: Exchange, answer: Answer): Promise<void> {
  if (answer.onceRead) await atRest()
  if (answer.politely) await exchange.end()
  else await exchange.cut(answer.reset)
}

export async function stall(exchange: Exchange): Promise<void> {
  await exchange.connection.left
  exchange.reusable = false
}
