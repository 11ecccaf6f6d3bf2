import { dialects } from '../../dialects/index.ts'
import { AppError } from '../../errors.ts'
import type { RelayParts } from '../../relay/parts.ts'
import type { Channel } from '../../relay/routing/channel.ts'
import { findPlace, type Place } from '../../relay/routing/place.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import { baseUrlOf, Upstream } from '../ask-upstream.ts'
import type { OwnedCall, TaskAccount } from '../define.ts'
import { keyAt } from '../key-at.ts'

export const PLATFORM = 'gemini'

/** Google's Gemini API, where files are kept. */
export const account: TaskAccount = {
  channelTypes: [24],
  baseUrl: 'https://generativelanguage.googleapis.com',
  headers: key => ({ 'x-goog-api-key': key }),
  readRefusal: (status, body) => dialects.gemini.readProblem(status, body),
}

export function isGemini({ type }: Channel): boolean {
  return account.channelTypes.includes(type)
}

/** An address of the vendor's, on a base that may say the version already. */
export function addressOf(channel: Channel, path: string): string {
  return baseUrlOf(account, channel).replace(/(?:\/v1(?:beta|alpha)?)?\/*$/, '') + path
}

/** Where something is kept, with the key of the account that has it; undefined when the channel is gone, or another vendor's. */
export function upstreamAt(parts: RelayParts, place: Place, request?: Request): Upstream | undefined {
  const channel = parts.channels.byId(place.channel_id)
  const key = channel && keyAt(account, channel, findPlace(parts, place)?.key)
  return channel && key !== undefined ? new Upstream(parts, account, { channel, key }, request) : undefined
}

/** What the upstream answers, in words that do not tell how it is asked. Google says 403 of what is not there, too. */
export async function asOwner<Answer>(answer: Promise<Answer>, unknown: AppError): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    const problem = error instanceof UpstreamFailure ? error.problem : undefined
    if (problem?.status === 404 || (problem?.status === 403 && saysUnknown(problem.message))) throw unknown
    if (problem && [401, 402, 403].includes(problem.status))
      throw new AppError('relay.upstream-failed', {}, error)
    throw error
  }
}

/** At the vendor, where it may be gone already. */
export async function deleteThere(
  { parts, incoming }: OwnedCall,
  kept: Place & { readonly upstream_name: string },
  gone: AppError,
): Promise<void> {
  const upstream = upstreamAt(parts, kept, incoming.request)
  incoming.keepOpen()
  if (!upstream) return
  const path = addressOf(upstream.channel, `/v1beta/${kept.upstream_name}`)
  try {
    await (await asOwner(upstream.send({ method: 'DELETE', path }), gone)).body?.cancel()
  } catch (error) {
    if (error !== gone) throw error
  }
}

function saysUnknown(message: string): boolean {
  return /may not exist|not found/i.test(message)
}
