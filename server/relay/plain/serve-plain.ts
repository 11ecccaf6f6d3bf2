import { canServe } from '../../providers/can-serve.ts'
import { providerOf } from '../../providers/index.ts'
import { AnswerSlot } from '../answer-cache/answer-slot.ts'
import { readWish } from '../answer-cache/read-wish.ts'
import { serveKept } from '../answer-cache/serve-kept.ts'
import type { Admitted } from '../callers/authorise.ts'
import { endWith } from '../contents/transcript.ts'
import { roughInput } from '../counting/estimate-input.ts'
import { askFirst, guardPlain } from '../guards/admit-request.ts'
import type { CallGuard } from '../guards/call-guard.ts'
import { guardPlainAnswer } from '../guards/guard-whole.ts'
import { readPlain } from '../guards/read-request.ts'
import { enterLimits, hasLimits } from '../limits/enter-limits.ts'
import { writeLimitHeaders } from '../limits/limit-headers.ts'
import { onlyAt } from '../openai-kept/lead-to-files.ts'
import type { Order } from '../order/order.ts'
import { reserve } from '../order/reserve.ts'
import { takeOrder } from '../order/take-order.ts'
import type { RelayParts } from '../parts.ts'
import { refusePrompt } from '../prompts/read-reference.ts'
import type { Incoming } from '../request/incoming.ts'
import type { Outline } from '../request/look-at-request.ts'
import type { Channel } from '../routing/channel.ts'
import type { Lack } from '../routing/fallbacks.ts'
import { StreamRun } from '../stream/stream-run.ts'
import { StopCord } from '../upstream/stop-cord.ts'
import { tryChannels } from '../upstream/try-channels.ts'
import { tellFallback, tryModels } from '../upstream/try-models.ts'
import { askPlain, type PlainAnswer } from './ask-plain.ts'
import { chargePlain, chargingOf } from './charge-plain.ts'
import { CompletionCall, outlineCompletion } from './completion-call.ts'
import { estimatePlain } from './estimate-plain.ts'
import { FlowRun } from './flow-run.ts'
import { partsForModeration } from './free-of-charge.ts'
import { leadPictures } from './lead-pictures.ts'
import { holdsText, isForm, type PlainCall, type PlainRoute, readPlainCall, spokenIn } from './plain-call.ts'
import type { WholeAnswer } from './read-whole.ts'
import { reservePlain } from './reserve-plain.ts'
import { serveCountTokens } from './serve-count-tokens.ts'

/** A model call that is not chat, from its body to its paid answer. */
export async function servePlain(
  parts: RelayParts,
  incoming: Incoming,
  route: PlainRoute,
  admitted: Admitted,
): Promise<Response> {
  const sent = await readPlainCall(incoming, route)
  const { capability, model } = sent
  refusePrompt(incoming.request, route.dialect, capability === 'count-tokens' ? sent.fields : undefined)
  const guarding = parts.guards.areIdle ? undefined : guardPlain({ parts, incoming, admitted, model }, sent)
  const { guard, body: call } = guarding ?? { guard: undefined, body: sent }
  if (capability === 'count-tokens') return serveCountTokens(parts, incoming, call, admitted, guard)
  const outline = capability === 'completions' ? outlineCompletion(call) : undefined
  const priced = capability === 'moderations' ? partsForModeration(parts, model) : parts
  if (!guard?.asksFirst) incoming.transcript = parts.contents.open(incoming, admitted, call.body)
  // Words are words whoever writes them; vectors, scores, pictures and voices are those of their model.
  const mayFallBack = outline !== undefined
  const order = takeOrder(priced, incoming, admitted, outline ?? call, { json: spokenIn(call) }, mayFallBack)
  order.guard = guard
  order.estimatedTokens = outline ? roughInput(outline.textLength) : estimatePlain(call)
  if (hasLimits(parts, admitted)) await enterLimits(order)
  return serveBilled(order, call, outline)
}

