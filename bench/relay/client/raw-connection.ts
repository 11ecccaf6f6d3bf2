import type { Ask } from '../requests.ts'

/** What came back for one request. Times are in milliseconds from its sending. */
export interface Heard {
  readonly firstMs: number
  readonly wholeMs: number
  readonly frames: number
  readonly bytes: number
}

interface Call {
  readonly sentAt: number
  readonly resolve: (heard: Heard) => void
  readonly reject: (error: Error) => void
  readonly onFirst: (() => void) | undefined
  head: Buffer | undefined
  /** Of the body; undefined when it comes in chunks. */
  length: number | undefined
  firstMs: number
  frames: number
  bytes: number
  /** The last bytes that came, in which a chunked body shows its end. */
  tail: Buffer
}

const LINE_END = 10
const lastChunk = Buffer.from('\r\n0\r\n\r\n')
const nothing = Buffer.alloc(0)

/** HTTP/1.1 over one kept socket, with no more of it than a load generator needs. */
export class RawConnection {
  readonly #socket: Bun.Socket
  #call: Call | undefined

  private constructor(socket: Bun.Socket) {
    this.#socket = socket
  }

  static async open(port: number): Promise<RawConnection> {
    let connection: RawConnection | undefined
    const lose = (why: string): void => connection?.fail(new Error(`The connection ${why}`))
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        data: (_socket, bytes) => connection?.take(bytes),
        close: () => lose('was closed'),
        error: (_socket, error) => lose(`broke: ${error.message}`),
      },
    })
    socket.setNoDelay(true)
    connection = new RawConnection(socket)
    return connection
  }

  /** One at a time. Resolves with the whole answer; anything but a 200 rejects. */
  call(request: Uint8Array, onFirst?: () => void): Promise<Heard> {
    return new Promise((resolve, reject) => {
      const empty = { head: nothing, length: undefined, firstMs: 0, frames: 0, bytes: 0, tail: nothing }
      this.#call = { ...empty, sentAt: performance.now(), resolve, reject, onFirst }
      if (this.#socket.write(request) < request.length) reject(new Error('The request was not taken whole'))
    })
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  close(): void {
    this.#socket.end()
  }

  fail(error: Error): void {
    this.#call?.reject(error)
    this.#call = undefined
  }

  take(bytes: Buffer): void {
    const call = this.#call
    if (!call) return
    const body = call.head ? this.#readHead(call, call.head, bytes) : bytes
    if (!body || body.length === 0) return
    if (call.firstMs === 0) {
      call.firstMs = performance.now() - call.sentAt
      call.onFirst?.()
    }
    call.bytes += body.length
    if (call.length === undefined) call.frames += countFrames(body)
    if (!isOver(call, body)) return
    this.#call = undefined
    const { firstMs, frames, bytes: all } = call
    call.resolve({ firstMs, wholeMs: performance.now() - call.sentAt, frames, bytes: all })
  }

  /** The bytes behind the head, once it is whole. */
  #readHead(call: Call, before: Buffer, bytes: Buffer): Buffer | undefined {
    const head = before.length === 0 ? bytes : Buffer.concat([before, bytes])
    const end = head.indexOf('\r\n\r\n')
    call.head = end < 0 ? head : undefined
    if (end < 0) return undefined
    const text = head.toString('latin1', 0, end)
    if (!text.startsWith('HTTP/1.1 200')) this.fail(new Error(head.toString('latin1', 0, 500)))
    const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1]
    call.length = length === undefined ? undefined : Number(length)
    return head.subarray(end + 4)
  }
}

function isOver(call: Call, body: Buffer): boolean {
  if (call.length !== undefined) return call.bytes >= call.length
  const size = lastChunk.length
  call.tail = body.length >= size ? body.subarray(-size) : Buffer.concat([call.tail, body]).subarray(-size)
  return call.tail.equals(lastChunk)
}

/** Blank lines; none of the servers splits one. */
function countFrames(body: Buffer): number {
  let frames = 0
  for (let at = body.indexOf(LINE_END); at >= 0; at = body.indexOf(LINE_END, at + 1))
    if (body[at + 1] === LINE_END) frames++
  return frames
}

export function encodeRequest({ path, headers, body }: Ask): Uint8Array {
  const bytes = new TextEncoder().encode(body)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${bytes.length}\r\n${lines.join('')}\r\n`
  return Buffer.concat([Buffer.from(head), bytes])
}
