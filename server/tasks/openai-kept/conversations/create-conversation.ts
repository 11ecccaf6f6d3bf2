import { asText, parseObject } from '../../../dialects/json.ts'
import { readText } from '../../../outbound/read-body.ts'
import { type FoundFiles, mayHave, refuseUnknown } from '../../../relay/openai-kept/lead-to-files.ts'
import type { Order } from '../../../relay/order/order.ts'
import { takeOrder } from '../../../relay/order/take-order.ts'
import { type JsonBody, readJsonBody } from '../../../relay/request/read-body.ts'
import type { Channel } from '../../../relay/routing/channel.ts'
import { type FoundPlace, hashAccount } from '../../../relay/routing/place.ts'
import { askKeeper, keepsBeside } from '../../../relay/stored-answers/ask-keeper.ts'
import { UpstreamFailure } from '../../../relay/upstream/upstream-failure.ts'
import { askPlaces, choosePlaces, type Places, placesAt } from '../../choose-places.ts'
import type { OwnedCall } from '../../define.ts'
import { doFreely } from '../../kept/take-upload.ts'
import { asJson, keeping, LARGEST_ANSWER } from '../keeping.ts'
import { admitItems, filesIn, refuseAccountItems, wordsOf } from './items.ts'
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
  const given = await readJsonBody(incoming)
  const words = wordsOf(given)
  await refuseTooMany(parts, userId)
  const files = await filesIn(call, given)
  const places = files.file
    ? placesAt(parts, admitted, files.file, keeping(call))
    : await choosePlaces(parts, admitted, keeping(call))
  refuseUnknown(files, places.candidates.flat())
  const to = { ...admitted, group: places.group, groups: undefined }
  const order = takeOrder(parts, incoming, to, { model: places.model, stream: false }, words)
  return doFreely(order, async () => {
    const models = places.candidates.flat().flatMap(channel => [...channel.models])
    const body = await admitItems(call, order, given, models)
    incoming.keepOpen()
    const { id, place, text } = await make(order, { places, body, files })
    const row = { id, user_id: userId, token_id: tokenId, created_at: parts.now() }
    await keepConversation(
      parts,
      { ...row, channel_id: place.channel.id, key_hash: hashAccount(parts, place.key) },
      place,
    )
    return asJson(text)
  })
}

interface Wanted {
  readonly places: Places
  readonly body: JsonBody
  readonly files: FoundFiles
}

function make(order: Order, { places, body, files }: Wanted): Promise<Made> {
  const { parts, incoming } = order
  const can = (channel: Channel): boolean => keepsBeside(channel) && mayHave(channel, files)
  return askPlaces(order, places, { can, errand: 'conversations' }, async ({ channel, key }) => {
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
