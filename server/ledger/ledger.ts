import type { ErrorCode } from '../../contract/errors.ts'
import { AppError } from '../errors.ts'
import { log } from '../log.ts'
import type { RunBatch } from '../store/batch/batch.ts'
import { isUnavailable } from '../store/store-error.ts'
import { checkAmount } from './amount.ts'
import { GroupCommit } from './group-commit.ts'
import type { Journal } from './journal.ts'
import type { LogRow, Move, OfRequest, Outcome, Refusal } from './moves.ts'
import { NoteBudget } from './note-budget.ts'
import * as runMoves from './run-moves.ts'

const LARGEST_BATCH = 512

export interface LedgerPorts {
  readonly batch: RunBatch
  readonly journal: Journal
  /** Seconds since 1970. */
  now(): number
  /** Under which name holds are taken; changes when this process was taken for dead. */
  nodeId(): string
}

/**
 * The only writer of balances. A move that has resolved is on disk: in the database, or, for moves that end
 * a request while the database is away, in a synced file from which they reach it.
 */
export class Ledger {
  readonly #ports: LedgerPorts
  readonly #commits: GroupCommit<Move, Outcome>
  /** Moves that neither the database nor the journal would take. */
  readonly #owed = new Map<string, Move>()
  readonly #notes = new NoteBudget()
  #replaying: Promise<void> | undefined
  #isReachable = true

  constructor(ports: LedgerPorts) {
    this.#ports = ports
    this.#commits = new GroupCommit(moves => this.#commit(moves), LARGEST_BATCH)
  }

