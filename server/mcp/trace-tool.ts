import { asText, type JsonObject } from '../dialects/json.ts'
import { AppError } from '../errors.ts'
import { ClientGone } from '../relay/stream/client-gone.ts'
import { TOOL_FAILED, type ToolOutcome, ToolTrace } from '../relay/tracing/tool-trace.ts'
import { readContext, readTraceContext, type TraceContext } from '../relay/tracing/trace-context.ts'
import type { Usable } from './access.ts'
import { RpcFailure, type RpcRequest } from './json-rpc.ts'
import { metaOf } from './protocol.ts'
import { codeOf } from './refuse.ts'
import type { Visit } from './visit.ts'

/** A tool that may be called: whose it is, and what it is called there and in the log. */
export interface NamedTool {
  readonly usable: Usable
  readonly name: string
  readonly model: string
}

/** Undefined without a collector, or where this call is none of those that it wants. */
export function traceTool(visit: Visit, request: RpcRequest, tool: NamedTool): ToolTrace | undefined {
  const { parts, incoming, admitted } = visit
  const { tracer } = parts.relay
  if (!tracer) return undefined
  const { usable, name, model } = tool
  const { method, id } = request
  const called = { server: usable.server.name, tool: name, model }
  return ToolTrace.begin(tracer, { incoming, admitted, method, id, ...called }, parentOf(visit, request))
}

/** Clients of this protocol send it beside the arguments; a header is of whoever carries the request. */
function parentOf({ incoming }: Visit, { params }: RpcRequest): TraceContext | undefined {
  const { traceparent, tracestate } = metaOf(params)
  const inside = asText(traceparent)
  if (inside === undefined) return readTraceContext(incoming.request.headers)
  return readContext(inside, asText(tracestate) ?? null)
}

export function outcomeOf(answer: JsonObject): ToolOutcome {
  return answer.isError === true ? { error: TOOL_FAILED } : {}
}

/** The same of what was thrown in place of an answer. */
export function failureOf(error: unknown): ToolOutcome {
  if (error instanceof RpcFailure) return { error: String(error.code), status: error.code }
  const status = codeOf(error)
  if (error instanceof ClientGone) return { error: 'client', status }
  return error instanceof AppError
    ? { error: error.code, status, code: error.code }
    : { error: '_OTHER', status }
}
