import type { Logs } from '../store/log-schema.ts'

/** What a request's log row says; the ledger adds the amount and writes it with the settlement. */
export type LogRow = Omit<Logs, 'id' | 'quota' | 'cost' | 'labels'> & {
  /** What it was for, by commas. */
  readonly labels?: string | undefined
  /** What it cost the operator, where that is known. */
  readonly cost?: number | undefined
  /** Milliseconds, in all and until the first content: for the statistics, not for the row. */
  readonly ms?: number | undefined
  readonly frt?: number | undefined
  /** Which of its account's prompts it named: for the statistics too. */
  readonly prompt?: NamedPrompt | undefined
  /** Where it asked several models: what each came to, which is written as a row of its own. */
  readonly models?: readonly RowOfModel[] | undefined
  /** The operator keeps no log of it: what its channel has served is counted all the same. */
  readonly unwritten?: true | undefined
}

export type RowOfModel = Pick<
  LogRow,
  'model_name' | 'prompt_tokens' | 'completion_tokens' | 'other' | 'cost'
> & {
  readonly quota: number
}

export interface NamedPrompt {
  readonly id: number
  readonly version: number
  /** It is a team's: then it is counted by token too. */
  readonly ofTeam?: boolean | undefined
}

/** A request and whose money it spends. Every move of it can be repeated without harm. */
export interface OfRequest {
  readonly id: string
  readonly userId: number
  /** 0 when no token is involved. */
  readonly tokenId: number
  /** By which limits of spending it is measured; undefined where there are none. */
  readonly limits?: readonly number[] | undefined
  /** What it is for: known to whoever ends it, should this process die. Undefined where nobody has said. */
  readonly labels?: string | undefined
}

/** Sets money aside: as much as `most`, and no less than `least`. */
export interface Hold extends OfRequest {
  readonly kind: 'hold'
  readonly most: number
  readonly least: number
  /** The price snapshot the request will be settled by. */
  readonly price: string
}

/** Raises what is set aside to `to`, or as near to it as the balance allows, but at least to `least`. */
export interface Extend extends OfRequest {
  readonly kind: 'extend'
  readonly to: number
  readonly least: number
}

/** Says what has certainly been used: should this process die, that much is charged. */
export interface Checkpoint extends OfRequest {
  readonly kind: 'checkpoint'
  readonly charge: number
  readonly price?: string | undefined
}

/** Charges what was used and gives the rest back. */
export interface Settle extends OfRequest {
  readonly kind: 'settle'
  readonly charge: number
  /** When it is not the one that the hold was taken with. */
  readonly price?: string | undefined
  readonly log: LogRow | undefined
  /** It waited in a journal, and the client was told: it is charged even if a reaper came first. */
  readonly kept?: true | undefined
}

/**
 * Charges a call that nothing was set aside for, because whoever made it has plenty: hold and settlement in one.
 * Refused when the balance does not reach.
 */
export interface Pay extends OfRequest {
  readonly kind: 'pay'
  readonly charge: number
  readonly price: string
  /** When the call began, in seconds since 1970. */
  readonly began: number
  readonly log: LogRow | undefined
  /** It waited in a journal, and the client was told: it takes what there is. */
  readonly kept?: true | undefined
}

/** Ends the request of a process that died: at its checkpoint as it stands then, or by giving everything back. */
export interface Reap extends OfRequest {
  readonly kind: 'reap'
  readonly log: LogRow | undefined
}

/** Gives everything back, and may say in the log what went wrong. */
export interface Release extends OfRequest {
  readonly kind: 'release'
  readonly log?: LogRow | undefined
}

/** Moves nothing: a request that failed before it cost anything leaves a row in the log. */
export interface Note extends OfRequest {
  readonly kind: 'note'
  readonly log: LogRow | undefined
}

export type Move = Hold | Extend | Checkpoint | Settle | Pay | Release | Reap | Note

export type Refusal =
  | 'user-missing'
  | 'user-quota'
  | 'token-missing'
  | 'token-quota'
  | 'token-disabled'
  | 'token-expired'
  | 'member-limit'
  | 'spend-limit'
  /** Settled, released or reaped before: nothing was moved. */
  | 'closed'
  | 'unknown'

export interface Refused {
  readonly ok: false
  readonly reason: Refusal
  /** Of a limit of spending, when there is something again; 0 for never. */
  readonly until?: number
}

export type Outcome = { readonly ok: true; readonly amount: number } | Refused

/**
 * Where it stands since when the books have every call. Of what was before, they have sums: a charge that a journal
 * brings from then may be in them already.
 */
export const BOOKS_CLOSED_BEFORE = 'books-closed-before'

/**
 * Whose holds outlive every process: those of batches, of caches and of what is made in the background. Nobody reaps
 * them; the end of what they are for closes them.
 */
export const LASTING = 'batches'

/**
 * In place of the process that took it, on the hold of what was given back: a charge of it that a journal brings after
 * that is not made any more.
 */
export const REFUNDED = 'refunded'

export const holdStates = { open: 'open', settled: 'settled', released: 'released' } as const
/**
 * As the contract numbers them, which the ledger's thread does not load. The ledger marks a token expired or
 * exhausted, and takes the latter back when a refund gives it budget again.
 */
export const tokenStates = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const
