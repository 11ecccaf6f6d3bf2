import { RedisClient } from 'bun'
import { log } from '../../log.ts'
import { within } from '../within.ts'
import { hitScript, type Script } from './redis-scripts.ts'

/** Nobody waits longer than this for Redis. */
const ANSWER_MS = 250
const CONNECT_MS = 1000
const PROBE_EVERY_MS = 500
/** Counted up to see whether that can be done; nobody looks at it. */
const PROBE_KEY = 'tollgate:probe'

/** What the log says when it goes and when it is back. */
interface Words {
  readonly away: string
  readonly back: string
}

const counting: Words = {
  away: 'Redis is out of reach: until it is back each process counts alone',
  back: 'Redis is back: what is limited is counted there again',
}

/** There is no Redis at the moment. */
export class RedisAway extends Error {
  override readonly name = 'RedisAway'
}

const options = { autoReconnect: false, enableOfflineQueue: false, connectionTimeout: CONNECT_MS }

/**
 * A connection that is either good or given up at once. While Redis is away nobody waits for it: it is looked
 * after from here, and the log says once that it went and once that it is back.
 */
export class RedisLine {
  readonly #url: string
  readonly #words: Words
  readonly #answerMs: number
  #client: RedisClient
  #isUp = false
  #wasUp = true
  #closed = false
  #timer: Timer | undefined
  /** Told when Redis is there again. */
  onBack: (() => void) | undefined

  private constructor(url: string, words: Words, answerMs: number) {
    this.#url = url
    this.#words = words
    this.#answerMs = answerMs
    this.#client = new RedisClient(url, options)
  }

  /** Resolves when it is connected, or when that takes too long to wait for. */
  static async open(url: string, words = counting, answerMs = ANSWER_MS): Promise<RedisLine> {
    const line = new RedisLine(url, words, answerMs)
    await line.#probe()
    return line
  }

  get isUp(): boolean {
    return this.#isUp
  }

  /** Throws RedisAway. `onLate` hears the answer to which nobody waited. */
  async run(
    script: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
    onLate?: (answer: unknown) => void,
  ): Promise<unknown> {
    if (!this.#isUp) throw new RedisAway()
    const rest = [String(keys.length), ...keys, ...args.map(String)]
    const client = this.#client
    try {
      return await within(this.#answerMs, evaluate(client, script, rest), onLate)
    } catch (error) {
      if (client === this.#client) this.#lose(error)
      throw new RedisAway('Redis is away', { cause: error })
    }
  }

  close(): void {
    this.#closed = true
    this.#isUp = false
    clearTimeout(this.#timer)
    this.#client.onclose = null
    this.#client.close()
  }

  #lose(error: unknown): void {
    if (this.#closed) return
    this.#isUp = false
    if (this.#wasUp) log.warn(this.#words.away, { error })
    this.#wasUp = false
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#probe()
    }, PROBE_EVERY_MS).unref()
  }

  async #probe(): Promise<void> {
    if (this.#closed) return
    try {
      if (!this.#client.connected) {
        this.#renew()
        await within(CONNECT_MS, this.#client.connect())
      }
      // One that is full, or has become a replica, answers and takes nothing: it is not back.
      const probe = ['1', PROBE_KEY, String(PROBE_EVERY_MS)]
      await within(this.#answerMs, evaluate(this.#client, hitScript, probe))
      if (this.#closed) return
      const isBack = !this.#wasUp
      this.#isUp = true
      this.#wasUp = true
      if (!isBack) return
      log.info(this.#words.back)
      this.onBack?.()
    } catch (error) {
      // Behind the same address there may be another by now, which takes what this one refuses.
      if ((error as { code?: string }).code === 'ERR_REDIS_SERVER_ERROR') this.#client.close()
      this.#lose(error)
    }
  }

  /** A client that has lost its connection is not used again. */
  #renew(): void {
    this.#client.onclose = null
    this.#client.close()
    const client = new RedisClient(this.#url, options)
    client.onclose = error => {
      if (client === this.#client) this.#lose(error)
    }
    this.#client = client
  }
}

async function evaluate(client: RedisClient, { sha, text }: Script, rest: string[]): Promise<unknown> {
  try {
    return await client.send('EVALSHA', [sha, ...rest])
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
    return client.send('EVAL', [text, ...rest])
  }
}
