import { RedisClient } from 'bun'
import { describeError, log } from '../../log.ts'
import { redisAdvice } from '../counters/redis-advice.ts'
import { within } from '../within.ts'
import type { Bus, Topic, Transport } from './bus.ts'
import { redisRefusal } from './redis-refusal.ts'

const CHANNEL = 'tollgate:changes'
/** Nobody waits longer than this for Redis, at the start of the program least of all. */
const ANSWER_MS = 1000
const BEAT_MS = 2000
const AGAIN_MS = 500

const options = { autoReconnect: false, enableOfflineQueue: false, connectionTimeout: ANSWER_MS }

/** Changes over Redis pub/sub. Redis holds nothing of ours: losing it loses only speed. */
export async function redisTransport(bus: Bus, url: string, self: string): Promise<Transport> {
  const transport = new RedisTransport(bus, url, self)
  await transport.connect()
  return transport
}

/**
 * Two connections that are made again, as long as it takes, when one of them is lost. A word that this process
 * sends to itself has to come back now and then: a connection that died silently would bring no word for ever.
 */
class RedisTransport implements Transport {
  readonly #bus: Bus
  readonly #url: string
  readonly #self: string
  #clients: readonly RedisClient[] = []
  #timer: Timer | undefined
  #heardSelf: (() => void) | undefined
  #isUp = false
  #wasUp = true
  #closed = false

  constructor(bus: Bus, url: string, self: string) {
    this.#bus = bus
    this.#url = url
    this.#self = self
  }

  get reachesNodes(): boolean {
    return this.#isUp
  }

  /** Without Redis there is nothing to send with: the others look by themselves. */
  async send(topic: Topic): Promise<void> {
    const [publisher] = this.#clients
    if (!this.#isUp || !publisher) return
    try {
      await within(ANSWER_MS, publisher.publish(CHANNEL, `${this.#self} ${topic}`))
    } catch (error) {
      this.#lose(error)
    }
  }

  close(): void {
    this.#closed = true
    this.#drop()
  }

  async connect(): Promise<void> {
    if (this.#closed) return
    const [publisher, subscriber] = [this.#newClient(), this.#newClient()]
    this.#clients = [publisher, subscriber]
    try {
      await within(ANSWER_MS, Promise.all([publisher.connect(), subscriber.connect()]))
      const heard = (message: string): void => this.#heard(message)
      await within(ANSWER_MS, subscriber.subscribe(CHANNEL, heard))
      await within(ANSWER_MS, subscriber.subscribe(this.#ownChannel, heard))
      await this.#hearSelf(publisher)
      if (this.#closed) return this.#drop()
    } catch (error) {
      return this.#lose(error)
    }
    this.#isUp = true
    if (!this.#wasUp) log.info('Redis is back: changes reach other nodes through it again')
    this.#wasUp = true
    this.#later(BEAT_MS, () => this.#beat(publisher))
    // Something may have been missed.
    this.#bus.catchUp().catch(error => log.debug('could not catch up', { error }))
  }

  get #ownChannel(): string {
    return `${CHANNEL}:${this.#self}`
  }

  #heard(message: string): void {
    const [sender, topic] = message.split(' ')
    if (sender !== this.#self) this.#bus.heard(topic ?? '')
    else if (topic === undefined) this.#heardSelf?.()
  }

  async #hearSelf(publisher: RedisClient): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#heardSelf = resolve
    await within(ANSWER_MS, Promise.all([publisher.publish(this.#ownChannel, this.#self), promise]))
  }

  async #beat(publisher: RedisClient): Promise<void> {
    try {
      await this.#hearSelf(publisher)
      if (this.#isUp) this.#later(BEAT_MS, () => this.#beat(publisher))
    } catch (error) {
      if (this.#clients.includes(publisher)) this.#lose(error)
    }
  }

  #lose(error: unknown): void {
    this.#drop()
    if (this.#closed) return
    const [reason] = describeError(error).split('\n')
    if (this.#wasUp) {
      log.warn('Redis is out of reach: until it is back nodes look for changes', {
        reason,
        advice: redisAdvice(error),
      })
      void this.#explain()
    }
    this.#wasUp = false
    this.#later(AGAIN_MS, () => this.connect())
  }

  /** What has to be mended before it can be back. */
  async #explain(): Promise<void> {
    const reason = await redisRefusal(this.#url).catch(describeError)
    if (reason && !this.#isUp) log.error('Redis does not let this program in: see REDIS_URL', { reason })
  }

  #drop(): void {
    this.#isUp = false
    clearTimeout(this.#timer)
    for (const client of this.#clients) {
      client.onclose = null
      client.close()
    }
    this.#clients = []
  }

  #later(ms: number, work: () => Promise<void>): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void work(), ms).unref()
  }

  #newClient(): RedisClient {
    const client = new RedisClient(this.#url, options)
    client.onclose = error => {
      if (this.#clients.includes(client) && this.#isUp) this.#lose(error)
    }
    return client
  }
}
