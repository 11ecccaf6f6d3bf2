import { serveLoopback } from '../serve-loopback.ts'

/** One request as a fake upstream saw it. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly text: string
  readonly json: Record<string, unknown>
  readonly form: FormData | undefined
}

export interface FakeServer {
  readonly url: string
  readonly requests: Asked[]
  /** What a strict vendor would have refused. */
  readonly complaints: string[]
  stop(): Promise<void>
}

/** A vendor's own refusal; what is asked wrongly is also a complaint. */
export class Wrong extends Error {
  readonly status: number
  readonly body: unknown
  constructor(status: number, body: unknown, complaint: string) {
    super(complaint)
    this.status = status
    this.body = body
  }
}

export function serveFake(answer: (asked: Asked) => Response | Promise<Response>): FakeServer {
  const requests: Asked[] = []
  const complaints: string[] = []
  const server = serveLoopback(async request => {
    const asked = await readAsked(request).catch(() => undefined)
    // It was broken off before its end: nobody hears the answer.
    if (!asked) return new Response(null, { status: 400 })
    requests.push(asked)
    try {
      return await answer(asked)
    } catch (error) {
      if (!(error instanceof Wrong)) throw error
      complaints.push(`${asked.method} ${asked.path}: ${error.message}`)
      return Response.json(error.body, { status: error.status })
    }
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    complaints,
    stop: () => server.stop(true),
  }
}

async function readAsked(request: Request): Promise<Asked> {
  const { pathname, searchParams } = new URL(request.url)
  const type = request.headers.get('content-type') ?? ''
  const bytes = await request.arrayBuffer()
  const text = new TextDecoder().decode(bytes)
  const form = type.startsWith('multipart/form-data')
    ? await new Response(bytes, { headers: { 'content-type': type } }).formData()
    : undefined
  return {
    method: request.method,
    path: pathname,
    query: searchParams,
    headers: request.headers,
    text,
    json: type.startsWith('application/json') ? (JSON.parse(text) as Record<string, unknown>) : {},
    form,
  }
}

/** Fields that a vendor does not know are a mistake of whoever sends them. */
export function onlyFields(asked: Asked, known: readonly string[], refuse: (text: string) => Wrong): void {
  for (const field of Object.keys(asked.json))
    if (!known.includes(field)) throw refuse(`unknown field ${field}`)
}
