import type { JsonObject } from '../../dialects/json.ts'
import { goesOn } from '../../dialects/previous-answer.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import { sayThoughts } from '../../dialects/say-thoughts.ts'
import { joinAnswers } from '../../dialects/several-answers.ts'
import type { NeutralAnswer, TokenUsage } from '../../dialects/spec.ts'
import type { StoredIds } from '../../dialects/watching.ts'
import { chooseEndpoint } from '../../providers/choose-endpoint.ts'
import { providerOf } from '../../providers/index.ts'
import { AnswerSlot } from '../answer-cache/answer-slot.ts'
import { readCompared } from '../answer-cache/compared-text.ts'
import { isCompared } from '../answer-cache/likeness.ts'
import { readWish, type Wish } from '../answer-cache/read-wish.ts'
import { serveKept } from '../answer-cache/serve-kept.ts'
import { refuseTooMany } from '../background/job-rows.ts'
import { takeOn } from '../background/take-on.ts'
import type { Admitted } from '../callers/authorise.ts'
import { endWith } from '../contents/transcript.ts'
import { countAnswer } from '../counting/count-answer.ts'
import { roughInput } from '../counting/estimate-input.ts'
import { askFirst, guardChat } from '../guards/admit-request.ts'
import type { CallGuard } from '../guards/call-guard.ts'
import { guardWhole } from '../guards/guard-whole.ts'
import { readBody } from '../guards/read-request.ts'
import { enterLimits, hasLimits } from '../limits/enter-limits.ts'
import { writeLimitHeaders } from '../limits/limit-headers.ts'
import { settleAnswer } from '../openai-kept/settle-answer.ts'
import { settleContainers } from '../openai-kept/settle-containers.ts'
import { believe, tellsAll } from '../order/charge-usage.ts'
import type { Order } from '../order/order.ts'
import { reserve } from '../order/reserve.ts'
import { takeOrder } from '../order/take-order.ts'
import type { RelayParts } from '../parts.ts'
import { asProblem } from '../problems.ts'
import { putPromptIn } from '../prompts/put-prompt-in.ts'
import { mayNamePrompt } from '../prompts/read-reference.ts'
import { runsInContainer } from '../request/hosted-tools.ts'
import type { Incoming } from '../request/incoming.ts'
import { lookAtRequest } from '../request/look-at-request.ts'
import type { ChatRoute } from '../request/match-route.ts'
import type { JsonBody } from '../request/read-body.ts'
import type { Channel } from '../routing/channel.ts'
import { StreamRun } from '../stream/stream-run.ts'
import { StopCord } from '../upstream/stop-cord.ts'
import { tryChannels } from '../upstream/try-channels.ts'
import { modelOfKeeper, tellFallback, tryModels } from '../upstream/try-models.ts'
import { isSurelyRefused } from '../upstream/upstream-failure.ts'
import { asUsualChat } from './as-usual-chat.ts'
import { askChat, type ChatAnswer, type WholeChat } from './ask-chat.ts'
import { ChatCall } from './chat-call.ts'
import { type Conversation, conversationOf, noteStored } from './conversation.ts'
import { leadCall } from './lead-call.ts'

