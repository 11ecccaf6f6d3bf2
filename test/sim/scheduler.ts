/** One seed's source of every choice. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0
    for (let at = 0; at < 8; at++) this.next()
  }

  /** Mulberry32: from 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[Math.floor(this.next() * list.length)] ?? list[0]
  }
}

/** Something that can die or stand still. What arrives for it while it stands still, arrives when it wakes. */
export class SimProcess {
  readonly name: string
  alive = true
  frozen = false
  readonly backlog: (() => void)[] = []
  /** What happens instead of one of the next deliveries, and how many come before it. */
  fuse: { left: number; burn: () => void } | undefined

  constructor(name: string) {
    this.name = name
  }

  deliver(run: () => void): void {
    if (!this.alive) return
    if (this.frozen) this.backlog.push(run)
    else if (this.fuse && --this.fuse.left <= 0) this.fuse.burn()
    else run()
  }

  wake(): void {
    this.frozen = false
    for (const run of this.backlog.splice(0)) this.deliver(run)
  }
}

interface SimEvent {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

/**
 * Time as a queue of events. Whatever a process waits for outside of itself is an event here, so a process
 * that dies dies at one of its awaits: the events meant for it are dropped and it never continues. Between
 * two events all microtasks run out (an immediate comes after them), and nothing else is running: one seed
 * is one history.
 */
export class Scheduler {
  readonly random: Random
  /** Milliseconds since the run began. */
  now = 0
  /** How many have happened. */
  events = 0
  readonly #trace: ((line: string) => void) | undefined
  readonly #heap: SimEvent[] = []
  #order = 0

  constructor(seed: number, trace?: (line: string) => void) {
    this.random = new Random(seed)
    this.#trace = trace
  }

  note(who: string, what: () => string): void {
    this.#trace?.(`${this.now.toString().padStart(6)} ${who.padEnd(8)} ${what()}`)
  }

  after(ms: number, run: () => void): void {
    this.#push({ at: this.now + ms, order: this.#order++, run })
  }

  /** Something that a process will notice, if it still lives by then. */
  tell(process: SimProcess, ms: number, run: () => void): void {
    this.after(ms, () => process.deliver(run))
  }

  sleep(process: SimProcess, ms: number): Promise<void> {
    return new Promise(resolve => this.tell(process, ms, resolve))
  }

  /** Until it is finished; false when that was not so by `deadline`. */
  async run(finished: () => boolean, deadline: number): Promise<boolean> {
    await drain()
    while (!finished()) {
      const event = this.#heap[0]
      if (!event || event.at > deadline) {
        this.now = Math.max(this.now, deadline)
        return false
      }
      this.#pop()
      this.now = event.at
      this.events++
      event.run()
      await drain()
    }
    return true
  }

  #push(event: SimEvent): void {
    const heap = this.#heap
    let at = heap.length
    while (at > 0) {
      const up = (at - 1) >> 1
      const parent = heap[up]
      if (!parent || isBefore(parent, event)) break
      heap[at] = parent
      at = up
    }
    heap[at] = event
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (!last || heap.length === 0) return
    let at = 0
    for (;;) {
      let down = at * 2 + 1
      let child = heap[down]
      if (!child) break
      const right = heap[down + 1]
      if (right && isBefore(right, child)) {
        child = right
        down++
      }
      if (isBefore(last, child)) break
      heap[at] = child
      at = down
    }
    heap[at] = last
  }
}

function isBefore(a: SimEvent, b: SimEvent): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}

function drain(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
