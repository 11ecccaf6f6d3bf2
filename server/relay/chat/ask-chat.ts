import { dialects } from '../../dialects/index.ts'
import { type JsonObject, parseExactly, parseObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { NeutralAnswer, Problem, TokenUsage } from '../../dialects/spec.ts'
import { sse } from '../../dialects/sse.ts'
import { asOutboundError } from '../../outbound/describe-failure.ts'
import { readText } from '../../outbound/read-body.ts'
import type { Provider } from '../../providers/define.ts'
import { providerOf } from '../../providers/index.ts'
import { formOf } from '../background/job-form.ts'
import { readTaken, type TakenJob } from '../background/read-taken.ts'
import type { Order } from '../order/order.ts'
import type { Channel } from '../routing/channel.ts'
import { ClientGone } from '../stream/client-gone.ts'
import { type Conveyor, joinPieces, type Piece } from '../stream/conveyor.ts'
import { makeConveyor } from '../stream/make-conveyor.ts'
import { scrubProblem } from '../upstream/scrub.ts'
import { isStale } from '../upstream/sign-request.ts'
import { tellEvents } from '../upstream/tell-events.ts'
import type { Attempt } from '../upstream/try-channels.ts'
import { UpstreamCall } from '../upstream/upstream-call.ts'
import { asUpstreamFailure, UpstreamFailure } from '../upstream/upstream-failure.ts'
import { severalFrom } from './bridge-dialects.ts'
import type { ChatCall } from './chat-call.ts'
import { type ComposedChat, composeChat, maySayAnew, type SecondTry } from './compose-chat.ts'
import { gatherAnswer } from './gather-answer.ts'
import { forgetRefused, noteRefused, refusesChat } from './lead-to-responses.ts'
import { anyPiece, WholeReader } from './said-at-once.ts'

/** The largest answer that comes whole; images in base64 are what makes one long. */
export const LARGEST_ANSWER = 64 * 1024 * 1024

export type Reader = ReadableStreamDefaultReader<Uint8Array>
export type ReadResult = { readonly done: boolean; readonly value?: Uint8Array | undefined }

/** An answer that came whole. */
export interface WholeChat {
  readonly kind: 'whole'
  /** As the upstream wrote it; '' when it was gathered from a stream. */
  readonly text: string
  readonly usage: TokenUsage | undefined
  readonly answer: () => NeutralAnswer | undefined
  /** Whether it goes to the client as the upstream wrote it. */
  readonly passes: boolean
  /** The channel's `thinking_to_content`: thoughts become the beginning of the text. */
  readonly saysThoughts?: boolean | undefined
  /** The same as JSON; absent when it was gathered. */
  readonly body?: JsonObject
}

/** An answer that streams, and of which the beginning is here. */
export interface StreamedChat {
  readonly kind: 'stream'
  readonly upstream: UpstreamCall
  readonly reader: Reader
  readonly conveyor: Conveyor
  /** What was read until the answer had begun, and may go to the client at once. */
  readonly first: Piece | undefined
  /** Whether that was all of it. */
  readonly ended: boolean
  /** A read that is under way, and whose result comes next. */
  readonly reading?: Promise<ReadResult> | undefined
}

/** An answer that has begun well: from here on no other channel is asked. */
export type ChatAnswer = WholeChat | StreamedChat | TakenJob

/** What was asked, and of whom. */
interface Asked {
  readonly call: ChatCall
  readonly composed: ComposedChat
  readonly channel: Channel
  readonly provider: Provider
}

/** One attempt: asks one upstream, and makes sure that what comes back is an answer. */
export async function askChat(
  order: Order,
  call: ChatCall,
  attempt: Attempt,
  onOpen: (upstream: UpstreamCall) => void,
  again?: SecondTry,
): Promise<ChatAnswer> {
  const provider = providerOf(attempt.channel.type)
  if (!provider) refuseNamed('chat')
  const composing = composeChat(order, call, attempt, provider, again)
  const composed = composing instanceof Promise ? await composing : composing
  const { settings } = order.parts
  const seconds = settings.get(call.outline.stream ? 'UpstreamFirstByteSeconds' : 'UpstreamAnswerSeconds')
  const upstream = new UpstreamCall(order, seconds * 1000)
  onOpen(upstream)
  try {
    const isFresh = call.outline.background
    const response = await upstream.send(composed, attempt, { mayRepeat: !isFresh, isFresh })
    const asked: Asked = { call, composed, channel: attempt.channel, provider }
    if (call.outline.background) {
      if (call.outline.stream && !isStream(response, composed)) throw await notStreamed(response, asked)
      const form = formOf(call.dialect.name)
      return await readTaken(response, { call, composed, channel: attempt.channel, upstream, form })
    }
    if (call.outline.stream) return await beginStream(order, asked, upstream, response)
    const whole = comesInPieces(response, asked)
      ? await gatherWhole(response, asked)
      : readWhole(await readText(response, LARGEST_ANSWER), asked)
    upstream.stopClock()
    return whole
  } catch (error) {
    const reason = upstream.stoppedFor ?? error
    upstream.stop(reason)
    const another = again ? undefined : secondTry(composed, reason)
    if (another) return askChat(order, call, attempt, onOpen, another)
    if (!again && refusesChat(call, provider, composed.to, attempt, reason))
      return askInResponses(order, call, attempt, onOpen, reason)
    throw asUpstreamFailure(reason)
  }
}

/** Once more, where the upstream said that it has to be asked. Of one that has no such address the first word counts. */
async function askInResponses(
  order: Order,
  call: ChatCall,
  attempt: Attempt,
  onOpen: (upstream: UpstreamCall) => void,
  refusal: unknown,
): Promise<ChatAnswer> {
  noteRefused(call, attempt)
  try {
    return await askChat(order, call, attempt, onOpen)
  } catch (error) {
    const said = error instanceof UpstreamFailure ? error.said : undefined
    if (said !== 404 && said !== 405) throw error
    forgetRefused(call, attempt)
    throw asUpstreamFailure(refusal)
  }
}

/** Some servers stream whatever they are asked for. Put together, their answer has all that a chat client looks for. */
function comesInPieces(response: Response, { call, composed }: Asked): boolean {
  if (composed.gathers) return true
  if (!isStream(response, composed)) return false
  if (!composed.passes) return true
  return call.dialect.name === 'openai-chat' && call.outline.choices === 1 && maySayAnew(call)
}

/** A whole answer, looked at as closely as it has to be. */
function readWhole(text: string, { call, composed, channel, provider }: Asked): WholeChat {
  const { dialect, passes, saysThoughts, url } = composed
  const json = passes ? parseObject(text) : parseExactly(text)
  if (!json) throw new UpstreamFailure({ without: 'empty' })
  const failure = provider.readFailure?.(json)
  if (failure) throw new UpstreamFailure({ problem: scrubProblem(failure, channel, url) })
  const usage = provider.miscounts ? undefined : dialect.readUsage(json)
  let read: NeutralAnswer | undefined
  const answer = (): NeutralAnswer | undefined => (read ??= dialect.readAnswer(json))
  // Usage that counts output proves an answer, and spares one that passes as it is from being read.
  const isProven = passes && usage?.output && !call.dialect.isDoubtful(json)
  if (!isProven && !isAnswer(answer(), usage, call)) {
    const problem = json.error || json.status === 'failed' ? readHidden(composed, json) : undefined
    throw new UpstreamFailure(
      problem ? { problem: scrubProblem(problem, channel, url) } : { without: 'empty' },
    )
  }
  return { kind: 'whole', text, usage, answer, passes, saysThoughts, body: json }
}

function secondTry(composed: ComposedChat, reason: unknown): SecondTry | undefined {
  if (isStale(composed, reason)) return 'signed-anew'
  if (refusesThoughts(composed, reason)) return 'without-thoughts'
  if (refusesSummary(composed, reason)) return 'without-summary'
  return refusesStops(composed, reason) ? 'without-stops' : undefined
}

/** Models that think refuse stop strings, and not every name tells which do: then it is seen by the refusal. */
function refusesStops({ tellsStops }: ComposedChat, reason: unknown): boolean {
  if (!tellsStops || !(reason instanceof UpstreamFailure)) return false
  const { status, message = '' } = reason.problem ?? {}
  return status === 400 && /^(Unsupported parameter|Argument not supported)\b.{0,40}\bstop\b/i.test(message)
}

/** Thoughts are signed for the model that had them; clients that change models in a conversation send them along. */
function refusesThoughts({ dialect }: ComposedChat, reason: unknown): boolean {
  if (dialect !== dialects.anthropic || !(reason instanceof UpstreamFailure)) return false
  const { status, message } = reason.problem ?? {}
  return status === 400 && /`?signature`? in `?thinking`?/i.test(message ?? '')
}

/** OpenAI shows thoughts to accounts alone of which it knows whose they are. Its own clients are told so. */
function refusesSummary({ passes }: ComposedChat, reason: unknown): boolean {
  if (passes || !(reason instanceof UpstreamFailure)) return false
  const { status, message } = reason.problem ?? {}
  return status === 400 && /\bverified to generate reasoning summar/i.test(message ?? '')
}

/** An upstream that answers in streams only, asked for a whole answer. */
async function gatherWhole(response: Response, asked: Asked): Promise<WholeChat> {
  const { call, composed, channel, provider } = asked
  const { dialect, framing, saysThoughts, url } = composed
  const stream = await streamOf(response, asked)
  const { answer, problem } = await gatherAnswer(stream, dialect.createReader(), framing)
  if (problem) throw new UpstreamFailure({ problem: scrubProblem(problem, channel, url) })
  if (!isAnswer(answer, answer?.usage, call)) throw new UpstreamFailure({ without: 'empty' })
  const usage = provider.miscounts ? undefined : answer?.usage
  return { kind: 'whole', text: '', usage, answer: () => answer, passes: false, saysThoughts }
}

/** An answer in which events come; anything else is thrown. */
async function streamOf(response: Response, asked: Asked): Promise<Response> {
  const told = await asEvents(response, asked)
  if (isStream(told, asked.composed)) return told
  throw await notStreamed(told, asked)
}

async function asEvents(response: Response, { composed }: Asked): Promise<Response> {
  return composed.framing || isStream(response, composed) ? response : tellEvents(response)
}

/** Some servers do not stream, and answer whole whatever they are asked for: such an answer is said at once. */
async function openStream(
  response: Response,
  asked: Asked,
): Promise<{ response: Response; composed: ComposedChat }> {
  const { call, composed } = asked
  const told = await asEvents(response, asked)
  if (isStream(told, composed)) return { response: told, composed }
  if (composed.passes && !maySayAnew(call)) throw await notStreamed(told, asked)
  const text = await readText(told, LARGEST_ANSWER)
  // What passes is read as a rule by its usage alone.
  const reads = composed.passes ? severalFrom(composed.dialect, call.neutral()) : composed.dialect
  const anew = { ...composed, passes: false, dialect: reads }
  const { answer, usage } = readWhole(text, { ...asked, composed: anew })
  const said = answer()
  if (!said) throw new UpstreamFailure({ without: 'empty' })
  const dialect = { ...reads, createReader: () => new WholeReader(said, usage) }
  return { response: new Response(text), composed: { ...anew, dialect, framing: anyPiece } }
}

function isStream(response: Response, { framing = sse }: ComposedChat): boolean {
  const type = (response.headers.get('content-type') ?? '').toLowerCase()
  return framing.types.some(known => type.startsWith(known))
}

/** An error behind a 200: the status it should have had, as far as its words tell. */
export function readHidden({ readProblem }: ComposedChat, body: JsonObject): Problem {
  const problem = readProblem(200, body)
  return problem.status < 400 ? { ...problem, status: 502 } : problem
}

/**
 * An empty answer is one too if it gives a reason for being empty, if the vendor wants to be paid for it, if none was
 * wanted, or if the request has stop strings: one may have been met at once, which most vendors do not tell.
 */
function isAnswer(
  answer: NeutralAnswer | undefined,
  usage: TokenUsage | undefined,
  { outline }: ChatCall,
): boolean {
  if (answer === undefined) return false
  const { parts, finish } = answer
  if (parts.length > 0 || finish.reason !== 'stop') return true
  return Boolean(usage?.output) || outline.stops || outline.silent
}

/**
 * Reads until there is something for the client: before that another channel can still take over. An opening is kept
 * back for a moment, since vendors that are too busy often say so right after it.
 */
async function beginStream(
  order: Order,
  asked: Asked,
  upstream: UpstreamCall,
  response: Response,
): Promise<StreamedChat> {
  const { call, channel } = asked
  const { response: streamed, composed } = isStream(response, asked.composed)
    ? { response, composed: asked.composed }
    : await openStream(response, asked)
  const { body } = streamed
  const conveyor = makeConveyor(order.parts.counter, call, composed, order.guard)
  if (!body) throw new UpstreamFailure({ without: 'empty' })
  const reader: Reader = body.getReader()
  const isPatient = call.dialect.keepAlive !== undefined && !call.route.asArray
  // An operator who gives the first token so little time wants another channel asked; an opening is no first token.
  const isHurried = order.parts.settings.get('UpstreamFirstByteSeconds') * 1000 < PATIENCE_MS
  let silence = isPatient ? startSilence(PATIENCE_MS) : undefined
  let opening: Piece | undefined
  try {
    for (;;) {
      const reading = reader.read().catch(error => {
        throw asOutboundError(error)
      })
      const next = await (silence ? Promise.race([reading, silence.over]) : reading)
      if (next === undefined) return begun(opening, { reading })
      const answer = judge(next)
      if (answer) return answer
    }
  } catch (error) {
    // A client that leaves now has heard nothing, but the vendor has read the prompt: if the opening tells how long that
    // was, it is charged.
    if (upstream.stoppedFor instanceof ClientGone && conveyor.usage) return begun(opening)
    throw error
  } finally {
    silence?.end()
  }

  function judge({ done, value }: ReadResult): StreamedChat | undefined {
    const taken = done || !value ? undefined : conveyor.take(value)
    const first = joinPieces(opening, taken)
    const whole = done && conveyor.end()
    const { problem } = conveyor
    if (problem) throw new UpstreamFailure({ problem: scrubProblem(problem, channel, composed.url) })
    // Not a failure of the channel's: no other is asked. What opened the answer goes out, so that its end ends something.
    if (conveyor.refusal) return begun(first)
    const isNothing = first === undefined || conveyor.isOpening === true
    if (isNothing && done && !whole) throw new UpstreamFailure({ without: 'empty' })
    if (isNothing && !done && !conveyor.closing) {
      if (first !== undefined && opening === undefined && !isHurried) {
        silence?.end()
        silence = startSilence(OPENING_MS)
      }
      opening = first
      return undefined
    }
    return begun(first, { ended: Boolean(done) })
  }

  function begun(
    first: Piece | undefined,
    state: { ended?: boolean; reading?: Promise<ReadResult> } = {},
  ): StreamedChat {
    upstream.stopClock()
    if (first !== undefined && conveyor.isOpening !== true) order.noteAnswered()
    return { kind: 'stream', upstream, reader, conveyor, first, ended: false, ...state }
  }
}

/** An upstream that took the call and is silent for this long keeps it: the client is sent signs of life. */
const PATIENCE_MS = 15_000
/** How long an opening waits for a first word before it goes to the client, who may show that an answer has begun. */
const OPENING_MS = 1000

function startSilence(ms: number) {
  const { promise: over, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), ms)
  return { over, end: () => clearTimeout(timer) }
}

/** A stream was asked for and something else came, as a rule an error with status 200. */
async function notStreamed(
  response: Response,
  { composed, channel, provider }: Asked,
): Promise<UpstreamFailure> {
  const json = parseObject(await readText(response, LARGEST_ANSWER))
  const problem =
    (json && provider.readFailure?.(json)) ?? (json?.error ? readHidden(composed, json) : undefined)
  if (!problem) return new UpstreamFailure({ without: 'empty' })
  return new UpstreamFailure({ problem: scrubProblem(problem, channel, composed.url) })
}
