import type { JsonObject } from '../dialects/json.ts'
import { asObject, asText, isObject, type Json } from '../dialects/json.ts'
import type { TokenUsage } from '../dialects/spec.ts'
import { AppError } from '../errors.ts'
import { providerOf } from '../providers/index.ts'
import { askChat, type ChatAnswer } from './ask-chat.ts'
import type { Admitted } from './authorise.ts'
import type { Caller } from './caller.ts'
import { believe } from './charge-usage.ts'
import { ChatCall } from './chat-call.ts'
import { ClientGone } from './client-gone.ts'
import type { Piece } from './conveyor.ts'
import { roughInput } from './counting/estimate-input.ts'
import { countRequest } from './counting/request-text.ts'
import type { Incoming } from './incoming.ts'
import { enterLimits, hasLimits } from './limits/enter-limits.ts'
import { writeLimitHeaders } from './limits/limit-headers.ts'
import { lookAtRequest } from './look-at-request.ts'
import type { ChatRoute } from './match-route.ts'
import type { Order } from './order.ts'
import type { RelayParts } from './parts.ts'
import { asProblem } from './problems.ts'
import type { JsonBody } from './read-body.ts'
import { reserve } from './reserve.ts'
import { affinityKey } from './routing/affinity.ts'
import type { Channel } from './routing/channel.ts'
import { StreamRun } from './stream-run.ts'
import { takeOrder } from './take-order.ts'
import { tryChannels } from './try-channels.ts'
import type { UpstreamCall } from './upstream-call.ts'

/** A chat call in any dialect, from its body to its paid answer. */
export async function serveChat(
  parts: RelayParts,
  incoming: Incoming,
  route: ChatRoute,
  admitted: Admitted,
  body: JsonBody,
): Promise<Response> {
  const outline = lookAtRequest(route.dialect, body, route)
  const call = new ChatCall(route, body, outline)
  const order = takeOrder(parts, incoming, admitted, outline, body)
  order.estimatedTokens = roughInput(outline.textLength)
  if (hasLimits(parts, admitted)) await enterLimits(order)
  const { signal } = incoming.request
  let upstream: UpstreamCall | undefined
  let stopped: unknown
  const stop = (reason: unknown): void => {
    stopped = reason
    upstream?.stop(reason)
  }
  const onGone = (): void => stop(new ClientGone())
  signal.addEventListener('abort', onGone)
  try {
    // Who left while the body was read is not called for.
    if (signal.aborted) throw new ClientGone()
    call.limit = await reserve(order, outline, stop)
    const conversation = conversationOf(admitted, outline.model, body.json)
    const prefer = parts.affinity.find(conversation.key, conversation.previous)
    if (conversation.previous !== undefined && !prefer?.pinned)
      throw new AppError('relay.unknown-response', { id: asText(body.json.previous_response_id) ?? '' })
    const answer = await tryChannels(order, { can: canChat, prefer }, attempt =>
      askChat(order, call, attempt, opened => {
        upstream = opened
        if (stopped) opened.stop(stopped)
      }),
    )
    await order.bill.held(answer.kind === 'stream')
    if (conversation.key !== undefined && order.channel)
      parts.affinity.remember(conversation.key, order.channel.id)
    signal.removeEventListener('abort', onGone)
    rememberResponse(order, call, answer)
    const type = route.asArray ? 'application/json' : 'text/event-stream; charset=utf-8'
    const response =
      answer.kind === 'plain'
        ? await deliverPlain(order, call, answer)
        : new StreamRun(order, call, answer).response(type)
    if (order.claims) writeLimitHeaders(response.headers, order.claims.figures)
    return response
  } catch (error) {
    signal.removeEventListener('abort', onGone)
    upstream?.stop(error)
    const { status, message } = asProblem(error, incoming)
    await order.cancel(error instanceof ClientGone ? 499 : status, message)
    throw error
  }
}

function canChat(channel: Channel): boolean {
  return providerOf(channel.type)?.chat !== undefined
}

/** The whole answer is here; it is handed over when it is paid. */
async function deliverPlain(
  order: Order,
  call: ChatCall,
  answer: ChatAnswer & { kind: 'plain' },
): Promise<Response> {
  order.noteFirstByte()
  const usage = believe(answer.usage, order.incoming.requestId) ?? (await countPlain(order, call, answer))
  await order.settle(usage)
  const read = answer.passes ? undefined : answer.answer()
  const text = read ? JSON.stringify(call.dialect.writeAnswer({ ...read, usage }, call.asked())) : answer.text
  return new Response(text, { headers: { 'content-type': 'application/json' } })
}

async function countPlain(
  order: Order,
  call: ChatCall,
  answer: ChatAnswer & { kind: 'plain' },
): Promise<TokenUsage> {
  const { counter } = order.parts
  const texts = (answer.answer()?.parts ?? []).map(part => {
    if (part.type === 'tool-call') return part.name + part.input
    return 'text' in part ? part.text : ''
  })
  const [input, output] = await Promise.all([
    countRequest(counter, call.neutral()),
    counter.countText(texts.join('')),
  ])
  return { input, output }
}

const responseId = /"id"\s*:\s*"(resp_[\w-]{1,200})"/

/** Whoever got a response may go on from it, on the channel that made it. */
function rememberResponse(order: Order, call: ChatCall, answer: ChatAnswer): void {
  if (call.dialect.name !== 'openai-responses' || !answer.passes || !order.channel) return
  const beginning = answer.kind === 'plain' ? answer.text : asString(answer.first)
  const id = responseId.exec(beginning)?.[1]
  if (id) order.parts.affinity.rememberResponse(responseKey(order.admitted.caller, id), order.channel.id)
}

function asString(piece: Piece | undefined): string {
  if (piece === undefined || typeof piece === 'string') return piece ?? ''
  return new TextDecoder().decode(piece instanceof Uint8Array ? piece : piece[0])
}

interface Conversation {
  readonly key: bigint | undefined
  readonly previous: string | undefined
}

function responseKey({ userId }: Caller, responseId: string): string {
  return `${userId} ${responseId}`
}

const OPENING = 2000

/** What tells the requests of one conversation from those of others, so that they meet the same prompt cache. */
function conversationOf({ caller }: Admitted, model: string, body: JsonObject): Conversation {
  // Upstream accounts are shared: only who got a response may go on from it.
  const given = asText(body.previous_response_id)
  const previous = given && responseKey(caller, given)
  if (body.conversation !== undefined && body.conversation !== null)
    throw new AppError('dialect.unsupported', { feature: 'conversation' })
  const key = affinityKey(caller.tokenId || caller.userId, model, {
    cacheKey: asText(body.prompt_cache_key),
    userId: asText(asObject(body.metadata)?.user_id),
    conversation: previous,
    opening: openingOf(body),
  })
  return { key, previous }
}

/** The beginning of what is said: the same for every turn of a conversation. */
function openingOf(body: JsonObject): readonly string[] {
  const system = body.system ?? body.instructions ?? body.systemInstruction
  const turns = body.messages ?? body.input ?? body.contents
  const first = Array.isArray(turns) ? turns.slice(0, 2) : [turns]
  return [system, ...first].map(wordsOf)
}

/** What somebody said, as text where it is text: putting it into JSON costs more than all else here. */
function wordsOf(said: Json | undefined): string {
  if (said === undefined) return ''
  const content = isObject(said) ? said.content : said
  return (typeof content === 'string' ? content : JSON.stringify(said)).slice(0, OPENING)
}
