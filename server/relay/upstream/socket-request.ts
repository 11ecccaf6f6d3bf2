import { cleanHeaders } from '../../outbound/request-headers.ts'
import { asRecord } from '../../providers/kit/answers/ndjson.ts'
import { aim, openSocket, shakeHands } from './open-socket.ts'
import type { Outgoing } from './outgoing.ts'
import type { Attempt } from './try-channels.ts'

/** What may wait to be read. A socket cannot be told to slow down. */
const MOST_WAITING = 64 * 1024 * 1024

/** One question through a WebSocket, whose messages come back as the body of an answer. */
export async function askBySocket(
  parts: Parameters<typeof aim>[0],
  { url, headers, body }: Pick<Outgoing, 'url' | 'headers' | 'body'>,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<Response> {
  const address = url.replace(/^http/, 'ws')
  const { 'content-type': _, ...rest } = cleanHeaders(headers)
  const { url: pinned, ...options } = await aim(parts, address, attempt.channel.setting.proxy, rest)
  const socket = openSocket(pinned, { ...options, perMessageDeflate: false })
  socket.binaryType = 'nodebuffer'
  const messages = readMessages(socket)
  await shakeHands(socket, attempt, Number.POSITIVE_INFINITY, signal)
  const leave = (): void => socket.terminate()
  signal.addEventListener('abort', leave)
  socket.addEventListener('close', () => signal.removeEventListener('abort', leave))
  socket.send(String(body))
  return new Response(messages, { headers: { 'content-type': 'application/json-seq' } })
}

function readMessages(socket: Bun.WebSocket): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let isOver = false
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = (error?: Error): void => {
          if (isOver) return
          isOver = true
          if (error) controller.error(error)
          else controller.close()
        }
        socket.addEventListener('message', ({ data }: MessageEvent<string | Buffer>) => {
          if (isOver) return
          controller.enqueue(encoder.encode(asRecord(String(data))))
          if ((controller.desiredSize ?? 0) > 0) return
          end(new Error('more has come than is read'))
          socket.terminate()
        })
        socket.addEventListener('close', () => end())
        socket.addEventListener('error', () => end(new Error('the socket failed')))
      },
      cancel() {
        isOver = true
        socket.terminate()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING }),
  )
}
