import { createServer, type Server, type Socket } from 'node:net'

/** A request as it stood on the wire. */
export interface WireRequest {
  readonly method: string
  /** Path and query, untouched. */
  readonly target: string
  /** Names in lower case; what came twice is joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

const BEFORE_CUT_MS = 25
const HEAD_END = Buffer.from('\r\n\r\n')
const LINE_END = Buffer.from('\r\n')

/** One client's connection: bytes in as they are asked for, bytes out as they are written. */
export class Connection {
  readonly socket: Socket
  #chunks: Buffer[] = []
  #length = 0
  #wake: (() => void) | undefined
  #gone = Promise.withResolvers<void>()
  gone = false

  constructor(socket: Socket) {
    this.socket = socket
    socket.setNoDelay(true)
    socket.on('data', chunk => {
      this.#chunks.push(Buffer.from(chunk))
      this.#length += chunk.length
      this.#wake?.()
    })
    for (const sign of ['close', 'end', 'error']) socket.on(sign, () => this.#leave())
  }

  /** Resolves when the client has left. */
  get left(): Promise<void> {
    return this.#gone.promise
  }

  #leave(): void {
    this.gone = true
    this.#gone.resolve()
    this.#wake?.()
  }

  #all(): Buffer {
    const all = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks)
    this.#chunks = all === undefined ? [] : [all]
    return all ?? Buffer.alloc(0)
  }

  async #more(): Promise<boolean> {
    if (this.gone) return false
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    await promise
    this.#wake = undefined
    return true
  }

  async read(count: number): Promise<Buffer | undefined> {
    while (this.#length < count) if (!(await this.#more())) return undefined
    const all = this.#all()
    this.#chunks = [all.subarray(count)]
    this.#length = all.length - count
    return all.subarray(0, count)
  }

  async readUntil(mark: Buffer): Promise<string | undefined> {
    for (;;) {
      const at = this.#all().indexOf(mark)
      if (at >= 0) return (await this.read(at + mark.length))?.subarray(0, at).toString('latin1')
      if (!(await this.#more())) return undefined
    }
  }

  /** Resolves once the bytes are with the kernel; false when the client has left. */
  async write(bytes: Uint8Array | string): Promise<boolean> {
    if (this.gone || this.socket.destroyed) return false
    const { promise, resolve } = Promise.withResolvers<void>()
    this.socket.write(bytes, () => resolve())
    await Promise.race([promise, this.left])
    return !this.gone
  }
}

async function readRequest(connection: Connection): Promise<WireRequest | undefined> {
  const head = await connection.readUntil(HEAD_END)
  if (head === undefined) return undefined
  const [first = '', ...lines] = head.split('\r\n')
  const [method = '', target = ''] = first.split(' ')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  const body = await readBody(connection, headers)
  return body && { method, target, headers, body }
}

async function readBody(
  connection: Connection,
  headers: Record<string, string>,
): Promise<Buffer | undefined> {
  if (headers['transfer-encoding']?.toLowerCase() !== 'chunked')
    return connection.read(Number(headers['content-length'] ?? 0))
  const chunks: Buffer[] = []
  for (;;) {
    const size = Number.parseInt((await connection.readUntil(LINE_END)) ?? '', 16)
    const chunk = Number.isNaN(size) ? undefined : await connection.read(size + 2)
    if (chunk === undefined) return undefined
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(chunk.subarray(0, size))
  }
}

/** Answers one request, to the byte. */
export class Exchange {
  readonly connection: Connection
  #chunked = false
  /** Bytes of the body that went out. */
  sent = 0
  /** Whether the connection may carry another request. */
  reusable = true
  #finished = false
  #cut = false

  constructor(connection: Connection) {
    this.connection = connection
  }

  get gone(): boolean {
    return this.connection.gone
  }

  /** The client left before the end, and not because we did. */
  get aborted(): boolean {
    return this.gone && !this.#finished && !this.#cut
  }

  /** Without a length the body is chunked. */
  head(status: number, headers: Record<string, string>, length?: number): Promise<boolean> {
    this.#chunked = length === undefined
    const framing = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    return this.connection.write(
      `HTTP/1.1 ${status} ${phraseOf(status)}\r\n${lines.join('')}${framing}\r\n\r\n`,
    )
  }

  async body(bytes: Uint8Array): Promise<boolean> {
    if (bytes.length === 0) return !this.gone
    const wire = this.#chunked
      ? Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, LINE_END])
      : bytes
    const still = await this.connection.write(wire)
    if (still) this.sent += bytes.length
    return still
  }

  async end(): Promise<void> {
    if (this.#chunked) await this.connection.write('0\r\n\r\n')
    this.#finished = !this.gone
  }

  /** Leaves in the middle: what was written arrives, the end of the body never does. */
  async cut(reset = false): Promise<void> {
    this.reusable = false
    this.#cut = true
    // Clients that learn of the end together with the last bytes throw those away.
    if (!reset && this.sent > 0) await Promise.race([Bun.sleep(BEFORE_CUT_MS), this.connection.left])
    if (reset) this.connection.socket.resetAndDestroy()
    else this.connection.socket.end()
  }
}

function phraseOf(status: number): string {
  return status === 200 ? 'OK' : status === 101 ? 'Switching Protocols' : 'Status'
}

export interface WireServer {
  readonly port: number
  stop(): Promise<void>
}

type Handle = (request: WireRequest, exchange: Exchange) => Promise<void>

/** HTTP/1.1 by hand, because a broken vendor sends what a server library never would. */
export async function listen(handle: Handle): Promise<WireServer> {
  const open = new Set<Socket>()
  const server = createServer(socket => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    void serve(new Connection(socket), handle)
  })
  const port = await bind(server)
  return {
    port,
    async stop() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

async function serve(connection: Connection, handle: Handle): Promise<void> {
  for (;;) {
    const request = await readRequest(connection)
    if (request === undefined) return
    const exchange = new Exchange(connection)
    try {
      await handle(request, exchange)
    } catch (error) {
      console.error('the fake upstream itself failed', error)
      await exchange.cut()
    }
    if (!exchange.reusable || connection.gone) return
  }
}

function bind(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}
