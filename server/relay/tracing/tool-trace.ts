import { Attributes, nanos, type Span, spanKinds } from '../../otlp/span.ts'
import type { Admitted } from '../callers/authorise.ts'
import type { Incoming } from '../request/incoming.ts'
import { newSpanId } from './call-trace.ts'
import { describeCaller, failed, placed, RECORDED } from './describe-call.ts'
import type { TraceContext, TracePlace } from './trace-context.ts'
import type { Tracer } from './tracer.ts'

/** A call of a tool, as its spans tell of it. */
export interface TracedTool {
  readonly incoming: Incoming
  readonly admitted: Admitted
  /** As the protocol calls it, and the client's own number for it. */
  readonly method: string
  readonly id: string | number
  readonly server: string
  readonly tool: string
  /** As the log calls it. */
  readonly model: string
}

/** How it ended; without an error, well. */
export interface ToolOutcome {
  readonly error?: string | undefined
  /** The protocol's number for that. */
  readonly status?: number | undefined
  /** Our own word for it. */
  readonly code?: string | undefined
}

/** As the conventions call what a tool itself says has failed. */
export const TOOL_FAILED = 'tool_error'

const LONGEST_NAME = 128

/** What is noted of one call of a tool for its spans. There is one only where a collector is named. */
export class ToolTrace {
  readonly #tracer: Tracer
  readonly #call: TracedTool
  readonly #place: TracePlace
  readonly #spanId = newSpanId()
  readonly #beganAt = performance.now()
  readonly #beganOn = Date.now()
  #askedAt: number | undefined
  #answeredAt: number | undefined
  /** The group in which it is paid, once that is known. */
  group: string | undefined
  /** What was charged. */
  quota: number | undefined

  private constructor(tracer: Tracer, call: TracedTool, place: TracePlace) {
    this.#tracer = tracer
    this.#call = call
    this.#place = place
  }

  /** Undefined where nobody wants to see it. */
  static begin(tracer: Tracer, call: TracedTool, parent: TraceContext | undefined): ToolTrace | undefined {
    const place = tracer.placeOf(call.incoming, parent)
    return place && new ToolTrace(tracer, call, place)
  }

  get traceId(): string {
    return this.#place.traceId
  }

  noteAsked(): void {
    this.#askedAt = performance.now()
  }

  /** The server has answered, with whatever. */
  noteAnswered(): void {
    this.#answeredAt = performance.now()
  }

  end(outcome: ToolOutcome): void {
    const endedAt = performance.now()
    this.#tracer.tell(this.#call.incoming, () => this.#describe(endedAt, outcome))
  }

  #describe(endedAt: number, { error, status, code }: ToolOutcome): Span[] {
    const { incoming, admitted, id, model } = this.#call
    const attributes = this.#common()
      .text('http.request.method', incoming.request.method)
      .text('url.path', incoming.path)
      .text('jsonrpc.request.id', String(id))
      .text('error.type', error)
      .text('rpc.response.status_code', status === undefined ? undefined : String(status))
      .text('tollgate.model', model)
      .whole('tollgate.quota', this.quota)
      .text('tollgate.request.id', incoming.requestId)
      .text('tollgate.error.code', code)
    const whole: Span = {
      ...placed(this.#place, this.#spanId),
      name: this.#name,
      kind: spanKinds.server,
      startTimeUnixNano: this.#timeOf(this.#beganAt),
      endTimeUnixNano: this.#timeOf(endedAt),
      attributes: describeCaller(admitted, this.group, attributes).list,
      ...(error !== undefined && failed),
    }
    return this.#askedAt === undefined
      ? [whole]
      : [whole, this.#describeServer(this.#askedAt, endedAt, error)]
  }

  /** What its server took; a failure after its answer is not the server's. */
  #describeServer(askedAt: number, endedAt: number, error: string | undefined): Span {
    const answeredAt = this.#answeredAt
    const own = answeredAt === undefined || error === TOOL_FAILED ? error : undefined
    return {
      traceId: this.traceId,
      spanId: newSpanId(),
      parentSpanId: this.#spanId,
      flags: RECORDED,
      name: this.#name,
      kind: spanKinds.client,
      startTimeUnixNano: this.#timeOf(askedAt),
      endTimeUnixNano: this.#timeOf(answeredAt ?? endedAt),
      attributes: this.#common().text('error.type', own).list,
      ...(own !== undefined && failed),
    }
  }

  get #name(): string {
    return `${this.#call.method} ${this.#call.tool.slice(0, LONGEST_NAME)}`
  }

  #common(): Attributes {
    return new Attributes()
      .text('gen_ai.operation.name', 'execute_tool')
      .text('gen_ai.tool.name', this.#call.tool)
      .text('mcp.method.name', this.#call.method)
      .text('tollgate.mcp.server', this.#call.server)
  }

  #timeOf(at: number): string {
    return nanos(this.#beganOn + (at - this.#beganAt))
  }
}
