import type { JsonObject } from '../dialects/json.ts'
import { AppError } from '../errors.ts'
import { counter } from '../metrics.ts'
import { type Admitted, admit } from '../relay/callers/authorise.ts'
import type { Live } from '../relay/live-requests.ts'
import { allowAnyPage, preflight } from '../relay/request/cors.ts'
import type { Incoming } from '../relay/request/incoming.ts'
import { readExactly, readJsonBody } from '../relay/request/read-body.ts'
import { ClientGone } from '../relay/stream/client-gone.ts'
import { countCall } from '../store/counters/rate-classes.ts'
import { isId, type RpcNotification, type RpcRequest, readMessage, resultOf } from './json-rpc.ts'
import type { McpParts } from './parts.ts'
import { envelope, metaOf } from './protocol.ts'
import { readVersion } from './read-visit.ts'
import { errorOf, refuse } from './refuse.ts'
import { reply } from './reply.ts'
import { askByName, callTool } from './serve-calls.ts'
import { serveList } from './serve-lists.ts'
import { serveDiscover, serveInitialize } from './serve-opening.ts'
import { openSession } from './sessions.ts'
import { SessionGone } from './upstream/exchange.ts'
import { linksOf, type Say, type Visit } from './visit.ts'

const LARGEST_BODY = 8 * 1024 * 1024

const answers = counter('tollgate_mcp_answers_total', 'Requests to the MCP gateway answered, by status.')

/**
 * The gateway of the Model Context Protocol. It remembers nothing of its clients: whatever a session needs, the client
 * brings along, so that any process can serve any request.
 */
export class McpGateway {
  readonly parts: McpParts
  /** What is under way here, by client and request, so that it can be cancelled. */
  readonly #underWay = new Map<string, AbortController>()

  constructor(parts: McpParts) {
    this.parts = parts
  }

  async handle(incoming: Incoming, only: string | undefined): Promise<Response> {
    if (incoming.request.method === 'OPTIONS') return preflight(incoming.request)
    let response: Response
    try {
      response = await this.#serve(incoming, only)
    } catch (error) {
      response = refuse(error, incoming)
    }
    allowAnyPage(response.headers)
    answers.increment({ status: response.status })
    return response
  }

