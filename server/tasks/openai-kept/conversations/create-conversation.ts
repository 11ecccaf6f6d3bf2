import { asText, parseObject } from '../../../dialects/json.ts'
import { readText } from '../../../outbound/read-body.ts'
import { enterLimits, hasLimits } from '../../../relay/limits/enter-limits.ts'
import type { Order } from '../../../relay/order/order.ts'
import { takeOrder } from '../../../relay/order/take-order.ts'
import { asProblem } from '../../../relay/problems.ts'
import { type JsonBody, readJsonBody } from '../../../relay/request/read-body.ts'
import { type FoundPlace, hashAccount } from '../../../relay/routing/place.ts'
import { askKeeper, keepsBeside } from '../../../relay/stored-answers/ask-keeper.ts'
import { UpstreamFailure } from '../../../relay/upstream/upstream-failure.ts'
import { askPlaces, choosePlaces, type Places } from '../../choose-places.ts'
import type { OwnedCall } from '../../define.ts'
import { asJson, keeping, LARGEST_ANSWER } from '../keeping.ts'
import { admitItems, refuseAccountItems, wordsOf } from './items.ts'
import { keepConversation, refuseTooMany } from './keep-conversation.ts'

interface Made {
  readonly id: string
  readonly place: FoundPlace
  /** What the vendor says of it. */
  readonly text: string
}

/** At one of the accounts that the caller may use, which has it from then on. It costs nothing until it is talked in. */
export async function createConversation(call: OwnedCall): Promise<Response> {
  const { parts, incoming, admitted } = call
  const { userId, tokenId } = admitted.caller
  const given = await readJsonBody(incoming.request)
  const words = wordsOf(given)
  await refuseTooMany(parts, userId)
  const places = await choosePlaces(parts, admitted, keeping(call))
  const to = { ...admitted, group: places.group, groups: undefined }
  const order = takeOrder(parts, incoming, to, { model: places.model, stream: false }, words)
  if (hasLimits(parts, admitted)) await enterLimits(order)
  try {
    const models = places.candidates.flat().flatMap(channel => [...channel.models])
    const body = await admitItems(call, order, given, models)
    incoming.keepOpen()
    const { id, place, text } = await make(order, places, body)
    const row = { id, user_id: userId, token_id: tokenId, created_at: parts.now() }
    await keepConversation(
      parts,
      { ...row, channel_id: place.channel.id, key_hash: hashAccount(parts, place.key) },
      place,
    )
    await order.leave(0)
    return asJson(text)
  } catch (error) {
    const { status, message } = asProblem(error, incoming)
    await order.cancel(status, message)
    throw error
  }
}

function make(order: Order, places: Places, body: JsonBody): Promise<Made> {
  const { parts, incoming } = order
  return askPlaces(order, places, { can: keepsBeside, errand: 'conversations' }, async ({ channel, key }) => {
    refuseAccountItems(body, channel)
    const place = { channel, key }
    const response = await askKeeper(parts, incoming.request, place, {
      method: 'POST',
      beside: 'conversations',
      path: '',
      body: { bytes: body.text, type: 'application/json' },
      makes: true,
    })
    const text = await readText(response, LARGEST_ANSWER)
    const id = asText(parseObject(text)?.id) ?? ''
    if (!/^[\w-]{1,128}$/.test(id)) throw new UpstreamFailure({ without: 'empty' })
    return { id, place, text }
  })
}
