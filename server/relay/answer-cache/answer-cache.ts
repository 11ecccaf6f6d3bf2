import { gauge } from '../../metrics.ts'
import type { Store } from '../../store/index.ts'
import { newMark, type SharedAnswers } from '../../store/shared-answers.ts'
import { type KeptAnswer, packAnswer, unpackAnswer } from './kept-answer.ts'
import type { Room } from './recording.ts'

const MEGABYTE = 1024 * 1024
/** What one takes besides its body. */
const OVERHEAD = 1024

interface Entry {
  readonly mark: string
  readonly answer: KeptAnswer
}

/** Whole answers by the names of their requests: in this process, and where there is a Redis in that too. */
export class AnswerCache implements Room {
  readonly #settings: Store['settings']
  readonly #shared: SharedAnswers | undefined
  /** The one that was asked for last stands last. */
  readonly #entries = new Map<string, Entry>()
  #bytes = 0
  /** Of answers that are on their way. */
  #coming = 0

  constructor({ settings, answers }: Pick<Store, 'settings' | 'answers'>) {
    this.#settings = settings
    this.#shared = answers
    gauge('tollgate_relay_answer_cache_bytes', 'Answers kept in memory.', () => this.#bytes)
    this.#heed()
    settings.onChange(() => this.#heed())
  }

  /** In Redis may be a newer one: another process was told to ask anew. */
  async find(name: string, now: number): Promise<KeptAnswer | undefined> {
    const before = this.#entries.get(name)
    const shared = await this.#shared?.find(name, before?.mark)
    // A new one may have come meanwhile.
    const own = this.#entries.get(name) ?? before
    const isNewer = shared && shared !== 'same' && (!own || own.mark < shared.mark)
    const entry = isNewer ? open(shared) : own
    if (entry && now >= entry.answer.endsAt) this.#forget(name)
    else if (entry && this.#isOn) this.#remember(name, entry)
    return entry?.answer
  }

  /** Nobody waits until it is in Redis. */
  keep(name: string, answer: KeptAnswer): void {
    // It was asked for when that was still allowed.
    if (!this.#isOn) return
    const entry = { mark: newMark(), answer }
    this.#remember(name, entry)
    if (!this.#shared) return
    const seconds = answer.endsAt - answer.madeAt
    const packed = { mark: entry.mark, bytes: packAnswer(answer) }
    void this.#shared.keep(name, packed, { seconds, most: this.#most })
  }

  /** For answers on their way there is as much memory again: however many are asked for at once. */
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
