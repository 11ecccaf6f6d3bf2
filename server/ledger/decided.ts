import type { Hold, LogRow, Outcome, Pay } from './moves.ts'
import type { Counted } from './spending/counted.ts'
import type { LimitDecider, LimitState } from './spending/decide-limits.ts'

export interface UserState {
  quota: number
}
export interface TokenState {
  remain: number
  unlimited: boolean
  status: number
  /** Seconds since 1970; −1 for never. */
  readonly expiresAt: number
  readonly createdAt: number
  /** When it was last used, to the minute; when it was made, if it never was. */
  usedAt: number
}
export interface HoldState {
  readonly userId: number
  readonly tokenId: number
  amount: number
  /** The part of it that is also set aside on the token's budget. */
  tokenAmount: number
  /** The most that was ever set aside. */
  held: number
  checkpoint: number
  charge: number
  state: string
  /** It outlives the process that took it (`LASTING`). Known where somebody is about to reap. */
  readonly isLasting?: boolean
  /** It was given back (`REFUNDED`). Known where a journal brings its charge. */
  readonly isRefunded?: boolean
  /** The limits of spending that it counts in; undefined where there are none. */
  counted?: readonly Counted[] | undefined
}

/** The rows a batch of moves concerns, as they stand. Deciding changes them. */
export interface State {
  readonly users: Map<number, UserState>
  readonly tokens: Map<number, TokenState>
  readonly holds: Map<string, HoldState>
  /** Since when the books have every call; 0 where they have all, and where nobody has to know. */
  readonly closedBefore?: number
  /** Those that calls of the batch are measured by; undefined where there are none. */
  readonly limits?: ReadonlyMap<number, LimitState> | undefined
}

/** What to add to a row: to its balance, to what it has used, to how often. */
export interface Change {
  balance: number
  used: number
  requests: number
  /** Seconds to add to when a token was last used. */
  later?: number
}

/** What a batch of moves comes to: sums to add, rows to write, and an answer for each move. */
export interface Decided {
  readonly outcomes: Outcome[]
  readonly users: Map<number, Change>
  readonly tokens: Map<number, Change>
  readonly channels: Map<number, Change>
  readonly tokenStatuses: Map<number, number>
  readonly newHolds: { readonly move: Hold | Pay; readonly hold: HoldState }[]
  readonly changedHolds: Map<string, HoldState>
  /** New prices of holds, by their id. */
  readonly prices: Map<string, string>
  /** What has become of limits of spending; undefined where none was touched. */
  limits: LimitDecider | undefined
  /** Holds that count in another window from now on. */
  readonly recounted: Map<string, HoldState>
  readonly settled: { readonly id: string; readonly hold: HoldState }[]
  /** Charges made before, and by how much they rise. */
  readonly raised: Map<string, { readonly charge: number; readonly tokenCharge: number }>
  readonly logs: { readonly row: LogRow; readonly charge: number }[]
}
