import { afterEach } from 'bun:test'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

/** An upstream for tests that counts what a real one could only guess: connections, and when they close. */
export interface LoopbackUpstream {
  port: number
  connections: number
  closed: number
  /** The request heads, and whatever came with them, in order. */
  requests: string[]
  stop(): void
}

export type Answer = (request: string, socket: Socket) => void

export async function startUpstream(
  answer: Answer,
  tls?: { key: string; cert: string },
): Promise<LoopbackUpstream> {
  const upstream: LoopbackUpstream = { port: 0, connections: 0, closed: 0, requests: [], stop: () => {} }
  const open = new Set<Socket>()
  const accept = (socket: Socket) => {
    upstream.connections++
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      open.delete(socket)
      upstream.closed++
    })
    socket.on('data', data => {
      const text = data.toString('latin1')
      upstream.requests.push(text)
      answer(text, socket)
    })
  }
  const server: Server = tls ? createTlsServer(tls, accept) : createServer(accept)
  server.on('tlsClientError', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  upstream.port = address && typeof address === 'object' ? address.port : 0
  upstream.stop = () => {
    for (const socket of open) socket.destroy()
    server.close()
  }
  return upstream
}

/** Starts upstreams for one test at a time: they stop when it ends. */
export function upstreamsPerTest(): (answer?: Answer) => Promise<LoopbackUpstream> {
  const started: LoopbackUpstream[] = []
  afterEach(() => {
    for (const upstream of started.splice(0)) upstream.stop()
  })
  return async (answer = reply('ok')) => {
    const upstream = await startUpstream(answer)
    started.push(upstream)
    return upstream
  }
}

export function reply(
  body: string | Uint8Array,
  status = '200 OK',
  headers: Record<string, string> = {},
): Answer {
  return (_request, socket) => {
    const lines = Object.entries({ 'Content-Length': String(Buffer.byteLength(body)), ...headers })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    socket.write(`HTTP/1.1 ${status}\r\n${head}\r\n`)
    if (body.length > 0) socket.write(body)
  }
}

/** Waits for something the other side does, however long the machine takes. */
export async function until(reached: () => boolean): Promise<void> {
  while (!reached()) await Bun.sleep(1)
}