/** Sets money aside, asks, and hands over what is paid for; whatever fails gives the money back. */
async function serveBilled(order: Order, given: PlainCall, seen: Outline | undefined): Promise<Response> {
  const cord = new StopCord(order)
  let slot: AnswerSlot | undefined
  try {
    cord.check()
    const call = order.guard?.asksFirst ? await asked(order, order.guard, given) : given
    const outline = seen && call !== given ? outlineCompletion(call) : seen
    cord.check()
    slot = slotFor(order, call)
    const again = slot && (await serveKept(order, slot, cord))
    if (again) return again
    const leading = leadPictures(order, call)
    const lead = leading && (await leading)
    let limit: number | undefined
    const serve = async <Other = never>(instead?: (failure: unknown, lack: Lack) => Promise<Other>) => {
      const asked = order.model === call.model ? call : { ...call, model: order.model }
      limit = outline ? await reserve(order, outline, cord.stop) : await reservePlain(order, call, cord.stop)
      const can = (channel: Channel): boolean => canDo(call, channel) && (!lead || lead.may(channel))
      return tryChannels(order, { can, ...(lead?.place && onlyAt(lead.place)), instead }, attempt =>
        askPlain(order, asked, attempt, cord.opened, limit),
      )
    }
    const answer = await (outline ? tryModels<PlainAnswer>(order, cord, serve) : serve())
    await order.bill.held(answer.kind !== 'whole')
    cord.release()
    if (slot) order.recording = slot.record(limit)
    // What is too large to come whole is too large to be kept.
    if (answer.kind === 'flow') order.recording?.drop()
    const response = await deliver(order, call, outline, answer)
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
async function asked(order: Order, guard: CallGuard, given: PlainCall): Promise<PlainCall> {
  const { parts, incoming, admitted } = order
  const call = await askFirst(order, guard, readPlain(given))
  incoming.transcript = parts.contents.open(incoming, admitted, call.body)
  return call
}

/** Of what is said and reckoned; pictures, voices and sound are large, and wanted anew. */
const repeatable: ReadonlySet<PlainCall['capability']> = new Set([
  'completions',
  'embeddings',
  'rerank',
  'moderations',
])

function slotFor(order: Order, { capability, body }: PlainCall): AnswerSlot | undefined {
  if (!repeatable.has(capability) || isForm(body)) return undefined
  const wish = readWish(order.parts, order.incoming.request)
  return wish && AnswerSlot.open(order, wish, { text: body.text, form: order.guard?.rules.mark })
}

function canDo({ capability }: PlainCall, channel: Channel): boolean {
  const provider = providerOf(channel.type)
  return provider !== undefined && canServe(provider, capability, channel.baseUrl ?? provider.baseUrl)
}

function deliver(
  order: Order,
  call: PlainCall,
  outline: Outline | undefined,
  answer: PlainAnswer,
): Response | Promise<Response> {
  if (answer.kind === 'whole') return deliverWhole(order, call, answer)
  if (answer.kind === 'flow') return new FlowRun(order, chargingOf(order, call), answer).response()
  const { upstream, reader, carrier, first, ended, type } = answer
  const streamed = { kind: 'stream', upstream, reader, conveyor: carrier, first: first[0], ended } as const
  const asChat = new CompletionCall(call, outline ?? outlineCompletion(call))
  return new StreamRun(order, asChat, streamed).response(type)
}

/** The whole answer is here; it is handed over when it is paid. */
async function deliverWhole(order: Order, call: PlainCall, answer: WholeAnswer): Promise<Response> {
  order.noteFirstByte()
  const usage = (await chargePlain(order, call, answer.seen)) ?? {}
  const written = answer.write({ input: usage.input ?? 0, output: usage.output ?? 0 })
  const isRead = order.guard?.rules.output && holdsText(call.capability)
  const body = isRead && order.guard ? await guardPlainAnswer(order.guard, call, written) : written
  await order.settleUsage(usage)
  order.recording?.add(body)
  order.recording?.finish(answer.type, { charged: usage })
  const { transcript } = order.incoming
  if (transcript) endWith(transcript, body, answer.type)
  return new Response(body, { headers: { 'content-type': answer.type } })
}
