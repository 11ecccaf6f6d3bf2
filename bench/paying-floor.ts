/**
 * The least that a relay costs in this runtime once its calls are paid for: the floor, and besides it knows the key,
 * reads what is asked and answered, and hands nothing over before its charge is on disk. No routing, no limits, no
 * second tries, no conversion. Arguments: a port, the upstream, a folder and the one key.
 */

interface Waiting {
  readonly move: { readonly id: string; readonly kind: 'hold' | 'charge'; readonly quota: number }
  resolve(): void
}

interface Told {
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

const [port, upstream = '', folder = '', key] = process.argv.slice(2)
const HOLD = 1024
const usageMark = Buffer.from('"usage":{')
const { indexOf } = Buffer.prototype

const books = new Worker(new URL('./paying-books.ts', import.meta.url), { argv: [folder] })
let forming: Waiting[] = []
let committing: Waiting[] | undefined

/** Resolves when it is on disk; whoever comes while a commit is under way shares the next. */
function write(kind: 'hold' | 'charge', id: string, quota: number): Promise<void> {
  return new Promise(resolve => {
    forming.push({ move: { id, kind, quota }, resolve })
    if (!committing) queueMicrotask(commit)
  })
}

function commit(): void {
  if (committing || forming.length === 0) return
  committing = forming
  forming = []
  books.postMessage(JSON.stringify(committing.map(({ move }) => move)))
}

books.onmessage = () => {
  for (const { resolve } of committing ?? []) resolve()
  committing = undefined
  commit()
}

function costOf({ usage }: Told): number {
  if (!usage) throw new Error('The upstream has told no usage')
  return usage.prompt_tokens + usage.completion_tokens * 4
}

async function passOn(request: Request, pathname: string): Promise<Response> {
  if (request.headers.get('authorization') !== `Bearer ${key}`) return new Response(null, { status: 401 })
  const body = await request.text()
  const { model, stream } = JSON.parse(body)
  if (typeof model !== 'string') return new Response(null, { status: 400 })
  const id = Bun.randomUUIDv7('hex')
  const asking = fetch(upstream + pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-upstream' },
    body,
    signal: request.signal,
  })
  if (!stream) {
    const text = await (await asking).text()
    await write('charge', id, costOf(JSON.parse(text)))
    return new Response(text, { headers: { 'content-type': 'application/json' } })
  }
  const [answer] = await Promise.all([asking, write('hold', id, HOLD)])
  const reader = answer.body?.getReader()
  if (!reader) return new Response(null, { status: 502 })
  return streamed(async sink => {
    for (let next = await reader.read(); next.value; next = await reader.read()) {
      const at = indexOf.call(next.value, usageMark)
      if (at >= 0) await write('charge', id, costOf(readUsage(next.value)))
      sink.write(next.value)
    }
    sink.close()
  })
}

/** Out of the frame that tells it. */
function readUsage(bytes: Uint8Array): Told {
  const frame = new TextDecoder()
    .decode(bytes)
    .split('\n')
    .find(line => line.includes('"usage":{'))
  return JSON.parse(frame?.slice('data: '.length) ?? '{}')
}

function streamed(pull: (sink: ReadableStreamDirectController) => Promise<void>): Response {
  // The browsers' types, which the console needs, do not know this kind of source.
  const stream: ReadableStream = Reflect.construct(ReadableStream, [{ type: 'direct', pull }])
  return new Response(stream, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
}

Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  idleTimeout: 0,
  fetch(request) {
    const { pathname } = new URL(request.url)
    return pathname === '/floor-is-up' ? new Response('yes') : passOn(request, pathname)
  },
})
