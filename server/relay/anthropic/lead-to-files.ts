import { filesNamedIn } from '../../dialects/anthropic/named-files.ts'
import { mayNameFiles, refuseNamedTwice } from '../../dialects/file-names.ts'
import type { JsonObject } from '../../dialects/json.ts'
import { previousAnswer } from '../../dialects/previous-answer.ts'
import { AppError } from '../../errors.ts'
import type { Caller } from '../callers/caller.ts'
import type { ChatCall } from '../chat/chat-call.ts'
import { type Conversation, conversationOf } from '../chat/conversation.ts'
import { type Asking, placeToServe } from '../openai-kept/lead-to-kept.ts'
import type { Order } from '../order/order.ts'
import type { RelayParts } from '../parts.ts'
import type { JsonBody } from '../request/read-body.ts'
import { type FoundPlace, isSamePlace, type Place } from '../routing/place.ts'
import { areKnown, findFiles, unknownFile } from './file-rows.ts'

/** One look at what comes in Anthropic's dialect. */
export function mayNameAnthropicFiles({ dialect, body }: ChatCall): boolean {
  return dialect.name === 'anthropic' && mayNameFiles(body.text)
}

/** A request that names files goes to the account that has them. Undefined when it names none. */
export async function leadToFiles(order: Order, call: ChatCall): Promise<Conversation | undefined> {
  const place = await placeOfFiles(order, call.body)
  if (!place) return undefined
  const { channel, key } = place
  if (previousAnswer(call.json)) {
    // What it goes on from must be the caller's too, and lie in the same account.
    const { prefer, account = key } = await conversationOf(order, call)
    if (prefer?.channelId !== channel.id || account !== key) throw new AppError('kept.apart')
  }
  return {
    ...{ key: undefined, prefer: { channelId: channel.id, pinned: true }, account: key },
    may: ({ id }) => id === channel.id,
  }
}

/** Which account a request can be served by; throws where it is none that the caller may ask for that model. */
export async function placeOfFiles(order: Asking, { json, text }: JsonBody): Promise<FoundPlace | undefined> {
  refuseNamedTwice(json, text)
  const place = await placeNamedIn(order.parts, order.admitted.caller, json)
  return place && placeToServe(order, place)
}

/** Where all files are that a request names. Somebody else's is as unknown as one that never was. */
export async function placeNamedIn(
  parts: RelayParts,
  caller: Caller,
  json: JsonObject,
): Promise<Place | undefined> {
  const { wanted, met } = filesNamedIn(json)
  if (wanted.size + met.size === 0) return undefined
  const found = await findFiles(parts, caller, [...wanted, ...met])
  const [first] = wanted.size === 0 ? [] : found.values()
  for (const id of wanted) {
    const file = found.get(id)
    if (!file) throw unknownFile(id)
    if (first && !isSamePlace(file, first)) throw new AppError('kept.apart')
  }
  const others = await areKnown(
    parts,
    [...met].filter(id => !found.has(id)),
  )
  for (const id of others) throw unknownFile(id)
  return first
}
