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
import type { Claims } from '../limits/claims.ts'
import type { RelayParts } from '../parts.ts'
import { countCharged } from '../relay-figures.ts'
import type { HostedTool } from '../request/hosted-tools.ts'
import type { Incoming } from '../request/incoming.ts'
import type { Failover } from '../request/read-failover.ts'
import type { Channel } from '../routing/channel.ts'
import type { ChannelChoice } from '../routing/choose-by.ts'
import { groupsToServe } from '../routing/groups-in-turn.ts'
import type { Break } from '../tracing/call-trace.ts'
import type { GroupTurns } from '../upstream/group-turns.ts'
import { Bill } from './bill.ts'
import { ChannelVisit } from './channel-visit.ts'
import { addFees, boundFees, hasFees } from './charge-tools.ts'
import { asCharged } from './charge-usage.ts'
import { dearestOf, priceOf } from './group-prices.ts'

/** What was ordered: the model as the client named it, and whether the answer is streamed. */
export interface Ordered {
  readonly model: string
  readonly stream: boolean
  /** What the price of a picture depends on. */
  readonly picture?: Picture | undefined
  /** How many answers: each is paid where calls have a price. */
  readonly choices?: number | undefined
  /** Many calls, whose use is added up. */
  readonly isSession?: true
  /** The vendor's own tools that are on offer, and where it is to be computed: both may cost more. */
  readonly hosted?: readonly HostedTool[] | undefined
  readonly geo?: string | undefined
  readonly failover?: Failover | undefined
}

/** Of what an upstream says of its failure. */
const LONGEST_REASON = 300

/** One call of a model, from its admission until it is paid for. */
export class Order {
  readonly parts: RelayParts
  readonly incoming: Incoming
  readonly admitted: Admitted
  /** As the client named it. */
  readonly asked: string
  /** The one that serves it, or was tried last: another than was asked for where that could not be had. */
  model: string
  readonly stream: boolean
  readonly failover: Failover | undefined
  /** While it is open which of several groups serves it, the price in the dearest of them. */
  price: PriceSnapshot
  /** The groups that may serve it, in their turn; undefined when there is only the caller's. */
  groups: readonly string[] | undefined
  /** The one that serves it, or was tried last. */
  group: string
  /** Which of several groups it is counted in. */
  turns: GroupTurns | undefined
  readonly book: PriceBook
  readonly bill: Bill
  readonly began = performance.now()
  /** The channel that answers, or the last that was tried. */
  channel: Channel | undefined
  /** Of its keys, the one that it was asked with. */
  key: string | undefined
  upstreamModel = ''
  readonly tried: number[] = []
  /** Of those that failed, in the same order, how. */
  #failed: string[] | undefined
  /** Of the prompt, as near as is known before anybody counts. */
  estimatedTokens = 0
  /** What it is counted under until it is over; undefined when nothing of it is limited. */
  claims: Claims | undefined
  /** Of its answer, where the caller wants that kept. */
  recording: Recording | undefined
  #firstByteAt: number | undefined
  #broke: { readonly reason: Break; readonly words: string } | undefined
  /** Where it counts as under way; only if channels are chosen by that. */
  #visit: ChannelVisit | undefined
  readonly #ordered: Ordered
  readonly #choices: number
  /** Whatever the place it was computed in. */
  #usualPrice: PriceSnapshot
  /** Where the price is not the model's usual one because of it. */
  readonly #picture: Picture | undefined

  /** `model` is for who asked for one that nobody here has. */
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
    const { userId, tokenId, userGroup } = caller
    this.asked = ordered.model
    this.model = model
    this.stream = ordered.stream
    this.failover = ordered.failover
    this.#choices = ordered.choices ?? 1
    this.#ordered = ordered
    this.book = parts.prices()
    this.group = admitted.group
    this.groups = admitted.groups && groupsToServe(parts.channels, admitted.groups, { pinned, model })
    const price = this.book.snapshot(model, this.groups?.[0] ?? this.group, userGroup)
    this.#usualPrice = priceOf(ordered, price)
    if (this.#usualPrice !== price) this.#picture = ordered.picture
    this.price = ordered.geo === undefined ? this.#usualPrice : this.#priceIn(ordered.geo)
    this.bill = new Bill(parts.ledger, { id: incoming.requestId, userId, tokenId }, this.price, parts.now())
    if (this.groups) this.#priceAs(dearestOf(this.book, this.groups, userGroup))
    if (incoming.trace) incoming.trace.order = this
  }

