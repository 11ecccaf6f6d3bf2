import { asObject, asText, isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import { namedConversation } from '../../dialects/openai-responses/named-kept.ts'
import { containersMet } from '../../dialects/openai-responses/stored-items.ts'
import { previousAnswer } from '../../dialects/previous-answer.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { StoredIds } from '../../dialects/watching.ts'
import { AppError } from '../../errors.ts'
import type { Stored } from '../../store/stored-responses.ts'
import { noteFiles } from '../anthropic/file-rows.ts'
import type { Caller } from '../callers/caller.ts'
import { containersNamed } from '../openai-kept/container-rows.ts'
import { type NamedKept, placeOfKept } from '../openai-kept/lead-to-kept.ts'
import type { Order } from '../order/order.ts'
import type { RelayParts } from '../parts.ts'
import { affinityKey } from '../routing/affinity.ts'
import type { Channel } from '../routing/channel.ts'
import type { Preference } from '../routing/choose-channel.ts'
import type { ChatCall } from './chat-call.ts'
import { sharesAnswers } from './shares-answers.ts'

const OPENING = 2000
const NONE: readonly string[] = []

export interface Conversation {
  /** What tells its requests from those of others, so that they meet the same prompt cache. */
  readonly key: bigint | undefined
  readonly prefer: Preference | undefined
  /** Of a channel of several keys, the one whose account has what the request goes on from. */
  readonly account?: string | undefined
  /** Where not every channel may be asked, not even to say that it does not know what is named. */
  readonly may?: (channel: Channel) => boolean
}

/** Which conversation a request belongs to, and which channel should go on with it. */
export function conversationOf(order: Order, call: ChatCall): Conversation | Promise<Conversation> {
  const { admitted, parts } = order
  const { caller } = admitted
  const body = call.json
  const kept = keptIn(call)
  // Upstream accounts are shared: only who got a response may go on from it.
  const given = previousAnswer(body)
  const previous = given && responseName(caller, given)
  const key = affinityKey(caller.tokenId || caller.userId, call.outline.model, {
    cacheKey: asText(body.prompt_cache_key),
    userId: asText(asObject(body.metadata)?.user_id),
    conversation: previous ?? kept?.conversation,
    opening: openingOf(body),
  })
  const items = call.dialect.namedItems?.(body) ?? NONE
  if (!previous && items.length === 0 && !kept) return { key, prefer: parts.affinity.find(key) }
  const goOn = async (stored: ReadonlyMap<string, Stored>): Promise<Conversation> => {
    if (previous && !stored.has(previous)) throw new AppError('relay.unknown-response', { id: given })
    await refuseOthers(parts, caller, stored)
    // What is not known here any more may still be known there, and its id is nothing to be guessed.
    const name = previous ?? items.map(itemName).find(one => stored.has(one))
    const place = name === undefined ? undefined : stored.get(name)
    const channel = place && parts.channels.byId(place.channelId)
    const account =
      name !== undefined && channel && channel.keys.length > 1
        ? await accountOf(parts, channel, name, place)
        : undefined
    if (kept) {
      const keeper = await placeOfKept(order, kept)
      if (keeper && place && (channel !== keeper.channel || (account ?? keeper.key) !== keeper.key))
        throw new AppError('kept.apart')
      if (keeper) return { key, prefer: { channelId: keeper.channel.id, pinned: true }, account: keeper.key }
    }
    if (!place) return { key, prefer: parts.affinity.find(key) }
    return { key, prefer: { channelId: place.channelId, pinned: true }, account }
  }
  const named = items.map(itemName)
  return Promise.resolve(parts.stored.find(previous ? [previous, ...named] : named)).then(goOn)
}

/** What it names of what accounts keep; undefined for most. Only Responses have such. */
function keptIn({ dialect, json, outline }: ChatCall): NamedKept | undefined {
  const { conversation } = json
  const isTurn = conversation !== undefined && conversation !== null
  const isResponse = dialect.name === 'openai-responses'
  if (isTurn && !isResponse) refuseNamed('conversation')
  const containers = outline.hosted ? containersNamed(outline.hosted) : NONE
  const met = isResponse ? containersMet(json) : undefined
  if (!isTurn && containers.length === 0 && !met) return undefined
  return { conversation: namedConversation(json), containers, met: met ?? NONE }
}

/** What somebody else got is nobody's to name. Each maker is looked at once: there may be many names. */
async function refuseOthers(
  parts: RelayParts,
  caller: Caller,
  stored: ReadonlyMap<string, Stored>,
): Promise<void> {
  const byMaker = new Map(
    Array.from(stored, ([name, made]) => [`${made.userId} ${made.tokenId}`, { name, made }]),
  )
  for (const { name, made } of byMaker.values())
    if (!(await sharesAnswers(parts, caller, made)))
      throw new AppError('relay.unknown-response', { id: name.slice(name.lastIndexOf(' ') + 1) })
}

/** The same of items alone. */
export async function refuseOthersItems(
  parts: RelayParts,
  caller: Caller,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await refuseOthers(parts, caller, await parts.stored.find(ids.map(itemName)))
}

/** Undefined when it is no key of the channel any more. */
async function accountOf(
  parts: RelayParts,
  { keys }: Channel,
  name: string,
  { keyMark }: Stored,
): Promise<string | undefined> {
  if (keyMark !== '') return keys.find(key => markOf(parts, key) === keyMark)
  // Before marks were noted, a further name told the key, where there were several.
  const names = new Map(keys.map(key => [withKey(parts, name, key), key]))
  for (const found of (await parts.stored.find([...names.keys()])).keys()) return names.get(found)
  return undefined
}

/** Whoever got an answer may go on from it and name what is in it, on the channel that made it. */
export function noteStored(
  order: Order,
  call: ChatCall,
  ids: StoredIds | undefined,
): Promise<unknown> | undefined {
  const { admitted, channel, key, parts } = order
  if (!ids || !channel) return undefined
  const { userId, tokenId } = admitted.caller
  const noting = call.dialect.stores?.(call.json)
    ? noteAnswer(parts, { userId, tokenId, channel, key }, ids)
    : undefined
  const files = noteMade(order, ids)
  return files ? Promise.all([noting, files]) : noting
}

/** What code wrote for an answer, also for one that was not heard to its end. */
export function noteMade(
  { admitted: { caller }, channel, key, parts }: Order,
  ids: StoredIds | undefined,
): Promise<void> | undefined {
  if (!ids?.files?.length || !channel || key === undefined) return undefined
  const { userId, tokenId } = caller
  return noteFiles(parts, { userId, tokenId, channel, key }, ids.files)
}

interface Made {
  readonly userId: number
  readonly tokenId: number
  readonly channel: Channel
  readonly key: string | undefined
}

/** The same of any answer, by whom it was made for. */
export function noteAnswer(
  parts: RelayParts,
  { userId, tokenId, channel, key }: Made,
  ids: StoredIds,
): Promise<void> | undefined {
  const names = ids.items.map(itemName)
  if (ids.response) names.push(responseName({ userId }, ids.response))
  if (names.length === 0) return undefined
  // Also where it is the only one: another may be added, and does not know what this one's account keeps.
  const keyMark = key === undefined ? '' : markOf(parts, key)
  return parts.stored.note(names, { userId, tokenId, channelId: channel.id, keyMark })
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
  const stored = (await parts.stored.find([name])).get(name)
  if (!stored || !(await sharesAnswers(parts, caller, stored))) return undefined
  const channel = parts.channels.byId(stored.channelId)
  const key =
    channel && (channel.keys.length > 1 ? await accountOf(parts, channel, name, stored) : channel.keys[0])
  return channel && key !== undefined ? { channel, key } : undefined
}

/** Whether an upstream keeps a response that this caller got, so that a request need only name it. */
export async function isStored(parts: RelayParts, caller: Caller, id: string): Promise<boolean> {
  const name = responseName(caller, id)
  const stored = (await parts.stored.find([name])).get(name)
  return stored !== undefined && sharesAnswers(parts, caller, stored)
}

function responseName({ userId }: Pick<Caller, 'userId'>, id: string): string {
  return `response ${userId} ${id}`
}

function itemName(id: string): string {
  return `item ${id}`
}

/** Keys of one channel may be of several accounts, and none knows what another keeps. */
function markOf({ store }: RelayParts, key: string): string {
  return store.cipher.hash('stored-key', key).slice(0, 16)
}

function withKey({ store }: RelayParts, name: string, key: string): string {
  return `${name} ${store.cipher.hash('stored-key', key)}`
}

/** The beginning of what is said: the same for every turn of a conversation. */
function openingOf(body: JsonObject): readonly string[] {
  const system = wordsOf(
    body.system ?? body.instructions ?? body.systemInstruction ?? body.system_instruction,
  )
  const turns = body.messages ?? body.input ?? body.contents
  return Array.isArray(turns) ? [system, wordsOf(turns[0]), wordsOf(turns[1])] : [system, wordsOf(turns)]
}

/** What somebody said, as text where it is text: putting it into JSON costs more than all else here. */
function wordsOf(said: Json | undefined): string {
  if (said === undefined) return ''
  const content = isObject(said) ? said.content : said
  return (typeof content === 'string' ? content : JSON.stringify(said)).slice(0, OPENING)
}
