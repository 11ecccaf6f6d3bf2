import { log } from '../log.ts'
import type { Cipher } from './cipher.ts'
import { RedisAway, RedisLine } from './counters/redis-line.ts'
import {
  answersProbe,
  findAnswerScript,
  findLikeScript,
  keepAnswerScript,
  keepLikeScript,
} from './counters/redis-scripts.ts'
import { keptAnswerPlace, likeQuestionPlace } from './sealed-places.ts'

/** Longer than any answer is kept. */
const SUMS_SECONDS = 32 * 86_400

const sharing = {
  away: 'Redis is out of reach: until it is back each process has only the answers it keeps itself',
  back: 'Redis is back: kept answers are shared again',
  probe: answersProbe,
  probeKeys: ['tollgate:probe:answer', 'tollgate:probe:used', 'tollgate:probe:sizes'],
} as const

/** An answer that another process may have put there. Its mark tells it from others of the same name. */
interface Found {
  readonly mark: string
  readonly bytes: Buffer<ArrayBuffer>
}

/** Questions to compare with, and up to where these are all. */
interface FoundLike {
  readonly last: string
  readonly all: readonly Buffer<ArrayBuffer>[]
}

/** All are equally long, and a later one comes after an earlier one. */
export const newMark = (): string => Bun.randomUUIDv7()
const MARK_LENGTH = newMark().length

/**
 * Answers that all processes share by way of Redis, sealed. On a line of its own: an answer is large, and what is
 * counted must not wait for it. Whatever fails here, nobody hears of it but the log.
 */
export class SharedAnswers {
  readonly #url: string
  readonly #prefix: string
  readonly #cipher: Cipher
  #line: Promise<RedisLine> | undefined

  constructor(url: string, instanceId: string, cipher: Cipher) {
    this.#url = url
    this.#prefix = `tollgate:${instanceId}:answer`
    this.#cipher = cipher
  }

  /** Connects; the first who asks for something would wait for that. */
  open(): Promise<RedisLine> {
    this.#line ??= RedisLine.open(this.#url, sharing)
    return this.#line
  }

  /** `same` where it is the one with the mark that is at hand already. */
  async find(name: string, mark = ''): Promise<Found | 'same' | undefined> {
    try {
      const line = await this.open()
      const value = await line.run(findAnswerScript, this.#keys(name).slice(0, 2), [mark])
      if (typeof value !== 'string') return value === 1 ? 'same' : undefined
      const bytes = this.#cipher.openBytes(keptAnswerPlace(name), value.slice(MARK_LENGTH))
      return { mark: value.slice(0, MARK_LENGTH), bytes }
    } catch (error) {
      if (!(error instanceof RedisAway)) log.warn('a kept answer cannot be read', { error })
      return undefined
    }
  }

  /** `most` is how many bytes of answers there may be in all. */
  async keep(name: string, { mark, bytes }: Found, { seconds, most }: { seconds: number; most: number }) {
    try {
      const line = await this.open()
      const value = mark + this.#cipher.seal(keptAnswerPlace(name), bytes)
      await line.run(keepAnswerScript, this.#keys(name), [value, seconds, most, SUMS_SECONDS])
    } catch (error) {
      if (!(error instanceof RedisAway)) log.warn('an answer cannot be kept', { error })
    }
  }

  /** What was put into a bucket after `last`; undefined where that is nothing. */
  async findLike(bucket: string, last = '0', many: number): Promise<FoundLike | undefined> {
    try {
      const line = await this.open()
      const found = await line.run(findLikeScript, this.#likeKeys(bucket).slice(0, 2), [last, many])
      const values = Array.isArray(found) ? found.map(String) : []
      if (values.length === 0) return undefined
      const sealed = values.filter((_, at) => at % 2 === 1)
      return { last: values.at(-2) ?? last, all: sealed.flatMap(value => this.#openLike(bucket, value)) }
    } catch (error) {
      if (!(error instanceof RedisAway)) log.warn('questions to compare with cannot be read', { error })
      return undefined
    }
  }

  /** One that cannot be opened is passed over: the others would never be read for its sake. */
  #openLike(bucket: string, value: string): Buffer<ArrayBuffer>[] {
    try {
      return [this.#cipher.openBytes(likeQuestionPlace(bucket), value)]
    } catch (error) {
      log.warn('a question to compare with cannot be read', { error })
      return []
    }
  }

  /** `many` is how many there may be in the bucket, `most` how many bytes of answers and questions in all. */
  async keepLike(
    bucket: string,
    bytes: Buffer<ArrayBuffer>,
    within: { seconds: number; many: number; most: number },
  ) {
    const { seconds, many, most } = within
    try {
      const line = await this.open()
      const value = this.#cipher.seal(likeQuestionPlace(bucket), bytes)
      await line.run(keepLikeScript, this.#likeKeys(bucket), [value, seconds, most, SUMS_SECONDS, many])
    } catch (error) {
      if (!(error instanceof RedisAway)) log.warn('a question to compare with cannot be kept', { error })
    }
  }

  async close(): Promise<void> {
    const line = await this.#line
    line?.close()
  }

  #keys(name: string): string[] {
    return [`:${name}`, 's:used', 's:sizes', 's:sum'].map(end => this.#prefix + end)
  }

  #likeKeys(bucket: string): string[] {
    return [`s:like:${bucket}`, 's:used', 's:sizes', 's:sum'].map(end => this.#prefix + end)
  }
}