  /** What was set aside, between `least` and `most`; refused when that cannot be afforded. */
  async hold(request: OfRequest, terms: { most: number; least: number; price: string }): Promise<number> {
    checkAmount(terms.most)
    checkAmount(terms.least)
    try {
      return granted(await this.#commits.submit({ kind: 'hold', ...request, ...terms }))
    } catch (error) {
      // Whether it was committed is not known. If it was, this gives it back.
      const release = { kind: 'release', ...request } as const
      if (isUnavailable(error)) await this.#keep(release, release)
      throw error
    }
  }

  /** Raises the hold; refused when the balance does not reach to `least`. */
  async extend(request: OfRequest, terms: { to: number; least: number }): Promise<number> {
    checkAmount(terms.to)
    checkAmount(terms.least)
    return granted(await this.#commits.submit({ kind: 'extend', ...request, ...terms }))
  }

  /** Best effort: one that is lost (false) is made good by the next, or by the settlement. */
  async checkpoint(request: OfRequest, charge: number, price?: string): Promise<boolean> {
    checkAmount(charge)
    try {
      return (await this.#commits.submit({ kind: 'checkpoint', ...request, charge, ...repriced(price) })).ok
    } catch (error) {
      if (!isUnavailable(error)) throw error
      return false
    }
  }

  /**
   * What was charged: the amount asked for, unless the wallet ran dry or someone else closed the hold. `isWithheld`:
   * nobody has seen what is charged for, and nobody will unless this succeeds.
   */
  async settle(
    request: OfRequest,
    charge: number,
    row: LogRow | undefined,
    { price, isWithheld = false }: { price?: string | undefined; isWithheld?: boolean } = {},
  ): Promise<number> {
    checkAmount(charge)
    const move = { kind: 'settle', ...request, charge, log: row, ...repriced(price) } as const
    const outcome = await this.#finish(move, isWithheld ? { kind: 'release', ...request } : move)
    if (outcome === undefined) return charge
    if (outcome.ok) return outcome.amount
    log.warn('a settlement came too late and moved nothing', { request: request.id, reason: outcome.reason })
    return 0
  }

  /** Hold and settlement in one, for a call that was let out on credit; refused when it cannot be afforded. */
  async pay(
    request: OfRequest,
    terms: { charge: number; price: string; began: number },
    row: LogRow | undefined,
  ): Promise<number> {
    checkAmount(terms.charge)
    const outcome = await this.#finish({ kind: 'pay', ...request, ...terms, log: row }, undefined)
    return outcome === undefined ? terms.charge : granted(outcome)
  }

  /** Whether the database took the last batch: while it does not, nothing is let out on credit. */
  get isReachable(): boolean {
    return this.#isReachable
  }

  /** Ends the request of a process that died, at its checkpoint. Not for the journal: if it fails, look again. */
  async reap(request: OfRequest, row: LogRow): Promise<void> {
    await this.#commits.submit({ kind: 'reap', ...request, log: row })
  }

  /** Gives everything back; `row` tells in the log why. */
  async release(request: OfRequest, row?: LogRow): Promise<void> {
    const move = { kind: 'release', ...request, ...(row ? { log: row } : {}) } as const
    await this.#finish(move, move)
  }

  /** A row in the log for a request that cost nothing. Best effort: nobody waits for it with money. */
  async note(request: OfRequest, row: LogRow): Promise<void> {
    if (!this.#notes.take(request.userId, this.#ports.now())) return
    try {
      await this.#commits.submit({ kind: 'note', ...request, log: row })
    } catch (error) {
      log.warn('a failed request could not be noted', { request: request.id, error })
    }
  }

  /** How many moves wait for the batch under way to be on disk. */
  get queued(): number {
    return this.#commits.waiting
  }

  /** How many moves wait for the database. */
  get waiting(): number {
    return this.#owed.size + this.#ports.journal.pending().length
  }

  /** Sends what the journal holds to the database; returns when it is empty or the database still away. */
  async replay(): Promise<void> {
    this.#replaying ??= this.#replayAll().finally(() => {
      this.#replaying = undefined
    })
    await this.#replaying
  }

  /** Undefined: it is in the journal, and will be charged from there. `owed` is what is to be done if it is not. */
  #finish(move: Move, owed: Move | undefined): Promise<Outcome | undefined> {
    return this.#commits.submit(move).catch(async error => {
      if (!isUnavailable(error)) throw error
      await this.#keep(move.kind === 'settle' || move.kind === 'pay' ? { ...move, kept: true } : move, owed)
      return undefined
    })
  }

  async #keep(move: Move, owed: Move | undefined): Promise<void> {
    try {
      await this.#ports.journal.append(move)
    } catch (error) {
      log.error('a move could be written neither to the database nor to the journal', {
        request: move.id,
        error,
      })
      // Whoever asked is told that it failed. While this process lives it is tried again, or the hold would stay.
      if (owed) this.#owed.set(owed.id, owed)
      throw new AppError('store.unavailable', {}, error)
    }
  }

  async #replayAll(): Promise<void> {
    const owed = [...this.#owed.values()].slice(0, LARGEST_BATCH)
    await Promise.all(owed.map(move => this.#commits.submit(move)))
    for (const move of owed) if (this.#owed.get(move.id) === move) this.#owed.delete(move.id)
    for (
      let waiting = this.#ports.journal.pending();
      waiting.length > 0;
      waiting = this.#ports.journal.pending()
    ) {
      for (let at = 0; at < waiting.length; at += LARGEST_BATCH)
        await Promise.all(waiting.slice(at, at + LARGEST_BATCH).map(move => this.#commits.submit(move)))
      await this.#ports.journal.clear(waiting.length)
    }
  }

  /** One move that the database will not have must not fail the others: then each goes alone. */
  async #commit(moves: readonly Move[]): Promise<readonly (Outcome | Promise<Outcome>)[]> {
    try {
      const outcomes = await this.#run(moves)
      this.#isReachable = true
      return outcomes
    } catch (error) {
      this.#isReachable = !isUnavailable(error)
      if (!this.#isReachable) throw error
      const results: PromiseSettledResult<Outcome>[] = []
      for (const move of moves) results.push(...(await Promise.allSettled([this.#commitAlone(move)])))
      return results.map(result =>
        result.status === 'fulfilled' ? result.value : Promise.reject<Outcome>(result.reason),
      )
    }
  }

  async #commitAlone(move: Move): Promise<Outcome> {
    const run = async (one: Move) => (await this.#run([one]))[0] as Outcome
    try {
      return await run(move)
    } catch (error) {
      if (isUnavailable(error) || !('log' in move) || !move.log) throw error
      log.error('a log row was refused; the charge is made without it', { request: move.id, error })
      return run({ ...move, log: undefined })
    }
  }

  #run(moves: readonly Move[]): Promise<readonly Outcome[]> {
    const { batch, nodeId, now } = this.#ports
    return batch(runMoves, () => ({ moves, nodeId: nodeId(), now: now() }))
  }
}

/** Hardly any move has one, and all of them are copied to where they are decided. */
function repriced(price: string | undefined): { readonly price: string } | undefined {
  return price === undefined ? undefined : { price }
}

const refusals: Partial<Record<Refusal, ErrorCode>> = {
  'user-quota': 'ledger.user-quota',
  'token-quota': 'ledger.token-quota',
  'token-missing': 'token.unavailable',
  'token-disabled': 'token.unavailable',
  'token-expired': 'token.expired',
  'member-limit': 'ledger.member-limit',
  'spend-limit': 'ledger.spend-limit',
}

const untilThen: Partial<Record<Refusal, ErrorCode>> = {
  'member-limit': 'ledger.member-limit-until',
  'spend-limit': 'ledger.spend-limit-until',
}

function granted(outcome: Outcome): number {
  if (outcome.ok) return outcome.amount
  const { reason, until = 0 } = outcome
  const later = until > 0 ? untilThen[reason] : undefined
  if (later) throw new AppError(later, { time: momentOf(until) })
  throw new AppError(refusals[reason] ?? 'ledger.closed')
}

/** For people of any place: to the minute, and by which clock. */
function momentOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
