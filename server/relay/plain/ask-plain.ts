import { parseObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import { asOutboundError } from '../../outbound/describe-failure.ts'
import { urlOf } from '../../providers/address-request.ts'
import { providerOf } from '../../providers/index.ts'
import { GuardedFlow } from '../guards/guarded-flow.ts'
import { GuardedStream } from '../guards/guarded-stream.ts'
import type { Order } from '../order/order.ts'
import type { Conveyor, Piece } from '../stream/conveyor.ts'
import { guardStream } from '../stream/make-conveyor.ts'
import { scrubProblem } from '../upstream/scrub.ts'
import { isStale } from '../upstream/sign-request.ts'
import { tellEvents } from '../upstream/tell-events.ts'
import type { Attempt } from '../upstream/try-channels.ts'
import { UpstreamCall } from '../upstream/upstream-call.ts'
import { asUpstreamFailure, UpstreamFailure } from '../upstream/upstream-failure.ts'
import { conveyCompletion } from './completion-call.ts'
import { composePlain } from './compose-plain.ts'
import { dialectOf } from './dialect-of.ts'
import { EventsFlow } from './events-flow.ts'
import { BytesFlow, type Flow } from './flow.ts'
import { LargeJsonFlow } from './large-json-flow.ts'
import { holdsText, isTranscript, makesPictures, type PlainCall } from './plain-call.ts'
import { readPictures } from './read-fields.ts'
import { type Asked, readWhole, type WholeAnswer } from './read-whole.ts'

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** An answer on its way, of which something good has come. */
interface Begun<Carrier> {
  readonly upstream: UpstreamCall
  readonly reader: Reader
  readonly carrier: Carrier
  /** What may go to the client at once. */
  readonly first: Piece[]
  readonly ended: boolean
  readonly type: string
}

export type FlowAnswer = Begun<Flow> & {
  readonly kind: 'flow'
  /** Status and headers, where they are the upstream's own. */
  readonly head?: ResponseInit | undefined
}
export type PlainAnswer = WholeAnswer | FlowAnswer | (Begun<Conveyor> & { readonly kind: 'completion' })

/** Held and looked at whole; what is larger is handed on while it comes. */
const LARGEST_HELD = 32 * 1024 * 1024
const EVENTS = 'text/event-stream; charset=utf-8'

/** One attempt: asks one upstream, and makes sure that what comes back is an answer. */
export async function askPlain(
  order: Order,
  call: PlainCall,
  attempt: Attempt,
  onOpen: (upstream: UpstreamCall) => void,
  limit?: number,
  isSecondTry = false,
): Promise<PlainAnswer> {
  const provider = providerOf(attempt.channel.type)
  if (!provider) refuseNamed(call.capability)
  const composed = composePlain(order.incoming, call, attempt, provider, limit)
  const { settings } = order.parts
  const isCompletion = call.capability === 'completions' && call.stream
  const seconds = settings.get(isCompletion ? 'UpstreamFirstByteSeconds' : 'UpstreamAnswerSeconds')
  const upstream = new UpstreamCall(order, seconds * 1000)
  onOpen(upstream)
  try {
    const dialect = dialectOf[composed.endpoint.form]
    const sent = await upstream.send(composed, attempt, { mayRepeat: true })
    const response = isCompletion ? await tellEvents(sent) : sent
    const answer = await readAnswer(order, { call, attempt, provider, composed, dialect }, upstream, response)
    upstream.stopClock()
    return answer
  } catch (error) {
    const reason = upstream.stoppedFor ?? error
    upstream.stop(reason)
    if (!isSecondTry && isStale(composed, reason)) return askPlain(order, call, attempt, onOpen, limit, true)
    throw asUpstreamFailure(reason)
  }
}

async function readAnswer(
  order: Order,
  asked: Asked,
  upstream: UpstreamCall,
  response: Response,
): Promise<PlainAnswer> {
  const { call } = asked
  const type = (response.headers.get('content-type') ?? '').toLowerCase()
  const reader = response.body?.getReader()
  if (!reader) throw new UpstreamFailure({ without: 'empty' })
  if (type.startsWith('text/event-stream')) {
    if (call.capability !== 'completions') {
      const events = new EventsFlow(expectedEnds(call), call.capability === 'speech')
      const flow = guardEvents(order, call, events)
      return { kind: 'flow', ...(await begin(asked, upstream, reader, flow, EVENTS)) }
    }
    const passing = conveyCompletion(order.parts.counter, call)
    const conveyor = order.guard ? guardStream(order.guard, 'openai-chat', passing) : passing
    return { kind: 'completion', ...(await begin(asked, upstream, reader, conveyor, EVENTS)) }
  }
  const { convert } = asked.composed.endpoint
  if (convert?.nextPath) return readWhole(asked, await followPromise(asked, upstream, reader))
  if (call.capability === 'speech' && !type.startsWith('application/json') && !type.startsWith('text/'))
    return { kind: 'flow', ...(await begin(asked, upstream, reader, new BytesFlow(), soundType(call, type))) }
  const { chunks, ended } = await readHeld(reader)
  // What is larger than can be held cannot be read by rules: nobody writes or says that much.
  if (!ended && order.guard?.rules.output && holdsText(call.capability) && !makesPictures(call.capability))
    throw new UpstreamFailure({ without: 'empty' })
  if (ended) return readWhole(asked, Buffer.concat(chunks))
  return { kind: 'flow', ...beginLarge(asked, upstream, reader, chunks) }
}

/** The words of a transcript go through the rules for answers, if there are any. */
function guardEvents({ guard }: Order, { capability }: PlainCall, flow: EventsFlow): Flow {
  const rules = isTranscript(capability) ? guard?.streamRules : undefined
  return guard && rules ? new GuardedFlow(flow, new GuardedStream('transcript', rules, guard.tally)) : flow
}

/** Reads until there is something for the client: before that another channel can still take over. */
async function begin<Carrier extends Flow | Conveyor>(
  { attempt, composed }: Asked,
  upstream: UpstreamCall,
  reader: Reader,
  carrier: Carrier,
  type: string,
): Promise<Begun<Carrier>> {
  for (;;) {
    const { done, value } = await readNext(reader)
    const piece = done ? undefined : carrier.take(value)
    const isWhole = done && carrier.end()
    const { problem } = carrier
    if (problem) throw new UpstreamFailure({ problem: scrubProblem(problem, attempt.channel, composed.url) })
    if ('refusal' in carrier && carrier.refusal)
      return { upstream, reader, carrier, first: [], ended: done, type }
    if (piece === undefined && done && !isWhole) throw new UpstreamFailure({ without: 'empty' })
    if (piece === undefined && !done && !carrier.closing) continue
    return { upstream, reader, carrier, first: piece === undefined ? [] : [piece], ended: done, type }
  }
}

function beginLarge({ composed }: Asked, upstream: UpstreamCall, reader: Reader, chunks: Uint8Array[]) {
  // What has to be put into other words has to be whole.
  if (!composed.same || composed.endpoint.convert) throw new UpstreamFailure({ without: 'empty' })
  const carrier = new LargeJsonFlow()
  const first = chunks.map(chunk => carrier.take(chunk)).filter(piece => piece !== undefined)
  return { upstream, reader, carrier, first, ended: false, type: 'application/json' }
}

/** A connection that breaks is the channel's failure. */
function readNext(reader: Reader): ReturnType<Reader['read']> {
  return reader.read().catch(error => {
    throw asOutboundError(error)
  })
}

async function readHeld(reader: Reader): Promise<{ chunks: Uint8Array[]; ended: boolean }> {
  const chunks: Uint8Array[] = []
  for (let size = 0; size <= LARGEST_HELD; ) {
    const { done, value } = await readNext(reader)
    if (done) return { chunks, ended: true }
    chunks.push(value)
    size += value.byteLength
  }
  return { chunks, ended: false }
}

const POLL_MS = 1000

/** Some vendors answer with where the answer will be: that is asked until it is there, or the clock runs out. */
async function followPromise(
  { composed, attempt }: Asked,
  upstream: UpstreamCall,
  reader: Reader,
): Promise<Buffer<ArrayBuffer>> {
  const { endpoint, to, headers } = composed
  let { chunks } = await readHeld(reader)
  for (;;) {
    const bytes = Buffer.concat(chunks)
    const json = parseObject(bytes.toString('utf8'))
    const path = json && endpoint.convert?.nextPath?.(json, to)
    if (path === undefined) return bytes
    await Bun.sleep(POLL_MS)
    const { 'content-type': _, ...rest } = headers
    const url = urlOf({ path: () => path }, to)
    const response = await upstream.send({ ...composed, url, headers: rest, body: undefined }, attempt, {
      method: 'GET',
    })
    const next = response.body?.getReader()
    if (!next) throw new UpstreamFailure({ without: 'empty' })
    chunks = (await readHeld(next)).chunks
  }
}

/** Pictures end one by one; everything else once. */
function expectedEnds(call: PlainCall): number {
  return makesPictures(call.capability) ? readPictures(call.fields) : 1
}

const soundTypes: Readonly<Record<string, string>> = {
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
}

/** Never a type that a browser would run. */
function soundType({ fields }: PlainCall, type: string): string {
  if (/^audio\/[\w.+-]+(;[\w\s=.,"-]*)?$/.test(type)) return type
  const format = String(fields.response_format)
  return (Object.hasOwn(soundTypes, format) ? soundTypes[format] : undefined) ?? 'audio/mpeg'
}
