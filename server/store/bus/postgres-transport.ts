import type { SQL } from 'bun'
import { log } from '../../log.ts'
import type { BunSqlDialect } from '../bun-sql/bun-sql-dialect.ts'
import { within } from '../within.ts'
import type { Bus, Topic, Transport } from './bus.ts'

const CHANNEL = 'tollgate_changes'
const BEAT_MS = 2000
/** Longer than a busy process needs to read what has come. */
const ANSWER_MS = 2000
const CONNECT_MS = 15_000

type Line = Pick<BunSqlDialect, 'newListener' | 'pool'>

/** Changes over PostgreSQL LISTEN/NOTIFY. */
export async function postgresTransport(bus: Bus, line: Line, self: string): Promise<Transport> {
  const transport = new PostgresTransport(bus, line, self)
  await transport.listen()
  return transport
}

/**
 * One connection that hears, made again when it drops: that the runtime does. Often nothing comes on it for hours, and a
 * firewall forgets it, or it leads to a server that another has replaced; nobody tells. So a word that this process sends
 * to itself, as everything else by the pool, has to come back on it now and then, or it is given up for a new one.
 */
class PostgresTransport implements Transport {
  readonly #bus: Bus
  readonly #line: Line
  readonly #self: string
  #listener: SQL | undefined
  #timer: Timer | undefined
  #heardSelf: (() => void) | undefined
  #isDeaf = false
  #closed = false

  constructor(bus: Bus, line: Line, self: string) {
    this.#bus = bus
    this.#line = line
    this.#self = self
  }

  /** While the database is away nothing changes. */
  get reachesNodes(): boolean {
    return !this.#isDeaf
  }

  async send(topic: Topic): Promise<void> {
    await this.#line.pool.sql.notify(CHANNEL, `${this.#self} ${topic}`)
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#drop()
  }

  async listen(): Promise<void> {
    const listener = this.#line.newListener()
    this.#listener = listener
    const heard = (payload: string): void => this.#heard(payload)
    await listener.listen(this.#ownChannel, () => this.#heardSelf?.())
    await listener.listen(CHANNEL, heard, () => {
      // Something may have been missed.
      this.#bus.catchUp().catch(error => log.debug('could not catch up', { error }))
    })
    this.#later(() => this.#beat())
  }

  get #ownChannel(): string {
    return `${CHANNEL}_${this.#self}`
  }

  #heard(payload: string): void {
    const [sender, topic = ''] = payload.split(' ')
    if (sender !== this.#self) this.#bus.heard(topic)
  }

  async #beat(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#heardSelf = resolve
    // Where nothing can be said, the database is away, and nothing is missed.
    await this.#line.pool.sql.notify(this.#ownChannel)
    const isHeard = await within(ANSWER_MS, promise).then(
      () => true,
      () => false,
    )
    if (isHeard) this.#isDeaf = false
    else if (!this.#closed) await this.#listenAnew()
  }

  async #listenAnew(): Promise<void> {
    if (!this.#isDeaf) log.warn('PostgreSQL tells of no changes any more: they are listened for anew')
    this.#isDeaf = true
    this.#drop()
    await within(CONNECT_MS, this.listen())
  }

  #drop(): void {
    this.#listener?.close({ timeout: 0 }).catch(() => {})
    this.#listener = undefined
  }

  #later(work: () => Promise<void>): void {
    clearTimeout(this.#timer)
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      work()
        .catch(error => log.debug('whether changes are heard of is not known', { error }))
        .finally(() => this.#later(work))
    }, BEAT_MS).unref()
  }
}