/** A chat call in any dialect, from its body to its paid answer. */
export async function serveChat(
  parts: RelayParts,
  incoming: Incoming,
  route: ChatRoute,
  admitted: Admitted,
  given: JsonBody | Promise<JsonBody>,
): Promise<Response> {
  const received = await given
  const read = route.dialect === 'openai-chat' ? asUsualChat(received) : received
  const sent = mayNamePrompt(route, incoming.request, read.json)
    ? await putPromptIn(parts, incoming, route, admitted, read)
    : read
  const seen = lookAtRequest(route.dialect, sent, route)
  const guarding = parts.guards.areIdle
    ? undefined
    : guardChat({ parts, incoming, admitted, model: seen.model }, seen.stream, sent)
  const { guard, body } = guarding ?? { guard: undefined, body: sent }
  const looked = body === sent ? seen : lookAtRequest(route.dialect, body, route)
  const outline = looked.hosted?.some(runsInContainer)
    ? await settleContainers(parts, incoming, admitted, looked, body.json)
    : looked
  // A WebSocket is for who waits, and a compacted conversation is nothing to be asked after.
  if (outline.background && (route.compact || incoming.carry)) refuseNamed('background')
  let call = new ChatCall(route, body, outline)
  const asksFirst = guard?.asksFirst === true
  if (!asksFirst) incoming.transcript = parts.contents.open(incoming, admitted, body, route.dialect)
  // A compacted conversation can be read by the model that made it alone, so no other may stand in.
  const order = takeOrder(parts, incoming, admitted, outline, body, !route.compact)
  order.guard = guard
  order.estimatedTokens = roughInput(outline.textLength)
  if (hasLimits(parts, admitted)) await enterLimits(order)
  // Who has the answer said to a server of theirs, and leaves, pays for it like anybody.
  const cord = new StopCord(order, outline.acts || outline.background)
  let slot: AnswerSlot | undefined
  try {
    cord.check()
    if (outline.background) await refuseTooMany(parts, admitted.caller.userId)
    if (asksFirst) {
      call = await asked(order, call)
      incoming.transcript = parts.contents.open(incoming, admitted, call.body, route.dialect)
      cord.check()
    }
    const leading = leadCall(order, call)
    const kept = leading && (await leading)
    if (kept) call = kept.call
    const wish = readWish(parts, incoming.request)
    slot =
      wish && !kept && mayRepeat(call)
        ? AnswerSlot.open(order, wish, questionOf(order, call, wish))
        : undefined
    const again = slot && (await serveKept(order, slot, cord))
    if (again) return again
    let conversation: Conversation | undefined = kept?.conversation
    const answer = await tryModels<ChatAnswer>(order, cord, async instead => {
      await setOut(order, call, cord)
      if (!conversation) {
        const finding = conversationOf(order, call)
        conversation = finding instanceof Promise ? await finding : finding
      }
      const { prefer, account, may } = conversation
      const keeper = prefer?.pinned ? modelOfKeeper(order, prefer.channelId) : undefined
      if (keeper !== undefined) {
        order.turnToModel(keeper)
        await setOut(order, call, cord)
      }
      return tryChannels(
        order,
        {
          can: channel => canServe(call, channel) && (!may || may(channel)),
          prefer,
          // Of that channel alone: where it is not among those that are asked, no other gets its key.
          keyOf:
            account === undefined
              ? undefined
              : channel => (channel.id === prefer?.channelId ? account : undefined),
          isSurelyRefused: outline.background ? isSurelyRefused : undefined,
          instead: route.compact || prefer?.pinned ? undefined : instead,
        },
        attempt => askChat(order, call, attempt, cord.opened),
      )
    })
    await order.bill.held(answer.kind !== 'whole')
    if (conversation?.key !== undefined && order.channel)
      parts.affinity.remember(conversation.key, order.channel.id)
    cord.release()
    if (slot) order.recording = slot.record(call.limit)
    const type = route.asArray ? 'application/json' : 'text/event-stream; charset=utf-8'
    const response =
      answer.kind === 'whole'
        ? await deliverWhole(order, call, answer)
        : answer.kind === 'job'
          ? await takeOn(order, call, answer)
          : new StreamRun(order, call, answer).response(type)
    tellFallback(response.headers, order)
    slot?.tellMiss(response.headers)
    if (order.claims) writeLimitHeaders(response.headers, order.claims.figures)
    return response
  } catch (error) {
    slot?.land()
    await cord.fail(error)
    throw error
  }
}

/** The call with what others than we have masked in it. */
async function asked(order: Order, call: ChatCall): Promise<ChatCall> {
  const { route, body } = call
  const read = order.guard ? await askFirst(order, order.guard, readBody(body)) : body
  return read === body ? call : new ChatCall(route, read, lookAtRequest(route.dialect, read, route))
}

/** Sets money aside for the model whose turn it is. */
async function setOut(order: Order, call: ChatCall, { stop }: StopCord): Promise<void> {
  call.model = order.model
  call.limit = await reserve(order, call.outline, stop)
  // What runs in the background cannot be stopped from here when it turns out that nobody can pay for it.
  if (call.outline.background) await order.bill.held(true)
}

