import { userStatuses } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import { tokenStates } from '../../ledger/moves.ts'
import { readLimits } from '../../store/counters/counters.ts'
import { type GivenKey, tokenHashes } from '../../store/given-key.ts'
import type { Store } from '../../store/index.ts'
import { splitList } from '../../store/split-list.ts'
import { readAddresses } from '../../store/token-addresses.ts'
import type { Caller } from './caller.ts'
import { readSpending } from './caller-limits.ts'

const limitBeside = [
  'spend_limits.id as limit_id',
  'spend_limits.amount as limit_amount',
  'spend_limits.spent as limit_spent',
  'spend_limits.period as limit_period',
  'spend_limits.ends_at as limit_ends_at',
] as const

/** How many keys are remembered, known and unknown ones each. */
const MOST_KNOWN = 50_000
const MOST_UNKNOWN = 10_000
/** Balances that are remembered grow old; a caller in use is read again this often. */
const FRESH_MS = 5000

interface Known {
  caller: Caller
  readAt: number
  reading: boolean
}

/**
 * Who stands behind a key, kept in memory. Whatever changes a token or a user empties it, on every node, so
 * that a disabled token is refused at the next request.
 */
export class Callers {
  readonly #store: Store
  readonly #now: () => number
  readonly #known = new Map<string, Known>()
  readonly #unknown = new Set<string>()
  readonly #reading = new Map<string, Promise<Caller | undefined>>()
  #age = 0

