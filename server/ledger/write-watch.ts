import { log } from '../log.ts'
import { counter, histogram } from '../metrics.ts'
import type { RunBatch } from '../store/batch/batch.ts'
import { isUnavailable } from '../store/store-error.ts'

const commit = histogram(
  'tollgate_ledger_commit_seconds',
  'Time a batch of moves took to be on disk.',
  [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 20],
).bound({})
const failures = counter('tollgate_ledger_commit_failures_total', 'Batches that the database did not take.')
failures.increment({}, 0)

/** One write that fails may be a lock or a hiccup; so many in a row are a database that takes none. */
const FAILED_BEATS = 2
const FAILED_BATCHES = 3
/** So long after the last batch that failed, a beat that gets through is believed again. */
const DOUBT_MS = 10_000

/**
 * Whether the database takes writes. It may answer and take none: its disk is full. The beat is written all the
 * time, but is so small that it may find room where a batch does not, so both are asked.
 */
export class WriteWatch {
  readonly #clock: () => number
  #failedBeats = 0
  #failedBatches = 0
  #batchFailedAt = 0
  #isAway = false

  constructor(clock: () => number) {
    this.#clock = clock
  }

  get canWrite(): boolean {
    if (this.#failedBeats >= FAILED_BEATS) return false
    return this.#failedBatches < FAILED_BATCHES || this.#clock() - this.#batchFailedAt > DOUBT_MS
  }

  /** The same, watched. */
  batch(run: RunBatch): RunBatch {
    return async (decision, argument) => {
      const began = this.#clock()
      try {
        const result = await run(decision, argument)
        this.#failedBatches = 0
        commit((this.#clock() - began) / 1000)
        return result
      } catch (error) {
        if (isUnavailable(error)) {
          failures.increment()
          this.#failedBatches++
          this.#batchFailedAt = this.#clock()
        }
        throw error
      }
    }
  }

  /** What is asked most often tells first: the log says once that the database went, and once that it is back. */
  async beat(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#failedBeats++
      if (!this.#isAway && isUnavailable(error)) {
        const reason = String((error as Error).cause ?? error)
        log.error('the database is out of reach: calls are refused until it is back', { reason })
        this.#isAway = true
      }
      throw error
    }
    if (this.#isAway) log.info('the database is back')
    this.#isAway = false
    this.#failedBeats = 0
  }
}