  #priceAs(group: string): void {
    const { geo } = this.#ordered
    const price = this.book.snapshot(this.model, group, this.admitted.caller.userGroup)
    this.#usualPrice = priceOf(this.#ordered, price)
    this.price = geo === undefined ? this.#usualPrice : this.#priceIn(geo)
  }

  /** One of several groups is asked: if it answers, this is what it costs. */
  turnTo(group: string): void {
    this.group = group
    this.#priceAs(group)
    this.bill.price = this.price
  }

  /** Nobody could serve it as it was: another model is asked. What is set aside for it is to be seen to anew. */
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

  /** A channel is going to be asked: from now until it has left it, the order is one more that the channel has. */
  visit(channel: Channel, choice: ChannelChoice): void {
    if (choice === 'weight') return
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

  /** It gets an answer that was made before, for this part of the price. */
  takeShare(share: number): void {
    const { geo } = this.#ordered
    this.#usualPrice = atShare(this.#usualPrice, share)
    this.price = geo === undefined ? this.#usualPrice : this.#priceIn(geo)
    this.bill.price = this.price
  }

  /** The first content is here. */
  noteFirstByte(): void {
    this.#firstByteAt ??= performance.now()
    this.#visit?.answer()
  }

  /** Its channel answers: what it is for is here, or begins to come. */
  noteAnswered(): void {
    this.#visit?.answer()
  }

  /** A streamed answer came to its end. */
  noteEnd(): void {
    if (this.channel) this.parts.health.succeeded(this.channel, this.model, this.key)
    this.incoming.trace?.noteEnd()
  }

  /** It broke off; `words` are what its client is told of it, for the row of what it costs nevertheless. */
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

  /** What to hold for what comes besides tokens and calls. */
  boundFees(): { readonly most: number; readonly least: number } | undefined {
    const { hosted } = this.#ordered
    if (!hosted && this.price.search?.counts !== 'always') return undefined
    return boundFees(this.book, this.price, hosted)
  }

  hasToolPrice(tool: string): boolean {
    return this.book.toolPrice(this.model, tool) !== undefined
  }

  /** Charges and resolves when that is on disk. */
  settle(usage: TokenUsage): Promise<number> {
    const { geo } = usage
    const isNew = this.price.share === undefined
    if (usage.reasoning && isNew) this.parts.unseen.learn(this.model, usage.output)
    if (geo === undefined) return this.settleUsage(this.#asCharged(usage), usage.reasoning)
    const price = this.#priceIn(geo)
    const more = price === this.#usualPrice ? {} : { inference_geo: geo }
    return this.settleUsage(this.#asCharged(usage), usage.reasoning, more, price)
  }

  /** Vendors name the place also where it does not matter. */
  #priceIn(geo: string): PriceSnapshot {
    return geo === 'global' || geo === 'not_available' ? this.#usualPrice : this.book.inGeo(this.#usualPrice)
  }

  #asCharged(usage: TokenUsage): Usage {
    const charged = asCharged(usage)
    const all = this.#choices > 1 ? { ...charged, calls: this.#choices } : charged
    return hasFees(this.price, usage) ? addFees(this.book, this.price, usage, all, this.#ordered.hosted) : all
  }

  /** `more` is what the row tells besides; `price` is for who was told of another than the order's. */
  settleUsage(usage: Usage, reasoning?: number, more: object = {}, price = this.price): Promise<number> {
    this.leaveChannel()
    const { quota, promptTokens, completionTokens, details } = breakdown(price, usage)
    const row = this.#row(logTypes.consumption, this.#broke?.words ?? '', {
      ...details,
      ...(this.#broke ? { broke_off: this.#broke.reason } : {}),
      ...(reasoning ? { reasoning_tokens: reasoning } : {}),
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
    // Nobody made any for an answer that is given again.
    const input = price.share === undefined ? promptTokens : 0
    const output = price.share === undefined ? completionTokens : 0
    const counted = settled.then(charged => {
      countCharged({ model, stream, ms, firstTokenMs, input, output, quota: charged })
      if (trace) trace.charge = { promptTokens, completionTokens, usage, reasoning, quota: charged }
      return charged
    })
    return this.claims ? this.#leaveWith(this.claims, promptTokens + completionTokens, counted) : counted
  }

  /** What the operator pays for it, where that is known; nobody asks for money for an answer that is given again. */
  #ownCost(price: PriceSnapshot, usage: Usage): number | undefined {
    if (price.share !== undefined) return 0
    const ratio = this.channel?.setting.cost_ratio
    return ratio === undefined ? undefined : listedCost(price, usage, ratio)
  }

  /** Who has the answer may ask again: by then this call counts no more. */
  async #leaveWith(claims: Claims, tokens: number, settled: Promise<number>): Promise<number> {
    const [charged] = await Promise.all([settled, claims.end(tokens)])
    return charged
  }

  /** It counts nowhere any more; the first time counts. */
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
    const { trace } = this.incoming
    const ms = performance.now() - this.began
    const frt = this.#firstByteAt === undefined ? undefined : Math.round(this.#firstByteAt - this.began)
    const other = {
      ...details,
      ...(frt === undefined ? {} : { frt }),
      ...(this.upstreamModel !== '' && this.upstreamModel !== this.model
        ? { is_model_mapped: true, upstream_model_name: this.upstreamModel }
        : {}),
      ...(this.model === this.asked ? {} : { asked_model: this.asked }),
      admin_info: {
        use_channel: this.tried.map(String),
        ...(this.#failed && { failed: this.#failed }),
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
      // What nobody had to wait for says nothing of how long its model takes.
      ms: this.price.share === undefined ? Math.round(ms) : undefined,
      frt,
      prompt_tokens: 0,
      completion_tokens: 0,
      request_id: this.incoming.requestId,
      content,
      other: JSON.stringify(other),
    }
  }
}
