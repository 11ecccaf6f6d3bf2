import type { Subprocess } from 'bun'
import { type Env, workerEnvironment } from './env.ts'
import { log } from './log.ts'
import { collectMetrics, counter, type MetricFamily, renderMetrics } from './metrics.ts'
import { endTimes, exitCodes, type FromWorker, type ToWorker } from './process-messages.ts'
import { waitForPort } from './wait-for-port.ts'
import { Watchdog } from './watchdog.ts'

/** Less than who asks waits, as a rule; counts of a worker that was only busy would be missing in between. */
const METRICS_WITHIN_MS = 5000
const STABLE_MS = 5000
const MOST_PAUSE_MS = 10_000
/** A terminal's Ctrl-C reaches us twice, once by way of npm: only what comes later was meant as a second word. */
const SECOND_WORD_MS = 1000

const restarts = counter('tollgate_worker_restarts_total', 'Workers that died and were started again.')
restarts.increment({}, 0)
const hangs = counter('tollgate_worker_hangs_total', 'Workers that hung and were killed.')
hangs.increment({}, 0)

interface Worker {
  readonly slot: number
  readonly process: Subprocess
  readonly startedAt: number
  ready: boolean
}

type Ready = Extract<FromWorker, { kind: 'ready' }>

/** Starts the workers, starts them again when they die, and carries word between them. */
export class Supervisor {
  readonly #env: Env
  readonly #command: readonly string[]
  readonly #onReady: (first: Ready) => void
  readonly #workers = new Map<number, Worker>()
  readonly #collecting = new Map<number, Map<number, readonly MetricFamily[]>>()
  readonly #quickDeaths = new Map<number, number>()
  /** The name in the books of who was last ready in a slot. */
  readonly #nodes = new Map<number, string>()
  readonly #watchdog = new Watchdog()
  #port: number
  #everReady = false
  #stopping = false
  #stoppedAt = 0
  #next = 1
  #end: (code: number) => void = () => {}

  constructor(env: Env, command: readonly string[], onReady: (first: Ready) => void) {
    this.#env = env
    this.#command = command
    this.#onReady = onReady
    this.#port = env.port
  }

  /** Resolves with the exit code. */
  async run(): Promise<number> {
    const ended = new Promise<number>(resolve => {
      this.#end = resolve
    })
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#stop())
    if (this.#env.workers > 1) await this.#findPortFree()
    // A breakpoint holds a worker up for as long as somebody thinks.
    if (!this.#env.isInspected) this.#watchdog.start()
    if (!this.#stopping) this.#start(0)
    return ended
  }

  /** Workers share the port among themselves: another program's would join them, and nobody would be told. */
  #findPortFree(): Promise<void> {
    const { host: hostname, port } = this.#env
    return waitForPort(
      this.#env,
      () => Bun.listen({ hostname, port, socket: { data: () => {} } }).stop(true),
      () => this.#stopping,
    )
  }

  #start(slot: number): void {
    const former = this.#nodes.get(slot) ?? []
    const child: Subprocess = Bun.spawn([...this.#command, 'worker', String(slot)].concat(former), {
      env: workerEnvironment(this.#port),
      stdio: ['ignore', 'inherit', 'inherit'],
      ipc: message => this.#hear(slot, message as FromWorker),
      onExit: (_process, code, signal) => this.#died(slot, code, signal),
    })
    this.#workers.set(slot, { slot, process: child, startedAt: performance.now(), ready: false })
  }

  #hear(slot: number, message: FromWorker): void {
    this.#watchdog.heard(slot)
    switch (message.kind) {
      case 'ready':
        return this.#ready(slot, message)
      case 'here':
        return
      case 'changed':
      case 'mcp-cancelled':
        for (const worker of this.#workers.values()) if (worker.slot !== slot) tell(worker, message)
        return
      case 'metrics-wanted':
        this.#collect(slot, message.id).catch(error => log.error('metrics could not be collected', { error }))
        return
      case 'metrics':
        this.#collecting.get(message.id)?.set(slot, message.families)
        return
    }
  }

  /** The first worker migrates and, when the port is for the system to choose, chooses it for all. */
  #ready(slot: number, message: Ready): void {
    const worker = this.#workers.get(slot)
    if (worker) {
      worker.ready = true
      this.#watch(worker)
    }
    this.#nodes.set(slot, message.node)
    if (this.#everReady) return
    this.#everReady = true
    this.#port = message.port
    for (let other = 1; other < this.#env.workers; other++) this.#start(other)
    this.#onReady(message)
  }

  /** Only from now on: a start takes as long as the database makes it. */
  #watch(worker: Worker): void {
    const { slot, process: child } = worker
    const ask = (): void => tell(worker, { kind: 'there' })
    this.#watchdog.watch(slot, child.pid, ask, () => {
      hangs.increment()
      log.error('a worker hangs and is killed', { slot, pid: child.pid })
      child.kill('SIGKILL')
    })
  }

