import { createHmac } from 'node:crypto'
import type { AnyJson } from './any-json.ts'
import { until } from './program.ts'
import type { Certificate } from './services/authority.ts'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly text: string
  readonly json: AnyJson
}

type Answer = (received: Received) => Response | Promise<Response>

const taken: Answer = () => new Response('ok')

/** Somebody's own server that takes notices, and nothing that is not as it should be. */
export class NoticeReceiver {
  readonly received: Received[] = []
  answer: Answer = taken
  readonly #server: Bun.Server<unknown>

  constructor(tls?: Certificate) {
    this.#server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      idleTimeout: 0,
      ...(tls ? { tls } : {}),
      fetch: request => this.#take(request),
    })
  }

  get port(): number {
    return this.#server.port ?? 0
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** The next that comes, or has come. */
  next(): Promise<Received> {
    return until(() => this.received.shift())
  }

  reset(): void {
    this.received.length = 0
    this.answer = taken
  }

  async close(): Promise<void> {
    await this.#server.stop(true)
  }

  async #take(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    const text = await request.text()
    const { method, headers } = request
    const refuse = (why: string) => new Response(why, { status: 400 })
    if (headers.get('host')?.includes('127.0.0.1') !== request.url.includes('127.0.0.1'))
      return refuse('host')
    if (method === 'GET' && text !== '') return refuse('a GET has no body')
    if (method !== 'GET' && method !== 'POST') return refuse('method')
    if (method === 'POST' && headers.get('content-type') !== 'application/json') return refuse('content type')
    if (headers.has('transfer-encoding')) return refuse('length')
    if (headers.has('cookie') || headers.has('authorization')) return refuse('not for here')
    let json: AnyJson
    try {
      json = method === 'POST' ? JSON.parse(text) : undefined
    } catch {
      return refuse('JSON')
    }
    const received = { method, path: pathname + search, headers, text, json }
    this.received.push(received)
    return this.answer(received)
  }
}

const parts = ['content', 'timestamp', 'title', 'type', 'values']

/** A notice in the plain form; throws when it is anything else, or is not signed with the secret. */
export function readNotice({ json, text, headers }: Received, secret?: string): AnyJson {
  const has = Object.keys(json).sort()
  const isShaped =
    JSON.stringify(has) === JSON.stringify(parts) &&
    [json.type, json.title, json.content].every(part => typeof part === 'string' && part !== '') &&
    Array.isArray(json.values) &&
    Number.isSafeInteger(json.timestamp)
  if (!isShaped) throw new Error(`no notice: ${text}`)
  const expected = secret === undefined ? null : createHmac('sha256', secret).update(text).digest('hex')
  if (headers.get('x-webhook-signature') !== expected) throw new Error('the signature is wrong')
  return json
}
