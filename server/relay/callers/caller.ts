import type { BlockList } from 'node:net'
import type { Limits } from '../../store/counters/counters.ts'

/** Whose money a request spends and what they may ask for; shared by all requests of a token. */
export interface Caller {
  readonly userId: number
  readonly username: string
  readonly role: number
  readonly userStatus: number
  readonly userGroup: string
  /** 0 in the playground, where no token is involved. */
  readonly tokenId: number
  readonly tokenName: string
  readonly tokenStatus: number
  /** Came with a key of its own form, in which nothing names a channel. */
  readonly hasMoved: boolean
  /** Seconds since 1970; −1 for never. */
  readonly expiresAt: number
  /** The token's own group, or ''. */
  readonly tokenGroup: string
  /** Undefined when any model may be asked for. */
  readonly models: ReadonlySet<string> | undefined
  readonly addresses: BlockList | undefined
  /** Undefined when nothing is limited. */
  readonly tokenLimits: Limits | undefined
  readonly userLimits: Limits | undefined
  /** By which limits of spending the ledger measures; undefined where there are none. */
  readonly spendLimits: readonly number[] | undefined
  /** What all calls of the token are for, by commas; undefined where nobody has said. */
  readonly labels: string | undefined
  /**
   * As it was when this was read: enough to decide what comes first, never to decide what is spent. 0 when it
   * has turned out to be less.
   */
  balance: number
}
