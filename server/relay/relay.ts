import { dialects } from '../dialects/index.ts'
import type { DialectName } from '../dialects/spec.ts'
import { AppError } from '../errors.ts'
import { log } from '../log.ts'
import { counter } from '../metrics.ts'
import { countCall } from '../store/counters/rate-classes.ts'
import { type Admitted, admit, admitToLook } from './callers/authorise.ts'
import { admitToPlayground, withoutUnset } from './callers/playground.ts'
import { serveChat } from './chat/serve-chat.ts'
import { endWith } from './contents/transcript.ts'
import { writeLimitHeaders } from './limits/limit-headers.ts'
import { LimitReached } from './limits/limit-reached.ts'
import type { RelayParts } from './parts.ts'
import { servePass } from './pass/serve-pass.ts'
import { servePlain } from './plain/serve-plain.ts'
import { asProblem, isLasting } from './problems.ts'
import { serveRender } from './prompts/serve-render.ts'
import { openRealtime } from './realtime/open-realtime.ts'
import { allowAnyPage, preflight } from './request/cors.ts'
import type { Incoming } from './request/incoming.ts'
import { dialectOfPath, matchRoute, type Route } from './request/match-route.ts'
import { readJsonBody } from './request/read-body.ts'
import { openResponsesSocket } from './responses-socket/open-responses-socket.ts'
import { serveBilling } from './serve-billing.ts'
import { serveModelInfo } from './serve-model-info.ts'
import { serveModels } from './serve-models.ts'
import { serveStored } from './stored-answers/serve-stored.ts'
import { ClientGone } from './stream/client-gone.ts'

const countAnswer = counter(
  'tollgate_relay_answers_total',
  'Model calls answered, by kind and status.',
).byPairs('kind', 'status')

/** The second front door: model calls, in whatever dialect they come. */
export class Relay {
  readonly parts: RelayParts

  constructor(parts: RelayParts) {
    this.parts = parts
  }

  async handle(incoming: Incoming): Promise<Response> {
    if (incoming.request.method === 'OPTIONS') return preflight(incoming.request)
    const route = matchRoute(incoming.request, incoming.path)
    const trace = this.parts.tracer?.begin(incoming, route)
    let response: Response
    let failure: unknown
    try {
      response = await this.#serve(route, incoming)
    } catch (error) {
      failure = error
      response = refuse(error, incoming, route?.dialect ?? dialectOfPath(incoming.path))
    }
    allowAnyPage(response.headers)
    countAnswer(route?.kind ?? 'none', response.status)
    trace?.noteHead(response.status, failure)
    return response
  }

  /** The playground's calls. `logIn` tells who is logged in, or throws; other pages' scripts get nothing here. */
  async handlePlayground(incoming: Incoming, logIn: () => Promise<Player>): Promise<Response> {
    const route = matchRoute(incoming.request, incoming.path)
    const trace = this.parts.tracer?.begin(incoming, route)
    try {
      if (route?.kind !== 'chat' || !route.playground) throw notServed(incoming)
      const { userId, tokenHash } = await logIn()
      const { callers } = this.parts
      incoming.payer = userId
      const caller = await (tokenHash === undefined ? callers.ofUser(userId) : callers.ofToken(tokenHash))
      const body = withoutUnset(await readJsonBody(incoming))
      const admitted = admitToPlayground(this.parts, caller, body, incoming.address)
      if (trace) trace.admitted = admitted
      const response = await serveChat(this.parts, incoming, route, admitted, body)
      countAnswer('playground', response.status)
      trace?.noteHead(response.status)
      return response
    } catch (error) {
      const response = refuse(error, incoming, 'openai-chat')
      countAnswer('playground', response.status)
      trace?.noteHead(response.status, error)
      return response
    }
  }

  #serve(route: Route | undefined, incoming: Incoming): Response | Promise<Response> {
    if (!route) throw notServed(incoming)
    // What was set aside for a response may have used its token up.
    const enter = route.kind === 'stored' ? admitToLook : admit
    const entering = enter(this.parts, incoming.request, () => incoming.address)
    if (!(entering instanceof Promise)) return this.#serveAdmitted(route, incoming, entering)
    return entering.then(admitted => this.#serveAdmitted(route, incoming, admitted))
  }

  #serveAdmitted(route: Route, incoming: Incoming, admitted: Admitted): Response | Promise<Response> {
    incoming.payer = admitted.caller.userId
    if (incoming.trace) incoming.trace.admitted = admitted
    switch (route.kind) {
      case 'chat':
        return serveChat(this.parts, incoming, route, admitted, readJsonBody(incoming))
      case 'plain':
        return servePlain(this.parts, incoming, route, admitted)
      case 'models':
        return serveModels(this.parts, incoming, route, admitted)
      case 'model-info':
        return serveModelInfo(this.parts, admitted)
      case 'billing':
        return this.#tellBilling(route, incoming, admitted)
      case 'render':
        return serveRender(this.parts, incoming, route, admitted)
      case 'realtime':
        return openRealtime(this.parts, incoming, admitted, (session, headers) =>
          incoming.upgrade(session, headers),
        )
      case 'stored':
        return serveStored(this.parts, incoming, route, admitted)
      case 'pass':
        return servePass(this.parts, incoming, route, admitted)
      case 'responses-socket':
        return openResponsesSocket(this, incoming)
    }
  }

  async #tellBilling(route: BillingRoute, incoming: Incoming, admitted: Admitted): Promise<Response> {
    await countCall(this.parts.store, 'api', incoming.address)
    return serveBilling(this.parts, route, admitted)
  }
}

/** Who tries models out, and for a team with which of its tokens. */
export interface Player {
  readonly userId: number
  readonly tokenHash: string | undefined
}

type BillingRoute = Extract<Route, { kind: 'billing' }>

function notServed({ request, path }: Incoming): AppError {
  return new AppError('request.not-found', { method: request.method, path: path.slice(0, 200) })
}

/** An error in the caller's own dialect. */
export function refuse(error: unknown, incoming: Incoming, dialect: DialectName): Response {
  // Nobody reads it; the status is for our own count.
  if (error instanceof ClientGone) {
    incoming.transcript?.end()
    return new Response(null, { status: 499 })
  }
  const problem = asProblem(error, incoming)
  const { requestId, path } = incoming
  if (problem.status >= 500)
    log.warn('a model call failed', { requestId, path, status: problem.status, error })
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (problem.retryAfter !== undefined) headers['retry-after'] = String(Math.ceil(problem.retryAfter))
  if (isLasting(error)) headers['x-should-retry'] = 'false'
  const body = JSON.stringify(dialects[dialect].writeProblem(problem))
  if (incoming.transcript) endWith(incoming.transcript, body)
  const response = new Response(body, { status: problem.status, headers })
  if (error instanceof LimitReached) writeLimitHeaders(response.headers, error.figures)
  return response
}
