import type { Ledger } from '../ledger/ledger.ts'
import { priceBooks } from '../ledger/price/price-book.ts'
import type { Outbound } from '../outbound/client.ts'
import type { Store } from '../store/index.ts'
import { AnswerCache } from './answer-cache/answer-cache.ts'
import { Callers } from './callers/callers.ts'
import { Contents } from './contents/contents.ts'
import { PictureSizes } from './counting/picture-sizes.ts'
import { TokenCounter } from './counting/token-counter.ts'
import { Guards } from './guards/guards.ts'
import { CountedLabels } from './labels/counted-labels.ts'
import { LiveRequests } from './live-requests.ts'
import { Credit } from './order/credit.ts'
import { UnseenOutput } from './order/unseen-output.ts'
import type { RelayParts } from './parts.ts'
import { PromptLibrary } from './prompts/library.ts'
import { Relay } from './relay.ts'
import { showLoads } from './relay-figures.ts'
import { Affinity } from './routing/affinity.ts'
import { ChannelHealth } from './routing/channel-health.ts'
import { ChannelSnapshot } from './routing/channel-snapshot.ts'
import { RestBoard } from './routing/rest-board.ts'
import { StoredResponses } from './routing/stored-responses.ts'
import { HiddenThoughts } from './stream/hidden-thoughts.ts'
import type { Tracer } from './tracing/tracer.ts'

interface Given {
  readonly store: Store
  readonly ledger: Ledger
  readonly outbound: Outbound
  now(): number
  /** Without one, `now` is it. */
  readonly steadyNow?: () => number
  /** This process' name in the books. */
  nodeName(): string
  readonly onDisabled?: RelayParts['onDisabled']
  readonly tracer?: Tracer | undefined
}

/** The relay with its snapshots read. */
export async function openRelay(given: Given): Promise<Relay> {
  const { store } = given
  const rests = new RestBoard(store, given.nodeName)
  const channels = await ChannelSnapshot.load(store)
  showLoads(() => channels.all())
  return new Relay({
    store,
    settings: store.settings,
    ledger: given.ledger,
    outbound: given.outbound,
    callers: new Callers(store, given.now),
    credit: new Credit(),
    channels,
    health: new ChannelHealth(undefined, rests.note),
    rests,
    affinity: new Affinity(),
    stored: new StoredResponses(store, given.now),
    answers: new AnswerCache(store),
    guards: new Guards(store.settings),
    contents: new Contents(store, given.now),
    counter: new TokenCounter(),
    labels: new CountedLabels(),
    prompts: new PromptLibrary(store),
    live: new LiveRequests(),
    hiddenThoughts: new HiddenThoughts(),
    unseen: new UnseenOutput(),
    pictures: new PictureSizes(),
    prices: priceBooks(store.settings),
    now: given.now,
    steadyNow: given.steadyNow ?? given.now,
    onDisabled: given.onDisabled,
    tracer: given.tracer,
  })
}
