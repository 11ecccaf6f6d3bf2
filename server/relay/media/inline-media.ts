import type { Media, NeutralRequest, Part, ToolResultPart } from '../../dialects/spec.ts'
import { AppError } from '../../errors.ts'
import { asOutboundError } from '../../outbound/describe-failure.ts'
import type { RelayParts } from '../parts.ts'
import { type FetchedMedia, fetchMedia } from './fetch-media.ts'
import { MediaBudget } from './media-budget.ts'

const MOST_FILES = 20
const AT_A_TIME = 4
const TOGETHER = { bytes: 50 * 1024 * 1024, ms: 30_000 }

type MediaParts = Pick<RelayParts, 'outbound' | 'settings'>
type MediaPart = Extract<Part, { source: Media }>

/** Fetches what the request names by URL, for upstreams that want the bytes. The same request when it names nothing. */
export async function inlineMedia(
  parts: MediaParts,
  request: NeutralRequest,
  signal?: AbortSignal,
): Promise<NeutralRequest> {
  const uses = countUses(request)
  if (uses.size === 0) return request
  const fetched = await fetchAll(parts, uses, signal)
  const messages = request.messages.map(message => ({
    ...message,
    parts: message.parts.map(part => (part.type === 'tool-result' ? inlineResult(part) : inline(part))),
  }))
  return { ...request, messages }

  function inlineResult(part: ToolResultPart): ToolResultPart {
    return part.content.some(urlOf) ? { ...part, content: part.content.map(inline) } : part
  }

  function inline<P extends Part>(part: P): P {
    const found = fetched.get(urlOf(part) ?? '')
    if (!found) return part
    refuseOtherKind(part.type, found)
    return { ...part, source: found }
  }
}

/** Pictures that a request names by URL, outside of a chat. */
export async function fetchPictures(
  parts: MediaParts,
  urls: readonly string[],
): Promise<ReadonlyMap<string, FetchedMedia>> {
  const fetched = await fetchAll(parts, new Map(urls.map(url => [url, 1])), undefined)
  for (const picture of fetched.values()) refuseOtherKind('image', picture)
  return fetched
}

/** Whether it names files other than images by addresses of the web. */
export function namesFiles({ messages }: NeutralRequest): boolean {
  return messages.some(({ parts }) =>
    parts.some(part => (part.type === 'tool-result' ? part.content.some(namesFile) : namesFile(part))),
  )
}

function namesFile(part: Part): boolean {
  return part.type !== 'image' && /^https?:/i.test(urlOf(part) ?? '')
}

/** How often each URL is used: it is fetched once but sent on every time. */
function countUses({ messages }: NeutralRequest): Map<string, number> {
  const uses = new Map<string, number>()
  let files = 0
  const count = (part: Part): void => {
    const url = urlOf(part)
    if (url === undefined) return
    if (++files > MOST_FILES) throw asMediaError(new AppError('media.many', { most: MOST_FILES }))
    uses.set(url, (uses.get(url) ?? 0) + 1)
  }
  for (const { parts } of messages)
    for (const part of parts) {
      if (part.type === 'tool-result') part.content.forEach(count)
      else count(part)
    }
  return uses
}

function urlOf(part: Part): string | undefined {
  return isMedia(part) && 'url' in part.source ? part.source.url : undefined
}

function isMedia(part: Part): part is MediaPart {
  return part.type === 'image' || part.type === 'audio' || part.type === 'file'
}

function refuseOtherKind(wanted: Part['type'], { mediaType }: FetchedMedia): void {
  if (wanted !== 'file' && !mediaType.startsWith(`${wanted}/`))
    throw asMediaError(new AppError(wanted === 'image' ? 'media.not-image' : 'media.not-audio'))
}

async function fetchAll(
  parts: MediaParts,
  uses: ReadonlyMap<string, number>,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, FetchedMedia>> {
  const others = new AbortController()
  const either = signal ? AbortSignal.any([signal, others.signal]) : others.signal
  const budget = new MediaBudget(TOGETHER, either)
  const fetched = new Map<string, FetchedMedia>()
  const waiting = uses.entries()
  const fetchNext = async (): Promise<void> => {
    for (const [url, times] of waiting) {
      either.throwIfAborted()
      fetched.set(url, await fetchMedia(parts, url, times, budget))
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_A_TIME }, fetchNext))
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    others.abort()
    throw asMediaError(error)
  }
  return fetched
}

/** Outbound errors name no host: they may be told. */
function asMediaError(error: unknown): AppError {
  const reason = asOutboundError(error)
  return new AppError('relay.media', { detail: reason }, reason)
}
