import { ANY_HTTP, allowsPath } from '../../../contract/pass-through.ts'
import { AppError } from '../../errors.ts'
import { cost } from '../../ledger/price/cost.ts'
import type { Admitted } from '../callers/authorise.ts'
import { endWith } from '../contents/transcript.ts'
import { askFirst, guardTask } from '../guards/admit-request.ts'
import type { CallGuard } from '../guards/call-guard.ts'
import { enterLimits, hasLimits } from '../limits/enter-limits.ts'
import { writeLimitHeaders } from '../limits/limit-headers.ts'
import { noteRefusal } from '../order/note-refusal.ts'
import type { Order } from '../order/order.ts'
import { setAside } from '../order/set-aside.ts'
import { takeOrder } from '../order/take-order.ts'
import type { RelayParts } from '../parts.ts'
import { FlowRun } from '../plain/flow-run.ts'
import { asProblem } from '../problems.ts'
import { refusePrompt } from '../prompts/read-reference.ts'
import type { Incoming } from '../request/incoming.ts'
import type { PassRoute } from '../request/match-route.ts'
import type { Channel } from '../routing/channel.ts'
import { candidatesFor } from '../routing/groups-in-turn.ts'
import { OwnTrouble } from '../routing/own-trouble.ts'
import { StopCord } from '../upstream/stop-cord.ts'
import { tryChannels } from '../upstream/try-channels.ts'
import { isSurelyRefused, type UpstreamFailure } from '../upstream/upstream-failure.ts'
import { askPass, type PassAnswer, type WholePass } from './ask-pass.ts'
import { rulesOf } from './compose-pass.ts'
import { isToBeRead, readStrictly, refuseUnread } from './guard-pass.ts'
import { readPassBody } from './pass-body.ts'
import { isRepeatable, mayAct, type PassCall, readPassHead } from './pass-call.ts'
import { ONE_CALL, oneCall } from './pass-flow.ts'
import { PassedRefusal } from './passed-refusal.ts'
import { readPass, readTexts, spokenIn, wordsOf } from './read-texts.ts'

/** A call of any HTTP API that the operator offers, from its path to its paid answer. */
export async function servePass(
  parts: RelayParts,
  incoming: Incoming,
  route: PassRoute,
  admitted: Admitted,
): Promise<Response> {
  const { request } = incoming
  const { model } = route
  const head = readPassHead(incoming, route)
  refusePrompt(request, route.dialect, undefined)
  const rules = parts.guards.for(admitted, model)
  const sent: PassCall = { ...head, body: await readPassBody(incoming, isToBeRead(request, rules?.input)) }
  const guarding =
    rules && guardTask({ parts, incoming, admitted, model }, readStrictly(parts, sent, rules.input))
  const { guard, body: call } = guarding ?? { guard: undefined, body: sent }
  if (!guard?.asksFirst) keepContents(parts, incoming, admitted, call)
  const ordered = { model, stream: false }
  const order = takeOrder(parts, incoming, admitted, ordered, spokenIn(call))
  order.guard = guard
  order.own = new OwnTrouble(model, admitted.caller.userId)
  const refusal = refusalOf(order, call)
  if (refusal) {
    noteRefusal(parts, incoming, admitted, ordered, refusal)
    throw refusal
  }
  if (hasLimits(parts, admitted)) await enterLimits(order)
  return serveBilled(order, call)
}

/** Sets money aside, asks, and hands over what is paid for; whatever fails gives the money back. */
async function serveBilled(order: Order, given: PassCall): Promise<Response> {
  const cord = new StopCord(order, mayAct(given.method))
  const price = cost(order.price, ONE_CALL)
  try {
    cord.check()
    const call = order.guard?.asksFirst ? await asked(order, order.guard, given) : given
    cord.check()
    await setAside(order, { most: price, least: price }, cord.stop)
    const wanted = {
      can: (channel: Channel) => canPass(channel, call),
      isSurelyRefused: (failure: UpstreamFailure) => mayAskAgain(call, failure),
    }
    const answer = await tryChannels(order, wanted, attempt => askPass(order, call, attempt, cord.opened))
    await order.bill.held(answer.kind !== 'whole')
    cord.release()
    const response = await deliver(order, call, answer)
    if (order.claims) writeLimitHeaders(response.headers, order.claims.figures)
    return response
  } catch (error) {
    await cord.fail(error)
    const passed = error instanceof PassedRefusal ? error.response() : undefined
    if (!passed) throw error
    order.incoming.transcript?.end()
    return passed
  }
}