function canServe({ route, model }: ChatCall, channel: Channel): boolean {
  const provider = providerOf(channel.type)
  if (!provider?.chat || !route.compact) return provider?.chat !== undefined
  const { baseUrl = provider.baseUrl, key = '', other, organization, setting } = channel
  const to = { baseUrl, key, model, stream: false, other, organization, dialects: setting.dialects }
  return chooseEndpoint(provider, route.dialect, to)?.dialect === route.dialect
}

/** Whether an answer may be kept and given again. Not one that goes on from what an upstream stores, and may lose. */
function mayRepeat({ route, json, dialect, outline }: ChatCall): boolean {
  // An interaction is there to be gone on from, by whoever got it alone.
  if (outline.background || dialect.name === 'gemini-interactions') return false
  return !route.compact && !outline.silent && !goesOn(json) && !dialect.namedItems?.(json).length
}

function questionOf(order: Order, { body, route, outline }: ChatCall, { byMeaning }: Wish) {
  const mayCompare = byMeaning && !outline.speaks && isCompared(order)
  return {
    text: body.text,
    form: (route.asArray ? 'array' : '') + (order.guard?.rules.mark ?? ''),
    compared: mayCompare ? readCompared(body, route.dialect) : undefined,
  }
}

/** The whole answer is here; it is handed over when it is paid. */
async function deliverWhole(order: Order, call: ChatCall, answer: WholeChat): Promise<Response> {
  order.noteFirstByte()
  const told = believe(answer.usage, order.incoming.requestId)
  const { channel, model, parts } = order
  if (tellsAll(told)) parts.pictures.learn(model, call.outline, told.input, channel?.setting.system_prompt)
  const usage = tellsAll(told) ? told : await countUntold(order, call, answer, told)
  // Before it is paid: nobody pays for what cannot be put into the client's words.
  const read = answer.passes ? undefined : answer.answer()
  const said = read && answer.saysThoughts ? sayThoughts(read) : read
  const written = said ? JSON.stringify(writeAnswers(call, { ...said, usage })) : answer.text
  const stored = answer.passes && answer.body ? call.dialect.storedIds?.(answer.body) : undefined
  const guard = order.guard?.rules.output ? order.guard : undefined
  const text = guard ? await guarded(order, guard, call, written, { usage, stored }) : written
  const noting = noteStored(order, call, stored)
  await settleAnswer(order, usage, stored)
  await noting
  order.recording?.add(text)
  order.recording?.finish('application/json', { told: usage })
  const { transcript } = order.incoming
  if (transcript) endWith(transcript, text)
  return new Response(text, { headers: { 'content-type': 'application/json' } })
}

/** What rules leave of it. Refused, it costs nothing, unless the model may have said it to a server of the caller's. */
async function guarded(
  order: Order,
  guard: CallGuard,
  { dialect, outline }: ChatCall,
  written: string,
  { usage, stored }: { readonly usage: TokenUsage; readonly stored: StoredIds | undefined },
): Promise<string> {
  try {
    return await guardWhole(guard, dialect.name, written)
  } catch (error) {
    if (!outline.acts) throw error
    order.noteBreak('guard', asProblem(error, order.incoming).message)
    await settleAnswer(order, usage, stored)
    throw error
  }
}

/** The usage that the upstream has told, completed by our own count. */
async function countUntold(
  { parts }: Order,
  call: ChatCall,
  answer: WholeChat,
  told: TokenUsage | undefined,
): Promise<TokenUsage> {
  const counted = await countAnswer(parts.counter, call, answer)
  if (!told) return counted
  return { ...told, input: told.input || counted.input, output: told.output || counted.output }
}

function writeAnswers(call: ChatCall, answer: NeutralAnswer): JsonObject {
  const { dialect } = call
  const asked = call.asked()
  const first = dialect.writeAnswer(answer, asked)
  const { others = [] } = answer
  if (!dialect.severalIn || !asked.request.choices || others.length === 0) return first
  const more = others.map(other => dialect.writeAnswer({ ...answer, ...other }, asked))
  return joinAnswers(first, more, dialect.severalIn)
}
