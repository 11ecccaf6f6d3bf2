import type { BodyInputOf, Endpoint, OutputOf, QueryInputOf } from '../contract/endpoint.ts'
import type { Language } from '../contract/language.ts'

/** Why a call failed. `refused` is an answer of the server's own; its message is shown as received. */
export type FailureKind =
  | 'refused'
  | 'logged-out'
  | 'too-many'
  | 'internal'
  | 'demo-only'
  | 'failed'
  | 'unreachable'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly kind: FailureKind
  readonly status: number
  /** What the server calls it, where that is for us to act upon. */
  readonly code: string | undefined
  constructor(kind: FailureKind, status: number, message: string, code?: unknown) {
    super(message)
    this.kind = kind
    this.status = status
    this.code = typeof code === 'string' ? code : undefined
  }
}

export interface CallInput<E extends Endpoint> {
  query?: QueryInputOf<E>
  body?: BodyInputOf<E>
  params?: Readonly<Record<string, string | number>>
  /** Asks for the person's own, also while they act for a team. */
  own?: boolean
  /** Asks for a team's, also while the person acts for another or for none. */
  team?: number
  /** Whoever only reads has one, and may give up. */
  signal?: AbortSignal
}

export type Call = <E extends Endpoint>(endpoint: E, input?: CallInput<E>) => Promise<OutputOf<E>>

export interface ClientParts {
  /** '' for the page's own origin. */
  origin: string
  userId(): number
  /** The team that is acted for, if any. */
  teamId(): number | undefined
  language(): Language
  /** The words for a failure; `detail` is what the server or the browser said, possibly nothing. */
  explain(kind: Exclude<FailureKind, 'refused'>, detail: string): string
  onLoggedOut(): void
  /** The server knows nothing of being in the team that the call was made for. */
  onOutOfTeam(): void
  /** Milliseconds after which a read that can be asked for again has failed; what is done may take its time. */
  patience: number
  /** The answer to what was asked for before there was a client; each is taken once. */
  begun?(address: string): Promise<Response> | undefined
  /** Given while somebody leaves: what would be read for them waits for it. */
  left(): Promise<void> | undefined
  /** Asks who is sitting there, and says whether that was answered: then the call is made again. */
  prove(): Promise<boolean>
}

/** What the server says where a call wants a proof first. */
const proofWanted = 'VERIFICATION_REQUIRED'
/** Browsers keep 64 KiB of requests alive in all. */
const KEPT_ALIVE = 4096

export function createClient(parts: ClientParts): Call {
  const fail = (kind: Exclude<FailureKind, 'refused'>, status: number, detail: string) =>
    new ApiError(kind, status, parts.explain(kind, detail))

  const send: Call = async (endpoint, input = {}) => {
    const { query, body, params, signal, own, team } = input
    const teamId = endpoint.team && !own ? (team ?? parts.teamId()) : undefined
    let response: Response
    let answer: unknown
    const text = body === undefined ? undefined : JSON.stringify(body)
    if (signal && endpoint.access !== 'public') {
      await parts.left()
      signal.throwIfAborted()
    }
    const address = addressOf(endpoint.path, params, query)
    const userId = parts.userId()
    const ask = () =>
      fetch(`${parts.origin}${address}`, {
        method: endpoint.method,
        headers: {
          'New-API-User': String(userId),
          'Accept-Language': parts.language(),
          'Cache-Control': 'no-store',
          ...(teamId === undefined ? {} : { 'Tollgate-Team': String(teamId) }),
          ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(text === undefined ? {} : { body: text }),
        // A small change goes through even when the page is closed behind it.
        keepalive: endpoint.method !== 'GET' && (text?.length ?? 0) < KEPT_ALIVE,
        ...(signal ? { signal: AbortSignal.any([signal, AbortSignal.timeout(parts.patience)]) } : {}),
      })
    try {
      response = await (parts.begun?.(address) ?? ask())
      answer = readJson(await response.text())
    } catch (cause) {
      if (signal?.aborted) throw cause
      throw fail('unreachable', 0, cause instanceof Error ? cause.message : '')
    }
    const message = messageOf(answer)
    if (response.status === 401) {
      // What was asked before somebody logged in says nothing of that login.
      if (parts.userId() === userId) parts.onLoggedOut()
      throw fail('logged-out', 401, message)
    }
    if (response.status === 403 && teamId !== undefined && teamId === parts.teamId()) parts.onOutOfTeam()
    if (isRecord(answer) && answer.code === proofWanted && (await parts.prove())) return send(endpoint, input)
    if (!response.ok) {
      const kind = kindOf(response.status)
      // What has words of its own is not told in the protocol's.
      throw fail(kind, response.status, message || (kind === 'failed' ? response.statusText : ''))
    }
    if (!isRecord(answer)) throw fail('failed', response.status, '')
    if (answer.success === false) throw new ApiError('refused', response.status, message, answer.code)
    return (endpoint.shape === 'bare' ? answer : answer.data) as OutputOf<typeof endpoint>
  }
  return send
}

function kindOf(status: number): 'too-many' | 'internal' | 'demo-only' | 'failed' {
  if (status === 429) return 'too-many'
  if (status === 500) return 'internal'
  return status === 405 ? 'demo-only' : 'failed'
}

function addressOf(path: string, params: CallInput<Endpoint>['params'], query: unknown): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params?.[name] ?? '')),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) search.set(name, String(value))
  }
  return search.size === 0 ? filled : `${filled}?${search}`
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** The envelope's message, or that of the OpenAI-shaped errors that unknown addresses answer with. */
function messageOf(answer: unknown): string {
  if (!isRecord(answer)) return ''
  if (typeof answer.message === 'string') return answer.message
  return isRecord(answer.error) && typeof answer.error.message === 'string' ? answer.error.message : ''
}
