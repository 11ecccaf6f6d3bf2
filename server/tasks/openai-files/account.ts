import { AppError } from '../../errors.ts'
import { keepsFiles, type OpenaiFile } from '../../relay/openai-kept/file-rows.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { findPlace } from '../../relay/routing/place.ts'
import { Upstream } from '../ask-upstream.ts'
import { account } from '../openai-batches/account.ts'

export const PLATFORM = 'openai-files'
export const PATH = '/v1/files'

/** The address of a file there. */
export function pathOf(id: string, rest = ''): string {
  return `${PATH}/${encodeURIComponent(id)}${rest}`
}

/** Where it is, with the key of the account that has it; undefined when either is gone, or another vendor's. */
export function upstreamOf(parts: RelayParts, file: OpenaiFile, request?: Request): Upstream | undefined {
  const place = findPlace(parts, file)
  return place && keepsFiles(place.channel) ? new Upstream(parts, account, place, request) : undefined
}

/** The same of one that has to be asked. */
export function needUpstream(parts: RelayParts, file: OpenaiFile, request: Request): Upstream {
  const upstream = upstreamOf(parts, file, request)
  if (!upstream) throw new AppError('kept.gone')
  return upstream
}
