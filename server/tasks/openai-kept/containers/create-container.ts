import { asObject, asText, type JsonObject, parseObject } from '../../../dialects/json.ts'
import { AppError } from '../../../errors.ts'
import { readText } from '../../../outbound/read-body.ts'
import { enterLimits, hasLimits } from '../../../relay/limits/enter-limits.ts'
import {
  type ContainerRow,
  containerStates,
  isContainerId,
  newMark,
} from '../../../relay/openai-kept/container-rows.ts'
import { type FoundFiles, filesOf, mayHave, refuseUnknown } from '../../../relay/openai-kept/lead-to-files.ts'
import { noteRefusal } from '../../../relay/order/note-refusal.ts'
import type { Order } from '../../../relay/order/order.ts'
import { takeOrder } from '../../../relay/order/take-order.ts'
import { CONTAINER } from '../../../relay/request/hosted-tools.ts'
import type { FoundPlace } from '../../../relay/routing/place.ts'
import { askKeeper, keepsBeside, nobody } from '../../../relay/stored-answers/ask-keeper.ts'
import { isSurelyRefused, UpstreamFailure } from '../../../relay/upstream/upstream-failure.ts'
import { askPlaces, choosePlaces, type Places, placesAt } from '../../choose-places.ts'
import type { OwnedCall } from '../../define.ts'
import { askToKeep, cancelOrder } from '../../kept/ask-to-keep.ts'
import { readTaskBody } from '../../read-task-body.ts'
import { keeping, LARGEST_ANSWER } from '../keeping.ts'
import { costOfContainer } from './charge-container.ts'
import { finishContainer, forgetContainer } from './finish-container.ts'
import { notePlace, openContainer } from './open-container.ts'
import { readContainer, type WantedContainer } from './read-container.ts'

interface Told {
  readonly id: string
  readonly told: JsonObject
  readonly place: FoundPlace
}

/**
 * From its price set aside to the container paid. In this order, so that whichever line a process dies at, what is held
 * belongs to a container that somebody looks after: the hold; the row, to which the hold belongs from then on; the vendor;
 * the charge; the row with the vendor's name for it.
 */
export async function createContainer(call: OwnedCall): Promise<Response> {
  const { parts, incoming, admitted } = call
  const wanted = readContainer(await readTaskBody(incoming))
  const files = await filesOf(parts, admitted.caller, wanted.told)
  const places = files.file
    ? placesAt(parts, admitted, files.file, keeping(call))
    : await choosePlaces(parts, admitted, keeping(call))
  refuseUnknown(files, places.candidates.flat())
  const to = { ...admitted, group: places.group, groups: undefined }
  const ordered = { model: places.model, stream: false }
  const order = takeOrder(parts, incoming, to, ordered, { json: {} })
  const each = parts.prices().toolPrice(order.model, CONTAINER)
  if (each === undefined) {
    const error = new AppError('kept.container-price')
    noteRefusal(parts, incoming, to, ordered, error)
    throw error
  }
  if (hasLimits(parts, admitted)) await enterLimits(order)
  let row: ContainerRow
  try {
    incoming.keepOpen()
    row = rowOf(order, wanted, String(each))
    const charge = costOfContainer(order.bill.price, row, parts.prices().quotaPerUnit)
    await order.bill.hold(charge, charge)
    await openContainer(parts, row)
  } catch (error) {
    await cancelOrder(order, error)
    throw error
  }
  const told = await make(order, row, wanted, { places, files })
  await order.leave(0)
  return Response.json({ ...told, name: wanted.title })
}

function rowOf(order: Order, { title, gigabytes }: WantedContainer, price: string): ContainerRow {
  const { parts, incoming, admitted, model, group } = order
  const { userId, tokenId } = admitted.caller
  const mark = newMark()
  const now = parts.now()
  return {
    ...{ mark, id: mark, user_id: userId, token_id: tokenId, channel_id: 0, key_hash: '' },
    ...{ model, group, request_id: incoming.requestId, state: containerStates.making },
    ...{ title, gigabytes, price, created_at: now, changed_at: now, paid_until: 0 },
  }
}

function make(
  order: Order,
  row: ContainerRow,
  wanted: WantedContainer,
  { places, files }: { readonly places: Places; readonly files: FoundFiles },
): Promise<JsonObject> {
  const { parts } = order
  const forget = () => forgetContainer(parts, row)
  return askToKeep(order, { what: 'container', id: row.mark, forget }, async asking => {
    const { id, told, place } = await askPlaces(
      order,
      places,
      {
        can: channel => keepsBeside(channel) && mayHave(channel, files),
        ...{ errand: 'containers', isSurelyRefused },
      },
      async ({ channel, key }) => {
        await notePlace(parts, row.mark, { channel, key })
        return asking(() => ask(order, row, wanted, { channel, key }))
      },
    )
    if (await finishContainer(parts, { ...row, channel_id: place.channel.id }, id)) return told
    // It was given up while this process slept: nobody would pay for it.
    await deleteAt(parts, place, id)
    throw new AppError('task.interrupted')
  })
}

async function ask(
  { parts, incoming }: Order,
  { mark }: ContainerRow,
  { told }: WantedContainer,
  place: FoundPlace,
): Promise<Told> {
  const response = await askKeeper(parts, incoming.request, place, {
    method: 'POST',
    beside: 'containers',
    path: '',
    // Our name for it, by which it is found whose answer was lost.
    body: { bytes: JSON.stringify({ ...told, name: mark }), type: 'application/json' },
    makes: true,
  })
  const container = parseObject(await readText(response, LARGEST_ANSWER))
  const id = idIn(container)
  if (!container || id === undefined) throw new UpstreamFailure({ without: 'empty' })
  return { id, told: container, place }
}

export function idIn(container: unknown): string | undefined {
  const id = asText(asObject(container)?.id)
  return id !== undefined && isContainerId(id) ? id : undefined
}

export async function deleteAt(parts: Order['parts'], place: FoundPlace, id: string): Promise<void> {
  const asking = { method: 'DELETE', beside: 'containers', path: `/${id}`, accept: '*/*' } as const
  await (await askKeeper(parts, nobody, place, asking)).body?.cancel()
}
