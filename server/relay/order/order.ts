import { logTypes } from '../../../contract/log-types.ts'
import type { TokenUsage } from '../../dialects/spec.ts'
import type { LogRow } from '../../ledger/moves.ts'
import { breakdown } from '../../ledger/price/breakdown.ts'
import { cost, listedCost } from '../../ledger/price/cost.ts'
import type { Picture } from '../../ledger/price/picture-prices.ts'
import type { PriceBook } from '../../ledger/price/price-book.ts'
import { atShare, type PriceSnapshot, type Usage } from '../../ledger/price/price-snapshot.ts'
import type { KeptUsage } from '../answer-cache/kept-answer.ts'
import type { Recording } from '../answer-cache/recording.ts'
import type { Admitted } from '../callers/authorise.ts'
import type { CallGuard } from '../guards/call-guard.ts'
import { type Labels, labelsOf } from '../labels/labels-of.ts'
import type { Claims } from '../limits/claims.ts'
import type { RelayParts } from '../parts.ts'
import { countCharged } from '../relay-figures.ts'
import type { HostedTool } from '../request/hosted-tools.ts'
import type { Incoming } from '../request/incoming.ts'
import type { Failover } from '../request/read-failover.ts'
import type { Channel } from '../routing/channel.ts'
import type { ChannelChoice } from '../routing/choose-by.ts'
import { groupsToServe } from '../routing/groups-in-turn.ts'
import type { OwnTrouble } from '../routing/own-trouble.ts'
import type { Break } from '../tracing/call-trace.ts'
import type { GroupTurns } from '../upstream/group-turns.ts'
import { Bill, requestOf } from './bill.ts'
import { ChannelVisit } from './channel-visit.ts'
import { boundFees } from './charge-tools.ts'
import { chargedFor, type HandedOver } from './charged-for.ts'
import { dearestOf, priceOf } from './group-prices.ts'
import type { Ordered } from './ordered.ts'

/** Of what an upstream says of its failure. */
const LONGEST_REASON = 300

/** One call of a model, from its admission until it is paid for. */
export class Order {
  readonly parts: RelayParts
  readonly incoming: Incoming
  readonly admitted: Admitted
  /** The model that the client named. */
  readonly asked: string
  /** The model that serves the call, or was tried last. Another than `asked` where a fallback stands in for that. */
  model: string
  readonly stream: boolean
  readonly failover: Failover | undefined
  /** What it is for; undefined where nobody has said. */
  readonly labels: Labels | undefined
  /** What the call is charged by. As long as several groups may serve it, the price in the dearest of them. */
  price: PriceSnapshot
  /** The groups that may serve it, in their turn; undefined when there is only the caller's. */
  groups: readonly string[] | undefined
  /** The group that serves it, or was tried last: its ratio is paid. */
  group: string
  /** Goes through `groups`, and counts the call in the limits of the one whose turn it is. */
  turns: GroupTurns | undefined
  readonly book: PriceBook
  readonly bill: Bill
  readonly began = performance.now()
  /** The channel that answers, or the last that was tried. */
  channel: Channel | undefined
  /** The one of the channel's keys that was used. */
  key: string | undefined
  /** What the channel's upstream calls the model; '' before one is asked. */
  upstreamModel = ''
  /** Ids of the channels that were asked, in their order; the log row tells administrators. */
  readonly tried: number[] = []
  /** Why those failed that did, in the same order. */
  #failed: string[] | undefined
  /** Tokens of the prompt, as near as is known before anybody counts. */
  estimatedTokens = 0
  /** Its places in the limits of requests and tokens, given back when it is over; undefined when it has no limits. */
  claims: Claims | undefined
  /** Where failures of its channel may be of its caller's making. */
  own: OwnTrouble | undefined
  /** The operator's rules for it, where there are any. */
  guard: CallGuard | undefined
  /** Copies the answer for the answer cache, where the caller wants it kept. */
  recording: Recording | undefined
  /** Whether the channel that was asked last searches the web for it and does not tell: one search is charged. */
  searchesUntold = false
  /** Of the question whose kept answer is given, where it is not the same question. */
  similarity: number | undefined
  #firstByteAt: number | undefined
  #broke: { readonly reason: Break; readonly words: string } | undefined
  /** The call as one that its channel has under way; only while `ChannelChoice` goes by that. */
  #visit: ChannelVisit | undefined
  readonly #ordered: Ordered
  /** How many answers are asked for. */
  readonly choices: number
  /** The vendor's own tools that the request offers the model. */
  hosted: readonly HostedTool[] | undefined
  /** The price before what a place to compute in (`geo`) makes of it. */
  #usualPrice: PriceSnapshot
  /** Set only where its size or quality has changed the price, which the log row then tells. */
  readonly #picture: Picture | undefined

