import { randomUUID } from 'node:crypto'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import { counter, gauges } from '../../metrics.ts'
import { gather, gatherAgain } from './gather.ts'
import { tellOfFailing, tellOfWorking } from './news.ts'
import { highestId, Settled } from './settled.ts'
import { allSinks, type Batch, type Parts, type Sink } from './sink.ts'
import { change, claim, readState, SAY_SECONDS, type SinkState, writeProblem } from './state.ts'

/** After the first failure; then twice as long each time. */
const FIRST_PAUSE = 1
const LONGEST_PAUSE = 300
/** So many in a row: a receiver that is being started anew is nothing to tell of. */
const TELL_AFTER = 5

const behind = new Map<Sink, number>()
gauges('tollgate_log_sink_behind_rows', 'Numbers of the log that have not been delivered yet.', () =>
  [...behind].map(([{ name }, value]) => ({ labels: { sink: name }, value })),
)
const arrived = counter('tollgate_log_sink_rows_total', 'Rows of the log that were delivered.')
const failures = counter('tollgate_log_sink_failures_total', 'Batches of the log that were not taken.')
for (const { name } of allSinks) for (const count of [arrived, failures]) count.increment({ sink: name }, 0)

/**
 * Delivers the log to one place, in the order of its numbers and at least once. What is about to be sent is noted
 * first, and that it has arrived last: whoever goes on after a crash sends the very same once more.
 */
export class LogDelivery {
  readonly #app: Parts
  readonly #sink: Sink
  readonly #owner = randomUUID()
  readonly #settled: Settled
  readonly #stopped = new AbortController()
  #isOwner = false
  /** Since when there are rows that wait for others, by a clock that is not set. */
  #waitingSince: number | undefined

  constructor(app: Parts, sink: Sink, settled = new Settled(app.store)) {
    this.#app = app
    this.#sink = sink
    this.#settled = settled
  }

  /** Delivers what is due, if it is this process' part; true when there may be more at once. */
  async turn(): Promise<boolean> {
    const { settings, now } = this.#app
    if (!this.#sink.isOn(settings)) {
      behind.delete(this.#sink)
      return false
    }
    const state = await readState(this.#app, this.#sink.name)
    const rows = Math.max(0, (await highestId(this.#app.store.db)) - state.delivered_to)
    behind.set(this.#sink, rows)
    this.#isOwner = await claim(this.#app, state, this.#owner)
    if (!this.#isOwner) return false
    if (rows === 0 || isResting(state, now())) return false
    const batch = await this.#nextBatch(state, rows)
    return batch !== undefined && this.#deliver(state, batch)
  }

  /** Breaks off what is being sent: somebody else sends it again. */
  breakOff(): void {
    this.#stopped.abort()
  }

  /** After the last turn: another need not wait until this process has been silent for long. */
  async giveUp(): Promise<void> {
    if (!this.#isOwner) return
    const state = await readState(this.#app, this.#sink.name)
    await change(this.#app, state, this.#owner, { seen_at: 0 })
  }

  async #nextBatch(state: SinkState, rows: number): Promise<Batch | undefined> {
    const { delivered_to, sending_to } = state
    if (sending_to > delivered_to) return gatherAgain(this.#app, delivered_to, sending_to)
    const at = performance.now()
    this.#waitingSince ??= at
    const isRipe = at - this.#waitingSince >= this.#sink.secondsToWait(this.#app.settings) * 1000
    if (!isRipe && rows < this.#sink.mostRows) return undefined
    const batch = await gather(this.#app, this.#settled, delivered_to, this.#sink)
    return isRipe || batch?.isFull ? batch : undefined
  }

  async #deliver(state: SinkState, batch: Batch): Promise<boolean> {
    const { to, lines } = batch
    const isNoted = state.sending_to === to
    if (!isNoted && !(await change(this.#app, state, this.#owner, { sending_to: to }))) return false
    try {
      if (lines.length > 0) await this.#send(state, batch)
    } catch (error) {
      if (!this.#stopped.signal.aborted) await this.#noteFailure(state, asProblem(error))
      return false
    }
    const { now } = this.#app
    const all = { failures: 0, failed_at: 0, retry_at: 0, told_at: 0, problem: '', sending_to: 0 }
    const delivered = { ...all, delivered_to: to, ...(lines.length > 0 && { delivered_at: now() }) }
    this.#waitingSince = undefined
    if (!(await change(this.#app, state, this.#owner, delivered))) return false
    arrived.increment({ sink: this.#sink.name }, lines.length)
    if (state.told_at > 0) tellOfWorking(this.#app, this.#sink.name)
    return true
  }

  /** Meanwhile it says that it is at it. */
  async #send(state: SinkState, batch: Batch): Promise<void> {
    const beat = setInterval(() => {
      change(this.#app, state, this.#owner, {}).catch(error =>
        log.debug('who delivers the log could not be noted', { error }),
      )
    }, SAY_SECONDS * 1000)
    try {
      await this.#sink.send(this.#app, batch, this.#stopped.signal)
    } finally {
      clearInterval(beat)
    }
  }

  async #noteFailure(state: SinkState, problem: AppError): Promise<void> {
    const { name } = this.#sink
    const at = this.#app.now()
    const count = state.failures + 1
    const pause = Math.min(FIRST_PAUSE * 2 ** Math.min(count - 1, 20), LONGEST_PAUSE)
    const isToTell = count >= TELL_AFTER && state.told_at === 0
    failures.increment({ sink: name })
    log.warn('the log could not be delivered; it is tried again', { sink: name, reason: problem.message })
    const noted = await change(this.#app, state, this.#owner, {
      failures: count,
      failed_at: state.failed_at || at,
      retry_at: at + pause,
      problem: writeProblem(problem),
      ...(isToTell && { told_at: at }),
    })
    if (noted && isToTell) await tellOfFailing(this.#app, name, problem)
  }
}

/** One that lies further ahead than any is from before a clock was set back. */
function isResting({ retry_at }: SinkState, now: number): boolean {
  return retry_at > now && retry_at <= now + LONGEST_PAUSE
}

function asProblem(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('outbound.failed', {}, error)
}
