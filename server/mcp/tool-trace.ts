import { asText, type JsonObject } from '../dialects/json.ts'
import { AppError } from '../errors.ts'
import { Attributes, nanos, type Span, spanKinds } from '../otlp/span.ts'
import { ClientGone } from '../relay/stream/client-gone.ts'
import { newSpanId } from '../relay/tracing/call-trace.ts'
import { describeCaller, failed, placed, RECORDED } from '../relay/tracing/describe-call.ts'
import {
  readContext,
  readTraceContext,
  type TraceContext,
  type TracePlace,
} from '../relay/tracing/trace-context.ts'
import type { Usable } from './access.ts'
import { RpcFailure, type RpcRequest } from './json-rpc.ts'
import { metaOf } from './protocol.ts'
import { codeOf } from './refuse.ts'
import type { Visit } from './visit.ts'

/** What a tool is called here, and by its server. */
export interface NamedTool {
  readonly usable: Usable
  readonly name: string
  readonly model: string
}

/** What is noted of one call of a tool for its spans. There is one only where a collector is named. */
export class ToolTrace {
  readonly traceId: string
  readonly #visit: Visit
  readonly #request: RpcRequest
  readonly #tool: NamedTool
  readonly #place: TracePlace
  readonly #spanId = newSpanId()
  readonly #beganAt = performance.now()
  readonly #beganOn = Date.now()
  #askedAt: number | undefined
  #answeredAt: number | undefined
  quota: number | undefined

  private constructor(visit: Visit, request: RpcRequest, tool: NamedTool, place: TracePlace) {
    this.traceId = place.traceId
    this.#visit = visit
    this.#request = request
    this.#tool = tool
    this.#place = place
  }

  static begin(visit: Visit, request: RpcRequest, tool: NamedTool): ToolTrace | undefined {
    const { tracer } = visit.parts.relay
    const place = tracer?.placeOf(visit.incoming, parentOf(visit, request))
    return place && new ToolTrace(visit, request, tool, place)
  }

  noteAsked(): void {
    this.#askedAt = performance.now()
  }

  /** The server has answered, with whatever. */
  noteAnswered(): void {
    this.#answeredAt = performance.now()
  }

  /** It is over: by an answer, or by what was thrown. */
  end(answer: JsonObject | undefined, error?: unknown): void {
    const endedAt = performance.now()
    const { parts, incoming } = this.#visit
    parts.relay.tracer?.tell(incoming, () => this.#describe(endedAt, answer, error))
  }

  #describe(endedAt: number, answer: JsonObject | undefined, error: unknown): Span[] {
    const { incoming, admitted } = this.#visit
    const { usable, model } = this.#tool
    const kind = kindOf(answer, error)
    const attributes = this.#common()
      .text('http.request.method', incoming.request.method)
      .text('url.path', incoming.path)
      .text('jsonrpc.request.id', String(this.#request.id))
      .text('error.type', kind)
      .text('rpc.response.status_code', error === undefined ? undefined : String(numberOf(error)))
      .text('tollgate.model', model)
      .whole('tollgate.quota', this.quota)
      .text('tollgate.request.id', incoming.requestId)
      .text('tollgate.error.code', error instanceof AppError ? error.code : undefined)
    describeCaller(admitted, usable.group, attributes)
    const whole: Span = {
      ...placed(this.#place, this.#spanId),
      name: this.#spanName,
      kind: spanKinds.server,
      startTimeUnixNano: this.#timeOf(this.#beganAt),
      endTimeUnixNano: this.#timeOf(endedAt),
      attributes: attributes.list,
      ...(kind !== undefined && failed),
    }
    return this.#askedAt === undefined ? [whole] : [whole, this.#describeServer(this.#askedAt, endedAt, kind)]
  }

  /** What its server took; a failure after its answer is not the server's. */
  #describeServer(askedAt: number, endedAt: number, kind: string | undefined): Span {
    const answeredAt = this.#answeredAt
    const own = answeredAt === undefined || kind === TOOL_FAILED ? kind : undefined
    return {
      traceId: this.traceId,
      spanId: newSpanId(),
      parentSpanId: this.#spanId,
      flags: RECORDED,
      name: this.#spanName,
      kind: spanKinds.client,
      startTimeUnixNano: this.#timeOf(askedAt),
      endTimeUnixNano: this.#timeOf(answeredAt ?? endedAt),
      attributes: this.#common().text('error.type', own).list,
      ...(own !== undefined && failed),
    }
  }

  get #spanName(): string {
    return `${this.#request.method} ${this.#tool.name.slice(0, LONGEST_NAME)}`
  }

  #common(): Attributes {
    return new Attributes()
      .text('gen_ai.operation.name', 'execute_tool')
      .text('gen_ai.tool.name', this.#tool.name)
      .text('mcp.method.name', this.#request.method)
      .text('tollgate.mcp.server', this.#tool.usable.server.name)
  }

  #timeOf(at: number): string {
    return nanos(this.#beganOn + (at - this.#beganAt))
  }
}

const LONGEST_NAME = 128
/** As the conventions call what a tool itself says has failed. */
const TOOL_FAILED = 'tool_error'

/** Clients of this protocol send it beside the arguments; a header is of whoever carries the request. */
function parentOf({ incoming }: Visit, { params }: RpcRequest): TraceContext | undefined {
  const { traceparent, tracestate } = metaOf(params)
  const inside = asText(traceparent)
  if (inside === undefined) return readTraceContext(incoming.request.headers)
  return readContext(inside, asText(tracestate) ?? null)
}

function kindOf(answer: JsonObject | undefined, error: unknown): string | undefined {
  if (answer) return answer.isError === true ? TOOL_FAILED : undefined
  if (error instanceof ClientGone) return 'client'
  if (error instanceof AppError) return error.code
  return error instanceof RpcFailure ? String(error.code) : '_OTHER'
}

function numberOf(error: unknown): number {
  return error instanceof RpcFailure ? error.code : codeOf(error)
}
