import { Attributes, nanos, type Span, STATUS_ERROR, spanKinds } from '../../otlp/span.ts'
import type { Admitted } from '../callers/authorise.ts'
import type { CallTrace, TracedTry } from './call-trace.ts'
import { providerName } from './provider-names.ts'
import type { TracePlace } from './trace-context.ts'

/** The trace is recorded; where its parent is, is known; and it is in another process. */
export const RECORDED = 0x101
const REMOTE_PARENT = 0x200

/** To a WebSocket, which somebody closes in the end. */
const SWITCHED = 101

export const failed = { status: { code: STATUS_ERROR } } as const

/** A call as spans: what it was, and below it every try at a channel. Nothing of what was asked or answered. */
export function describeCall(trace: CallTrace): Span[] {
  return [describeWhole(trace), ...trace.tries.map(one => describeTry(trace, one))]
}

function describeWhole(trace: CallTrace): Span {
  const { incoming, spanId, route } = trace
  const { request, path } = incoming
  const error = errorOf(trace)
  const attributes = new Attributes()
    .text('http.request.method', request.method)
    .text('http.route', route)
    .text('url.path', path)
    .text('url.scheme', request.url.startsWith('https:') ? 'https' : 'http')
    .whole('http.response.status_code', trace.status)
    .text('error.type', error)
  describeModel(trace, attributes)
  describeUse(trace, attributes)
  describeOwn(trace, attributes)
  return {
    ...placed(trace, spanId),
    name: `${request.method} ${route}`,
    kind: spanKinds.server,
    startTimeUnixNano: timeOf(trace, trace.beganAt),
    endTimeUnixNano: timeOf(trace, trace.endedAt),
    attributes: attributes.list,
    ...(error !== undefined && failed),
  }
}

/** Where the span of a whole call stands in its trace. */
export function placed({ traceId, parent }: TracePlace, spanId: string) {
  return {
    traceId,
    spanId,
    ...(parent && { parentSpanId: parent.spanId }),
    ...(parent?.state !== undefined && { traceState: parent.state }),
    flags: parent ? RECORDED | REMOTE_PARENT : RECORDED,
  }
}

/** By the conventions of HTTP: what a client did wrong is no error of the server; what breaks off is one. */
function errorOf({ broke, status, incoming }: CallTrace): string | undefined {
  if (broke !== undefined) return broke
  if (status !== undefined && status >= 500) return String(status)
  return status !== SWITCHED && incoming.request.signal.aborted ? 'client' : undefined
}

function describeModel(trace: CallTrace, attributes: Attributes): void {
  const { order, refused, operation, charge } = trace
  const isStream = order?.stream ?? refused?.stream
  attributes
    .text('gen_ai.operation.name', operation.name)
    .text('gen_ai.output.type', operation.output)
    .text('gen_ai.provider.name', order?.channel && providerName(order.channel.type))
    .text('gen_ai.request.model', order?.asked ?? refused?.model)
    .text('gen_ai.response.model', charge && (order?.upstreamModel || order?.model))
    .flag('gen_ai.request.stream', isStream ? true : undefined)
    .real('gen_ai.response.time_to_first_chunk', firstChunkAfter(trace, trace.beganAt))
}

/** On the call alone, and not on its try too: whoever adds up what spans tell counts it once. */
function describeUse({ charge }: CallTrace, attributes: Attributes): void {
  if (!charge) return
  const { cacheRead, cacheWrite = 0, cacheWriteHour = 0 } = charge.usage
  attributes
    .whole('gen_ai.usage.input_tokens', charge.promptTokens)
    .whole('gen_ai.usage.output_tokens', charge.completionTokens)
    .whole('gen_ai.usage.cache_read.input_tokens', cacheRead || undefined)
    .whole('gen_ai.usage.cache_creation.input_tokens', cacheWrite + cacheWriteHour || undefined)
    .whole('gen_ai.usage.reasoning.output_tokens', charge.reasoning || undefined)
    .whole('tollgate.quota', charge.quota)
}

function describeOwn({ incoming, order, admitted, errorCode }: CallTrace, attributes: Attributes): void {
  attributes.text('tollgate.request.id', incoming.requestId).text('tollgate.error.code', errorCode)
  if (!admitted) return
  describeCaller(admitted, order?.group, attributes)
    .whole('tollgate.channel.id', order?.channel?.id)
    .text('tollgate.labels', order?.labels?.counted)
    .text('tollgate.prompt', order?.incoming.prompt?.name)
    .text('tollgate.model', order && order.model !== order.asked ? order.model : undefined)
}

/** `group` is the one in which it is paid, where that is another. */
export function describeCaller(
  { caller, group: own }: Admitted,
  group: string | undefined,
  attributes: Attributes,
): Attributes {
  return attributes
    .text('user.id', String(caller.userId))
    .whole('tollgate.user.id', caller.userId)
    .whole('tollgate.token.id', caller.tokenId || undefined)
    .text('tollgate.token.name', caller.tokenName)
    .text('tollgate.group', group ?? own)
}

function describeTry(trace: CallTrace, one: TracedTry): Span {
  const { order, operation, flows, endedAt } = trace
  const { channel, model, error } = one
  const isLast = one === trace.tries.at(-1)
  const attributes = new Attributes()
    .text('gen_ai.operation.name', operation.name)
    .text('gen_ai.provider.name', providerName(channel.type))
    .text('gen_ai.request.model', model)
    .flag('gen_ai.request.stream', order?.stream ? true : undefined)
    .real('gen_ai.response.time_to_first_chunk', isLast ? firstChunkAfter(trace, one.beganAt) : undefined)
    .whole('http.response.status_code', one.status)
    .text('error.type', error)
    .whole('tollgate.channel.id', channel.id)
    .whole('tollgate.channel.type', channel.type)
  return {
    traceId: trace.traceId,
    spanId: one.spanId,
    parentSpanId: trace.spanId,
    flags: RECORDED,
    name: `${operation.name} ${model}`,
    kind: spanKinds.client,
    startTimeUnixNano: timeOf(trace, one.beganAt),
    endTimeUnixNano: timeOf(trace, one.endedAt ?? (flows ? endedAt : (one.answeredAt ?? endedAt))),
    attributes: attributes.list,
    ...(error !== undefined && failed),
  }
}

/** In seconds, of streams. */
function firstChunkAfter({ order, flows }: CallTrace, at: number): number | undefined {
  const { firstByteAt } = order ?? {}
  return flows && order?.stream && firstByteAt !== undefined ? (firstByteAt - at) / 1000 : undefined
}

function timeOf({ beganAt, beganOn }: CallTrace, at: number): string {
  return nanos(beganOn + (at - beganAt))
}
