import type { JsonObject } from '../dialects/json.ts'
import type { Admitted } from '../relay/callers/authorise.ts'
import type { Incoming } from '../relay/request/incoming.ts'
import { type Usable, usableServers } from './access.ts'
import type { McpServer } from './mcp-server.ts'
import type { McpParts } from './parts.ts'
import { type Joined, joinedWith } from './sessions.ts'
import type { Link, Request, Upstream } from './upstream/upstream.ts'

/** One request at the gateway's door, after it was let in. */
export interface Visit {
  readonly parts: McpParts
  readonly incoming: Incoming
  readonly admitted: Admitted
  /** The one server that is asked; undefined where all are offered together. */
  readonly only: string | undefined
  readonly isModern: boolean
  /** What the client's session joins. */
  readonly joined: readonly Joined[]
  readonly signal: AbortSignal
}

/** Hands on what a server says on the way to its answer; whether that goes out to the client. */
export type Say = (notification: JsonObject) => boolean

const LONGEST_LIST = 2000

/** The servers of this address that the caller may use. */
export function serversOf({ parts, incoming, admitted, only }: Visit): Usable[] {
  const usable = usableServers(parts.servers, admitted)
  if (only !== undefined) return usable.filter(({ server }) => server.name === only)
  // How clients of LiteLLM choose some of them.
  const wanted = incoming.request.headers.get('x-mcp-servers')
  if (!wanted || wanted.length > LONGEST_LIST) return usable
  const names = new Set(wanted.split(',').map(name => name.trim()))
  return usable.filter(({ server }) => names.has(server.name))
}

/** Asks one server: in the client's session with it, or in one for this request alone. */
export async function askServer(
  visit: Visit,
  server: McpServer,
  request: Omit<Request, 'isModern' | 'signal'>,
): Promise<JsonObject> {
  const upstream = visit.parts.upstreams.of(server)
  const { isModern, signal } = visit
  const mine = joinedWith(visit.joined, server)
  const link: Link = mine ? upstream.resume(mine.session, mine.version) : await upstream.connect(signal)
  const tellCancelled = (): void => {
    const params = { requestId: request.id, reason: 'cancelled by the client' }
    upstream.notify(link, 'notifications/cancelled', params)
  }
  signal.addEventListener('abort', tellCancelled, { once: true })
  try {
    return await upstream.ask(link, { ...request, isModern, signal })
  } finally {
    signal.removeEventListener('abort', tellCancelled)
    if (!mine) upstream.end(link)
  }
}

/** Where all servers are offered together, the others wait for one of them no longer than this. */
const PATIENCE_MS = 10_000

export function withPatience(visit: Visit): Visit {
  return { ...visit, signal: AbortSignal.any([visit.signal, AbortSignal.timeout(PATIENCE_MS)]) }
}

/** The sessions that the client's own joins, with servers that the caller may still use. */
export function linksOf(visit: Visit): { readonly upstream: Upstream; readonly link: Link }[] {
  return serversOf(visit).flatMap(({ server }) => {
    const mine = visit.joined.find(({ serverId, mark }) => serverId === server.id && mark === server.mark)
    const upstream = visit.parts.upstreams.of(server)
    return mine ? [{ upstream, link: upstream.resume(mine.session, mine.version) }] : []
  })
}