  async #collect(asker: number, askersId: number): Promise<void> {
    const id = this.#next++
    const answers = new Map<number, readonly MetricFamily[]>()
    this.#collecting.set(id, answers)
    const asked = [...this.#workers.values()].filter(worker => worker.ready)
    for (const worker of asked) tell(worker, { kind: 'metrics-wanted', id })
    const deadline = performance.now() + METRICS_WITHIN_MS
    while (answers.size < asked.length && performance.now() < deadline) await Bun.sleep(2)
    this.#collecting.delete(id)
    const text = renderMetrics([
      { worker: 'supervisor', families: collectMetrics() },
      ...[...answers].map(([slot, families]) => ({ worker: String(slot), families })),
    ])
    const worker = this.#workers.get(asker)
    if (worker) tell(worker, { kind: 'all-metrics', id: askersId, text })
  }

  #died(slot: number, code: number | null, signal: NodeJS.Signals | number | null): void {
    const worker = this.#workers.get(slot)
    this.#workers.delete(slot)
    this.#watchdog.forget(slot)
    if (this.#stopping) {
      if (this.#workers.size === 0) this.#end(0)
      return
    }
    const hopeless = Object.values(exitCodes).find(known => known === code)
    if (!this.#everReady && hopeless) return this.#end(hopeless)
    if (!this.#everReady && (this.#quickDeaths.get(slot) ?? 0) >= 3) return this.#end(code || 1)
    const lived = performance.now() - (worker?.startedAt ?? 0)
    const quick = lived < STABLE_MS ? (this.#quickDeaths.get(slot) ?? 0) + 1 : 0
    this.#quickDeaths.set(slot, quick)
    // At once the first time; a worker that cannot live is tried more and more slowly.
    const pause = quick <= 1 ? 0 : Math.min(MOST_PAUSE_MS, 200 * 2 ** quick)
    restarts.increment()
    log.error('a worker died and is started again', { slot, code, signal, afterMs: lived, pauseMs: pause })
    setTimeout(() => {
      if (!this.#stopping) this.#start(slot)
    }, pause)
  }

  #stop(): void {
    if (this.#stopping) return this.#hurry()
    this.#stopping = true
    this.#stoppedAt = performance.now()
    if (this.#workers.size === 0) return this.#end(0)
    const { shutdownDelay } = this.#env
    log.info('ending: what is under way may finish, a second signal cuts it off', {
      ...(shutdownDelay > 0 && { takesCallsForSeconds: shutdownDelay }),
      withinSeconds: endTimes.finishMs / 1000,
    })
    for (const { process: child } of this.#workers.values()) child.kill('SIGTERM')
    setTimeout(
      () => {
        for (const { process: child } of this.#workers.values()) child.kill('SIGKILL')
      },
      shutdownDelay * 1000 + endTimes.killMs,
    ).unref()
  }

  #hurry(): void {
    if (performance.now() - this.#stoppedAt < SECOND_WORD_MS) return
    for (const worker of this.#workers.values()) tell(worker, { kind: 'hurry' })
  }
}

function tell(worker: Worker, message: ToWorker): void {
  try {
    worker.process.send(message)
  } catch (error) {
    // It died a moment ago; its successor reads everything afresh.
    log.debug('a worker could not be told', { slot: worker.slot, error })
  }
}
