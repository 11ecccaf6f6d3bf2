import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

/**
 * A loopback port for programs that cannot choose one and say which, or come back on the one they had. It is none
 * of those the system hands out by itself: such a one may go to any connection before its program listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + (next++ % (HIGHEST - LOWEST + 1))
    if (await isFree(port)) return port
  }
}

const [LOWEST, HIGHEST] = outsideOf(handedOut())
// Tests run beside each other: each process begins somewhere else.
let next = process.pid * 7919

/** The ports that the system gives to whoever does not name one. */
function handedOut(): readonly [lowest: number, highest: number] {
  try {
    const [lowest = 0, highest = 0] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8')
      .trim()
      .split(/\s+/)
      .map(Number)
    return [lowest, highest]
  } catch {
    // What the Internet Assigned Numbers Authority sets aside for it, and other systems keep to.
    return [49_152, 65_535]
  }
}

function outsideOf([lowest, highest]: readonly [number, number]): readonly [lowest: number, highest: number] {
  const below = [Math.max(10_000, lowest - 15_000), lowest - 1] as const
  const above = [Math.max(10_000, highest + 1), 65_535] as const
  const [from, to] = below[1] - below[0] > above[1] - above[0] ? below : above
  if (to - from < 1_000)
    throw new Error(`the system hands out ports ${lowest} to ${highest}: too few are left`)
  return [from, to]
}

export function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const probe = createServer()
  probe.on('error', () => resolve(false))
  probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  return promise
}
