import type { UpstreamDialect } from '../../dialects/dialect.ts'
import type { OutboundOptions } from '../../outbound/client.ts'
import type { Destination, Signer } from '../../providers/define.ts'

/** The request as it goes out. */
export interface Outgoing {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: OutboundOptions['body']
  readonly to: Destination
  readonly signer: Signer | undefined
  readonly readProblem: UpstreamDialect['readProblem']
  /** Whether it goes through a WebSocket. */
  readonly socket?: true | undefined
}
