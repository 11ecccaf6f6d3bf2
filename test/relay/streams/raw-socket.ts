import { connect } from 'node:net'

export interface RawAnswer {
  /** Everything that came, as bytes are: one character each. */
  readonly text: string
  /** The server closed the connection. */
  readonly closed: boolean
  /** Of the first answer; 0 when none came. */
  readonly status: number
}

export interface RawOptions {
  /** Bytes with pauses between them. */
  readonly pauseMs?: number
  /** How long to wait for the server to say more or to close; who listens on, from when it has said something. */
  readonly waitMs?: number
  /** Listens on after a whole answer, to see whether the server closes. */
  readonly toTheEnd?: boolean
  /** Another address of this machine to come from. */
  readonly localAddress?: string
}

const LONGEST_MS = 60_000

/** Sends bytes as they are; resolves when the server closes, or after a while of listening. */
export function sendRaw(
  url: string,
  pieces: string | readonly string[],
  options: RawOptions = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  const { promise, resolve } = Promise.withResolvers<RawAnswer>()
  const { localAddress } = options
  const socket = connect({ host: hostname, port: Number(port), ...(localAddress ? { localAddress } : {}) })
  let text = ''
  const finish = (closed: boolean): void => {
    clearTimeout(timer)
    resolve({ text, closed, status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0) })
    socket.destroy()
  }
  const { toTheEnd, waitMs = LONGEST_MS } = options
  let timer = setTimeout(() => finish(false), toTheEnd ? LONGEST_MS : waitMs)
  socket.on('data', chunk => {
    text += chunk.toString('latin1')
    if (!toTheEnd && isWhole(text)) return finish(false)
    clearTimeout(timer)
    timer = setTimeout(() => finish(false), waitMs)
  })
  for (const sign of ['end', 'close', 'error']) socket.on(sign, () => finish(true))
  socket.on('connect', async () => {
    for (const piece of typeof pieces === 'string' ? [pieces] : pieces) {
      if (socket.destroyed) return
      socket.write(Buffer.from(piece, 'latin1'))
      await Bun.sleep(options.pauseMs ?? 0)
    }
  })
  return promise
}

/** An answer that says how long it is, and is. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(text.slice(0, end + 2))?.[1]
  return end >= 0 && length !== undefined && text.length >= end + 4 + Number(length)
}

/** The lines of a request, ended as HTTP ends them. */
export function rawRequest(lines: readonly string[], body = ''): string {
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
