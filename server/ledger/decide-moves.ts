import type { Change, Decided, HoldState, State, TokenState } from './decided.ts'
import {
  type Extend,
  type Hold,
  holdStates,
  type LogRow,
  type Move,
  type Outcome,
  type Pay,
  type Refusal,
  type Refused,
  type Settle,
  tokenStates,
} from './moves.ts'
import { withoutCost } from './rows-of-models.ts'
import type { Counted } from './spending/counted.ts'
import { LimitDecider, type Room } from './spending/decide-limits.ts'

/** Seconds. */
const USE_IS_KNOWN_TO = 60

/** Seconds; a clock that was put right in between may have a call begin after it ended. */
const CLOCK_WAS_WRONG = 86_400

const refused = (reason: Refusal): Refused => ({ ok: false, reason })

/**
 * Decides moves one after the other against the balances as they stand. No balance goes below zero, a hold
 * is resolved once, and a repeated move answers what it answered before. Nothing but arithmetic: the same
 * code decides on every engine, in the simulator and in the reaper.
 */
export function decideMoves(state: State, moves: readonly Move[], now: number): Decided {
  return new Decider(state, now).decide(moves)
}

class Decider {
  readonly #state: State
  readonly #now: number
  readonly #fresh = new Set<string>()
  readonly #decided: Decided = {
    outcomes: [],
    users: new Map(),
    tokens: new Map(),
    channels: new Map(),
    tokenStatuses: new Map(),
    newHolds: [],
    changedHolds: new Map(),
    prices: new Map(),
    limits: undefined,
    recounted: new Map(),
    settled: [],
    raised: new Map(),
    logs: [],
  }

  constructor(state: State, now: number) {
    this.#state = state
    this.#now = now
  }

  /** What takes as much as there is comes last: others of the batch may give something back. */
  decide(moves: readonly Move[]): Decided {
    const { outcomes } = this.#decided
    for (const [at, move] of moves.entries()) if (!takesWhatThereIs(move)) outcomes[at] = this.#decide(move)
    for (const [at, move] of moves.entries()) if (takesWhatThereIs(move)) outcomes[at] = this.#decide(move)
    return this.#decided
  }

  #decide(move: Move): Outcome {
    if (move.kind === 'note') {
      if (move.log) this.#decided.logs.push({ row: move.log, charge: 0 })
      return { ok: true, amount: 0 }
    }
    const hold = this.#state.holds.get(move.id)
    if (!hold && move.kind === 'hold') return this.#hold(move)
    if (!hold && move.kind === 'pay') return this.#isFolded(move) ? refused('closed') : this.#pay(move)
    if (!hold) return refused('unknown')
    if (hold.state !== holdStates.open) return this.#repeat(move, hold)
    if ((move.kind === 'settle' || move.kind === 'checkpoint') && move.price !== undefined)
      this.#decided.prices.set(move.id, move.price)
    switch (move.kind) {
      case 'hold':
        return { ok: true, amount: hold.amount }
      case 'extend':
        return this.#extend(move, hold)
      case 'checkpoint':
        return this.#checkpoint(move.id, hold, move.charge)
      case 'settle':
        return this.#settle(move, hold)
      case 'pay':
        return refused('closed')
      case 'release':
        return this.#release(move.id, hold, move.log)
      case 'reap':
        // It was not yet when the reaper looked: one that was slow, not dead, has handed it on since.
        if (hold.isLasting) return refused('closed')
        if (hold.checkpoint === 0) return this.#release(move.id, hold, undefined)
        return this.#settle({ ...move, kind: 'settle', charge: hold.checkpoint }, hold)
    }
  }

  /**
   * A charge out of a journal that is as old as the months that are closed: whether it reached the database before it
   * was kept, nobody can tell any more. It is not made twice; if it never was, it is the operator's loss. All other
   * moves of a call that was folded find no hold, and move nothing.
   */
  #isFolded(move: Pay): boolean {
    const { closedBefore = 0 } = this.#state
    return closedBefore > 0 && move.kept === true && move.began < closedBefore + CLOCK_WAS_WRONG
  }

  /** A move on a closed hold: what closed it is told again, anything else comes too late. */
  #repeat(move: Move, hold: HoldState): Outcome {
    if (move.kind === 'settle' && move.kept) this.#catchUp(move, hold)
    const isCharge = move.kind === 'settle' || move.kind === 'pay'
    if (isCharge && hold.state === holdStates.settled) return { ok: true, amount: hold.charge }
    if (move.kind === 'release' && hold.state === holdStates.released) return { ok: true, amount: 0 }
    return refused('closed')
  }

  #hold(move: Hold): Outcome {
    const user = this.#state.users.get(move.userId)
    if (!user) return refused('user-missing')
    const token = this.#state.tokens.get(move.tokenId)
    if (!token && move.tokenId !== 0) return refused('token-missing')
    const unusable = token && this.#unusable(move.tokenId, token)
    if (unusable) return refused(unusable)
    const own = Math.min(user.quota, budget(token))
    const limit = move.limits && this.#limits.tightest(move.limits)
    const amount = Math.min(move.most, own, limit?.room ?? own)
    if (amount < move.least && limit && own >= move.least) return limit.refusal
    if (amount < move.least) return refused(user.quota < move.least ? 'user-quota' : 'token-quota')
    this.#open(move, amount)
    return { ok: true, amount }
  }

  /** Made when it is first needed: most batches touch none. */
  get #limits(): LimitDecider {
    this.#decided.limits ??= new LimitDecider(this.#state.limits ?? new Map(), this.#now)
    return this.#decided.limits
  }

  #open(move: Hold | Pay, amount: number): HoldState {
    const { userId, tokenId } = move
    const nothing = { amount: 0, tokenAmount: 0, held: 0, checkpoint: 0, charge: 0 }
    const hold: HoldState = { userId, tokenId, ...nothing, state: holdStates.open }
    if (move.limits) hold.counted = this.#limits.enter(move.limits)
    this.#state.holds.set(move.id, hold)
    this.#fresh.add(move.id)
    this.#decided.newHolds.push({ move, hold })
    this.#take(hold, amount)
    return hold
  }

  /** Whether the token may be used was asked when the call began; what it began is paid for. */
  #pay(move: Pay): Outcome {
    const user = this.#state.users.get(move.userId)
    if (!user) return refused('user-missing')
    const isAfforded = move.charge <= Math.min(user.quota, budget(this.#state.tokens.get(move.tokenId)))
    if (!isAfforded && !move.kept) return refused(user.quota < move.charge ? 'user-quota' : 'token-quota')
    const charge = Math.min(move.charge, user.quota)
    const hold = this.#open(move, charge)
    hold.charge = charge
    hold.state = holdStates.settled
    this.#decided.settled.push({ id: move.id, hold })
    this.#countUse(move, hold, charge, 1)
    return { ok: true, amount: charge }
  }

  /** A token that is switched off or past its time takes no new hold; what it holds already runs to its end. */
  #unusable(id: number, token: TokenState): Refusal | undefined {
    if (token.status === tokenStates.disabled) return 'token-disabled'
    if (token.status === tokenStates.expired) return 'token-expired'
    if (token.expiresAt === -1 || token.expiresAt > this.#now) return undefined
    this.#setStatus(id, token, tokenStates.expired)
    return 'token-expired'
  }

  #extend(move: Extend, hold: HoldState): Outcome {
    const quota = this.#state.users.get(hold.userId)?.quota ?? 0
    const own = Math.min(quota, budget(this.#state.tokens.get(hold.tokenId)))
    const limit = hold.counted && this.#limitOf(move.id, hold, hold.counted)
    const room = Math.min(own, limit?.room ?? own)
    const to = Math.min(Math.max(move.to, hold.amount), hold.amount + room)
    if (to < move.least && limit && hold.amount + own >= move.least) return limit.refusal
    if (to < move.least) return refused(quota <= own ? 'user-quota' : 'token-quota')
    this.#take(hold, to - hold.amount)
    this.#touch(move.id, hold)
    return { ok: true, amount: hold.amount }
  }

  /** What its limits leave for more of it, in the windows that run now. */
  #limitOf(id: string, hold: HoldState, counted: readonly Counted[]): Room | undefined {
    hold.counted = this.#limits.reenter(counted, hold.amount)
    if (hold.counted !== counted && !this.#fresh.has(id)) this.#decided.recounted.set(id, hold)
    return this.#limits.tightest(counted.map(({ limitId }) => limitId))
  }

  #checkpoint(id: string, hold: HoldState, charge: number): Outcome {
    hold.checkpoint = Math.max(hold.checkpoint, Math.min(charge, hold.amount))
    this.#touch(id, hold)
    return { ok: true, amount: hold.checkpoint }
  }

  /** What exceeds the hold is taken as far as the wallet reaches; beyond that an overrun is the operator's loss. */
  #settle(move: Settle, hold: HoldState): Outcome {
    const quota = this.#state.users.get(hold.userId)?.quota ?? 0
    const charge = Math.min(move.charge, hold.amount + quota)
    if (charge > hold.amount) this.#take(hold, charge - hold.amount)
    // What is left over goes to the budget first: a part that is not the budget's was set aside before that was renewed.
    const tokenCharge = Math.max(0, hold.tokenAmount - (hold.amount - charge))
    this.#giveBack(hold, hold.amount - charge, hold.tokenAmount - tokenCharge)
    if (hold.counted) this.#limits.recount(hold.counted, hold.amount, charge)
    hold.amount = hold.charge = charge
    hold.tokenAmount = tokenCharge
    hold.state = holdStates.settled
    this.#touch(move.id, hold)
    this.#decided.settled.push({ id: move.id, hold })
    this.#countUse(move, hold, charge, 1)
    return { ok: true, amount: charge }
  }

  /**
   * A charge that a client was told of reaches the database after a reaper has charged less, or nothing. What
   * is missing is taken now, as far as the wallet reaches; not of what was given back meanwhile, as a failed task's is.
   */
  #catchUp(move: Settle, hold: HoldState): void {
    if (hold.isRefunded) return
    const isFirst = hold.state === holdStates.released
    const missing = Math.min(move.charge - hold.charge, this.#state.users.get(hold.userId)?.quota ?? 0)
    if (missing <= 0) return
    if (isFirst) hold.tokenAmount = 0
    const before = hold.tokenAmount
    hold.amount = hold.charge
    this.#take(hold, missing)
    hold.charge = hold.amount
    hold.state = holdStates.settled
    this.#touch(move.id, hold)
    if (isFirst) this.#decided.settled.push({ id: move.id, hold })
    else this.#raise(move.id, missing, hold.tokenAmount - before)
    this.#countUse(move, hold, missing, isFirst ? 1 : 0)
  }

  #raise(id: string, charge: number, tokenCharge: number): void {
    // An entry of this same batch is written with the whole sum.
    if (this.#decided.settled.some(settled => settled.id === id)) return
    const sum = this.#decided.raised.get(id) ?? { charge: 0, tokenCharge: 0 }
    this.#decided.raised.set(id, { charge: sum.charge + charge, tokenCharge: sum.tokenCharge + tokenCharge })
  }

  #release(id: string, hold: HoldState, row: LogRow | undefined): Outcome {
    this.#giveBack(hold, hold.amount, hold.tokenAmount)
    if (hold.counted) this.#limits.recount(hold.counted, hold.amount, 0)
    hold.state = holdStates.released
    this.#touch(id, hold)
    if (row) this.#decided.logs.push({ row, charge: 0 })
    return { ok: true, amount: 0 }
  }

  #countUse(move: Settle | Pay, hold: HoldState, charge: number, requests: number): void {
    use(this.#decided.users, hold.userId, charge, requests)
    const token = this.#state.tokens.get(hold.tokenId)
    if (token) {
      use(this.#decided.tokens, hold.tokenId, charge, requests)
      this.#noteUse(hold.tokenId, token)
      if (!token.unlimited && token.remain === 0) this.#setStatus(hold.tokenId, token, tokenStates.exhausted)
    }
    if (!move.log) return
    if (move.log.channel_id !== 0) use(this.#decided.channels, move.log.channel_id, charge, requests)
    if (move.log.unwritten) return
    // A part was charged before, at no known cost.
    this.#decided.logs.push({ row: requests === 0 ? withoutCost(move.log) : move.log, charge })
  }

  /** To the minute is enough to know, and spares a token that is used all the time the writing. */
  #noteUse(id: number, token: TokenState): void {
    const isFirst = token.usedAt <= token.createdAt
    if (!isFirst && this.#now - token.usedAt <= USE_IS_KNOWN_TO) return
    // Later than it was made even within the same second: the first use shows.
    const by = Math.max(this.#now, token.createdAt + 1) - token.usedAt
    if (by <= 0) return
    token.usedAt += by
    const change = changeOf(this.#decided.tokens, id)
    change.later = (change.later ?? 0) + by
  }

  /** From the wallet all of it; from a limited token's budget as much as is there. */
  #take(hold: HoldState, amount: number): void {
    if (hold.counted) this.#limits.recount(hold.counted, hold.amount, hold.amount + amount)
    hold.amount += amount
    hold.held = Math.max(hold.held, hold.amount)
    this.#moveUser(hold.userId, -amount)
    const token = this.#state.tokens.get(hold.tokenId)
    if (!token || token.unlimited) return
    const fromToken = Math.min(amount, token.remain)
    hold.tokenAmount += fromToken
    this.#moveToken(hold.tokenId, token, -fromToken)
  }

  #giveBack(hold: HoldState, amount: number, tokenAmount: number): void {
    this.#moveUser(hold.userId, amount)
    const token = this.#state.tokens.get(hold.tokenId)
    if (!token || tokenAmount === 0) return
    this.#moveToken(hold.tokenId, token, tokenAmount)
    // It was out of budget only because this request held the rest.
    if (token.status === tokenStates.exhausted) this.#setStatus(hold.tokenId, token, tokenStates.enabled)
  }

  #moveUser(id: number, by: number): void {
    const user = this.#state.users.get(id)
    if (user) user.quota += by
    changeOf(this.#decided.users, id).balance += by
  }

  #moveToken(id: number, token: TokenState, by: number): void {
    token.remain += by
    changeOf(this.#decided.tokens, id).balance += by
  }

  #setStatus(id: number, token: TokenState, status: number): void {
    token.status = status
    this.#decided.tokenStatuses.set(id, status)
  }

  #touch(id: string, hold: HoldState): void {
    if (!this.#fresh.has(id)) this.#decided.changedHolds.set(id, hold)
  }
}

function takesWhatThereIs(move: Move): boolean {
  return move.kind === 'pay' && move.kept === true
}

function budget(token: TokenState | undefined): number {
  return token && !token.unlimited ? token.remain : Number.MAX_SAFE_INTEGER
}

function changeOf(map: Map<number, Change>, id: number): Change {
  const known = map.get(id)
  if (known) return known
  const made = { balance: 0, used: 0, requests: 0 }
  map.set(id, made)
  return made
}

function use(map: Map<number, Change>, id: number, charge: number, requests: number): void {
  const change = changeOf(map, id)
  change.used += charge
  change.requests += requests
}
