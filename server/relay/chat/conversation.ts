import { asObject, asText, isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import { previousAnswer } from '../../dialects/previous-answer.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { StoredIds } from '../../dialects/watching.ts'
import { AppError } from '../../errors.ts'
import type { Stored } from '../../store/stored-responses.ts'
import type { Caller } from '../callers/caller.ts'
import type { Order } from '../order/order.ts'
import type { RelayParts } from '../parts.ts'
import { affinityKey } from '../routing/affinity.ts'
import type { Channel } from '../routing/channel.ts'
import type { Preference } from '../routing/choose-channel.ts'
import type { ChatCall } from './chat-call.ts'

const OPENING = 2000
const NONE: readonly string[] = []

export interface Conversation {
  /** What tells its requests from those of others, so that they meet the same prompt cache. */
  readonly key: bigint | undefined
  readonly prefer: Preference | undefined
  /** Of a channel of several keys, the one whose account has what the request goes on from. */
  readonly account?: string | undefined
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
  const given = previousAnswer(body)
  const previous = given && responseName(caller, given)
  const key = affinityKey(caller.tokenId || caller.userId, call.outline.model, {
    cacheKey: asText(body.prompt_cache_key),
    userId: asText(asObject(body.metadata)?.user_id),
    conversation: previous,
    opening: openingOf(body),
  })
  const items = call.dialect.namedItems?.(body) ?? NONE
  if (!previous && items.length === 0) return { key, prefer: parts.affinity.find(key) }
  const judge = (stored: ReadonlyMap<string, Stored>): Conversation | Promise<Conversation> => {
    const maker = previous && stored.get(previous)
    if (previous && !maker) throw new AppError('relay.unknown-response', { id: given })
    const item = keptItem(items, stored, caller)
    const name = maker ? previous : item
    const channelId = name === undefined ? undefined : stored.get(name)?.channelId
    if (name === undefined || channelId === undefined) return { key, prefer: parts.affinity.find(key) }
    const prefer = { channelId, pinned: true }
    const channel = parts.channels.byId(channelId)
    if (!channel || channel.keys.length < 2) return { key, prefer }
    return accountOf(parts, channel, name).then(account => ({ key, prefer, account }))
  }
  const named = items.map(itemName)
  const found = parts.stored.find(previous ? [previous, ...named] : named)
  return found instanceof Promise ? found.then(judge) : judge(found)
}

/**
 * The first of what the request only names whose channel is known. What is not known here any more may still be
 * known there, and its id is nothing to be guessed; but what somebody else got is nobody's to name.
 */
function keptItem(
  items: readonly string[],
  stored: ReadonlyMap<string, Stored>,
  { userId }: Caller,
): string | undefined {
  let kept: string | undefined
  for (const id of items) {
    const name = itemName(id)
    const known = stored.get(name)
    if (known && known.userId !== userId) throw new AppError('relay.unknown-response', { id })
    if (known) kept ??= name
  }
  return kept
}

/** Undefined when it is no key of the channel any more. */
async function accountOf(parts: RelayParts, { keys }: Channel, name: string): Promise<string | undefined> {
  const names = new Map(keys.map(key => [withKey(parts, name, key), key]))
  for (const found of (await parts.stored.find([...names.keys()])).keys()) return names.get(found)
  return undefined
}

/** Whoever got an answer may go on from it and name what is in it, on the channel that made it. */
export function noteStored(
  { admitted, channel, key, parts }: Order,
  call: ChatCall,
  ids: StoredIds | undefined,
): Promise<void> | undefined {
  if (!ids || !channel || !call.dialect.stores?.(call.json)) return undefined
  const { caller } = admitted
  const names = ids.items.map(itemName)
  if (ids.response) names.push(responseName(caller, ids.response))
  if (names.length === 0) return undefined
  if (key !== undefined && channel.keys.length > 1)
    names.push(...names.map(name => withKey(parts, name, key)))
  return parts.stored.note(names, { userId: caller.userId, channelId: channel.id })
}

/** Where a response is kept, and the key of the account that has it. */
export interface Keeper {
  readonly channel: Channel
  readonly key: string
}

/** Undefined for what this caller never got, and when its channel or key is gone. */
export async function findStoredResponse(
  parts: RelayParts,
  caller: Caller,
  id: string,
): Promise<Keeper | undefined> {
  const name = responseName(caller, id)
  const channelId = (await parts.stored.find([name])).get(name)?.channelId
  const channel = channelId === undefined ? undefined : parts.channels.byId(channelId)
  const key = channel && (channel.keys.length > 1 ? await accountOf(parts, channel, name) : channel.keys[0])
  return channel && key !== undefined ? { channel, key } : undefined
}

/** Whether an upstream keeps a response that this caller got, so that a request need only name it. */
export async function isStored({ stored }: RelayParts, caller: Caller, id: string): Promise<boolean> {
  const name = responseName(caller, id)
  return (await stored.find([name])).has(name)
}

function responseName({ userId }: Caller, id: string): string {
  return `response ${userId} ${id}`
}

function itemName(id: string): string {
  return `item ${id}`
}

/** Keys of one channel may be of several accounts, and none knows what another keeps. */
function withKey({ store }: RelayParts, name: string, key: string): string {
  return `${name} ${store.cipher.hash('stored-key', key)}`
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
