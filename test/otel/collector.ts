import { gunzipSync } from 'node:zlib'
import { readExport, type SeenSpan } from './check-export.ts'

const SERVER = 2
const CLIENT = 3

/** A collector of traces on loopback, and nothing that is not as the protocol has it passes without a complaint. */
export class Collector {
  readonly spans: SeenSpan[] = []
  readonly complaints: string[] = []
  /** Bodies as they came, unpacked. */
  readonly texts: string[] = []
  /** Spans of each export, also of those that were not taken. */
  readonly sizes: number[] = []
  /** In place of taking the next ones. */
  readonly answers: (() => Response | Promise<Response>)[] = []
  readonly #headers: Readonly<Record<string, string>>
  readonly #server: Bun.Server<undefined>

  constructor(headers: Readonly<Record<string, string>> = {}, port = 0) {
    this.#headers = headers
    this.#server = Bun.serve({
      port,
      hostname: '127.0.0.1',
      idleTimeout: 0,
      fetch: request => this.#take(request),
    })
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  stop(): Promise<void> {
    return this.#server.stop(true)
  }

  /** The span of a call, by the number that its client got, and those of its tries in their order. */
  find(requestId: string): { call: SeenSpan; tries: SeenSpan[] } | undefined {
    const call = this.spans.find(
      span => span.kind === SERVER && span.attributes['tollgate.request.id'] === requestId,
    )
    return call && { call, tries: this.triesOf(call) }
  }

  triesOf(call: SeenSpan): SeenSpan[] {
    const inside = this.spans.filter(span => span.kind === CLIENT && span.parentSpanId === call.spanId)
    return inside.sort((one, other) => Number(one.start - other.start))
  }

  async #take(request: Request): Promise<Response> {
    const { method, headers } = request
    const { pathname } = new URL(request.url)
    if (method !== 'POST' || pathname !== '/v1/traces') this.complaints.push(`${method} ${pathname}`)
    const expected = { 'content-type': 'application/json', 'content-encoding': 'gzip', ...this.#headers }
    for (const [name, value] of Object.entries(expected))
      if (headers.get(name) !== value) this.complaints.push(`${name}: ${headers.get(name)}`)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(gunzipSync(await request.bytes()))
    const spans = readExport(JSON.parse(text), words => this.complaints.push(words))
    this.texts.push(text)
    this.sizes.push(spans.length)
    if (spans.length === 0 || spans.length > 512) this.complaints.push(`${spans.length} spans at once`)
    const answer = this.answers.shift()
    if (answer) return answer()
    this.spans.push(...spans)
    return Response.json({})
  }
}
