import { readFrame } from '../guards/frame.ts'
import type { RelayParts } from '../parts.ts'
import type { JobForm } from './job-form.ts'
import { type Job, jobStates } from './job-rows.ts'

const NOTHING = { at: undefined, words: '' }

/**
 * What clients have read of a response while it was made. One that is cancelled may never tell what it used: then so much
 * of it is paid. Events have numbers, or are read from the first on: what is read twice is counted once.
 */
export class SeenWords {
  readonly #parts: RelayParts
  readonly #job: Job
  readonly #form: JobForm
  #deltas = 0
  #to: number
  #tokens: number
  #pending = ''
  #noting = Promise.resolve()

  constructor(parts: RelayParts, job: Job, form: JobForm) {
    this.#parts = parts
    this.#job = job
    this.#form = form
    this.#to = job.seen_to
    this.#tokens = job.seen_tokens
  }

  hear(raw: string): void {
    if (!raw.includes('.delta')) return
    const before = this.#deltas++
    const { json } = readFrame(raw)
    const { at, words } = json ? this.#form.heardIn(json, before) : NOTHING
    if (at === undefined || at <= this.#to) return
    this.#to = at
    this.#pending += words
  }

  /** Nothing of it has been written down yet, and here are its first words. */
  get isNew(): boolean {
    return this.#tokens === 0 && this.#pending !== ''
  }

  /** Writes down what is new, one after the other. */
  note(): Promise<void> {
    this.#noting = this.#noting.catch(() => {}).then(() => this.#write())
    return this.#noting
  }

  async #write(): Promise<void> {
    if (this.#pending === '') return
    const [to, text] = [this.#to, this.#pending]
    this.#pending = ''
    this.#tokens += await this.#parts.counter.countText(text)
    await this.#parts.store.db
      .updateTable('background_responses')
      .set({ seen_to: to, seen_tokens: this.#tokens })
      .where('request_id', '=', this.#job.request_id)
      .where('state', '=', jobStates.running)
      .where('seen_to', '<', to)
      .execute()
  }
}
