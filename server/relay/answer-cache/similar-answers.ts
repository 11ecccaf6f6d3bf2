import { gauge } from '../../metrics.ts'
import type { Store } from '../../store/index.ts'
import type { SharedAnswers } from '../../store/shared-answers.ts'
import { type KeptMeaning, keptMeaning, type Meaning, similarity } from './meaning.ts'

/** Of each bucket: all of them are compared while everyone else waits, which then takes a millisecond. */
const MOST_IN_BUCKET = 500
/** How many may be looked for that are no longer kept. */
const MOST_ALIKE = 3

/** A question to which an answer is kept, by that answer's name. */
interface Answered {
  readonly name: string
  readonly endsAt: number
  readonly meaning: KeptMeaning
}

interface Alike {
  readonly name: string
  readonly similarity: number
}

/** Questions that are the same in all but their last text. */
interface Bucket {
  readonly answered: Map<string, Answered>
  /** Up to where what others have put into Redis is known here. */
  last: string
}

/** Questions that were answered, by what they mean: in this process, and where there is a Redis in that too. */
export class SimilarAnswers {
  readonly #settings: Store['settings']
  readonly #shared: SharedAnswers | undefined
  /** In the order in which they were last asked for. */
  readonly #buckets = new Map<string, Bucket>()
  #many = 0

  constructor({ settings, answers }: Pick<Store, 'settings' | 'answers'>) {
    this.#settings = settings
    this.#shared = answers
    gauge('tollgate_relay_answer_cache_questions', 'Questions to compare with, in memory.', () => this.#many)
    settings.onChange(() => this.#shrink())
  }

  /** Those that are like it enough, the likest first, and of equals the newest. */
  async find(name: string, meaning: Meaning, now: number): Promise<readonly Alike[]> {
    await this.#listen(name)
    const bucket = this.#buckets.get(name)
    if (!bucket) return []
    this.#use(name, bucket)
    const least = this.#settings.get('SemanticCacheSimilarity')
    const alike: Alike[] = []
    for (const one of bucket.answered.values()) {
      if (now >= one.endsAt) this.forget(name, one.name)
      else {
        const how = similarity(meaning, one.meaning)
        if (how >= least) alike.push({ name: one.name, similarity: how })
      }
    }
    if (bucket.answered.size === 0) this.#buckets.delete(name)
    return alike
      .reverse()
      .sort((one, other) => other.similarity - one.similarity)
      .slice(0, MOST_ALIKE)
  }

  /** Nobody waits until it is in Redis. `seconds`: for how long the answer is kept. */
  keep(name: string, answered: Answered, seconds: number): void {
    if (!this.#isOn) return
    this.#add(name, this.#bucket(name), answered)
    void this.#shared?.keepLike(name, pack(answered), {
      seconds,
      many: MOST_IN_BUCKET,
      most: this.#settings.get('AnswerCacheMegabytes') * 1024 * 1024,
    })
  }

  forget(name: string, answer: string): void {
    if (this.#buckets.get(name)?.answered.delete(answer)) this.#many--
  }

  /** What others have added since the last time. */
  async #listen(name: string): Promise<void> {
    const news = await this.#shared?.findLike(name, this.#buckets.get(name)?.last, MOST_IN_BUCKET)
    if (!news || !this.#isOn) return
    const bucket = this.#bucket(name)
    bucket.last = news.last
    for (const bytes of news.all) this.#add(name, bucket, unpack(bytes))
  }

  get #isOn(): boolean {
    return this.#settings.get('SemanticCacheModel') !== '' && this.#settings.get('AnswerCacheSeconds') > 0
  }

  #bucket(name: string): Bucket {
    const bucket = this.#buckets.get(name) ?? { answered: new Map<string, Answered>(), last: '0' }
    this.#use(name, bucket)
    return bucket
  }

  #use(name: string, bucket: Bucket): void {
    this.#buckets.delete(name)
    this.#buckets.set(name, bucket)
  }

  #add(name: string, { answered }: Bucket, one: Answered): void {
    this.forget(name, one.name)
    answered.set(one.name, one)
    this.#many++
    const [oldest] = answered.keys()
    if (answered.size > MOST_IN_BUCKET && oldest !== undefined) this.forget(name, oldest)
    this.#shrink()
  }

  /** What was not asked for the longest goes first; all of it where the operator has switched it off. */
  #shrink(): void {
    const most = this.#isOn ? this.#settings.get('SemanticCacheEntries') : 0
    for (const [name, { answered }] of this.#buckets) {
      for (const answer of answered.keys()) {
        if (this.#many <= most) return
        this.forget(name, answer)
      }
      this.#buckets.delete(name)
    }
  }
}

const LINE_END = 10

function pack({ meaning, ...head }: Answered): Buffer<ArrayBuffer> {
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), new Uint8Array(meaning.steps.buffer)])
}

/** Nobody but this program can have written it: it was sealed. */
function unpack(bytes: Buffer<ArrayBuffer>): Answered {
  const end = bytes.indexOf(LINE_END)
  const head = JSON.parse(bytes.toString('utf8', 0, end)) as Omit<Answered, 'meaning'>
  return { ...head, meaning: keptMeaning(new Int8Array(bytes.subarray(end + 1))) }
}
