import { gauge } from '../../metrics.ts'
import type { Store } from '../../store/index.ts'
import { newMark, type SharedAnswers } from '../../store/shared-answers.ts'
import { Flights } from './flights.ts'
import { type KeptAnswer, packAnswer, unpackAnswer } from './kept-answer.ts'
import { Meanings } from './meanings.ts'
import type { Room } from './recording.ts'
import { SimilarAnswers } from './similar-answers.ts'

const MEGABYTE = 1024 * 1024
/** Bytes of memory that an answer takes besides its body. */
const OVERHEAD = 1024

interface Entry {
  readonly mark: string
  readonly answer: KeptAnswer
}

/** Whole answers by the names of their requests: in this process, and where there is a Redis in that too. */
export class AnswerCache implements Room {
  readonly flights = new Flights()
  readonly meanings = new Meanings()
  readonly similar: SimilarAnswers
  readonly #settings: Store['settings']
  readonly #shared: SharedAnswers | undefined
  /** In the order in which they were last asked for: the first goes first when memory is short. */
  readonly #entries = new Map<string, Entry>()
  #bytes = 0
  /** Bytes of answers that are being recorded. */
  #coming = 0

  constructor({ settings, answers }: Pick<Store, 'settings' | 'answers'>) {
    this.#settings = settings
    this.#shared = answers
    this.similar = new SimilarAnswers({ settings, answers })
    gauge('tollgate_relay_answer_cache_bytes', 'Answers kept in memory.', () => this.#bytes)
    this.#heed()
    settings.onChange(() => this.#heed())
  }

  /** Redis is asked too, even for an answer that is here: another process may have been told to `refresh` it. */
  async find(name: string, now: number): Promise<KeptAnswer | undefined> {
    const before = this.#entries.get(name)
    const shared = await this.#shared?.find(name, before?.mark)
    // This process may have got a new one while Redis was asked.
    const own = this.#entries.get(name) ?? before
    const isNewer = shared && shared !== 'same' && (!own || own.mark < shared.mark)
    const entry = isNewer ? open(shared) : own
    if (entry && now >= entry.answer.endsAt) this.#forget(name)
    else if (entry && this.#isOn) this.#remember(name, entry)
    return entry?.answer
  }

  /** Nobody waits until it is in Redis. */
  keep(name: string, answer: KeptAnswer): void {
    // It may have been switched off while the answer came.
    if (!this.#isOn) return
    const entry = { mark: newMark(), answer }
    this.#remember(name, entry)
    if (!this.#shared) return
    const seconds = answer.endsAt - answer.madeAt
    const packed = { mark: entry.mark, bytes: packAnswer(answer) }
    void this.#shared.keep(name, packed, { seconds, most: this.#most })
  }

  /** Answers that are being recorded may take as much memory again, and no more, however many there are. */
  take(bytes: number): boolean {
    if (this.#coming + bytes > this.#most) return false
    this.#coming += bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#coming -= bytes
  }

  /** What the operator has switched off is given up at once. */
  #heed(): void {
    if (this.#isOn) void this.#shared?.open()
    this.#shrinkTo(this.#isOn ? this.#most : 0)
  }

  get #isOn(): boolean {
    return this.#settings.get('AnswerCacheSeconds') > 0
  }

  get #most(): number {
    return this.#settings.get('AnswerCacheMegabytes') * MEGABYTE
  }

  #remember(name: string, entry: Entry): void {
    this.#forget(name)
    this.#entries.set(name, entry)
    this.#bytes += sizeOf(entry)
    this.#shrinkTo(this.#most)
  }

  #forget(name: string): void {
    const entry = this.#entries.get(name)
    if (entry && this.#entries.delete(name)) this.#bytes -= sizeOf(entry)
  }

  #shrinkTo(most: number): void {
    for (const name of this.#entries.keys()) {
      if (this.#bytes <= most) return
      this.#forget(name)
    }
  }
}

function open({ mark, bytes }: { mark: string; bytes: Buffer<ArrayBuffer> }): Entry {
  return { mark, answer: unpackAnswer(bytes) }
}

function sizeOf({ answer }: Entry): number {
  return answer.body.byteLength + OVERHEAD
}
