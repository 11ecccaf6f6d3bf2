import { logTypes } from '../../../contract/log-types.ts'
import type { TokenUsage } from '../../dialects/spec.ts'
import type { LogRow } from '../../ledger/moves.ts'
import { breakdown } from '../../ledger/price/breakdown.ts'
import { type Picture, priceOfPicture } from '../../ledger/price/picture-prices.ts'
import { cost, type PriceSnapshot, type Usage, usualPrice } from '../../ledger/price/price-snapshot.ts'
import type { Admitted } from '../callers/authorise.ts'
import type { Claims } from '../limits/claims.ts'
import type { RelayParts } from '../parts.ts'
import { countCharged } from '../relay-figures.ts'
import type { Incoming } from '../request/incoming.ts'
import type { Channel } from '../routing/channel.ts'
import { Bill } from './bill.ts'
import { asCharged } from './charge-usage.ts'

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
}

/** One call of a model, from its admission until it is paid for. */
export class Order {
  readonly parts: RelayParts
  readonly incoming: Incoming
  readonly admitted: Admitted
  readonly model: string
  readonly stream: boolean
  readonly price: PriceSnapshot
  readonly bill: Bill
  readonly began = performance.now()
  /** The channel that answers, or the last that was tried. */
  channel: Channel | undefined
  upstreamModel = ''
  readonly tried: number[] = []
  /** Of the prompt, as near as is known before anybody counts. */
  estimatedTokens = 0
  /** What it is counted under until it is over; undefined when nothing of it is limited. */
  claims: Claims | undefined
  #firstByteAt: number | undefined
  readonly #choices: number
  /** Where the price is not the model's usual one because of it. */
  readonly #picture: Picture | undefined

  constructor(parts: RelayParts, incoming: Incoming, admitted: Admitted, ordered: Ordered) {
    this.parts = parts
    this.incoming = incoming
    this.admitted = admitted
    this.model = ordered.model
    this.stream = ordered.stream
    this.#choices = ordered.choices ?? 1
    const price = parts.prices().snapshot(ordered.model, admitted.group)
    if (ordered.picture) this.price = priceOfPicture(price, ordered.picture)
    else this.price = ordered.isSession ? usualPrice(price) : price
    if (this.price !== price) this.#picture = ordered.picture
    const { userId, tokenId } = admitted.caller
    this.bill = new Bill(parts.ledger, { id: incoming.requestId, userId, tokenId }, this.price, parts.now())
  }

  /** The first content is here. */
  noteFirstByte(): void {
    this.#firstByteAt ??= performance.now()
  }

  /** A streamed answer came to its end. */
  noteEnd(): void {
    if (this.channel) this.parts.health.succeeded(this.channel, this.model)
  }

  costOf(usage: TokenUsage): number {
    return cost(this.price, this.#asCharged(usage))
  }

  /** Charges and resolves when that is on disk. */
  settle(usage: TokenUsage): Promise<number> {
    return this.settleUsage(this.#asCharged(usage), usage.reasoning)
  }

  #asCharged(usage: TokenUsage): Usage {
    const charged = asCharged(usage)
    return this.#choices > 1 ? { ...charged, calls: this.#choices } : charged
  }

  /** `more` is what the row tells besides. */
  settleUsage(usage: Usage, reasoning?: number, more: object = {}): Promise<number> {
    const { quota, promptTokens, completionTokens, details } = breakdown(this.price, usage)
    const row = this.#row(logTypes.consumption, '', {
      ...details,
      ...(reasoning ? { reasoning_tokens: reasoning } : {}),
      ...(this.#picture ? { image_size: this.#picture.size, image_quality: this.#picture.quality } : {}),
      ...more,
    })
    const logged = this.parts.settings.get('LogConsumeEnabled')
    const settled = this.bill.settle(
      quota,
      logged ? { ...row, prompt_tokens: promptTokens, completion_tokens: completionTokens } : undefined,
    )
    const { model, stream } = this
    const ms = performance.now() - this.began
    const firstTokenMs = this.#firstByteAt === undefined ? undefined : this.#firstByteAt - this.began
    const counted = settled.then(charged => {
      countCharged({ model, stream, ms, firstTokenMs, promptTokens, completionTokens, quota: charged })
      return charged
    })
    return this.claims ? this.#leaveWith(this.claims, promptTokens + completionTokens, counted) : counted
  }

  /** Who has the answer may ask again: by then this call counts no more. */
  async #leaveWith(claims: Claims, tokens: number, settled: Promise<number>): Promise<number> {
    const [charged] = await Promise.all([settled, claims.end(tokens)])
    return charged
  }

  /** Nothing is charged; the log says why. */
  async cancel(status: number, reason: string): Promise<void> {
    const left = this.claims?.end(0)
    await this.bill.cancel(this.#row(logTypes.error, reason, { status_code: status }))
    if (left) await left
  }

  #row(type: number, content: string, details: object): LogRow {
    const { caller, group } = this.admitted
    const ms = performance.now() - this.began
    const frt = this.#firstByteAt === undefined ? undefined : Math.round(this.#firstByteAt - this.began)
    const other = {
      ...details,
      ...(frt === undefined ? {} : { frt }),
      ...(this.upstreamModel !== '' && this.upstreamModel !== this.model
        ? { is_model_mapped: true, upstream_model_name: this.upstreamModel }
        : {}),
      admin_info: { use_channel: this.tried.map(String) },
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
      group,
      is_stream: this.stream ? 1 : 0,
      use_time: Math.round(ms / 1000),
      ms: Math.round(ms),
      frt,
      prompt_tokens: 0,
      completion_tokens: 0,
      request_id: this.incoming.requestId,
      content,
      other: JSON.stringify(other),
    }
  }
}