  /** `model` is the first to try: a fallback, where no channel here has the one that was asked for. */
  constructor(
    parts: RelayParts,
    incoming: Incoming,
    admitted: Admitted,
    ordered: Ordered,
    model = ordered.model,
  ) {
    this.parts = parts
    this.incoming = incoming
    this.admitted = admitted
    const { caller, pinned } = admitted
    const { userGroup } = caller
    this.asked = ordered.model
    this.model = model
    this.stream = ordered.stream
    this.failover = ordered.failover
    this.labels = labelsOf(parts, incoming, caller, ordered.tags)
    this.choices = ordered.choices ?? 1
    this.hosted = ordered.hosted
    this.#ordered = ordered
    this.book = parts.prices()
    this.group = admitted.group
    this.groups = admitted.groups && groupsToServe(parts.channels, admitted.groups, { pinned, model })
    const price = this.book.snapshot(model, this.groups?.[0] ?? this.group, userGroup)
    this.#usualPrice = priceOf(ordered, price)
    if (this.#usualPrice !== price) this.#picture = ordered.picture
    this.price = this.#placedPrice()
    const of = requestOf(incoming.requestId, caller, this.labels?.counted)
    this.bill = new Bill(parts.ledger, of, this.price, parts.now())
    if (this.groups) this.#priceAs(dearestOf(this.book, this.groups, userGroup))
    if (incoming.trace) incoming.trace.order = this
  }

  #priceAs(group: string): void {
    const price = this.book.snapshot(this.model, group, this.admitted.caller.userGroup)
    this.#usualPrice = priceOf(this.#ordered, price)
    this.price = this.#placedPrice()
  }

