import type { NeutralRequest } from '../../dialects/spec.ts'
import { AppError } from '../../errors.ts'
import { insistingEndpoint, responsesBeside, type Upstream } from '../../providers/choose-endpoint.ts'
import type { Calling, ChatEndpoint, Destination, Provider } from '../../providers/define.ts'
import type { Channel } from '../routing/channel.ts'
import type { Attempt } from '../upstream/try-channels.ts'
import { UpstreamFailure } from '../upstream/upstream-failure.ts'
import type { ChatCall } from './chat-call.ts'

// OpenAI's newer models take functions in its Responses API only while they think, and some of its models are nowhere
// else. Where a model's name and the address tell, such a call goes there at once; else when the upstream has said so.

/** How chat refuses such a call: by both addresses. */
const NAMED = [/\bv1\/chat\/completions\b/, /\bv1\/responses\b/]

/** Which calls were refused so, by channel: the next goes to the other address at once. */
const refusedInChat = new WeakMap<Channel, Set<string>>()
const MOST_REFUSED = 1000

export function wasRefused(channel: Channel): boolean {
  return refusedInChat.has(channel)
}

/** Undefined for most calls: they are asked in the dialect that is spoken. */
export function leadToResponses(
  call: ChatCall,
  channel: Channel,
  provider: Provider,
  upstream: Upstream,
): ChatEndpoint | undefined {
  const calling = callingOf(call)
  const endpoint = refusedInChat.get(channel)?.has(nameCall(upstream.model, calling))
    ? responsesBeside(provider, upstream)
    : insistingEndpoint(provider, upstream, calling)
  return endpoint && understood(call) ? endpoint : undefined
}

/** Whether the upstream has refused a call in chat because it has to be asked in Responses, and may be. */
export function refusesChat(
  call: ChatCall,
  provider: Provider,
  to: Destination,
  { channel, model }: Attempt,
  reason: unknown,
): boolean {
  if (!(reason instanceof UpstreamFailure)) return false
  const { status, message = '' } = reason.problem ?? {}
  if ((status !== 400 && status !== 404) || !NAMED.every(address => address.test(message))) return false
  if (refusedInChat.get(channel)?.has(nameCall(model, callingOf(call)))) return false
  const upstream = { ...to, dialects: channel.setting.dialects }
  return responsesBeside(provider, upstream) !== undefined && understood(call) !== undefined
}

export function noteRefused(call: ChatCall, { channel, model }: Attempt): void {
  const known = refusedInChat.get(channel) ?? new Set<string>()
  if (known.size >= MOST_REFUSED) known.clear()
  refusedInChat.set(channel, known.add(nameCall(model, callingOf(call))))
}

export function forgetRefused(call: ChatCall, { channel, model }: Attempt): void {
  refusedInChat.get(channel)?.delete(nameCall(model, callingOf(call)))
}

/** What holds something that we have no words for passes as it is, or not at all. */
export function understood(call: ChatCall): NeutralRequest | undefined {
  try {
    return call.neutral()
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** Undefined when no functions are offered. */
function callingOf(call: ChatCall): Calling | undefined {
  const { tools, functions } = call.json
  const request = tools || functions ? understood(call) : undefined
  if (!request?.tools.some(tool => tool.type === 'function' && !tool.freeform)) return undefined
  const { effort, budget } = request.reasoning ?? {}
  if (effort === undefined && budget === undefined) return 'unsaid'
  return effort === 'none' || (effort === undefined && budget === 0) ? 'unthinking' : 'thinking'
}

function nameCall(model: string, calling: Calling | undefined): string {
  return `${calling} ${model}`
}
