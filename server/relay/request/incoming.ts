import type { Language } from '../../../contract/language.ts'
import type { NamedPrompt } from '../../ledger/moves.ts'
import type { Transcript } from '../contents/transcript.ts'
import type { Sink } from '../stream/client-sink.ts'
import type { CallTrace } from '../tracing/call-trace.ts'

/** What is asked of a request to read its body. */
export type Sent = Pick<Incoming, 'request' | 'hold'>

/** One request at the relay's door, as the front door hands it over. */
export interface Incoming {
  readonly request: Request
  /** Exactly as it was sent. */
  readonly path: string
  readonly requestId: string
  readonly address: string
  readonly language: Language
  /** What is noted for its spans, if anybody wants to see them. */
  trace?: CallTrace | undefined
  /** The prompt of the caller's own that was put into it, if it names one. */
  prompt?: (NamedPrompt & { readonly name: string }) | undefined
  /** Of calls whose content is kept. */
  transcript?: Transcript | undefined
  /** Whose it is, once that is known. */
  payer?: number | undefined
  /** So much more of its body is in memory. Throws when there is no room for that. */
  hold(bytes: number): void
  /** From here on the server's own idle clock does not run. Not for calls that are over in a moment: it costs. */
  keepOpen(): void
  /** The answer is out: the connection may rest for as long as any other. */
  letRest(): void
  /** Takes a streamed answer that does not go out as the body of a response. */
  carry?(write: (sink: Sink) => Promise<void>): void
  /** Turns the connection into a WebSocket; false when its client is gone. */
  upgrade(session: unknown, headers: Record<string, string>): boolean
}
