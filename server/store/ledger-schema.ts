import type { Generated } from 'kysely'
import type { SpendPeriod } from '../../contract/spend-limits.ts'
import type { Quota, Seconds } from './column-types.ts'

/** A process that takes holds. One that stops counting up is dead, and others finish its holds. */
export interface Nodes {
  id: string
  started_at: Seconds
  /** Rises while the process lives; compared with itself, never with anyone's clock. */
  beat: number
}

/** Money set aside for a request; afterwards, the request's trail. */
export interface Holds {
  id: string
  node_id: string
  user_id: number
  token_id: number
  /** What is set aside on the user's wallet, and of that on the token's budget (0 when unlimited). */
  amount: Quota
  token_amount: Quota
  /** The most that was set aside at any time. */
  held: Generated<Quota>
  /** What has certainly been used so far. */
  checkpoint: Quota
  /** What was charged in the end. */
  charge: Quota
  state: string
  price: string
  created_at: Seconds
  updated_at: Seconds
  /** In which limits of spending it counts (`server/ledger/spending/counted.ts`); null where there are none. */
  limits: Generated<string | null>
  /** What the request is for; null where nobody has said. */
  labels: Generated<string | null>
}

/** What may be spent within a while. A call counts in the window in which its money was set aside. */
export interface SpendLimits {
  id: Generated<number>
  /** Whose wallet pays. */
  user_id: number
  /** `member`: what one of a team's people may spend of it. Others are for all that the account spends. */
  subject: 'account' | 'plan' | 'member'
  /** 0 where it is no member's. */
  member_id: Generated<number>
  period: SpendPeriod
  amount: Quota
  /** In the window that ends then, with what is set aside: what is over by the clock is over. */
  spent: Generated<Quota>
  /** 0 where nothing has been spent yet, and for good where there is but one window. */
  ends_at: Generated<Seconds>
  /** What of it was spent elsewhere before it came here, in the window that ends then. */
  brought: Generated<Quota>
  brought_until: Generated<Seconds>
  created_at: Seconds
}

/**
 * A month whose calls stand in the books as sums, one entry for each user and token. Each has the hash of the one
 * before, so that none can be altered or taken out unseen.
 */
export interface ClosedMonths {
  /** `2026-01`, in UTC. */
  month: string
  /** The first second of the next. Its closing entries are of this second. */
  ends_at: Seconds
  state: string
  started_at: Seconds
  /** 0 while it is being closed. */
  closed_at: Generated<Seconds>
  /** How many portions were folded: whoever counts otherwise is not alone. */
  portions: Generated<number>
  /** How many calls were folded, and entries of theirs, and what those came to. */
  calls: Generated<number>
  entries: Generated<number>
  user_amount: Generated<Quota>
  token_amount: Generated<Quota>
  /** Of all lines that were folded, one after the other. */
  digest: string
  /** As JSON: the files that they were written to before, each with its own digest. */
  files: string
  previous_hash: string
  /** Of all the above; blank while it is being closed. */
  hash: Generated<string>
}

/** Every movement of money. Balance = sum of entries less open holds, for each user and token. */
export interface LedgerEntries {
  kind: string
  /** What it was for; once per kind. */
  ref: string
  user_id: number
  token_id: number
  user_amount: Quota
  token_amount: Quota
  created_at: Seconds
}
