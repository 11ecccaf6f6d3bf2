import { AppError } from '../../../errors.ts'
import { readText } from '../../../outbound/read-body.ts'
import { enterLimits, hasLimits } from '../../../relay/limits/enter-limits.ts'
import { refuseApart } from '../../../relay/openai-kept/lead-to-files.ts'
import { unknownConversation } from '../../../relay/openai-kept/lead-to-kept.ts'
import type { Order } from '../../../relay/order/order.ts'
import { takeOrder } from '../../../relay/order/take-order.ts'
import { asProblem } from '../../../relay/problems.ts'
import { type JsonBody, readJsonBody } from '../../../relay/request/read-body.ts'
import type { FoundPlace } from '../../../relay/routing/place.ts'
import { askKeeper, asOwnersWords, keepsBeside } from '../../../relay/stored-answers/ask-keeper.ts'
import { tryChannels } from '../../../relay/upstream/try-channels.ts'
import { entryAt } from '../../choose-places.ts'
import type { OwnedCall } from '../../define.ts'
import { asJson, LARGEST_ANSWER } from '../keeping.ts'
import { admitItems, filesIn, noteItems, refuseAccountItems, wordsOf } from './items.ts'
import { findOwn, queryOf } from './serve-conversations.ts'

/** What is said in a conversation without a model being asked, where the conversation is. */
export async function addItems(call: OwnedCall): Promise<Response> {
  const { parts, incoming, admitted } = call
  const given = await readJsonBody(incoming)
  const words = wordsOf(given)
  const { id, place } = await findOwn(call)
  refuseApart(parts, await filesIn(call, given), place)
  const entry = entryAt(parts, admitted, place, keepsBeside)
  if (!entry) throw new AppError('kept.gone')
  const to = { ...admitted, group: entry.group, groups: undefined }
  const order = takeOrder(parts, incoming, to, { model: entry.model, stream: false }, words)
  if (hasLimits(parts, admitted)) await enterLimits(order)
  try {
    const body = await admitItems(call, order, given, place.channel.models)
    incoming.keepOpen()
    const text = await send(call, order, { id, place }, body)
    await noteItems(call, place, given, text)
    await order.leave(0)
    return asJson(text)
  } catch (error) {
    const said = asOwnersWords(error, unknownConversation(id))
    const { status, message } = asProblem(said, incoming)
    await order.cancel(status, message)
    throw said
  }
}

function send(
  call: OwnedCall,
  order: Order,
  { id, place }: { readonly id: string; readonly place: FoundPlace },
  body: JsonBody,
): Promise<string> {
  const { parts, incoming } = call
  const wanted = {
    can: keepsBeside,
    errand: 'conversations',
    among: [[place.channel]],
    keyOf: () => place.key,
  }
  return tryChannels(order, wanted, async () => {
    refuseAccountItems(body, place.channel)
    const response = await askKeeper(parts, incoming.request, place, {
      method: 'POST',
      beside: 'conversations',
      path: `/${id}/items`,
      query: queryOf(call),
      body: { bytes: body.text, type: 'application/json' },
      makes: true,
    })
    return readText(response, LARGEST_ANSWER)
  })
}
