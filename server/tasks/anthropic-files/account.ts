import { AppError } from '../../errors.ts'
import type { AnthropicFile } from '../../relay/anthropic/file-rows.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { findPlace } from '../../relay/routing/place.ts'
import { account, spokenBy } from '../anthropic-batches/account.ts'
import { Upstream } from '../ask-upstream.ts'

export const PLATFORM = 'anthropic-files'
export const PATH = '/v1/files'
/** Until files are settled in the form that the client speaks. */
const BETA = 'files-api-2025-04-14'

/** What goes along with every errand about files. */
export function fileHeaders(request?: Request): Record<string, string> {
  const { 'anthropic-beta': betas, ...spoken } = spokenBy(request)
  const isSaid = betas?.split(',').some(beta => beta.trim().startsWith('files-api-'))
  return { ...spoken, 'anthropic-beta': isSaid || !betas ? betas || BETA : `${betas},${BETA}` }
}

/** The address of a file there. */
export function pathOf(id: string, rest = ''): string {
  return `${PATH}/${encodeURIComponent(id)}${rest}`
}

/** Where it is, with the key of the account that has it; undefined when either is gone. */
export function upstreamOf(parts: RelayParts, file: AnthropicFile, request?: Request): Upstream | undefined {
  const place = findPlace(parts, file)
  return place && new Upstream(parts, account, place, request)
}

/** The same of one that has to be asked. */
export function needUpstream(parts: RelayParts, file: AnthropicFile, request: Request): Upstream {
  const upstream = upstreamOf(parts, file, request)
  if (!upstream) throw new AppError('kept.gone')
  return upstream
}
