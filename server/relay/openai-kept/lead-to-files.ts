import { mayNameFiles, refuseNamedTwice } from '../../dialects/file-names.ts'
import type { Json } from '../../dialects/json.ts'
import { filesNamedIn } from '../../dialects/openai-files.ts'
import { AppError } from '../../errors.ts'
import type { Caller } from '../callers/caller.ts'
import type { ChatCall } from '../chat/chat-call.ts'
import { type Conversation, conversationOf } from '../chat/conversation.ts'
import type { Order } from '../order/order.ts'
import type { RelayParts } from '../parts.ts'
import type { JsonBody } from '../request/read-body.ts'
import type { Channel } from '../routing/channel.ts'
import { candidatesFor } from '../routing/groups-in-turn.ts'
import { type FoundPlace, findPlace, isSamePlace } from '../routing/place.ts'
import { areKnown, findFiles, keepsFiles, type OpenaiFile, unknownFile } from './file-rows.ts'
import { type Asking, placeToServe } from './lead-to-kept.ts'

/** Where a request may go that names files. */
export interface FilesLead {
  /** The account that has them; undefined where none of them is known here. */
  readonly place: FoundPlace | undefined
  readonly may: (channel: Channel) => boolean
}

/** One look at what comes in either of OpenAI's dialects. */
export function mayNameOpenaiFiles({ dialect, body }: ChatCall): boolean {
  const { name } = dialect
  return (name === 'openai-chat' || name === 'openai-responses') && mayNameFiles(body.text)
}

/** A request that names files goes to the account that has them. Undefined when it names none. */
export async function leadToFiles(order: Order, call: ChatCall): Promise<Conversation | undefined> {
  const lead = await leadOfFiles(order, call.body)
  if (!lead) return undefined
  const { place, may } = lead
  // What it goes on from, and whatever else it names, must be the caller's too, and lie in the same account.
  const found = await conversationOf(order, call)
  const { prefer, account } = found
  if (!place) {
    const keeper = prefer?.pinned ? order.parts.channels.byId(prefer.channelId) : undefined
    if (keeper && !may(keeper)) throw new AppError('kept.apart')
    return { ...found, may }
  }
  const { channel, key } = place
  if (prefer?.pinned && (prefer.channelId !== channel.id || (account ?? key) !== key))
    throw new AppError('kept.apart')
  return { key: undefined, prefer: { channelId: channel.id, pinned: true }, account: key, may }
}

/** The same of any request; throws where there is nobody whom the caller may ask for that model. */
export async function leadOfFiles(order: Asking, { json, text }: JsonBody): Promise<FilesLead | undefined> {
  refuseNamedTwice(json, text)
  const { file, unknown } = await filesOf(order.parts, order.admitted.caller, json)
  const place = file && placeToServe(order, file)
  // Another vendor does not have it, though it may have the same key.
  if (place && !keepsFiles(place.channel)) throw new AppError('kept.gone')
  if (unknown === undefined) return place && { place, may: ({ id }) => id === place.channel.id }
  // It may have been uploaded elsewhere with an account that is open to callers, or at a vendor whose files are not kept here.
  const candidates = place ? [place.channel] : channelsFor(order)
  if (candidates.length > 0 && !candidates.some(mayKnow)) throw unknownFile(unknown)
  return { place, may: place ? ({ id }) => id === place.channel.id : mayKnow }
}

/** How a channel and one of its keys are asked, and nobody else. */
export function onlyAt({ channel: { id }, key }: FoundPlace) {
  return {
    prefer: { channelId: id, pinned: true },
    // Of that channel alone: where it is not among those that are asked, no other gets its key.
    keyOf: (channel: Channel) => (channel.id === id ? key : undefined),
  }
}

/** Throws where files are named that another account has, or that nobody knows, than what they are put to. */
export function refuseApart(parts: RelayParts, files: FoundFiles, place: FoundPlace): void {
  refuseUnknown(files, [place.channel])
  const { file } = files
  if (!file) return
  const found = findPlace(parts, file)
  if (!found) throw new AppError('kept.gone')
  if (found.channel !== place.channel || found.key !== place.key) throw new AppError('kept.apart')
}

/** Throws where nobody knows whose a file is that is named, and all of these have only what is somebody's. */
export function refuseUnknown(files: FoundFiles, channels: readonly Channel[]): void {
  const { unknown } = files
  if (unknown !== undefined && !channels.some(channel => mayHave(channel, files))) throw unknownFile(unknown)
}

/** Whether a channel may be told of these at all. */
export function mayHave(channel: Channel, { unknown }: FoundFiles): boolean {
  return unknown === undefined || mayKnow(channel)
}

export interface FoundFiles {
  /** One of them, which is where all are that are known. */
  readonly file: OpenaiFile | undefined
  /** The first that nobody here knows. */
  readonly unknown: string | undefined
}

/** Those that a body names. Somebody else's is as unknown as one that never was. */
export async function filesOf(parts: RelayParts, caller: Caller, json: Json): Promise<FoundFiles> {
  const { wanted, met } = filesNamedIn(json)
  if (wanted.size + met.size === 0) return { file: undefined, unknown: undefined }
  const found = await findFiles(parts, caller, [...wanted, ...met])
  const others = [...wanted, ...met].filter(id => !found.has(id))
  const [theirs] = await areKnown(parts, others)
  if (theirs !== undefined) throw unknownFile(theirs)
  const files = [...wanted].flatMap(id => found.get(id) ?? [])
  const [first] = files
  if (first) for (const one of files) if (!isSamePlace(one, first)) throw new AppError('kept.apart')
  return { file: first, unknown: [...wanted].find(id => !found.has(id)) }
}

/** Whether a file may be named there that is not known here. */
function mayKnow(channel: Channel): boolean {
  return !keepsFiles(channel) || channel.setting.allow_account_data === true
}

function channelsFor({ parts, admitted, model }: Asking): readonly Channel[] {
  if (admitted.pinned === undefined) return candidatesFor(parts.channels, admitted, model).flat()
  const channel = parts.channels.byId(admitted.pinned)
  return channel ? [channel] : []
}