  /** `now` in seconds since 1970. */
  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
    const forget = (): void => {
      this.#age++
      this.#known.clear()
      this.#unknown.clear()
      this.#reading.clear()
    }
    store.bus.on('tokens', forget)
    store.bus.on('users', forget)
  }

  /** Counts the times it was emptied: who was let in at another age may not be any more. */
  get age(): number {
    return this.#age
  }

  /**
   * Synchronous for a key in use. It is remembered by all of it that counts: of one that was issued here that is what
   * has no dash, and of one that moved in the whole, which has.
   */
  find(given: GivenKey): Caller | undefined | Promise<Caller | undefined> {
    const known = this.#known.get(given.key) ?? this.#known.get(given.whole)
    if (known === undefined) return this.#unknown.has(given.whole) ? undefined : this.#read(given)
    // Whoever had nothing left may have been given something since.
    if (known.caller.tokenStatus === tokenStates.exhausted) return this.#read(given).catch(() => known.caller)
    if (!known.reading && performance.now() - known.readAt > FRESH_MS) this.#refresh(given, known)
    return known.caller
  }

  /** Read behind the back of the requests; while the database is away what is known stays good. */
  #refresh(given: GivenKey, known: Known): void {
    known.reading = true
    this.#read(given).catch(() => {
      known.readAt = performance.now()
      known.reading = false
    })
  }

  /** Requests that come together read once. */
  #read(given: GivenKey): Promise<Caller | undefined> {
    const { whole } = given
    const running = this.#reading.get(whole)
    if (running) return running
    // What was read before it was emptied is not kept.
    const age = this.#age
    const reading = this.#select(given)
      .then(caller => {
        if (age === this.#age) this.#remember(given, caller)
        return caller
      })
      .finally(() => {
        if (age === this.#age) this.#reading.delete(whole)
      })
    this.#reading.set(whole, reading)
    return reading
  }

  #remember({ key, whole }: GivenKey, caller: Caller | undefined): void {
    if (!caller) {
      if (this.#unknown.size >= MOST_UNKNOWN) this.#unknown.clear()
      this.#unknown.add(whole)
      this.#known.delete(key)
      this.#known.delete(whole)
      return
    }
    if (this.#known.size >= MOST_KNOWN) this.#known.clear()
    this.#known.set(caller.hasMoved ? whole : key, { caller, readAt: performance.now(), reading: false })
  }

  /** Both ways in one question, so that a wrong key costs no more of them than it did. */
  #select(given: GivenKey): Promise<Caller | undefined> {
    return this.#selectBy(tokenHashes(this.#store, given))
  }

  async #selectBy(hashes: readonly string[]): Promise<Caller | undefined> {
    const rows = await this.#store.db
      .selectFrom('tokens')
      .innerJoin('users', 'users.id', 'tokens.user_id')
      .leftJoin('users as maker', 'maker.id', 'tokens.created_by')
      // Of the account, and of the member of a team whose token it is.
      .leftJoin('spend_limits', join =>
        join
          .onRef('spend_limits.user_id', '=', 'tokens.user_id')
          .on(limit =>
            limit.or([
              limit('spend_limits.member_id', '=', 0),
              limit('spend_limits.member_id', '=', limit.ref('tokens.created_by')),
            ]),
          ),
      )
      .select(limitBeside)
      .select(['maker.status as maker_status', 'maker.deleted_at as maker_deleted_at'])
      .select(['users.username', 'users.role', 'users.group as user_group', 'users.quota'])
      .select(['users.status as user_status', 'users.deleted_at as user_deleted_at'])
      .select(['tokens.id', 'tokens.user_id', 'tokens.name', 'tokens.status', 'tokens.expired_time'])
      .select(['tokens.key_hash', 'tokens.labels'])
      .select(['tokens.group', 'tokens.model_limits_enabled', 'tokens.model_limits', 'tokens.allow_ips'])
      .select(['tokens.unlimited_quota', 'tokens.remain_quota'])
      .select(['tokens.rpm', 'tokens.tpm', 'tokens.concurrency'])
      .select(['users.rpm as user_rpm', 'users.tpm as user_tpm', 'users.concurrency as user_concurrency'])
      .where('tokens.key_hash', 'in', hashes)
      .where('tokens.deleted_at', 'is', null)
      .execute()
    const row = rows.find(({ key_hash }) => key_hash === hashes[0]) ?? rows[0]
    if (!row || row.user_deleted_at !== null) return undefined
    return {
      userId: row.user_id,
      username: row.username,
      role: row.role,
      userStatus: isMakerGone(row) ? userStatuses.banned : row.user_status,
      userGroup: row.user_group,
      tokenId: row.id,
      tokenName: row.name,
      tokenStatus: statusOf(row),
      hasMoved: row.key_hash !== hashes[0],
      expiresAt: row.expired_time,
      tokenGroup: row.group,
      models: row.model_limits_enabled === 1 ? new Set(splitList(row.model_limits)) : undefined,
      addresses: readAddresses(row.allow_ips),
      tokenLimits: readLimits(row),
      userLimits: readLimits({ rpm: row.user_rpm, tpm: row.user_tpm, concurrency: row.user_concurrency }),
      labels: row.labels || undefined,
      ...readSpending(
        rows.filter(({ id }) => id === row.id),
        row.unlimited_quota === 1 ? row.quota : Math.min(row.quota, row.remain_quota),
        this.#now(),
      ),
    }
  }

  /** For the playground of a team's member, who has a token for it that no key belongs to. */
  async ofToken(hash: string): Promise<Caller> {
    const caller = await this.#selectBy([hash])
    if (!caller) throw new AppError('row.not-found')
    return caller
  }

  /** For the playground: a user without a token. */
  async ofUser(userId: number): Promise<Caller> {
    const rows = await this.#store.db
      .selectFrom('users')
      .leftJoin('spend_limits', join =>
        join.onRef('spend_limits.user_id', '=', 'users.id').on('spend_limits.member_id', '=', 0),
      )
      .select(['users.id', 'username', 'role', 'status', 'group', 'quota', 'rpm', 'tpm', 'concurrency'])
      .select(limitBeside)
      .where('users.id', '=', userId)
      .where('deleted_at', 'is', null)
      .execute()
    const [row] = rows
    if (!row) throw new AppError('row.not-found')
    return {
      userId: row.id,
      username: row.username,
      role: row.role,
      userStatus: row.status,
      userGroup: row.group,
      tokenId: 0,
      tokenName: '',
      tokenStatus: 1,
      hasMoved: false,
      expiresAt: -1,
      tokenGroup: '',
      models: undefined,
      addresses: undefined,
      tokenLimits: undefined,
      userLimits: readLimits(row),
      labels: undefined,
      ...readSpending(rows, row.quota, this.#now()),
    }
  }
}

/** Whoever is banned does not go on with what they made for a team. */
function isMakerGone(row: { maker_status: number | null; maker_deleted_at: number | null }): boolean {
  const { maker_status, maker_deleted_at } = row
  return maker_status !== null && (maker_status !== userStatuses.active || maker_deleted_at !== null)
}

/** A limited token without budget is used up, also before a settlement has said so. */
function statusOf(token: { status: number; unlimited_quota: number; remain_quota: number }): number {
  const isSpent = token.unlimited_quota === 0 && token.remain_quota <= 0
  return isSpent && token.status === tokenStates.enabled ? tokenStates.exhausted : token.status
}
