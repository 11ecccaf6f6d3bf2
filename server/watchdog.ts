import { readFileSync } from 'node:fs'

const TICK_MS = 1000
const PATIENCE_TICKS = 60
/** Who waited this long for a processor may be slow because of others, unless it had this much of one meanwhile. */
const STARVED_MS = 30_000
const ENOUGH_MS = 10_000

/** How a process fares, as far as the system tells. */
export interface Condition {
  /** Another process looks into it: a debugger, strace. */
  readonly isTraced: boolean
  /** It waits for a disk. */
  readonly isOnDisk: boolean
  /** How long it had a processor, and how long it had to wait for one. */
  readonly ranMs: number
  readonly waitedMs: number
}

interface Watched {
  readonly pid: number
  readonly ask: () => void
  readonly onHung: () => void
  isAsked: boolean
  silentTicks: number
  atFirst: Condition | undefined
}

/**
 * Asks the workers every second whether they are there, which only a loop that turns can answer. One that says nothing
 * for a minute hangs, and nobody else would notice: its connections stay open and it does not die.
 */
export class Watchdog {
  readonly #watched = new Map<number, Watched>()
  readonly #now: () => number
  readonly #look: (pid: number) => Condition | undefined
  #tickedAt: number

  constructor(now: () => number = () => performance.now(), look = conditionOf) {
    this.#now = now
    this.#look = look
    this.#tickedAt = now()
  }

  start(): void {
    setInterval(() => this.tick(), TICK_MS)
  }

  watch(slot: number, pid: number, ask: () => void, onHung: () => void): void {
    this.#watched.set(slot, { pid, ask, onHung, isAsked: false, silentTicks: 0, atFirst: undefined })
  }

  forget(slot: number): void {
    this.#watched.delete(slot)
  }

  /** Whatever it says, it lives. */
  heard(slot: number): void {
    const worker = this.#watched.get(slot)
    if (!worker) return
    worker.isAsked = false
    worker.silentTicks = 0
  }

  tick(): void {
    const at = this.#now()
    // Whoever stopped us, or left us waiting for a processor, has done so to the workers too.
    const isLate = at - this.#tickedAt > 2 * TICK_MS
    this.#tickedAt = at
    for (const [slot, worker] of this.#watched) {
      if (!worker.isAsked) {
        worker.isAsked = true
        worker.ask()
      } else if (!isLate && ++worker.silentTicks === 1) worker.atFirst = this.#look(worker.pid)
      if (worker.silentTicks < PATIENCE_TICKS) continue
      const condition = this.#look(worker.pid)
      if (condition && isExcused(worker.atFirst, condition)) {
        worker.silentTicks = 1
        worker.atFirst = condition
      } else {
        this.#watched.delete(slot)
        worker.onHung()
      }
    }
  }
}

/** Another minute for who is held up by something else than itself. */
function isExcused(
  before: Condition | undefined,
  { isTraced, isOnDisk, ranMs, waitedMs }: Condition,
): boolean {
  if (isTraced || isOnDisk) return true
  return before !== undefined && waitedMs - before.waitedMs > STARVED_MS && ranMs - before.ranMs < ENOUGH_MS
}

/** Of the thread that turns the loop; undefined where the system does not tell. */
export function conditionOf(pid: number): Condition | undefined {
  try {
    const thread = `/proc/${pid}/task/${pid}`
    const status = readFileSync(`${thread}/status`, 'utf8')
    const [ran = 0, waited = 0] = readFileSync(`${thread}/schedstat`, 'utf8').split(' ').map(Number)
    return {
      isTraced: !/^TracerPid:\s*0$/m.test(status),
      isOnDisk: /^State:\s*D/m.test(status),
      ranMs: ran / 1e6,
      waitedMs: waited / 1e6,
    }
  } catch {
    return undefined
  }
}
