import type { Picture } from '../../ledger/price/picture-prices.ts'
import type { HostedTool } from '../request/hosted-tools.ts'
import type { Failover } from '../request/read-failover.ts'

/** What was ordered: the model as the client named it, and whether the answer is streamed. */
export interface Ordered {
  readonly model: string
  readonly stream: boolean
  /** What the price of a picture depends on. */
  readonly picture?: Picture | undefined
  /** How many answers are asked for. A model that is paid by the call is paid for each. */
  readonly choices?: number | undefined
  /** A realtime session: its usage is that of many calls, none of which has the price for long input. */
  readonly isSession?: true
  /** The vendor's own tools that the request offers the model; their use may cost extra. */
  readonly hosted?: readonly HostedTool[] | undefined
  /** Where in the world the vendor is to compute the answer (`inference_geo`), which may cost more. */
  readonly geo?: string | undefined
  /** What the caller itself says of fallbacks and retries. */
  readonly failover?: Failover | undefined
  /** What its body says that it is for. */
  readonly tags?: readonly string[] | undefined
}
