import type { Ledger } from '../ledger/ledger.ts'
import type { PriceBook } from '../ledger/price/price-book.ts'
import type { Outbound } from '../outbound/client.ts'
import type { Store } from '../store/index.ts'
import type { Settings } from '../store/settings-snapshot.ts'
import type { AnswerCache } from './answer-cache/answer-cache.ts'
import type { Callers } from './callers/callers.ts'
import type { Contents } from './contents/contents.ts'
import type { PictureSizes } from './counting/picture-sizes.ts'
import type { TokenCounter } from './counting/token-counter.ts'
import type { Guards } from './guards/guards.ts'
import type { CountedLabels } from './labels/counted-labels.ts'
import type { LiveRequests } from './live-requests.ts'
import type { Credit } from './order/credit.ts'
import type { UnseenOutput } from './order/unseen-output.ts'
import type { PromptLibrary } from './prompts/library.ts'
import type { Affinity } from './routing/affinity.ts'
import type { ChannelHealth } from './routing/channel-health.ts'
import type { ChannelSnapshot } from './routing/channel-snapshot.ts'
import type { DisabledChannel } from './routing/disable-channel.ts'
import type { RestBoard } from './routing/rest-board.ts'
import type { StoredResponses } from './routing/stored-responses.ts'
import type { HiddenThoughts } from './stream/hidden-thoughts.ts'
import type { Tracer } from './tracing/tracer.ts'

/** What the relay works with. */
export interface RelayParts {
  readonly store: Store
  readonly settings: Settings
  readonly ledger: Ledger
  readonly outbound: Outbound
  readonly callers: Callers
  readonly credit: Credit
  readonly channels: ChannelSnapshot
  readonly health: ChannelHealth
  /** Where people see what `health` leaves alone. */
  readonly rests: RestBoard
  readonly affinity: Affinity
  /** Which channel's upstream stores a response that a later request only names. */
  readonly stored: StoredResponses
  /** Answers that are kept here, to be given again. */
  readonly answers: AnswerCache
  /** Rules for what is asked and answered. */
  readonly guards: Guards
  readonly contents: Contents
  readonly counter: TokenCounter
  readonly labels: CountedLabels
  /** What callers keep, to be named instead of sent. */
  readonly prompts: PromptLibrary
  readonly live: LiveRequests
  readonly hiddenThoughts: HiddenThoughts
  readonly unseen: UnseenOutput
  /** What pictures come to. */
  readonly pictures: PictureSizes
  /** Only where a collector of spans is named. */
  readonly tracer?: Tracer | undefined
  prices(): PriceBook
  /** Seconds since 1970. */
  now(): number
  /** The same, but a clock that is set forward does not move it: for what is given up, and cannot be taken back. */
  steadyNow(): number
  /** Told when a channel was taken out of service. */
  readonly onDisabled?: ((disabled: DisabledChannel) => void | Promise<void>) | undefined
}