  async #serve(incoming: Incoming, only: string | undefined): Promise<Response> {
    const { request } = incoming
    const admitted = await admit(this.parts.relay, request, () => incoming.address)
    incoming.payer = admitted.caller.userId
    if (request.method === 'DELETE') return await this.#endSession(incoming, admitted, only)
    // Nothing is ever said outside of an answer, so there is no stream to open by GET.
    if (request.method !== 'POST') throw new AppError('mcp.http-method')
    const { json } = readExactly(await readJsonBody(incoming, LARGEST_BODY))
    const message = readMessage(json)
    if (message.kind === 'answer') return accepted()
    const id = message.kind === 'request' ? message.id : null
    try {
      const isModern = readVersion(request, message) === 'modern'
      const begins = message.method === 'initialize' || isModern
      const joined = begins ? [] : this.#joinedIn(request, admitted)
      const controller = new AbortController()
      const visit: Visit = {
        ...{ parts: this.parts, incoming, admitted, only, isModern, joined },
        signal: controller.signal,
      }
      if (message.kind === 'notification') return await this.#hear(visit, message)
      return await this.#answer(visit, message, controller)
    } catch (error) {
      return refuse(error, incoming, id)
    }
  }

  #joinedIn({ headers }: Request, { caller }: Admitted) {
    const sealed = headers.get('mcp-session-id')
    return sealed === null ? [] : openSession(this.parts.relay.store.cipher, caller.tokenId, sealed)
  }

  /** The client is done: so are the servers' sessions that it had. */
  async #endSession(incoming: Incoming, admitted: Admitted, only: string | undefined): Promise<Response> {
    const joined = this.#joinedIn(incoming.request, admitted)
    const { signal } = incoming.request
    const visit = { parts: this.parts, incoming, admitted, only, isModern: false, joined, signal }
    for (const { upstream, link } of await this.#countedLinks(visit)) upstream.end(link)
    return new Response(null, { status: 204 })
  }

  /** What clients say without waiting for an answer. */
  async #hear(visit: Visit, { method, params }: RpcNotification): Promise<Response> {
    if (method !== 'notifications/cancelled' || !isId(params.requestId)) return accepted()
    const call = nameOf(visit, params.requestId)
    if (call === undefined || this.cancel(call)) return accepted()
    await this.#countLook(visit)
    this.parts.cancelElsewhere(call)
    // It may be on another machine too; the servers know it by the same id.
    for (const { upstream, link } of linksOf(visit)) upstream.notify(link, method, params)
    return accepted()
  }

  /** Whether it was under way here. */
  cancel(call: string): boolean {
    const here = this.#underWay.get(call)
    here?.abort(new AppError('mcp.cancelled'))
    return here !== undefined
  }

  async #answer(visit: Visit, request: RpcRequest, controller: AbortController): Promise<Response> {
    const { incoming } = visit
    const headers: Record<string, string> = {}
    const leave = (): void => controller.abort(new ClientGone())
    if (incoming.request.signal.aborted) leave()
    incoming.request.signal.addEventListener('abort', leave, { once: true })
    const name = nameOf(visit, request.id)
    if (name !== undefined) this.#underWay.set(name, controller)
    const live: Live = { tick: () => {} }
    this.parts.relay.live.add(live)
    incoming.keepOpen()
    const end = (): void => {
      this.parts.relay.live.remove(live)
      if (name !== undefined && this.#underWay.get(name) === controller) this.#underWay.delete(name)
      incoming.request.signal.removeEventListener('abort', leave)
    }
    // A session that is over is told by the status, for clients to begin another.
    let isOver = false
    const work = async (say: Say): Promise<JsonObject> => {
      try {
        return resultOf(
          request.id,
          await this.#resultOf(visit, request, filtered(visit, request, say), headers),
        )
      } catch (error) {
        isOver = error instanceof SessionGone || (error instanceof AppError && error.code === 'mcp.session')
        return errorOf(request.id, error, incoming)
      } finally {
        end()
      }
    }
    // What a session is called stands before its answer, so that is waited for.
    const isWhole = request.method === 'initialize' || !takesEvents(incoming.request)
    const response = await reply(incoming, work, { headers, isWhole, onLeave: leave })
    if (!isOver) return response
    return new Response(response.body, { status: 404, headers: response.headers })
  }

  async #resultOf(
    visit: Visit,
    request: RpcRequest,
    say: Say,
    headers: Record<string, string>,
  ): Promise<JsonObject> {
    const { method } = request
    switch (method) {
      case 'tools/call':
        return callTool(visit, request, say)
      case 'tools/list':
      case 'prompts/list':
      case 'resources/list':
      case 'resources/templates/list':
        await this.#countLook(visit)
        return serveList(visit, request, method)
      case 'resources/read':
      case 'prompts/get':
      case 'completion/complete':
        return askByName(visit, request, say)
    }
    if (visit.isModern && method === 'server/discover') {
      await this.#countLook(visit)
      return serveDiscover(visit)
    }
    if (!visit.isModern && method === 'ping') return {}
    if (!visit.isModern && method === 'logging/setLevel') {
      await this.#tellLevel(visit, request)
      return {}
    }
    if (visit.isModern || method !== 'initialize') throw new AppError('mcp.method', { method })
    await this.#countLook(visit)
    const { result, session } = await serveInitialize(visit, request)
    headers['mcp-session-id'] = session
    return result
  }

  /** What is only looked at is limited as the console's calls are. */
  #countLook({ incoming }: Visit): Promise<void> | undefined {
    return countCall(this.parts.relay.store, 'api', incoming.address)
  }

  /** What servers are told beside calls is limited in the same way: each hears of it, with the operator's proofs. */
  async #countedLinks(visit: Visit): Promise<ReturnType<typeof linksOf>> {
    const links = linksOf(visit)
    if (links.length > 0) await this.#countLook(visit)
    return links
  }

  /** Whoever has a session remembers it; nobody waits for them. */
  async #tellLevel(visit: Visit, { id, method, params }: RpcRequest): Promise<void> {
    for (const { upstream, link } of await this.#countedLinks(visit))
      upstream.ask(link, { id, method, params, isModern: false }).catch(() => {})
  }
}

function takesEvents({ headers }: Request): boolean {
  return /text\/(event-stream|\*)|\*\/\*/.test(headers.get('accept') ?? '*/*')
}

function accepted(): Response {
  return new Response(null, { status: 202 })
}

/**
 * A request of one client's session. Undefined without a session: nothing tells then which of a token's clients it is
 * that counts so, and who wants to cancel a request leaves it.
 */
function nameOf({ admitted, incoming }: Visit, id: string | number): string | undefined {
  const session = incoming.request.headers.get('mcp-session-id')
  if (session === null) return undefined
  const name = JSON.stringify([admitted.caller.tokenId, session, id])
  return new Bun.CryptoHasher('sha256').update(name).digest('base64url')
}

/** Progress and words for the log go on to the client; the rest belongs to what is not offered. */
function filtered({ isModern }: Visit, { params }: RpcRequest, say: Say): Say {
  const wantsLog = !isModern || metaOf(params)[envelope.logLevel] !== undefined
  return notification => {
    const { method } = notification
    const isWanted = method === 'notifications/progress' || (method === 'notifications/message' && wantsLog)
    return isWanted && say(notification)
  }
}
