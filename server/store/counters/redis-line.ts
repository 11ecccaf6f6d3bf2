import { RedisClient } from 'bun'
import { log } from '../../log.ts'
import { within } from '../within.ts'
import { redisAdvice } from './redis-advice.ts'
import { countingProbe, type Script } from './redis-scripts.ts'

/** Nobody waits longer than this for Redis. */
const ANSWER_MS = 250
const CONNECT_MS = 1000
const PROBE_EVERY_MS = 500

/** What a line is for. */
interface Use {
  /** What the log says when it goes and when it is back. */
  readonly away: string
  readonly back: string
  /** Finds out whether it can be done there, on keys of its own at which nobody looks: three, and for how long. */
  readonly probe: Script
  readonly probeKeys: readonly [string, string, string]
}

const counting: Use = {
  away: 'Redis is out of reach: until it is back each process counts alone',
  back: 'Redis is back: what is limited is counted there again',
  probe: countingProbe,
  probeKeys: ['tollgate:probe', 'tollgate:probe:minute', 'tollgate:probe:running'],
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
  readonly #use: Use
  readonly #answerMs: number
  #client: RedisClient
  #isUp = false
  #wasUp = true
  #closed = false
  #timer: Timer | undefined
  /** Told when Redis is there again. */
  onBack: (() => void) | undefined

  private constructor(url: string, use: Use, answerMs: number) {
    this.#url = url
    this.#use = use
    this.#answerMs = answerMs
    this.#client = new RedisClient(url, options)
  }

  /** Resolves when it is connected, or when that takes too long to wait for. */
  static async open(url: string, use = counting, answerMs = ANSWER_MS): Promise<RedisLine> {
    const line = new RedisLine(url, use, answerMs)
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
    if (this.#wasUp) log.warn(this.#use.away, { error, advice: redisAdvice(error) })
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
      // One that is full, has become a replica or does not let us do all of it answers well: it is not back.
      const { probe, probeKeys } = this.#use
      const rest = [String(probeKeys.length), ...probeKeys, String(PROBE_EVERY_MS)]
      await within(this.#answerMs, evaluate(this.#client, probe, rest))
      if (this.#closed) return
      const isBack = !this.#wasUp
      this.#isUp = true
      this.#wasUp = true
      if (!isBack) return
      log.info(this.#use.back)
      this.onBack?.()
    } catch (error) {
      // Before the connection is closed, which would be taken for the reason.
      this.#lose(error)
      // Behind the same address there may be another by now, which takes what this one refuses.
      if ((error as { code?: string }).code === 'ERR_REDIS_SERVER_ERROR') this.#client.close()
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
