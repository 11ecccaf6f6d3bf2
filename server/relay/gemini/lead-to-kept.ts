import { asText, type JsonObject, parseObject } from '../../dialects/json.ts'
import { previousAnswer } from '../../dialects/previous-answer.ts'
import { AppError } from '../../errors.ts'
import { editTopLevel } from '../../providers/kit/edits/edit-json.ts'
import type { Caller } from '../callers/caller.ts'
import { ChatCall } from '../chat/chat-call.ts'
import { conversationOf } from '../chat/conversation.ts'
import type { Led } from '../chat/lead-call.ts'
import type { Order } from '../order/order.ts'
import type { RelayParts } from '../parts.ts'
import type { Outline } from '../request/look-at-request.ts'
import { type FoundPlace, findPlace, isSamePlace, type Place } from '../routing/place.ts'
import { cacheIdIn, findCache, type GeminiCache } from './cache-rows.ts'
import { findFiles, type GeminiFile } from './file-rows.ts'
import { fileNameIn, fileUrisIn, renameFiles } from './file-uris.ts'

/** One look at what comes in Gemini's dialect. */
export function mayNameKept({ dialect, json, body: { text } }: ChatCall): boolean {
  if (dialect.name === 'gemini-interactions')
    return json.cached_content !== undefined || text.includes('"uri"')
  if (dialect.name !== 'gemini') return false
  return json.cachedContent !== undefined || json.cached_content !== undefined || mayNameFiles(text)
}

export function mayNameFiles(text: string): boolean {
  return text.includes('fileUri') || text.includes('file_uri')
}

/**
 * Files that were uploaded through here, and caches that were made, have names of ours, which say nothing to Gemini. A
 * request that names some goes to the account that has them, and says there what they are called there. Undefined when
 * it names none.
 */
export async function leadToKept(order: Order, call: ChatCall): Promise<Led | undefined> {
  const kept = await findKept(order.parts, order.admitted.caller, call.json)
  if (!kept) return undefined
  if (previousAnswer(call.json)) await refuseApart(order, call, kept.place)
  const { place, cache, edits } = kept
  const body = { text: editTopLevel(call.body.text, edits), json: { ...call.json, ...edits } }
  const outline = cache ? withCached(call.outline, cache) : call.outline
  return {
    call: new ChatCall(call.route, body, outline),
    conversation: {
      key: undefined,
      prefer: { channelId: place.channel.id, pinned: true },
      account: place.key,
    },
  }
}

/** What it goes on from must be the caller's too, and lie in the same account. */
async function refuseApart(order: Order, call: ChatCall, { channel, key }: FoundPlace): Promise<void> {
  const { prefer, account = key } = await conversationOf(order, call)
  if (prefer?.channelId !== channel.id || account !== key) throw new AppError('gemini.apart')
}

interface Kept {
  readonly place: FoundPlace
  readonly cache: GeminiCache | undefined
  /** What of the request's fields is otherwise there. */
  readonly edits: JsonObject
}

/** What a request names of what is kept; undefined when that is nothing. */
export async function findKept(
  parts: RelayParts,
  caller: Caller,
  json: JsonObject,
): Promise<Kept | undefined> {
  const cache = await cacheOf(parts, caller, json)
  const files = await filesNamedIn(parts, caller, json)
  const place = placeOfAll(parts, cache ? [cache, ...files.values()] : [...files.values()])
  if (!place) return undefined
  const edits = renamedFiles(json, files)
  if (cache)
    edits[json.cachedContent === undefined ? 'cached_content' : 'cachedContent'] = cache.upstream_name
  return { place, cache, edits }
}

/** Of which of the caller's channels and keys all of it is; undefined when there is nothing. */
export function placeOfAll(parts: RelayParts, kept: readonly Place[]): FoundPlace | undefined {
  const [first] = kept
  if (!first) return undefined
  for (const one of kept) if (!isSamePlace(one, first)) throw new AppError('gemini.apart')
  const place = findPlace(parts, first)
  if (!place) throw new AppError('gemini.gone')
  return place
}

/** By what the request calls them. Somebody else's is as unknown as one that never was. */
export async function filesNamedIn(
  parts: RelayParts,
  caller: Caller,
  json: JsonObject,
): Promise<ReadonlyMap<string, GeminiFile>> {
  const names = new Map<string, string>()
  for (const uri of fileUrisIn(json)) {
    const name = fileNameIn(uri)
    if (name !== undefined) names.set(uri, name)
  }
  const found = names.size === 0 ? undefined : await findFiles(parts, caller, [...new Set(names.values())])
  const files = new Map<string, GeminiFile>()
  for (const [uri, name] of names) {
    const file = found?.get(name)
    if (!file) throw new AppError('gemini.no-file', { name })
    files.set(uri, file)
  }
  return files
}

/** What of the request's fields is otherwise, where its files are called as their vendor calls them. */
export function renamedFiles(json: JsonObject, files: ReadonlyMap<string, GeminiFile>): JsonObject {
  return files.size === 0
    ? {}
    : renameFiles(json, uri => {
        const file = files.get(uri)
        return file && asText(parseObject(file.data)?.uri)
      })
}

async function cacheOf(
  parts: RelayParts,
  caller: Caller,
  { cachedContent, cached_content }: JsonObject,
): Promise<GeminiCache | undefined> {
  const id = cacheIdIn(cachedContent ?? cached_content)
  if (id === undefined) return undefined
  const cache = await findCache(parts, caller, id)
  if (!cache) throw new AppError('gemini.no-cache')
  return cache
}

/** What is cached is read again, and paid. */
function withCached(outline: Outline, { tokens }: GeminiCache): Outline {
  const { files } = outline.media
  const all = { usual: files.usual + tokens, most: files.most + tokens }
  return { ...outline, media: { ...outline.media, files: all } }
}
