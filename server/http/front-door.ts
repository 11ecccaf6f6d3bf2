import { AppError } from '../errors.ts'
import { log } from '../log.ts'
import type { McpGateway } from '../mcp/gateway.ts'
import { findMcpPath } from '../mcp/read-visit.ts'
import { counter, gauge, histogram } from '../metrics.ts'
import type { Relay } from '../relay/relay.ts'
import type { App } from '../services/app.ts'
import { noteModelCall } from '../services/give-way.ts'
import { playgroundToken } from '../services/teams/playground-token.ts'
import { findTask, serveTask } from '../tasks/serve-task.ts'
import { Api, type ApiHandlers } from './api.ts'
import { authenticate } from './authenticate.ts'
import { BodyRoom } from './body-room.ts'
import { ClientAddresses } from './client-address.ts'
import { ConsoleFiles } from './console-files.ts'
import { Exchange, type Peer } from './exchange.ts'
import { askedSources, frameSources, plainForms } from './frame-sources.ts'
import { refuseForeignOrigin } from './origin-check.ts'
import { RateLimits } from './rate-limits.ts'
import { notFound, renderError } from './render.ts'
import { isValidHost } from './request-path.ts'
import { captchaHost, setSecurityHeaders } from './security-headers.ts'
import { sessionCookie } from './session-cookie.ts'

const countAnswer = counter('tollgate_http_requests_total', 'Requests answered, by door and status.').byPairs(
  'door',
  'status',
)
const seconds = histogram(
  'tollgate_http_request_seconds',
  'Time until the answer began, by door.',
  [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 180],
)

type Door = 'api' | 'relay' | 'mcp' | 'console' | 'probe'
const timers = Object.fromEntries(
  (['api', 'relay', 'mcp', 'console', 'probe'] as const).map(door => [door, seconds.bound({ door })]),
) as Record<Door, (value: number) => void>

/** Whatever looks like ours is ours to refuse: only the exact spelling is then a route. */
const apiPaths = /^\/+api(\/|$)/i
/** Where models are called; what is not answered there is a 404 in the shape model clients expect. */
const relayPaths =
  /^\/(v1|v1beta|upload\/v1|upload\/v1beta|download\/v1beta|v2|openai|pg|mj|suno|kling|jimeng|dashboard|pass)(\/|$)|^\/[^/]+\/mj\//

export class FrontDoor {
  readonly #app: App
  readonly #api: Api
  readonly #relay: Relay
  readonly #mcp: McpGateway
  readonly #console: ConsoleFiles
  readonly #addresses: ClientAddresses
  readonly #limits: RateLimits
  readonly #room: BodyRoom
  readonly #isLeaving: () => boolean
  #inFlight = 0