  #placedPrice(): PriceSnapshot {
    const { geo } = this.#ordered
    return geo === undefined ? this.#usualPrice : this.#priceIn(geo)
  }

  /** Channels of this group are asked next: if one answers, the call costs what it costs there. */
  turnToGroup(group: string): void {
    this.group = group
    this.#priceAs(group)
    this.bill.price = this.price
  }

  /** Nobody could serve the model: another is asked. The caller then sets money aside for that one. */
  turnToModel(model: string): void {
    const { group, groups, pinned, caller } = this.admitted
    this.model = model
    this.upstreamModel = ''
    this.group = group
    this.groups = groups && groupsToServe(this.parts.channels, groups, { pinned, model })
    this.#priceAs(this.groups?.[0] ?? group)
    this.bill.startOver(this.price)
    if (this.groups) this.#priceAs(dearestOf(this.book, this.groups, caller.userGroup))
  }

  /** The channel is about to be asked: until `leaveChannel` it has one more call under way. */
  visit(channel: Channel, choice: ChannelChoice): void {
    if (choice === 'weight' || choice === 'cheapest') return
    this.leaveChannel()
    const pace = choice === 'fastest' ? channel.load.paceOf(this.model, this.stream) : undefined
    this.#visit = new ChannelVisit(channel, pace)
  }

  leaveChannel(): void {
    this.#visit?.leave()
  }

  failChannel(): void {
    this.#visit?.fail()
  }

  /** For who looks after the channels: the caller is told of the last one alone, and seldom in its words. */
  noteFailure(reason: string): void {
    this.#failed ??= []
    this.#failed.push(reason.slice(0, LONGEST_REASON))
  }

  /** The caller gets a kept answer, for this part of the price. */
  takeShare(share: number): void {
    this.#usualPrice = atShare(this.#usualPrice, share)
    this.price = this.#placedPrice()
    this.bill.price = this.price
  }

  /** The first content of the answer goes out. */
  noteFirstByte(): void {
    this.#firstByteAt ??= performance.now()
    this.#visit?.answer()
  }

  /** The channel has answered, or begins to: its pace is measured until here. */
  noteAnswered(): void {
    this.#visit?.answer()
  }

  /** A streamed answer came to its end. */
  noteEnd(): void {
    if (this.channel) {
      this.parts.health.succeeded(this.channel, this.model, this.key)
      this.own?.succeeded(this.parts.health, this.channel, this.key)
    }
    this.incoming.trace?.noteEnd()
  }

  /** A streamed answer broke off; `words` are what the client is told, for the row of what it costs nevertheless. */
  noteBreak(reason: Break, words = ''): void {
    this.#broke = { reason, words }
    this.incoming.trace?.noteEnd(reason)
  }

  get firstByteAt(): number | undefined {
    return this.#firstByteAt
  }

  costOf(usage: TokenUsage): number {
    return cost(this.price, this.#asCharged(usage))
  }

  costOfKept(usage: KeptUsage): number {
    if ('charged' in usage) return cost(this.price, usage.charged)
    const { geo } = usage.told
    return cost(geo === undefined ? this.price : this.#priceIn(geo), this.#asCharged(usage.told))
  }

  settleKept(usage: KeptUsage): Promise<number> {
    return 'told' in usage ? this.settle(usage.told) : this.settleUsage(usage.charged)
  }

  /** How much to hold for the vendor's own tools and searches, which come on top of tokens. */
  boundFees(): { readonly most: number; readonly least: number } | undefined {
    const { hosted } = this
    if (!hosted && this.price.search?.counts !== 'always') return undefined
    return boundFees(this.book, this.price, hosted)
  }

  hasToolPrice(tool: string): boolean {
    return this.book.toolPrice(this.model, tool) !== undefined
  }

  /** Charges the call, and resolves with the amount when that is on disk. */
  settle(usage: TokenUsage): Promise<number> {
    const { geo } = usage
    const isNew = this.price.share === undefined
    if (usage.reasoning && isNew) this.parts.unseen.learn(this.model, usage.output)
    if (geo === undefined) return this.settleUsage(this.#asCharged(usage), usage.reasoning)
    const price = this.#priceIn(geo)
    const more = price === this.#usualPrice ? {} : { inference_geo: geo }
    return this.settleUsage(this.#asCharged(usage), usage.reasoning, more, price)
  }

  /** `global` and `not_available` are no place that anybody asked for. */
  #priceIn(geo: string): PriceSnapshot {
    return geo === 'global' || geo === 'not_available' ? this.#usualPrice : this.book.inGeo(this.#usualPrice)
  }

  #asCharged(told: TokenUsage): Usage {
    return chargedFor(this, told)
  }

  /** Where the call goes on without this process: what whoever settles it has to know. */
  handedOver(): HandedOver {
    const { price, choices, hosted, searchesUntold } = this
    return { price, choices, hosted, searchesUntold, row: this.#row(logTypes.consumption, '', {}) }
  }

  /** `more` is what the log row tells besides. `price` is another than the order's where the vendor names a place. */
  settleUsage(usage: Usage, reasoning?: number, more: object = {}, price = this.price): Promise<number> {
    this.leaveChannel()
    const { quota, promptTokens, completionTokens, details } = breakdown(price, usage)
    const row = this.#row(logTypes.consumption, this.#broke?.words ?? '', {
      ...details,
      ...(this.#broke ? { broke_off: this.#broke.reason } : {}),
      ...(reasoning ? { reasoning_tokens: reasoning } : {}),
      ...(this.similarity === undefined ? {} : { answer_cache_similarity: this.similarity }),
      ...(this.#picture ? { image_size: this.#picture.size, image_quality: this.#picture.quality } : {}),
      ...more,
    })
    const settled = this.bill.settle(
      quota,
      this.parts.settings.get('LogConsumeEnabled')
        ? {
            ...row,
            prompt_tokens: promptTokens,
            completion_tokens: completionTokens,
            cost: this.#ownCost(price, usage),
          }
        : { ...row, unwritten: true },
    )
    const { model, stream } = this
    const { trace } = this.incoming
    const ms = performance.now() - this.began
    const firstTokenMs = this.#firstByteAt === undefined ? undefined : this.#firstByteAt - this.began
    // A kept answer is given again: no model has read or made these tokens.
    const input = price.share === undefined ? promptTokens : 0
    const output = price.share === undefined ? completionTokens : 0
    const counted = settled.then(charged => {
      countCharged({ model, stream, ms, firstTokenMs, input, output, quota: charged })
      if (trace) trace.charge = { promptTokens, completionTokens, usage, reasoning, quota: charged }
      return charged
    })
    return this.claims ? this.#leaveWith(this.claims, promptTokens + completionTokens, counted) : counted
  }

  /** What the operator pays for the call, where that is known. A kept answer costs the operator nothing. */
  #ownCost(price: PriceSnapshot, usage: Usage): number | undefined {
    if (price.share !== undefined) return 0
    const ratio = this.channel?.setting.cost_ratio
    return ratio === undefined ? undefined : listedCost(price, usage, ratio)
  }

  /** Both before the answer is handed over: whoever has it may ask again, and must not meet this call in a limit. */
  async #leaveWith(claims: Claims, tokens: number, settled: Promise<number>): Promise<number> {
    const [charged] = await Promise.all([settled, claims.end(tokens)])
    return charged
  }

  /** The call is over for channels and limits; only the first time has an effect. */
  leave(tokens: number): Promise<void> | undefined {
    this.leaveChannel()
    return this.claims?.end(tokens)
  }

  /** Nothing is charged; the log says why. */
  async cancel(status: number, reason: string): Promise<void> {
    this.incoming.transcript?.fail()
    const left = this.leave(0)
    await this.bill.cancel(this.#row(logTypes.error, reason, { status_code: status }))
    if (left) await left
  }

  #row(type: number, content: string, details: object): LogRow {
    const { caller } = this.admitted
    const { trace, prompt } = this.incoming
    const ms = performance.now() - this.began
    const frt = this.#firstByteAt === undefined ? undefined : Math.round(this.#firstByteAt - this.began)
    const other = {
      ...details,
      ...(frt === undefined ? {} : { frt }),
      ...(this.upstreamModel !== '' && this.upstreamModel !== this.model
        ? { is_model_mapped: true, upstream_model_name: this.upstreamModel }
        : {}),
      ...(this.model === this.asked ? {} : { asked_model: this.asked }),
      ...(this.labels?.given === undefined ? {} : { given_labels: this.labels.given }),
      ...(prompt && { prompt_name: prompt.name, prompt_version: prompt.version }),
      admin_info: {
        use_channel: this.tried.map(String),
        ...(this.#failed && { failed: this.#failed }),
        ...(this.guard?.tally.seen && { guards: this.guard.tally.seen }),
        ...(trace && { trace_id: trace.traceId }),
      },
    }
    return {
      created_at: this.parts.now(),
      type,
      user_id: caller.userId,
      username: caller.username,
      token_id: caller.tokenId,
      token_name: caller.tokenName,
      model_name: this.model,
      channel_id: this.channel?.id ?? 0,
      group: this.group,
      is_stream: this.stream ? 1 : 0,
      use_time: Math.round(ms / 1000),
      // A kept answer says nothing of how long its model takes.
      ms: this.price.share === undefined ? Math.round(ms) : undefined,
      frt,
      prompt_tokens: 0,
      completion_tokens: 0,
      request_id: this.incoming.requestId,
      labels: this.labels?.counted,
      prompt,
      content,
      other: JSON.stringify(other),
    }
  }
}
