import { join } from 'node:path'
import type { Call, Seen, Target } from './load.ts'

export const SECRET_KEY = 'qX7v-2mLs-94Tb-Rk61-zH08-cW35-yN72-pD19'

/** The stand-in for the relay as a process of its own. */
export interface Spender extends Target {
  readonly url: string
  readonly pid: number
  output(): string
  signal(name: NodeJS.Signals): void
  /** kill -9, and gone. */
  kill(): Promise<void>
  readonly exited: Promise<number>
}

export interface Surroundings {
  readonly databaseUrl: string
  readonly dataDir: string
  readonly upstreamUrl: string
}

const living = new Set<Bun.Subprocess>()
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL')
})

export async function startSpender(around: Surroundings): Promise<Spender> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'spender.ts')], {
    env: {
      PATH: process.env.PATH ?? '',
      BUN_CONFIG_MAX_HTTP_REQUESTS: '4096',
      DATABASE_URL: around.databaseUrl,
      DATA_DIR: around.dataDir,
      SECRET_KEY,
      FAULTS_UPSTREAM: around.upstreamUrl,
      LOG_LEVEL: 'warn',
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  living.add(child)
  let printed = ''
  const ready = Promise.withResolvers<string>()
  const follow = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const bytes of stream) {
      printed = (printed + decoder.decode(bytes, { stream: true })).slice(-20_000)
      const found = /spending on (\S+)/.exec(printed)?.[1]
      if (found) ready.resolve(found)
    }
  }
  follow(child.stdout).catch(ready.reject)
  follow(child.stderr).catch(ready.reject)
  const exited = child.exited.then(code => {
    living.delete(child)
    ready.reject(new Error(`the spender ended with ${code}:\n${printed}`))
    return code
  })
  const url = await ready.promise
  return {
    url,
    pid: child.pid,
    output: () => printed,
    signal: name => child.kill(name),
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    exited,
    send: (call, signal) => send(url, call, signal),
  }
}

async function* send(url: string, call: Call, signal: AbortSignal): AsyncGenerator<Seen> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(call), signal, keepalive: false })
  if (!response.ok || !response.body) {
    await response.text()
    yield { kind: 'refused', status: response.status }
    return
  }
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body) {
    text += decoder.decode(bytes, { stream: true })
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) yield seen(JSON.parse(line))
  }
}

function seen(line: { checkpoint?: number; done?: boolean; charge?: number; error?: string }): Seen {
  if (line.done) return { kind: 'done', charge: line.charge ?? -1 }
  if (line.error !== undefined) return { kind: 'error' }
  if (line.checkpoint !== undefined) return { kind: 'checkpoint', charge: line.checkpoint }
  return { kind: 'tokens' }
}
