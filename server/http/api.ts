import { Hono } from 'hono'
import { type Endpoint, IDEMPOTENCY_HEADER } from '../../contract/endpoint.ts'
import { type EndpointName, endpoints } from '../../contract/index.ts'
import { AppError } from '../errors.ts'
import { allowAnyPage, preflight } from '../relay/request/cors.ts'
import type { App } from '../services/app.ts'
import type { Call, Caller, Handlers } from '../services/call.ts'
import { authenticate } from './authenticate.ts'
import type { Exchange } from './exchange.ts'
import { refuseForeignOrigin } from './origin-check.ts'
import type { RateLimits } from './rate-limits.ts'
import { readInput } from './read-input.ts'
import { notFound, renderError, squeezedJson } from './render.ts'
import { searchOf } from './request-path.ts'
import { browserCookie, sessionCookie } from './session-cookie.ts'
import { writeOutput } from './write-output.ts'

type Bindings = { Bindings: { exchange: Exchange } }
/** What takes longer is not cut off by the connection's own clock. */
const PATIENCE_MS = 5000

type AnyHandler = (call: Call<unknown, unknown, Caller | undefined>) => unknown

export type ApiHandlers = Handlers<EndpointName>

/** The management API: the endpoint table bound to its handlers, and nothing besides. */
export class Api {
  readonly #app: App
  readonly #limits: RateLimits
  /** Their paths have no parameters. */
  readonly #forAnyPage = new Set<string>()
  readonly router: Hono<Bindings>

  constructor(app: App, limits: RateLimits, handlers: ApiHandlers) {
    this.#app = app
    this.#limits = limits
    // The raw path is routed, so that `%75ser` is not `user` to one guard and something else to the next.
    this.router = new Hono<Bindings>({ getPath: (_request, options) => routedPath(options?.env) })
    for (const name of Object.keys(endpoints) as EndpointName[]) {
      const endpoint: Endpoint = endpoints[name]
      const handler = handlers[name] as AnyHandler
      if (endpoint.anyPage) this.#forAnyPage.add(endpoint.path)
      this.router.on(endpoint.method, endpoint.path, context =>
        this.#serve(endpoint, handler, context.env.exchange, context.req.param()),
      )
    }
    this.router.notFound(context => notFound(context.env.exchange))
    this.router.onError((error, context) => renderError(error, context.env.exchange))
  }

  async fetch(exchange: Exchange): Promise<Response> {
    const { request } = exchange
    const isForAnyPage = this.#forAnyPage.has(routedPath({ exchange }))
    if (isForAnyPage && request.method === 'OPTIONS') return preflight(request)
    const response = await this.router.fetch(request, { exchange })
    if (isForAnyPage) allowAnyPage(response.headers)
    return response
  }

  async #serve(
    endpoint: Endpoint,
    handler: AnyHandler,
    exchange: Exchange,
    params: Record<string, string>,
  ): Promise<Response> {
    const counted = this.#limits.take(endpoint.rate, exchange)
    if (counted) await counted
    // The router takes HEAD for GET; what only looks must not change anything.
    const isLook = exchange.request.method === 'HEAD'
    if (isLook && endpoint.changes) throw new AppError('request.method', { method: 'HEAD' })
    if (endpoint.changes) refuseForeignOrigin(exchange, this.#app.settings.get('ServerAddress'))
    const session = sessionCookie(exchange)
    const open = endpoint.openNearby && exchange.isNearby
    const caller = open ? undefined : await authenticate(this.#app, exchange, session, endpoint)
    const input = await readInput(endpoint, exchange, searchOf(exchange.request.url))
    const { language, address, userAgent } = exchange
    const { headers } = exchange.request
    const authorization = headers.get('authorization')
    const signature = endpoint.signedBy ? headers.get(endpoint.signedBy) : null
    const idempotencyKey = endpoint.once ? headers.get(IDEMPOTENCY_HEADER) : null
    const browser = browserCookie(exchange)
    const proofs = { authorization, signature, idempotencyKey, session, browser }
    const call = { ...input, params, caller, language, address, userAgent, ...proofs }
    const patience = setTimeout(() => exchange.keepOpen(), PATIENCE_MS)
    try {
      const response = await answer(endpoint, await handler(call), exchange.request)
      // Nobody will read it, and some go on for as long as someone might.
      if (isLook) await response.body?.cancel()
      return response
    } finally {
      clearTimeout(patience)
    }
  }
}

/** Both slash forms of a path are the same path. */
function routedPath(env: Bindings['Bindings'] | undefined): string {
  const path = env?.exchange.path ?? '/'
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

async function answer(endpoint: Endpoint, output: unknown, request: Request): Promise<Response> {
  if (endpoint.shape !== 'raw') return squeezedJson(await writeOutput(endpoint, output), request)
  if (output instanceof Response) return output
  throw new AppError('server.internal', {}, new Error(`${endpoint.path} gave no response`))
}
