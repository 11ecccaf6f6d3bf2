import { asArray, asObject, asText, type JsonObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import type { Outbound } from '../../outbound/client.ts'
import { RpcFailure, type RpcId, rpcCodes } from '../json-rpc.ts'
import type { McpServer } from '../mcp-server.ts'
import { envelope, keepable, MODERN, metaOf, nameIn, packName, sessionVersions } from '../protocol.ts'
import { ask, endSession, tell } from './exchange.ts'

/** What a server said of itself, believed for a while. */
export interface Knowledge {
  readonly version: string
  /** Undefined for one that speaks the version without sessions; otherwise whether it gives any. */
  readonly givesSessions: boolean | undefined
  readonly capabilities: JsonObject
  readonly instructions: string | undefined
  readonly title: string
}

/** How one request reaches a server. */
export interface Link {
  readonly know: Knowledge
  /** Undefined where it has none, or needs none. */
  readonly session: string | undefined
}

export interface Request {
  readonly id: RpcId
  readonly method: string
  readonly params: JsonObject
  /** Whether it comes from a client of the version without sessions. */
  readonly isModern: boolean
  /** The client's own, that repeat arguments. */
  readonly paramHeaders?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
  readonly onNotification?: ((notification: JsonObject) => void) | undefined
}

const BELIEVED_MS = 10 * 60 * 1000
const clientInfo = { name: 'tollgate', title: 'Tollgate', version: '1' }

/** One server, asked in whichever version of the protocol it speaks. */
export class Upstream {
  readonly server: McpServer
  readonly #outbound: Outbound
  #known: { readonly know: Knowledge; readonly until: number } | undefined

  constructor(outbound: Outbound, server: McpServer) {
    this.#outbound = outbound
    this.server = server
  }

  /** Ready to be asked; begins a session where the server works with them. */
  async connect(signal?: AbortSignal): Promise<Link> {
    const know = this.#known && this.#known.until > performance.now() ? this.#known.know : undefined
    if (know && know.givesSessions !== true) return { know, session: undefined }
    if (!know) {
      const found = await this.#discover(signal)
      if (found) return { know: this.#believe(found), session: undefined }
    }
    return this.#initialize(signal)
  }

  /** The same for a session that a client brings back. */
  resume(session: string, version: string): Link {
    const know = this.#known?.know ?? { version, givesSessions: true, capabilities: {}, title: '' }
    return { know: { instructions: undefined, ...know, version, givesSessions: true }, session }
  }

  /** What it said of itself last, if it was asked lately. */
  get known(): Knowledge | undefined {
    return this.#known?.know
  }

  /** A session that no client will come back to is ended. */
  end({ session, know }: Link): void {
    if (session !== undefined) endSession(this.#outbound, this.server, session, know.version)
  }

  async ask(link: Link, request: Request): Promise<JsonObject> {
    const { know, session } = link
    const { id, method, isModern, signal, onNotification } = request
    const speaksModern = know.givesSessions === undefined
    const params = speaksModern ? asModern(request.params, isModern) : withoutEnvelope(request.params)
    const onMessage = (message: JsonObject): void => {
      if (message.id === undefined) onNotification?.(message)
      else this.#decline(link, message)
    }
    const name = nameIn(method, params)
    const headers = speaksModern
      ? {
          ...request.paramHeaders,
          'mcp-protocol-version': MODERN,
          'mcp-method': method,
          'mcp-name': name === undefined ? undefined : packName(name),
        }
      : { 'mcp-protocol-version': know.version, 'mcp-session-id': session }
    const message = { jsonrpc: '2.0', id, method, params }
    try {
      const { answer } = await ask(this.#outbound, this.server, { message, headers, signal, onMessage })
      return isModern ? asModernAnswer(method, answer) : asOlderAnswer(answer)
    } catch (error) {
      if (!signal?.aborted && mayHaveChanged(error)) this.#known = undefined
      throw error
    }
  }

  /** Tells a server of sessions what the client says beside its requests. Nobody waits for it. */
  notify({ session, know }: Link, method: string, params: JsonObject): void {
    if (session === undefined) return
    const headers = { 'mcp-protocol-version': know.version, 'mcp-session-id': session }
    tell(this.#outbound, this.server, { message: { jsonrpc: '2.0', method, params }, headers }).catch(
      () => {},
    )
  }

  /** It asks the client something, though it was told that this one answers nothing. */
  #decline({ session, know }: Link, { id }: JsonObject): void {
    if (session === undefined) return
    const headers = { 'mcp-protocol-version': know.version, 'mcp-session-id': session }
    const error = { code: -32601, message: 'Method not found' }
    tell(this.#outbound, this.server, { message: { jsonrpc: '2.0', id, error }, headers }).catch(() => {})
  }

  /** Undefined when it does not speak the version without sessions. */
  async #discover(signal: AbortSignal | undefined): Promise<Knowledge | undefined> {
    const method = 'server/discover'
    const message = { jsonrpc: '2.0', id: 'discover', method, params: asModern({}, false) }
    const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': method }
    try {
      const { answer } = await ask(this.#outbound, this.server, { message, headers, signal })
      if (!asArray(answer.supportedVersions).includes(MODERN)) return undefined
      return {
        version: MODERN,
        givesSessions: undefined,
        capabilities: asObject(answer.capabilities) ?? {},
        instructions: asText(answer.instructions),
        title: titleOf(metaOf(answer)[envelope.server]),
      }
    } catch (error) {
      const isOlder = error instanceof RpcFailure || (error instanceof AppError && olderSays.has(error.code))
      if (isOlder && !signal?.aborted && !isDenied(error)) return undefined
      throw error
    }
  }

  async #initialize(signal: AbortSignal | undefined): Promise<Link> {
    const params = { protocolVersion: sessionVersions[0], capabilities: {}, clientInfo }
    const message = { jsonrpc: '2.0', id: 'initialize', method: 'initialize', params }
    const { answer, session } = await ask(this.#outbound, this.server, { message, headers: {}, signal })
    const version = asText(answer.protocolVersion) ?? ''
    if (!(sessionVersions as readonly string[]).includes(version))
      throw new AppError('mcp.bad-answer', { server: this.server.name })
    const know = this.#believe({
      version,
      givesSessions: session !== undefined,
      capabilities: asObject(answer.capabilities) ?? {},
      instructions: asText(answer.instructions),
      title: titleOf(answer.serverInfo),
    })
    const headers = { 'mcp-protocol-version': version, 'mcp-session-id': session }
    const done = { jsonrpc: '2.0', method: 'notifications/initialized' }
    await tell(this.#outbound, this.server, { message: done, headers, signal })
    return { know, session }
  }

  #believe(know: Knowledge): Knowledge {
    this.#known = { know, until: performance.now() + BELIEVED_MS }
    return know
  }
}

/** How servers of older versions take a question that they do not know. */
const olderSays: ReadonlySet<string> = new Set(['mcp.refused', 'mcp.bad-answer', 'mcp.cut'])

const otherVersion: ReadonlySet<number> = new Set([rpcCodes.version, rpcCodes.method, rpcCodes.request])

/** It may speak another version by now than it did. */
function mayHaveChanged(error: unknown): boolean {
  return error instanceof RpcFailure ? otherVersion.has(error.code) : error instanceof AppError
}

function isDenied(error: unknown): boolean {
  return error instanceof AppError && (error.params.status === 401 || error.params.status === 403)
}

function titleOf(info: unknown): string {
  const { title, name } = asObject(info) ?? {}
  return (asText(title) ?? asText(name) ?? '').slice(0, 200)
}

/** A client of older versions has said nothing of itself that could be handed on. */
function asModern(params: JsonObject, isModern: boolean): JsonObject {
  if (isModern) return params
  const said = { [envelope.version]: MODERN, [envelope.client]: clientInfo, [envelope.capabilities]: {} }
  return { ...params, _meta: { ...metaOf(params), ...said } }
}

function withoutEnvelope(params: JsonObject): JsonObject {
  if (params._meta === undefined) return params
  const names: readonly string[] = Object.values(envelope)
  const rest = Object.entries(metaOf(params)).filter(([name]) => !names.includes(name))
  const { _meta: _, ...others } = params
  return rest.length === 0 ? others : { ...others, _meta: Object.fromEntries(rest) }
}

function asModernAnswer(method: string, answer: JsonObject): JsonObject {
  const { resultType = 'complete', ...rest } = answer
  if (!keepable.has(method) || resultType !== 'complete') return { ...rest, resultType }
  return { ttlMs: 0, ...rest, cacheScope: 'private', resultType }
}

function asOlderAnswer(answer: JsonObject): JsonObject {
  const { resultType = 'complete', ttlMs: _ttl, cacheScope: _scope, ...rest } = answer
  if (resultType === 'complete') return rest
  if (resultType === 'input_required') throw new AppError('mcp.needs-input')
  return answer
}
