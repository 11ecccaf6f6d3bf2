import type { DialectName } from '../../dialects/spec.ts'
import { log } from '../../log.ts'
import { counter, gauge } from '../../metrics.ts'
import type { Store } from '../../store/index.ts'
import { type Content, putContents } from '../../store/log-contents.ts'
import { isUnavailable } from '../../store/store-error.ts'
import type { Admitted } from '../callers/authorise.ts'
import type { Incoming } from '../request/incoming.ts'
import type { Form } from '../request/parse-multipart.ts'
import type { JsonBody } from '../request/read-body.ts'
import { hideSecrets } from './hide-secrets.ts'
import { type Keeper, Transcript } from './transcript.ts'
import { UnpaidBudget } from './unpaid-budget.ts'

/** Of this process: what goes on and what waits to be written. What would be more is not kept. */
const MOST_HELD = 64 * 1024 * 1024
/** So that many calls share a commit. */
const GATHER_MS = 100
/** Whoever charges waits for a commit that is under way: it is to be short. */
const ROWS_AT_ONCE = 50
const BYTES_AT_ONCE = 512 * 1024
const AGAIN_MS = 1000
/** Between two warnings. */
const QUIET_MS = 60_000

const kept = counter(
  'tollgate_log_contents_total',
  'Calls whose content was to be kept, by what became of it.',
)
const countStored = kept.bound({ outcome: 'stored' })
const countLost = kept.bound({ outcome: 'dropped' })

interface Waiting {
  readonly content: Content
  readonly held: number
}

/** Keeps what is asked and answered, where the operator wants it: beside the calls, and never in their way. */
export class Contents implements Keeper {
  readonly #store: Store
  readonly #now: () => number
  readonly #most: number
  readonly #unpaid = new UnpaidBudget()
  #held = 0
  readonly #queue: Waiting[] = []
  #queuedBytes = 0
  #writing: Promise<void> | undefined
  #isClosing = false
  #warnedAt = Number.NEGATIVE_INFINITY

  constructor(store: Store, now: () => number, most = MOST_HELD) {
    this.#store = store
    this.#now = now
    this.#most = most
    gauge('tollgate_log_contents_bytes', 'Memory that contents of calls take until stored.', () => this.#held)
  }

  /** Undefined while nothing is to be kept. */
  open(
    { requestId }: Pick<Incoming, 'requestId'>,
    { caller }: Admitted,
    body: JsonBody | Form,
    dialect?: DialectName,
  ): Transcript | undefined {
    const { settings } = this.#store
    const scope = settings.get('LogContentScope')
    if (scope === 'off') return undefined
    const asked = { requestId, userId: caller.userId, createdAt: this.#now(), body, dialect }
    const limit = settings.get('LogContentKilobytes') * 1024
    // What leaves no row in the log, nobody looks for.
    const onlyFailed = scope === 'errors' || !settings.get('LogConsumeEnabled')
    return new Transcript(asked, { limit, onlyFailed }, this)
  }

  hold(bytes: number): boolean {
    if (this.#held + bytes > this.#most) return false
    this.#held += bytes
    return true
  }

  close(transcript: Transcript, held: number): void {
    const { asked, terms, hasFailed, isFree, problem } = transcript
    if (terms.onlyFailed && !hasFailed) return this.#giveBack(held)
    if (transcript.isLost) {
      this.#giveBack(held)
      return this.#drop(
        1,
        problem ? 'something went wrong' : 'they come faster than they are stored',
        problem,
      )
    }
    const content = contentOf(transcript)
    if ((hasFailed || isFree) && !this.#unpaid.take(asked.userId, sizeOf(content), this.#now())) {
      this.#giveBack(held)
      return this.#drop(1, 'too much of one user that cost nothing')
    }
    this.#queue.push({ content, held })
    this.#queuedBytes += sizeOf(content)
    this.#writing ??= this.#writeAll()
  }

  #giveBack(held: number): void {
    this.#held -= held
  }

  /** Stores what waits, if that can be done soon. */
  async finish(withinMs: number): Promise<void> {
    this.#isClosing = true
    await Promise.race([this.#writing, Bun.sleep(withinMs)])
    if (this.#queue.length > 0) this.#drop(this.#queue.length, 'the process ended')
  }

  /** What comes while it ends is written too. */
  async #writeAll(): Promise<void> {
    try {
      await this.#write()
    } catch (error) {
      this.#drop(this.#queue.length, 'something went wrong', error)
      this.#forget([...this.#queue])
    }
    this.#writing = this.#queue.length > 0 && !this.#isClosing ? this.#writeAll() : undefined
  }

  async #write(): Promise<void> {
    while (this.#queue.length > 0) {
      const isFew = this.#queue.length < ROWS_AT_ONCE && this.#queuedBytes < BYTES_AT_ONCE
      if (isFew && !this.#isClosing) await Bun.sleep(GATHER_MS)
      const batch = this.#nextBatch()
      try {
        await putContents(
          this.#store,
          batch.map(({ content }) => content),
        )
        countStored(batch.length)
      } catch (error) {
        // The database comes back, or the memory for this runs out.
        if (isUnavailable(error)) {
          if (this.#isClosing) return
          await Bun.sleep(AGAIN_MS)
          continue
        }
        this.#drop(batch.length, 'they could not be stored', error)
      }
      this.#forget(batch)
    }
  }

  #nextBatch(): Waiting[] {
    let bytes = 0
    const end = this.#queue.findIndex(({ content }, at) => {
      bytes += sizeOf(content)
      return at === ROWS_AT_ONCE || (at > 0 && bytes > BYTES_AT_ONCE)
    })
    return end < 0 ? [...this.#queue] : this.#queue.slice(0, end)
  }

  #forget(batch: readonly Waiting[]): void {
    this.#queue.splice(0, batch.length)
    for (const { content, held } of batch) {
      this.#held -= held
      this.#queuedBytes -= sizeOf(content)
    }
  }

  #drop(many: number, why: string, error?: unknown): void {
    countLost(many)
    const at = performance.now()
    if (at - this.#warnedAt < QUIET_MS) return
    this.#warnedAt = at
    log.warn('contents of calls are not kept', { many, why, ...(error ? { error } : {}) })
  }
}

function contentOf({ asked, request, answer, words }: Transcript): Content {
  const { requestId, userId, createdAt } = asked
  return {
    ...{ requestId, userId, createdAt },
    request: request.take(),
    answer: withoutSecrets(answer.take()),
    words: withoutSecrets(words.take()),
    requestLeftOut: request.leftOut,
    answerLeftOut: answer.leftOut,
    wordsLeftOut: words.leftOut,
  }
}

function withoutSecrets(bytes: Buffer): Buffer {
  return Buffer.from(hideSecrets(bytes.toString('utf8')))
}

function sizeOf({ request, answer, words }: Content): number {
  return request.length + answer.length + words.length
}
