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
  /** Where no two calls go to the same place: the URL as it is used, which is then not remembered by its text. */
  readonly address?: URL | undefined
  /** Of a body that comes while it is sent, where that is known. */
  readonly bodyLength?: number | undefined
  /** An error is an answer too: whoever asks looks at it. */
  readonly takesAny?: true | undefined
}
