import { log } from '../../log.ts'
import type { SpanExporter } from '../../otlp/exporter.ts'
import type { Span } from '../../otlp/span.ts'
import type { Incoming } from '../request/incoming.ts'
import type { Route } from '../request/match-route.ts'
import { CallTrace } from './call-trace.ts'
import { describeCall } from './describe-call.ts'
import { type Operation, operationOf, templateOf } from './operations.ts'
import { isSampled, type Sampling } from './sampling.ts'
import { readTraceContext, type TraceContext, type TracePlace } from './trace-context.ts'

/** Calls become spans. There is one only where a collector is named. */
export class Tracer {
  readonly #exporter: SpanExporter
  readonly #sampling: Sampling

  constructor(exporter: SpanExporter, sampling: Sampling) {
    this.#exporter = exporter
    this.#sampling = sampling
  }

  /** Undefined where nobody wants to see it. */
  begin(incoming: Incoming, route: Route | undefined): CallTrace | undefined {
    const operation = operationOf(route)
    if (!operation) return undefined
    return this.#begin(incoming, operation, templateOf(incoming.path), this.#tell)
  }

  /** A call about a long job: those that submit one are told. */
  beginTask(incoming: Incoming, route: string): CallTrace | undefined {
    return this.#begin(incoming, { name: 'generate_content' }, route, trace => {
      if (trace.order ?? trace.refused) this.#tell(trace)
    })
  }

  #begin(
    incoming: Incoming,
    operation: Operation,
    route: string,
    tell: (trace: CallTrace) => void,
  ): CallTrace | undefined {
    const place = this.placeOf(incoming, readTraceContext(incoming.request.headers))
    if (!place) return undefined
    const trace = new CallTrace(incoming, { ...place, operation, route }, tell)
    incoming.trace = trace
    return trace
  }

  /** The trace that a call is a part of; undefined where nobody wants to see it. */
  placeOf({ requestId }: Incoming, parent: TraceContext | undefined): TracePlace | undefined {
    // So that who knows a call by its number finds its trace.
    const traceId = parent?.traceId ?? requestId.replaceAll('-', '')
    return isSampled(this.#sampling, traceId, parent) ? { traceId, parent } : undefined
  }

  readonly #tell = (trace: CallTrace): void => this.tell(trace.incoming, () => describeCall(trace))

  /** Whatever is wrong with what is told, the call itself is not. */
  tell({ requestId }: Incoming, describe: () => Span[]): void {
    try {
      this.#exporter.add(describe())
    } catch (error) {
      log.error('a call could not be told as spans', { requestId, error })
    }
  }

  /** The process ends. */
  close(withinMs: number): Promise<void> {
    return this.#exporter.close(withinMs)
  }
}
