import type { Scheduler, SimProcess } from './scheduler.ts'

/** What a request asks for, decided beforehand by the seed. */
export interface Script {
  readonly id: string
  readonly tokenCosts: readonly number[]
  /** The longest it takes for a token, in milliseconds. */
  readonly pace: number
  /** How many attempts fail before the first token. */
  readonly failedAttempts: number
  /** Breaks after so many tokens. */
  readonly breaksAfter: number
}

export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure'
}

/** The provider. It keeps its own books of what it produced: the truth that charges are compared with. */
export class SimUpstream {
  readonly produced = new Map<string, number>()
  readonly #scheduler: Scheduler
  readonly #attempts = new Map<string, number>()

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  async connect(process: SimProcess, script: Script): Promise<SimStream> {
    await this.#scheduler.sleep(process, this.#scheduler.random.between(1, 40))
    const attempt = (this.#attempts.get(script.id) ?? 0) + 1
    this.#attempts.set(script.id, attempt)
    if (attempt <= script.failedAttempts) throw new UpstreamFailure('before the first token')
    return new SimStream(this.#scheduler, process, script, this.produced)
  }
}

/** An answer, token by token. */
export class SimStream {
  readonly #scheduler: Scheduler
  readonly #process: SimProcess
  readonly #script: Script
  readonly #produced: Map<string, number>
  #at = 0

  constructor(scheduler: Scheduler, process: SimProcess, script: Script, produced: Map<string, number>) {
    this.#scheduler = scheduler
    this.#process = process
    this.#script = script
    this.#produced = produced
  }

  /** What the next token costs; undefined at the end. */
  next(): Promise<number | undefined> {
    const { random } = this.#scheduler
    const { id, tokenCosts, pace, breaksAfter } = this.#script
    return new Promise((resolve, reject) => {
      this.#scheduler.after(random.between(1, pace), () => {
        const at = this.#at++
        if (at >= breaksAfter) {
          this.#scheduler.tell(this.#process, 0, () => reject(new UpstreamFailure('in the middle')))
          return
        }
        const cost = tokenCosts[at]
        // Produced now; whether the gateway lives to see it is another matter.
        if (cost !== undefined) this.#produced.set(id, (this.#produced.get(id) ?? 0) + cost)
        this.#scheduler.tell(this.#process, random.between(0, 5), () => resolve(cost))
      })
    })
  }
}
