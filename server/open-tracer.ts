import type { OtelEnv } from './otel-env.ts'
import { SpanExporter } from './otlp/exporter.ts'
import { Attributes } from './otlp/span.ts'
import { createOutbound } from './outbound/client.ts'
import { Tracer } from './relay/tracing/tracer.ts'
import { version } from './version.ts'

/** What makes spans of calls, where the environment names a collector. Every worker is an instance of its own. */
export function openTracer(env: OtelEnv | undefined): Tracer | undefined {
  if (!env) return undefined
  const { url, headers, serviceName, attributes, sampling } = env
  const usual = {
    'service.name': serviceName,
    'service.version': version,
    'service.instance.id': crypto.randomUUID(),
    'telemetry.sdk.name': 'tollgate',
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.version': version,
  }
  const resource = new Attributes()
  for (const [key, value] of Object.entries({ ...usual, ...attributes })) resource.text(key, value)
  // Whoever sets the environment may mean a collector beside the program, whatever upstreams may be.
  const outbound = createOutbound()
  return new Tracer(
    new SpanExporter(outbound, { url, headers, resource, scope: { name: 'tollgate', version } }),
    sampling,
  )
}
