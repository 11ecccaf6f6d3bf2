import { refuseFeature } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import type { Order } from '../../relay/order/order.ts'
import type { Channel } from '../../relay/routing/channel.ts'
import { mapModel } from '../../relay/routing/map-model.ts'
import { findPlace, hashAccount, isSamePlace } from '../../relay/routing/place.ts'
import { type Attempt, tryChannels } from '../../relay/upstream/try-channels.ts'
import { isSurelyRefused, UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import { Upstream } from '../ask-upstream.ts'
import type { BatchReport } from '../batches/host.ts'
import { mostCost } from '../batches/most-cost.ts'
import { type BatchPlace, moveBatch, openBatch } from '../batches/open-batch.ts'
import { hashKey } from '../submit.ts'
import { account, PATH, PLATFORM, spokenBy, takesMessages } from './account.ts'
import { priceInBatch, servesIn } from './order-batch.ts'
import { readBatch } from './read-batch.ts'
import type { RequestSender } from './request-sender.ts'

const UPLOAD_MS = 1_800_000

/** One batch on its way to the channel that takes it. */
export class Submission {
  readonly id: string
  /** `open` when its row is written, `sent` from when on an upstream may run it. */
  stage: 'coming' | 'open' | 'sent' = 'coming'
  readonly #order: Order
  readonly #requests: RequestSender

  constructor(order: Order, requests: RequestSender, id: string) {
    this.#order = order
    this.#requests = requests
    this.id = id
  }

  /** What has gone by and is not kept cannot be sent again: then one channel is asked. */
  send(): Promise<{ report: BatchReport; upstream: Upstream }> {
    const isRefusal = (failure: UpstreamFailure): boolean =>
      this.#requests.isKept && this.stage !== 'sent' && isSurelyRefused(failure)
    const { place } = this.#requests
    const can = (channel: Channel): boolean =>
      takesMessages(channel) &&
      (!place || channel.id === place.channel_id) &&
      [...this.#requests.shares.keys()].every(model => this.#serves(channel, model))
    const keyOf = place && (() => findPlace(this.#order.parts, place)?.key)
    return tryChannels(this.#order, { can, errand: 'batches', isSurelyRefused: isRefusal, keyOf }, attempt =>
      this.#ask(attempt),
    )
  }

  /** The group was chosen by the first of its models. */
  #serves(channel: Channel, model: string): boolean {
    const { parts, group, admitted } = this.#order
    return admitted.pinned === channel.id || servesIn(parts, group, channel, model)
  }

  async #ask({ channel, key }: Attempt): Promise<{ report: BatchReport; upstream: Upstream }> {
    const { parts, incoming } = this.#order
    const upstream = new Upstream(parts, account, { channel, key }, incoming.request)
    const place = { channel_id: channel.id, key_hash: hashKey(parts, key) }
    const broken = new AbortController()
    let isOver = false
    let receiving: Promise<void> | undefined
    const onReceived = (): Promise<void> => {
      if (isOver) throw new AppError('task.interrupted')
      receiving = this.#open(place)
      return receiving
    }
    const asked = { channel_id: channel.id, key_hash: hashAccount(parts, key) }
    const nameOf = (model: string): string => {
      // A file that came up when the account was chosen already, and is in another.
      const { place: files } = this.#requests
      if (files && !isSamePlace(files, asked)) throw new AppError('kept.apart')
      // For the first of them the channel was chosen.
      if (model !== this.#order.model && !this.#serves(channel, model))
        refuseFeature('feature.batch-models', { models: this.#named })
      return mapModel(channel.mapping, model)
    }
    const bytes = this.#requests.stream({ nameOf, mark: this.id, onReceived, broken })
    try {
      const answer = await upstream.json({
        method: 'POST',
        path: PATH,
        headers: spokenBy(incoming.request),
        body: { bytes, type: 'application/json' },
        timeoutMs: UPLOAD_MS,
        signal: broken.signal,
      })
      const report = readBatch(answer)
      // One that answers before it has heard all of it has begun nothing that was ordered.
      if (!report || this.stage !== 'sent') throw new UpstreamFailure({ without: 'empty' })
      return { report, upstream }
    } catch (error) {
      isOver = true
      // What was being written down when it was refused is.
      await receiving?.catch(() => undefined)
      const isRefused = error instanceof UpstreamFailure && isSurelyRefused(error)
      if (this.stage === 'sent' && isRefused) this.stage = 'open'
      throw error
    }
  }

  /** All of it has come: what it may cost is held, and somebody looks after it from here on. */
  async #open(place: BatchPlace): Promise<void> {
    const { parts, incoming, bill } = this.#order
    const { extent, shares, firstId } = this.#requests
    incoming.keepOpen()
    if (this.stage === 'coming') {
      const all = [...shares.values()].map(share => ({
        ...share,
        price: priceInBatch(this.#order, share.extent.model),
      }))
      const quota = all.reduce((sum, one) => sum + mostCost(parts, one.price, one.extent, one.cacheWrites), 0)
      await bill.hold(quota, quota)
      await openBatch(this.#order, {
        ...{ id: this.id, ...place, file_id: '', completion_window: '24h' },
        ...{ platform: PLATFORM, extent, title: this.#title, quota },
        metadata: JSON.stringify({ custom_id: firstId, marked: true }),
        prices:
          all.length > 1 ? all.map(one => ({ price: one.price, lines: one.extent.line_count })) : undefined,
      })
      this.stage = 'open'
    } else await moveBatch(parts, this.id, place)
    this.stage = 'sent'
  }

  get #named(): string {
    return [...this.#requests.shares.keys()].join(', ').slice(0, 1000)
  }

  get #title(): string {
    const counted = [...this.#requests.shares].map(([model, { extent }]) => `${extent.line_count} × ${model}`)
    return counted.join(', ').slice(0, 1000)
  }
}
