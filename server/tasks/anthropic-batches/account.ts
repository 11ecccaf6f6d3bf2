import { dialects } from '../../dialects/index.ts'
import type { Channel } from '../../relay/routing/channel.ts'
import { takesBatches } from '../batches/place-of.ts'
import type { TaskAccount } from '../define.ts'

export const PLATFORM = 'anthropic-batches'
/** Where all requests of such a batch go. */
export const ENDPOINT = '/v1/messages'
export const PATH = '/v1/messages/batches'

/** Anthropic itself: who has its models elsewhere (Bedrock, Vertex) has no such batches. */
export const account: TaskAccount = {
  channelTypes: [14],
  baseUrl: 'https://api.anthropic.com',
  headers: key => ({ 'x-api-key': key }),
  readRefusal: (status, body) => dialects.anthropic.readProblem(status, body),
}

export function takesMessages(channel: Channel): boolean {
  return takesBatches(account, channel)
}

const VERSION = '2023-06-01'

/** The form that the client speaks, and what of it is not settled yet. Nobody's is the usual one. */
export function spokenBy(request?: Request): Record<string, string> {
  const betas = request?.headers.get('anthropic-beta')
  return {
    'anthropic-version': request?.headers.get('anthropic-version') ?? VERSION,
    ...(betas ? { 'anthropic-beta': betas } : {}),
  }
}

/** The address of a batch there. */
export function pathOf({ upstream_id }: { readonly upstream_id: string }, verb = ''): string {
  return `${PATH}/${encodeURIComponent(upstream_id)}${verb}`
}
