import { readFileSync } from 'node:fs'
import { COMMAND, type Program, startProgram, until } from '../program.ts'
import { freePort } from '../services/free-port.ts'
import type { Call, Seen, Target } from './load.ts'
import { TOKEN } from './upstream.ts'

export const SECRET_KEY = 'qX7v-2mLs-94Tb-Rk61-zH08-cW35-yN72-pD19'

/** Whom kill -9 hits. A worker alone is started again by its supervisor, an orphaned worker ends by itself. */
export type Victim = 'worker' | 'supervisor' | 'both'

/** The real program, which comes back on the same port whatever is killed. */
export class Gateway implements Target {
  readonly url: string
  readonly #environment: Record<string, string>
  readonly #orphans = new Set<number>()
  #program: Program

  private constructor(environment: Record<string, string>, program: Program) {
    this.#environment = environment
    this.#program = program
    this.url = program.url
  }

  static async start(environment: Record<string, string>): Promise<Gateway> {
    const fixed = { LOG_LEVEL: 'warn', SECRET_KEY, ...environment, PORT: String(await freePort()) }
    return new Gateway(fixed, await startProgram(fixed))
  }

  output(): string {
    return this.#program.output()
  }

  workerPids(): number[] {
    return this.#program.workerPids()
  }

  /** Returns when calls are taken again. */
  async killAndRestart(victim: Victim): Promise<void> {
    const workers = this.workerPids()
    if (victim === 'worker') {
      for (const pid of workers) signal(pid, 'SIGKILL')
      await until(() => !this.workerPids().some(pid => workers.includes(pid)))
      await until(() => this.#isReady())
      return
    }
    this.#program.kill('SIGKILL')
    for (const pid of workers) {
      if (victim === 'both') signal(pid, 'SIGKILL')
      else this.#orphans.add(pid)
    }
    // Not until its output ends: that an orphan goes on with.
    await until(() => !isProgram(this.#program.pid))
    this.#program = await startProgram(this.#environment)
  }

  /** As a machine that sleeps: the supervisor too, which would else take its workers for hung after a minute. */
  freeze(): void {
    this.#program.kill('SIGSTOP')
    for (const pid of this.workerPids()) signal(pid, 'SIGSTOP')
  }

  thaw(): void {
    for (const pid of this.workerPids()) signal(pid, 'SIGCONT')
    this.#program.kill('SIGCONT')
  }

  /** As an operator ends it; the exit code is what `exited` comes to. */
  terminate(): void {
    this.#program.kill('SIGTERM')
  }

  /** As Ctrl-C does with npm in between: two signals, of which neither is handled before both are there. */
  terminateTwice(): void {
    for (const name of ['SIGSTOP', 'SIGTERM', 'SIGINT', 'SIGCONT'] as const) this.#program.kill(name)
  }

  get exited(): Promise<number> {
    return this.#program.exited
  }

  /** For good. */
  async kill(): Promise<void> {
    const workers = this.workerPids()
    this.#program.kill('SIGKILL')
    for (const pid of workers) signal(pid, 'SIGKILL')
    // Orphans end by themselves; their numbers may have gone to others since.
    await until(() => [this.#program.pid, ...workers, ...this.#orphans].every(pid => !isProgram(pid)))
  }

  /** Errors nobody was waiting for, by the program's own count. */
  async unhandled(): Promise<number> {
    const text = await (await fetch(`${this.url}/metrics`)).text()
    const found = text.matchAll(/^tollgate_unhandled_errors_total\{[^}]*\} (\d+)$/gm)
    return [...found].reduce((sum, [, count]) => sum + Number(count), 0)
  }

  async *send(call: Call, leaving: AbortSignal): AsyncGenerator<Seen> {
    const response = await fetch(`${this.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${call.payer.key}`, 'content-type': 'application/json' },
      body: bodyOf(call),
      signal: leaving,
      keepalive: false,
    })
    yield { kind: 'answered', requestId: response.headers.get('x-oneapi-request-id') ?? '' }
    if (!response.ok || !response.body) {
      await response.text()
      yield { kind: 'refused', status: response.status }
    } else if (call.plain) {
      const { choices } = (await response.json()) as { choices: [{ message: { content: string } }] }
      yield { kind: 'tokens', count: choices[0].message.content.length / TOKEN.length }
      yield { kind: 'done' }
    } else yield* readStream(response.body)
  }

  async #isReady(): Promise<boolean> {
    const answer = await fetch(`${this.url}/readyz`, { keepalive: false }).catch(() => undefined)
    return answer?.status === 200
  }
}

/** The request's text as it is sent; what the provider shall do is in the message. */
export function bodyOf({ payer: _, model = 'model-0', most, plain, ...wanted }: Call): string {
  return JSON.stringify({
    model,
    stream: !plain,
    max_tokens: most,
    messages: [{ role: 'user', content: JSON.stringify(wanted) }],
  })
}

async function* readStream(body: ReadableStream<Uint8Array>): AsyncGenerator<Seen> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true })
    const frames = text.split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const seen = readFrame(frame)
      if (seen) yield seen
    }
  }
}

function readFrame(frame: string): Seen | undefined {
  if (!frame.startsWith('data: ')) return undefined
  const data = frame.slice(6)
  if (data === '[DONE]') return { kind: 'done' }
  const { error, choices } = JSON.parse(data) as {
    error?: unknown
    choices?: [{ delta: { content?: string } }?]
  }
  if (error) return { kind: 'error' }
  const content = choices?.[0]?.delta.content
  return content ? { kind: 'tokens', count: content.length / TOKEN.length } : undefined
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function isProgram(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(COMMAND.at(-1) ?? '')
  } catch {
    return false
  }
}
