import { serveLoopback } from '../serve-loopback.ts'

/** What reached the API. */
export interface SeenCall {
  readonly method: string
  /** As it came, with its query. */
  readonly target: string
  readonly headers: Headers
  readonly bytes: number
  readonly text: string
}

/** Some HTTP API of its own kind, below `/base`, which looks strictly at whoever asks. */
export interface AnyApi {
  readonly url: string
  readonly host: string
  readonly key: string
  readonly seen: SeenCall[]
  /** How many calls have come, also those whose bodies are not here yet. */
  begun: number
  /** How many of those never came whole. */
  brokenOff: number
  /** What no client may do: come without the key, outside of the base, or with what is none of its business. */
  readonly complaints: string[]
  /** Answers everything so until it is undefined again. */
  status: number | undefined
  /** Sends the next event to whoever listens, or ends. */
  tell(event: string | undefined): void
  /** Whether somebody listens. */
  isListenedTo(): boolean
  stop(): Promise<void>
}

const KEY = 'any-api-key-0123456789abcdef'
/** Said to the gateway, and to nobody behind it. */
const keptBack = [
  'cookie',
  'x-forwarded-for',
  'x-real-ip',
  'origin',
  'referer',
  'x-tollgate-labels',
  'x-litellm-tags',
]

type Teller = ReadableStreamDefaultController<Uint8Array>

export function startAnyApi(
  hasKey: (call: Request) => boolean = ({ headers }) => headers.get('authorization') === `Bearer ${KEY}`,
): AnyApi {
  const seen: SeenCall[] = []
  const complaints: string[] = []
  let listener: Teller | undefined
  const server = serveLoopback(async request => {
    api.begun++
    const { pathname, search } = new URL(request.url)
    const target = `${pathname}${search}`
    const call = await read(request, target).catch(error => {
      api.brokenOff++
      throw error
    })
    seen.push(call)
    const all = JSON.stringify([target, [...request.headers]])
    if (/sk-/.test(all)) complaints.push(`${target} has a token of the gateway's`)
    for (const name of keptBack) if (request.headers.has(name)) complaints.push(`${target} has ${name}`)
    if (!/^\/base(\/|$)/.test(pathname)) complaints.push(`${target} is outside`)
    if (!hasKey(request)) return Response.json({ error: 'who are you?' }, { status: 401 })
    if (api.status !== undefined) return failure(api.status)
    return answer(call, pathname.slice('/base'.length))
  })
  const host = `127.0.0.1:${server.port}`

  const failure = (status: number): Response =>
    Response.json(
      { error: `${status} at ${host}, key ${KEY}`, status },
      { status, headers: { 'x-trace': 'a1' } },
    )

  function answer({ method, target, headers, bytes, text }: SeenCall, path: string): Response {
    const [, kind = '', detail = ''] = path.split('/')
    switch (kind) {
      case 'refusing':
      case 'status':
        return failure(Number(detail))
      case 'picture':
        return new Response(new Uint8Array([137, 80, 78, 71]), {
          status: 422,
          headers: { 'content-type': 'image/png' },
        })
      case 'nothing':
        return new Response(null, { status: 204, headers: { 'x-left': '3' } })
      case 'redirect':
        return new Response(null, {
          status: 302,
          headers: {
            location: {
              below: `http://${host}/base/echo/moved?x=1`,
              relative: '../echo/near',
              outside: `http://${host}/secret`,
              again: `http://${host}${target}&x=1`,
              door: 'https://127.0.0.1:1/base/x',
              elsewhere: 'https://files.example/signed?sig=1',
            }[detail] as string,
          },
        })
      case 'large': {
        const size = Number(detail)
        let sent = 0
        return new Response(
          new ReadableStream({
            pull(controller) {
              if (sent >= size) return controller.close()
              const piece = new Uint8Array(Math.min(65_536, size - sent)).fill(7)
              sent += piece.byteLength
              controller.enqueue(piece)
            },
          }),
          { headers: { 'content-type': 'application/octet-stream' } },
        )
      }
      case 'events':
      case 'pieces': {
        const type = kind === 'events' ? 'text/event-stream' : 'application/octet-stream'
        const body = new ReadableStream<Uint8Array>({
          start: controller => {
            listener = controller
          },
          cancel: () => {
            listener = undefined
          },
        })
        return new Response(body, { headers: { 'content-type': type } })
      }
      default:
        return Response.json(
          { method, target, headers: Object.fromEntries(headers), bytes, text },
          {
            headers: {
              'set-cookie': 'theirs=1; Path=/',
              'x-total': '42',
              'x-home': `http://${host}/base`,
              'x-ratelimit-remaining': '7',
              'content-security-policy': "default-src 'self'",
              'clear-site-data': '"*"',
              'x-accel-redirect': '/inside',
              'x-sendfile': '/etc/passwd',
              'cdn-cache-control': 'public, max-age=3600',
              'surrogate-control': 'max-age=3600',
              'access-control-allow-origin': 'https://theirs.example',
              etag: '"v1"',
            },
          },
        )
    }
  }

  const api: AnyApi = {
    url: `http://${host}/base`,
    host,
    key: KEY,
    seen,
    begun: 0,
    brokenOff: 0,
    complaints,
    status: undefined,
    tell(event) {
      if (event === undefined) {
        listener?.close()
        listener = undefined
      } else listener?.enqueue(new TextEncoder().encode(event))
    },
    isListenedTo: () => listener !== undefined,
    stop: () => server.stop(true),
  }
  return api
}

/** Bodies may be large: of those only the size is kept. */
async function read(request: Request, target: string): Promise<SeenCall> {
  const { method, headers } = request
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes < 100_000) text += decoder.decode(chunk, { stream: true })
  }
  return { method, target, headers, bytes, text }
}
