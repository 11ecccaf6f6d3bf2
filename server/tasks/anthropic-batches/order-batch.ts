import { AppError } from '../../errors.ts'
import { inBatch, type PriceSnapshot } from '../../ledger/price/price-snapshot.ts'
import { allowModel } from '../../relay/callers/authorise.ts'
import { noteRefusal } from '../../relay/order/note-refusal.ts'
import type { Order } from '../../relay/order/order.ts'
import { takeOrder } from '../../relay/order/take-order.ts'
import type { RelayParts } from '../../relay/parts.ts'
import type { Channel } from '../../relay/routing/channel.ts'
import { groupsToServe } from '../../relay/routing/groups-in-turn.ts'
import { findPlace, type Place } from '../../relay/routing/place.ts'
import type { OwnedCall } from '../define.ts'
import { takesMessages } from './account.ts'

/**
 * In the first of the caller's groups that has a channel for all of them, or in that of the channel that is named with
 * the key: whichever is asked, each has one price.
 */
export function orderBatch(
  { parts, incoming, admitted }: OwnedCall,
  models: readonly [string, ...string[]],
  place?: Place,
): Order {
  const [model] = models
  const ordered = { model, stream: false }
  const refuse = (error: AppError): never => {
    noteRefusal(parts, incoming, admitted, ordered, error)
    throw error
  }
  if (!parts.settings.get('TaskEnabled')) refuse(new AppError('task.tasks-off'))
  const { groups = [admitted.group], pinned } = admitted
  const able = groups.find(one =>
    parts.channels
      .candidates(one, model)
      .some(tier =>
        tier.some(
          channel =>
            takesMessages(channel) &&
            (!place || channel.id === place.channel_id) &&
            models.every(other => servesIn(parts, one, channel, other)),
        ),
      ),
  )
  const [group = able] = pinned === undefined ? [] : groupsToServe(parts.channels, groups, { pinned, model })
  const to = group === undefined ? admitted : { ...admitted, group, groups: undefined }
  const order = takeOrder(parts, incoming, to, ordered, { json: {} })
  if (place && !findPlace(parts, place)?.channel.isEnabled) refuse(new AppError('kept.gone'))
  if (group === undefined && place)
    refuse(new AppError('kept.elsewhere', { model: models.join(', ').slice(0, 1000) }))
  if (group === undefined)
    refuse(new AppError('batch.no-channel', { model: models.join(', ').slice(0, 1000) }))
  try {
    for (const other of models) admitModel(order, other)
  } catch (error) {
    noteRefusal(parts, incoming, admitted, ordered, error)
    throw error
  }
  order.bill.price = inBatch(order.price, parts.settings.get('BatchRatio'))
  return order
}

/** Throws where the caller may not ask it, or nobody could reckon what it costs. */
export function admitModel(order: Order, model: string): void {
  allowModel(order.admitted.caller, model)
  // Searches that nobody counts cannot be paid.
  if (listedPrice(order, model).search?.counts === 'always') throw new AppError('feature.batches', { model })
}

/** As it was when the batch was ordered: its requests may come for half an hour. */
export function priceInBatch(order: Order, model: string): PriceSnapshot {
  const { price } = order.bill
  return model === order.model ? price : inBatch(listedPrice(order, model), price.batch ?? 1)
}

export function servesIn({ channels }: RelayParts, group: string, channel: Channel, model: string): boolean {
  // By its number: what is known of channels is read anew while a long batch comes in.
  return channels.candidates(group, model).some(tier => tier.some(({ id }) => id === channel.id))
}

function listedPrice({ model: first, price, book, group, admitted }: Order, model: string): PriceSnapshot {
  return model === first ? price : book.snapshot(model, group, admitted.caller.userGroup)
}
