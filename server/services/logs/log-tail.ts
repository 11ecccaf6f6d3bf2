import { roles, userStatuses } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import type { App } from '../app.ts'
import type { Caller } from '../call.ts'
import { TailStream } from './tail-stream.ts'
import { type LogRow, type Reader, viewLogs, viewOwnLog } from './view-logs.ts'

const EVERY_MS = 1000
/** Transactions commit in another order than they number their rows: what came late is looked for this often. */
const LOOK_AGAIN = 3
const AT_A_TIME = 1000
const MOST_AT_ONCE = 5000
/** What a listener that comes back has missed, at most. */
const CAUGHT_UP = 100
/** Of users; administrators are few, and theirs are never taken by others. */
const MOST_OWNERS = 200
const MOST_OF_ONE = 6

interface Listener {
  readonly userId: number
  readonly reader: Reader
  readonly stream: TailStream
}

const tails = new Set<LogTail>()

/** Ends every live log, so that the process can. */
export function endLogTails(): void {
  for (const tail of tails) tail.end()
}

/** New rows for whoever listens: one question a second for all of them, and none while nobody does. */
export class LogTail {
  readonly #app: App
  readonly #listeners = new Set<Listener>()
  /** The highest id as the last looks found it, oldest first. */
  #marks: number[] = []
  readonly #seen = new Set<number>()
  #timer: Timer | undefined
  #ended = false

  constructor(app: App) {
    this.#app = app
    tails.add(this)
  }

  /** Everyone's rows or one's own, after a row that was seen, or from now on. */
  async open(caller: Caller, reader: Reader, afterId: number): Promise<Response> {
    const listeners = [...this.#listeners]
    const own = listeners.filter(({ userId }) => userId === caller.id).length
    const owners = listeners.filter(one => one.reader === 'owner').length
    const isFull = own >= MOST_OF_ONE || (reader === 'owner' && owners >= MOST_OWNERS)
    if (this.#ended || isFull) throw new AppError('log.too-many-tails')
    const listener = { userId: caller.id, reader, stream: new TailStream(() => this.#leave(listener)) }
    this.#listeners.add(listener)
    try {
      if (!this.#timer) await this.#begin()
      if (afterId > 0) await this.#catchUp(listener, afterId)
    } catch (error) {
      listener.stream.end()
      throw error
    }
    return listener.stream.response()
  }

  end(): void {
    this.#ended = true
    for (const { stream } of [...this.#listeners]) stream.end()
  }

  #leave(listener: Listener): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size > 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #begin(): Promise<void> {
    this.#schedule()
    this.#seen.clear()
    this.#marks = []
    await this.#markEnd()
  }

  /** What comes after this is new. */
  async #markEnd(): Promise<void> {
    const { last } = await this.#app.store.db
      .selectFrom('logs')
      .select(row => row.fn.max('id').as('last'))
      .executeTakeFirstOrThrow()
    this.#marks = [Number(last ?? 0)]
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#look()
        .catch(error => log.debug('the log could not be followed just now', { error }))
        .finally(() => {
          if (this.#listeners.size > 0) this.#schedule()
        })
    }, EVERY_MS)
  }

  async #look(): Promise<void> {
    await this.#dismiss()
    const floor = this.#marks[0]
    if (floor === undefined) return this.#markEnd()
    const rows = (await this.#rowsAfter(floor)).filter(({ id }) => !this.#seen.has(id))
    for (const { id } of rows) this.#seen.add(id)
    const highest = rows.reduce((most, { id }) => Math.max(most, id), this.#marks.at(-1) ?? floor)
    this.#marks = [...this.#marks, highest].slice(-LOOK_AGAIN)
    const oldest = this.#marks[0] ?? 0
    for (const id of this.#seen) if (id <= oldest) this.#seen.delete(id)
    if (rows.length > 0) await this.#deliver(rows)
  }

  async #rowsAfter(floor: number): Promise<LogRow[]> {
    const rows: LogRow[] = []
    for (let after = floor; rows.length < MOST_AT_ONCE; after = rows.at(-1)?.id ?? after) {
      const some = await this.#app.store.db
        .selectFrom('logs')
        .selectAll()
        .where('id', '>', after)
        .orderBy('id')
        .limit(AT_A_TIME)
        .execute()
      rows.push(...some)
      if (some.length < AT_A_TIME) break
    }
    return rows
  }

  async #deliver(rows: readonly LogRow[]): Promise<void> {
    const listeners = [...this.#listeners]
    const forAll = listeners.some(({ reader }) => reader === 'admin')
      ? await viewLogs(this.#app.store.db, rows, 'admin')
      : []
    for (const { userId, reader, stream } of listeners) {
      if (reader === 'admin') stream.send(forAll)
      else stream.send(rows.filter(row => row.user_id === userId).map(viewOwnLog))
    }
  }

  async #catchUp({ userId, reader, stream }: Listener, afterId: number): Promise<void> {
    const { db } = this.#app.store
    let rows = db.selectFrom('logs').selectAll()
    if (reader === 'owner') rows = rows.where('user_id', '=', userId)
    const newest = await rows.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(CAUGHT_UP).execute()
    const missed = newest.filter(({ id }) => id > afterId).reverse()
    stream.send(await viewLogs(db, missed, reader))
  }

  /** Those who were banned or are no longer administrators hear nothing more. */
  async #dismiss(): Promise<void> {
    const ids = [...new Set([...this.#listeners].map(({ userId }) => userId))]
    if (ids.length === 0) return
    const users = await this.#app.store.db
      .selectFrom('users')
      .select(['id', 'role'])
      .where('id', 'in', ids)
      .where('status', '=', userStatuses.active)
      .where('deleted_at', 'is', null)
      .execute()
    const roleOf = new Map(users.map(({ id, role }) => [id, role]))
    for (const { userId, reader, stream } of [...this.#listeners])
      if ((roleOf.get(userId) ?? 0) < (reader === 'admin' ? roles.admin : roles.user)) stream.end()
  }
}
