import type { Env } from './env.ts'

const WITHIN_MS = 4000

/** For containers, whose image has nothing else to ask with: whether the program here is alive, as the exit code. */
export async function askHealth({ host, port }: Env): Promise<number> {
  const own = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const address = `http://${own.includes(':') ? `[${own}]` : own}:${port}/healthz`
  try {
    // Containers are often given a proxy, which knows nothing of this machine's own addresses.
    const { ok, status } = await fetch(address, { proxy: false, signal: AbortSignal.timeout(WITHIN_MS) })
    process.stdout.write(ok ? 'alive\n' : `${address} answers ${status}\n`)
    return ok ? 0 : 1
  } catch {
    process.stdout.write(`nothing answers at ${address}\n`)
    return 1
  }
}
