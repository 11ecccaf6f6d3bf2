import { type Kysely, sql } from 'kysely'
import { log } from '../../log.ts'
import type { Engine } from '../engine.ts'
import type { Schema } from '../schema.ts'

/**
 * What is kept as a snapshot in memory and can change under it. `records` are the lists that grow at their end: raised
 * when rows are taken away from one, or come in among older ones.
 */
export type Topic = 'options' | 'users' | 'tokens' | 'channels' | 'mcp-servers' | 'prompts' | 'records'

/** Carries "this topic changed" to other processes; delivery is best effort, the poll is what is sure. */
export interface Transport {
  /** Whether it carries word between nodes now; absent where it never leaves this machine. */
  readonly reachesNodes?: boolean
  send(topic: Topic): void | Promise<void>
  close(): void | Promise<void>
}

/** Behind a transport that brings word, the poll is slow; alone, it keeps the promise of a second. */
const POLL_MS = 5000
const POLL_ALONE_MS = 700

type Listener = () => void | Promise<void>

/**
 * Tells everyone that holds a snapshot that its source has changed: this process at once, others through
 * the transports, and whatever those lose through a poll of the revision numbers.
 */
export class Bus {
  readonly #db: Kysely<Schema>
  readonly #engine: Engine
  readonly #listeners = new Map<Topic, Set<Listener>>()
  readonly #transports: Transport[] = []
  readonly #seen = new Map<string, number>()
  #timer: Timer | undefined
  #polledAt = 0
  #closed = false

  constructor(db: Kysely<Schema>, engine: Engine) {
    this.#db = db
    this.#engine = engine
  }

  /** Must be called in the transaction that makes the change. */
  async mark(transaction: Kysely<Schema>, topic: Topic): Promise<void> {
    const clash =
      this.#engine === 'mysql'
        ? sql`on duplicate key update version = version + 1`
        : sql`on conflict (topic) do update set version = revisions.version + 1`
    await sql`insert into revisions (topic, version) values (${topic}, 1) ${clash}`.execute(transaction)
  }

  /**
   * Called after the commit; resolves when this process' own snapshots are fresh. Never rejects: the change stands
   * by then, and what could not be read again now is read again by the poll.
   */
  async announce(topic: Topic): Promise<void> {
    for (const transport of this.#transports)
      Promise.resolve(transport.send(topic)).catch(error =>
        log.warn('a change could not be announced', { topic, error }),
      )
    await this.#emit(topic).catch(notRefreshed(topic))
  }

  on(topic: Topic, listener: Listener): void {
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners.add(listener))
  }

  attach(transport: Transport): void {
    this.#transports.push(transport)
  }

  /** A transport brought word from another process. */
  heard(topic: string): void {
    this.#emit(topic as Topic).catch(notRefreshed(topic))
  }

  /** To be called before the first snapshot is read: what changes from then on is told. */
  async noteRevisions(): Promise<void> {
    await this.#poll(false)
  }

  startPolling(): void {
    const again = (): void => {
      if (this.#closed) return
      this.#timer = setTimeout(() => {
        this.#pollWhenDue()
          .catch(error => log.debug('the revisions could not be polled', { error }))
          .finally(again)
      }, POLL_ALONE_MS)
    }
    again()
  }

  /** Looks now: after a transport came back, something may have been missed. */
  async catchUp(): Promise<void> {
    await this.#poll(true)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    for (const transport of this.#transports) await transport.close()
  }

  async #pollWhenDue(): Promise<void> {
    const isTold = this.#transports.some(transport => transport.reachesNodes)
    if (!isTold || performance.now() - this.#polledAt >= POLL_MS - POLL_ALONE_MS) await this.#poll(true)
  }

  async #poll(tell: boolean): Promise<void> {
    this.#polledAt = performance.now()
    const rows = await this.#db.selectFrom('revisions').selectAll().execute()
    for (const { topic, version } of rows) {
      if (this.#seen.get(topic) === version) continue
      if (tell) await this.#emit(topic as Topic)
      this.#seen.set(topic, version)
    }
  }

  async #emit(topic: Topic): Promise<void> {
    for (const listener of this.#listeners.get(topic) ?? []) await listener()
  }
}

function notRefreshed(topic: string): (error: unknown) => void {
  return error => log.warn('a snapshot could not be refreshed', { topic, error })
}
