import { within } from '../within.ts'

const ANSWER_MS = 2000

/**
 * Why Redis does not let us in, in its own words or those of TLS; undefined when nobody is there or nothing is wrong.
 * The runtime's client says of every such failure that the connection was closed.
 */
export async function redisRefusal(url: string): Promise<string | undefined> {
  const { hostname, port, protocol, username, password } = new URL(url)
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const given = [username, password].map(decodeURIComponent).filter(Boolean)
  const hello = writeCommand(given.length > 0 ? ['AUTH', ...given] : ['PING'])
  const isTls = protocol === 'rediss:'
  const connecting = Bun.connect({
    hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || 6379),
    tls: isTls,
    socket: {
      open(socket) {
        if (!isTls) socket.write(hello)
      },
      handshake(socket, _isDone, problem) {
        if (problem) resolve(problem.message)
        else socket.write(hello)
      },
      data: (_socket, bytes) => resolve(readError(bytes.toString())),
      close: () => resolve(undefined),
      error: (_socket, error) => resolve(error.message),
      connectError: () => resolve(undefined),
    },
  })
  try {
    return await within(ANSWER_MS, promise)
  } catch {
    return undefined
  } finally {
    connecting.then(
      socket => socket.terminate(),
      () => {},
    )
  }
}

function writeCommand(words: readonly string[]): string {
  return `*${words.length}\r\n${words.map(word => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`
}

function readError(answer: string): string | undefined {
  return answer.startsWith('-') ? answer.slice(1).split('\r\n')[0] : undefined
}
