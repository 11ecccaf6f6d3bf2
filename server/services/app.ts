import type { Ledger } from '../ledger/ledger.ts'
import type { Outbound } from '../outbound/client.ts'
import type { Store } from '../store/index.ts'
import type { Settings } from '../store/settings-snapshot.ts'

/** What every service works with. */
export interface App {
  readonly store: Store
  readonly settings: Settings
  /** The only writer of balances. */
  readonly ledger: Ledger
  /** The one way out: every address it is given is judged. */
  readonly outbound: Outbound
  /** Whether whoever registers is given a token to begin with. */
  readonly generateDefaultToken: boolean
  readonly version: string
  readonly startedAt: number
  /** Seconds since 1970. */
  now(): number
}
