import { roles, userStatuses } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import { type Came, type CameWith, cameWith } from '../accounts/access-tokens.ts'
import type { App } from '../app.ts'
import type { Acting } from '../call.ts'
import { onlyMadeBy } from '../teams/act-for-team.ts'
import { isOfMade, madeBy } from '../teams/team-tokens.ts'
import { newestFirst } from './log-filter.ts'
import { TailStream } from './tail-stream.ts'
import { type LogRow, loadLogs, type Reader, viewLogs, viewOwnLog } from './view-logs.ts'

const EVERY_MS = 1000
/** Transactions commit in another order than they number their rows: what came late is looked for this often. */
const LOOK_AGAIN = 3
const AT_A_TIME = 1000
const MOST_AT_ONCE = 5000
/** What a listener that comes back has missed, at most. */
const CAUGHT_UP = 100
const LOOKED_THROUGH = 5000
/** Of users; administrators are few, and theirs are never taken by others. */
const MOST_OWNERS = 200
const MOST_OF_ONE = 6

interface Listener {
  /** Whose rows: the person's own or, if they listen for a team, the team's. */
  readonly userId: number
  readonly personId: number
  readonly acting: Acting | undefined
  /** Who loses that loses this too. */
  readonly by: CameWith
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
  async open(call: Came, reader: Reader, afterId: number): Promise<Response> {
    const listeners = [...this.#listeners]
    const { id: userId, acting } = call.caller
    const by = cameWith(this.#app, call)
    const personId = acting?.person.id ?? userId
    const own = listeners.filter(one => one.personId === personId).length
    const owners = listeners.filter(one => one.reader === 'owner').length
    const isFull = own >= MOST_OF_ONE || (reader === 'owner' && owners >= MOST_OWNERS)
    if (this.#ended || isFull) throw new AppError('log.too-many-tails')
    const stream = new TailStream(() => this.#leave(listener))
    const listener: Listener = { userId, personId, acting, by, reader, stream }
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
    const makers = await this.#makersOf(listeners, rows)
    for (const { userId, acting, reader, stream } of listeners) {
      if (reader === 'admin') stream.send(forAll)
      else {
        const maker = onlyMadeBy({ acting })
        const own = rows.filter(row => row.user_id === userId)
        stream.send(
          own.filter(row => maker === undefined || makers.get(row.token_id) === maker).map(viewOwnLog),
        )
      }
    }
  }

  /** Who made the tokens of these rows; nobody asks unless a member of a team listens. */
  async #makersOf(
    listeners: readonly Listener[],
    rows: readonly LogRow[],
  ): Promise<ReadonlyMap<number, number>> {
    const teams = new Set(listeners.filter(one => onlyMadeBy(one) !== undefined).map(({ userId }) => userId))
    const ids = rows.filter(row => teams.has(row.user_id)).map(row => row.token_id)
    if (ids.length === 0) return new Map()
    const tokens = await this.#app.store.db
      .selectFrom('tokens')
      .select(['id', 'created_by'])
      .where('id', 'in', [...new Set(ids)])
      .execute()
    return new Map(tokens.map(({ id, created_by }) => [id, created_by]))
  }

  async #catchUp({ userId, acting, reader, stream }: Listener, afterId: number): Promise<void> {
    const { db } = this.#app.store
    let newest = newestFirst(
      db.selectFrom('logs').$if(reader === 'owner', of => of.where('user_id', '=', userId)),
    )
    const made = madeBy({ id: userId, acting })
    // A member may have none of a team's rows: not all of them are gone through to find that out.
    if (made)
      newest = newestFirst(
        db.selectFrom(newest.select('token_id').limit(LOOKED_THROUGH).as('logs')).where(isOfMade(made)),
      )
    const found = await newest.limit(CAUGHT_UP).execute()
    const missed = found.filter(({ id }) => id > afterId).reverse()
    stream.send(await viewLogs(db, await loadLogs(db, missed), reader))
  }

  /** Those who were banned or signed out, are no longer administrators or no longer of the team hear nothing more. */
  async #dismiss(): Promise<void> {
    const ids = [...new Set([...this.#listeners].map(({ personId }) => personId))]
    if (ids.length === 0) return
    const users = await this.#app.store.db
      .selectFrom('users')
      .select(['id', 'role', 'access_token_hash'])
      .where('id', 'in', ids)
      .where('status', '=', userStatuses.active)
      .where('deleted_at', 'is', null)
      .execute()
    const byId = new Map(users.map(user => [user.id, user]))
    const memberships = await this.#memberships()
    const sessions = await this.#sessions()
    for (const { userId, personId, acting, by, reader, stream } of [...this.#listeners]) {
      const person = byId.get(personId)
      const isSignedIn =
        by.session === undefined ? person?.access_token_hash === by.accessToken : sessions.has(by.session)
      const isOut = !isSignedIn || (person?.role ?? 0) < (reader === 'admin' ? roles.admin : roles.user)
      const role = acting && memberships.get(`${userId} ${personId}`)
      if (isOut || (acting && role !== (acting.isOwner ? 'owner' : 'member'))) stream.end()
    }
  }

  /** Those of who listens that go on. */
  async #sessions(): Promise<ReadonlySet<string>> {
    const hashes = [...this.#listeners].flatMap(({ by }) => by.session ?? [])
    if (hashes.length === 0) return new Set()
    const rows = await this.#app.store.db
      .selectFrom('sessions')
      .select('id_hash')
      .where('id_hash', 'in', hashes)
      .where('expires_at', '>', this.#app.now())
      .execute()
    return new Set(rows.map(({ id_hash }) => id_hash))
  }

  /** What everybody who listens for a team is in it now, by team and person. */
  async #memberships(): Promise<ReadonlyMap<string, string>> {
    const teams = new Set([...this.#listeners].filter(({ acting }) => acting).map(({ userId }) => userId))
    if (teams.size === 0) return new Map()
    const rows = await this.#app.store.db
      .selectFrom('team_members')
      .innerJoin('users', 'users.id', 'team_members.team_id')
      .select(['team_members.team_id', 'team_members.user_id', 'team_members.role'])
      .where('team_members.team_id', 'in', [...teams])
      .where('users.status', '=', userStatuses.active)
      .where('users.deleted_at', 'is', null)
      .execute()
    return new Map(rows.map(({ team_id, user_id, role }) => [`${team_id} ${user_id}`, role]))
  }
}