/** The call with what others than we have masked in it. */
async function asked(order: Order, guard: CallGuard, given: PassCall): Promise<PassCall> {
  const call = await askFirst(order, guard, readPass(given))
  keepContents(order.parts, order.incoming, order.admitted, call)
  return call
}

function keepContents(parts: RelayParts, incoming: Incoming, admitted: Admitted, call: PassCall): void {
  const words = {
    get text() {
      return wordsOf(call)
    },
    json: {},
  }
  incoming.transcript = parts.contents.open(incoming, admitted, words)
}

/** Why nobody here can be asked for it; undefined when somebody can. */
function refusalOf({ parts, admitted, price, model }: Order, call: PassCall): AppError | undefined {
  const { pinned, group } = admitted
  const named = pinned === undefined ? undefined : parts.channels.byId(pinned)
  const all =
    pinned === undefined ? candidatesFor(parts.channels, admitted, model).flat() : named ? [named] : []
  const serving = all.filter(({ type }) => type === ANY_HTTP)
  if (serving.length === 0) return new AppError('relay.no-channel', { group, model })
  if (!serving.some(channel => canPass(channel, call)))
    return new AppError('pass.not-allowed', { method: call.method, path: call.path.slice(0, 200) || '/' })
  return price.kind === 'call' ? undefined : new AppError('price.not-per-call', { model })
}

function canPass(channel: Channel, { method, path }: PassCall): boolean {
  if (channel.type !== ANY_HTTP) return false
  const rules = rulesOf(channel)
  return rules.methods.includes(method) && allowsPath(rules, path)
}

/** What was handed on while it came cannot be sent again; what may have been done is not done twice. */
function mayAskAgain({ body, method }: PassCall, failure: UpstreamFailure): boolean {
  return body.isWhole && (isRepeatable(method) || isSurelyRefused(failure))
}

async function deliver(order: Order, call: PassCall, answer: PassAnswer): Promise<Response> {
  if (answer.kind === 'whole') return deliverWhole(order, call, answer)
  await unlessRefused(order, call, async () => refuseUnread(order.parts, order.guard?.rules.output))
  // From here on it is paid, also when this process dies under it.
  const price = cost(order.price, ONE_CALL)
  if (price > 0) await order.bill.checkpoint(price)
  return new FlowRun(order, oneCall, answer).response()
}

/** The whole answer is here; it is handed over when it is paid. */
async function deliverWhole(order: Order, call: PassCall, answer: WholePass): Promise<Response> {
  order.noteFirstByte()
  const { guard } = order
  const body = guard?.rules.output
    ? await unlessRefused(order, call, () => guardAnswer(order, guard, answer))
    : answer.body
  await order.settleUsage(ONE_CALL)
  const { transcript } = order.incoming
  if (transcript) endWith(transcript, body ?? '', typeOf(answer))
  return new Response(body as BodyInit | undefined, answer.head)
}

/** Rules that refuse an answer give the money back, unless the service has done something that its caller may have wanted. */
async function unlessRefused<T>(order: Order, { method }: PassCall, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!mayAct(method)) throw error
    order.noteBreak('guard', asProblem(error, order.incoming).message)
    await order.settleUsage(ONE_CALL)
    throw error
  }
}

async function guardAnswer(
  order: Order,
  guard: CallGuard,
  answer: WholePass,
): Promise<Uint8Array | undefined> {
  const { body } = answer
  if (!body || body.byteLength === 0) return body
  const reading = readTexts(body, typeOf(answer))
  if (reading) return reading.written(await guard.readAnswer(reading.places()))
  refuseUnread(order.parts, guard.rules.output)
  return body
}

function typeOf({ head }: WholePass): string {
  return head.headers.get('content-type') ?? ''
}
