import { asObject, asText, isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { StoredIds } from '../../dialects/watching.ts'
import { AppError } from '../../errors.ts'
import type { Stored } from '../../store/stored-responses.ts'
import type { Caller } from '../callers/caller.ts'
import type { Order } from '../order/order.ts'
import { affinityKey } from '../routing/affinity.ts'
import type { Preference } from '../routing/choose-channel.ts'
import type { ChatCall } from './chat-call.ts'

const OPENING = 2000
const NONE: readonly string[] = []

export interface Conversation {
  /** What tells its requests from those of others, so that they meet the same prompt cache. */
  readonly key: bigint | undefined
  readonly prefer: Preference | undefined
}

/** Which conversation a request belongs to, and which channel should go on with it. */
export function conversationOf(
  { admitted, parts }: Order,
  call: ChatCall,
): Conversation | Promise<Conversation> {
  const { caller } = admitted
  const body = call.json
  if (body.conversation !== undefined && body.conversation !== null) refuseNamed('conversation')
  // Its answer would come where nobody here could charge for it.
  if (call.dialect.name === 'openai-responses' && body.background) refuseNamed('background')
  // Upstream accounts are shared: only who got a response may go on from it.
  const given = asText(body.previous_response_id)
  const previous = given && responseName(caller, given)
  const key = affinityKey(caller.tokenId || caller.userId, call.outline.model, {
    cacheKey: asText(body.prompt_cache_key),
    userId: asText(asObject(body.metadata)?.user_id),
    conversation: previous,
    opening: openingOf(body),
  })
  const items = call.dialect.namedItems?.(body) ?? NONE
  if (!previous && items.length === 0) return { key, prefer: parts.affinity.find(key) }
  const judge = (stored: ReadonlyMap<string, Stored>): Conversation => {
    const maker = previous && stored.get(previous)
    if (previous && !maker) throw new AppError('relay.unknown-response', { id: given })
    const keeper = keeperOf(items, stored, caller)
    const channelId = maker ? maker.channelId : keeper
    return { key, prefer: channelId === undefined ? parts.affinity.find(key) : { channelId, pinned: true } }
  }
  const named = items.map(itemName)
  const found = parts.stored.find(previous ? [previous, ...named] : named)
  return found instanceof Promise ? found.then(judge) : judge(found)
}

/**
 * The channel whose upstream keeps what the request only names. What is not known here any more may still be
 * known there, and its id is nothing to be guessed; but what somebody else got is nobody's to name.
 */
function keeperOf(
  items: readonly string[],
  stored: ReadonlyMap<string, Stored>,
  { userId }: Caller,
): number | undefined {
  let keeper: number | undefined
  for (const id of items) {
    const known = stored.get(itemName(id))
    if (known && known.userId !== userId) throw new AppError('relay.unknown-response', { id })
    keeper ??= known?.channelId
  }
  return keeper
}

/** Whoever got an answer may go on from it and name what is in it, on the channel that made it. */
export function noteStored(
  { admitted, channel, parts }: Order,
  call: ChatCall,
  ids: StoredIds | undefined,
): Promise<void> | undefined {
  if (!ids || !channel || call.json.store === false) return undefined
  const { caller } = admitted
  const names = ids.items.map(itemName)
  if (ids.response) names.push(responseName(caller, ids.response))
  if (names.length === 0) return undefined
  return parts.stored.note(names, { userId: caller.userId, channelId: channel.id })
}

function responseName({ userId }: Caller, id: string): string {
  return `response ${userId} ${id}`
}

function itemName(id: string): string {
  return `item ${id}`
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
