import { asObject, asText, isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import type { Caller } from '../callers/caller.ts'
import type { Order } from '../order/order.ts'
import { affinityKey } from '../routing/affinity.ts'
import type { Preference } from '../routing/choose-channel.ts'
import type { Piece } from '../stream/conveyor.ts'
import type { ChatAnswer } from './ask-chat.ts'
import type { ChatCall } from './chat-call.ts'

const OPENING = 2000

interface Conversation {
  /** What tells its requests from those of others, so that they meet the same prompt cache. */
  readonly key: bigint | undefined
  readonly prefer: Preference | undefined
}

/** Which conversation a request belongs to, and which channel should go on with it. */
export function conversationOf({ admitted, parts }: Order, call: ChatCall): Conversation {
  const { caller } = admitted
  const body = call.json
  if (body.conversation !== undefined && body.conversation !== null)
    throw new AppError('dialect.unsupported', { feature: 'conversation' })
  // Its answer would come where nobody here could charge for it.
  if (call.dialect.name === 'openai-responses' && body.background)
    throw new AppError('dialect.unsupported', { feature: 'background' })
  // Upstream accounts are shared: only who got a response may go on from it.
  const given = asText(body.previous_response_id)
  const previous = given && responseKey(caller, given)
  const key = affinityKey(caller.tokenId || caller.userId, call.outline.model, {
    cacheKey: asText(body.prompt_cache_key),
    userId: asText(asObject(body.metadata)?.user_id),
    conversation: previous,
    opening: openingOf(body),
  })
  const found = parts.affinity.find(key, previous)
  if (previous !== undefined && !found?.pinned)
    throw new AppError('relay.unknown-response', { id: given ?? '' })
  const keeper = keeperOfItems(parts.affinity, call, caller)
  return { key, prefer: found?.pinned || keeper === undefined ? found : { channelId: keeper, pinned: true } }
}

/**
 * The channel whose upstream keeps what the request only names. What is not known here any more may still be
 * known there, and its id is nothing to be guessed; but what somebody else got is nobody's to name.
 */
function keeperOfItems(
  affinity: Order['parts']['affinity'],
  call: ChatCall,
  { userId }: Caller,
): number | undefined {
  let keeper: number | undefined
  for (const id of call.dialect.namedItems?.(call.json) ?? []) {
    const known = affinity.findItem(id)
    if (known && known.userId !== userId) throw new AppError('relay.unknown-response', { id })
    keeper ??= known?.channelId
  }
  return keeper
}

const responseId = /"id"\s*:\s*"(resp_[\w-]{1,200})"/

/** Whoever got a response may go on from it, on the channel that made it. */
export function rememberResponse(order: Order, call: ChatCall, answer: ChatAnswer): void {
  if (call.dialect.name !== 'openai-responses' || !answer.passes || !order.channel) return
  const beginning = answer.kind === 'plain' ? answer.text : asString(answer.first)
  const id = responseId.exec(beginning)?.[1]
  if (id) order.parts.affinity.rememberResponse(responseKey(order.admitted.caller, id), order.channel.id)
}

/** The same of the items in it, which later requests may name one by one. */
export function rememberItems({ admitted, channel, parts }: Order, ids: readonly string[] = []): void {
  if (!channel) return
  const kept = { userId: admitted.caller.userId, channelId: channel.id }
  for (const id of ids) parts.affinity.rememberItem(id, kept)
}

function asString(piece: Piece | undefined): string {
  if (piece === undefined || typeof piece === 'string') return piece ?? ''
  return new TextDecoder().decode(piece instanceof Uint8Array ? piece : piece[0])
}

function responseKey({ userId }: Caller, id: string): string {
  return `${userId} ${id}`
}

/** The beginning of what is said: the same for every turn of a conversation. */
function openingOf(body: JsonObject): readonly string[] {
  const system = wordsOf(body.system ?? body.instructions ?? body.systemInstruction)
  const turns = body.messages ?? body.input ?? body.contents
  return Array.isArray(turns) ? [system, wordsOf(turns[0]), wordsOf(turns[1])] : [system, wordsOf(turns)]
}

/** What somebody said, as text where it is text: putting it into JSON costs more than all else here. */
function wordsOf(said: Json | undefined): string {
  if (said === undefined) return ''
  const content = isObject(said) ? said.content : said
  return (typeof content === 'string' ? content : JSON.stringify(said)).slice(0, OPENING)
}
