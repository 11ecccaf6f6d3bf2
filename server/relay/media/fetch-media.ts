import { AppError } from '../../errors.ts'
import type { RelayParts } from '../parts.ts'
import type { MediaBudget } from './media-budget.ts'
import { tellMediaType } from './tell-media-type.ts'

/** The largest single file. */
const LARGEST_FILE = 20 * 1024 * 1024
const REDIRECTS = 3

export interface FetchedMedia {
  readonly data: string
  readonly mediaType: string
}

/** Fetches what a user's URL names; `uses` is how often the request will carry it. */
export async function fetchMedia(
  parts: Pick<RelayParts, 'outbound' | 'settings'>,
  url: string,
  uses: number,
  budget: MediaBudget,
): Promise<FetchedMedia> {
  const response = await ask(parts, url, budget)
  if (!response.ok) {
    await response.body?.cancel()
    throw new AppError('media.status', { status: response.status })
  }
  const bytes = await readWithin(response, uses, budget)
  const mediaType = tellMediaType(bytes, response.headers.get('content-type'))
  if (mediaType === undefined) throw new AppError('media.kind')
  return { data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'), mediaType }
}

async function ask(
  { outbound, settings }: Pick<RelayParts, 'outbound' | 'settings'>,
  url: string,
  { signal, msLeft }: MediaBudget,
): Promise<Response> {
  const limits = { maxBytes: LARGEST_FILE, wholeMs: msLeft, signal }
  const worker = settings.get('WorkerUrl')
  if (worker === '') return outbound.fetch(url, { ...limits, policy: 'user', redirect: REDIRECTS })
  if (URL.parse(url)?.protocol !== 'https:') throw new AppError('media.https')
  // The worker may stand where private names lead somewhere, so they are not handed to it.
  await outbound.check(url, 'user')
  return outbound.fetch(worker, {
    ...limits,
    policy: 'operator',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url, key: settings.get('WorkerValidKey') }),
  })
}

async function readWithin({ body }: Response, uses: number, budget: MediaBudget): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body ?? []) {
    budget.spend(chunk.byteLength * uses)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
