import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '../services/free-port.ts'

/** A wire between a program and its database that can be told to fail at the worst moment. */
export interface TcpProxy {
  readonly port: number
  /** How many commits were carried out by the server without the client being told. */
  readonly lost: number
  /** The next commit reaches the server; its reply does not come back, and the connection is cut. */
  loseNextReply(): void
  /** Cuts all connections and takes no new ones, until `mend`. */
  cut(): Promise<void>
  mend(): Promise<void>
  /** Passes nothing on any more on the connections there are; new ones work. */
  silence(): void
  close(): Promise<void>
}

/** Where the client waits before it commits, it sends that as plain text, in a small packet of its own. */
const isCommit = (bytes: Buffer | string): boolean => bytes.length < 16 && bytes.includes('commit')
/** PostgreSQL's word that it has committed, whatever it was sent together with. */
const saysCommitted = (bytes: Buffer | string): boolean => bytes.includes('COMMIT\0')

export async function startTcpProxy(toPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let armed = 0
  let lost = 0
  const silent = new WeakSet<Socket>()

  const server = createServer(client => {
    const database = connect(toPort, '127.0.0.1')
    let swallowing = false
    let isLost = false
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        // Whoever lost patience before the server had its say: another commit is to be lost.
        if (swallowing && !isLost) armed++
        swallowing = false
        client.destroy()
        database.destroy()
      })
    }
    client.on('data', bytes => {
      if (silent.has(client)) return
      if (armed > 0 && isCommit(bytes)) {
        armed--
        swallowing = true
      }
      database.write(bytes)
    })
    database.on('data', bytes => {
      if (silent.has(client)) return
      if (!swallowing && armed > 0 && saysCommitted(bytes)) {
        armed--
        swallowing = true
      }
      if (!swallowing) {
        client.write(bytes)
        return
      }
      // The server's word that it is done: nobody will hear it.
      if (!isLost) lost++
      isLost = true
      database.destroy()
    })
  })
  const listen = (at: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    server.listen(at, '127.0.0.1', resolve)
    return promise
  }
  const stop = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    server.close(() => resolve())
    for (const socket of sockets) socket.destroy()
    await promise
  }
  const port = await freePort()
  await listen(port)
  return {
    port,
    get lost() {
      return lost
    },
    loseNextReply() {
      armed++
    },
    cut: stop,
    mend: () => listen(port),
    silence() {
      for (const socket of sockets) silent.add(socket)
    },
    close: stop,
  }
}