  constructor(
    app: App,
    relay: Relay,
    mcp: McpGateway,
    handlers: ApiHandlers,
    options: {
      trustedProxies: readonly string[]
      consoleFolder: string
      /** In bytes, of large bodies at once. */
      bodyMemory: number
      /** True while the process is about to end. */
      isLeaving?: () => boolean
    },
  ) {
    this.#app = app
    this.#relay = relay
    this.#mcp = mcp
    this.#isLeaving = options.isLeaving ?? (() => false)
    this.#limits = new RateLimits(app)
    this.#room = new BodyRoom(options.bodyMemory)
    this.#api = new Api(app, this.#limits, handlers)
    this.#console = new ConsoleFiles(options.consoleFolder, isSecure => ({
      scripts: app.settings.get('TurnstileCheckEnabled') ? [captchaHost] : [],
      frames: frameSources(app.settings.all),
      asked: askedSources(app.settings.all),
      // On a page with TLS no browser would show them.
      pictures: isSecure ? [] : ['http:'],
      forms: plainForms(app.settings.all),
    }))
    this.#addresses = new ClientAddresses(options.trustedProxies)
    gauge('tollgate_http_requests_in_flight', 'Requests being answered.', () => this.#inFlight)
    gauge(
      'tollgate_http_body_bytes',
      'Held of large bodies whose answer has not begun.',
      () => this.#room.held,
    )
  }

  /** The routes that are really served, for the test that holds them against the table. */
  get routes(): readonly { method: string; path: string }[] {
    return this.#api.router.routes
  }

  async handle(request: Request, server: Peer): Promise<Response> {
    const began = performance.now()
    const exchange = new Exchange(
      request,
      server,
      this.#addresses,
      Bun.randomUUIDv7('hex'),
      this.#isOwnTlsHost,
      this.#room,
    )
    const door = doorOf(exchange.path)
    if (door === 'relay') noteModelCall(began)
    this.#inFlight++
    let response: Response
    try {
      response = await this.#answer(door, exchange)
    } catch (error) {
      response = renderError(error, exchange)
    } finally {
      this.#inFlight--
    }
    exchange.letGo()
    exchange.letRest()
    for (const cookie of exchange.setCookies) response.headers.append('set-cookie', cookie)
    setSecurityHeaders(response.headers, exchange.secure)
    response.headers.set('x-oneapi-request-id', exchange.requestId)
    // Whoever keeps connections has to make new ones, which lead elsewhere.
    if (this.#isLeaving()) response.headers.set('connection', 'close')
    const elapsed = performance.now() - began
    timers[door](elapsed / 1000)
    countAnswer(door, response.status)
    if (log.tellsDebug) logRequest(exchange, response.status, elapsed)
    return response
  }

  #answer(door: Door, exchange: Exchange): Response | Promise<Response> {
    const host = exchange.request.headers.get('host')
    // Balancers ask after the node in HTTP/1.0, and name no host.
    if (!isValidHost(host) && !(host === null && door === 'probe')) throw new AppError('request.bad-host')
    if (door === 'console') return this.#showPage(exchange)
    if (door === 'relay') return this.#callModel(exchange)
    if (door === 'mcp') return this.#mcp.handle(exchange, findMcpPath(exchange.path)?.only)
    return this.#api.fetch(exchange)
  }

  #showPage(exchange: Exchange): Response | Promise<Response> {
    const show = () =>
      this.#console.serve(exchange.request, exchange.path, exchange.secure) ?? notFound(exchange)
    const counted = this.#limits.takePage(exchange)
    return counted ? counted.then(show) : show()
  }

  #callModel(exchange: Exchange): Promise<Response> {
    const task = findTask(exchange.request.method, exchange.path, exchange.request.headers)
    if (task) return serveTask(this.#relay.parts, task, exchange)
    if (!exchange.path.startsWith('/pg/')) return this.#relay.handle(exchange)
    return this.#relay.handlePlayground(exchange, async () => {
      refuseForeignOrigin(exchange, this.#app.settings.get('ServerAddress'))
      const access = { access: 'user', userHeader: true, sessionOnly: true, team: 'members' } as const
      const caller = await authenticate(this.#app, exchange, sessionCookie(exchange), access)
      if (!caller) throw new AppError('auth.required')
      return { userId: caller.id, tokenHash: await playgroundToken(this.#app, caller) }
    })
  }

  /** An arrow, because it is handed over. */
  #isOwnTlsHost = (host: string): boolean => {
    const address = this.#app.settings.get('ServerAddress')
    return address.startsWith('https://') && new URL(address).host === host
  }
}

function logRequest({ requestId, request, path }: Exchange, status: number, elapsed: number): void {
  log.debug('request', { requestId, method: request.method, path, status, ms: Math.round(elapsed * 10) / 10 })
}

function doorOf(path: string): Door {
  if (apiPaths.test(path)) return 'api'
  if (path === '/healthz' || path === '/readyz' || path === '/metrics') return 'probe'
  if (relayPaths.test(path)) return 'relay'
  return findMcpPath(path) ? 'mcp' : 'console'
}
