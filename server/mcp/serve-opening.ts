import { asText, type JsonObject } from '../dialects/json.ts'
import { AppError } from '../errors.ts'
import { log } from '../log.ts'
import type { Usable } from './access.ts'
import type { RpcRequest } from './json-rpc.ts'
import { envelope, MODERN, sessionVersions } from './protocol.ts'
import { countFitting, type Joined, sealSession } from './sessions.ts'
import type { Link } from './upstream/upstream.ts'
import { serversOf, type Visit, withPatience } from './visit.ts'

const serverInfo = { name: 'tollgate', title: 'Tollgate', version: '1' }

/** Of what each server has to say to models, where all are offered together. */
const LONGEST_INSTRUCTIONS = 4000

interface Connected {
  readonly usable: Usable
  readonly link: Link
}

/** `initialize`: begins a session with every server that works with sessions, and joins them in one. */
export async function serveInitialize(
  visit: Visit,
  { params }: RpcRequest,
): Promise<{ readonly result: JsonObject; readonly session: string }> {
  const asked = asText(params.protocolVersion) ?? ''
  const isSpoken = (sessionVersions as readonly string[]).includes(asked)
  const connected = await connectAll(visit)
  return {
    result: {
      protocolVersion: isSpoken ? asked : sessionVersions[0],
      capabilities: capabilitiesOf(connected, ['tools', 'prompts', 'resources', 'completions', 'logging']),
      serverInfo,
      ...instructionsOf(visit, connected),
    },
    session: joinSessions(visit, connected),
  }
}

/** `server/discover`: the same without sessions. */
export async function serveDiscover(visit: Visit): Promise<JsonObject> {
  const connected = await connectAll(visit)
  for (const { usable, link } of connected) visit.parts.upstreams.of(usable.server).end(link)
  return {
    supportedVersions: [MODERN],
    capabilities: capabilitiesOf(connected, ['tools', 'prompts', 'resources', 'completions']),
    ...instructionsOf(visit, connected),
    _meta: { [envelope.server]: serverInfo },
    ttlMs: 0,
    cacheScope: 'private',
    resultType: 'complete',
  }
}

/** A server that is away is left out, unless it is the one that is asked for. */
async function connectAll(visit: Visit): Promise<Connected[]> {
  const { parts, only, signal } = visit
  const usable = serversOf(visit)
  const patience = only === undefined ? withPatience(visit).signal : signal
  if (only !== undefined && usable.length === 0) throw new AppError('mcp.no-server', { server: only })
  const tried = await Promise.all(
    usable.map(async one => {
      try {
        return { usable: one, link: await parts.upstreams.of(one.server).connect(patience) }
      } catch (error) {
        if (only !== undefined || signal.aborted) throw error
        log.debug('a session begins without an MCP server', { server: one.server.name, error })
        return undefined
      }
    }),
  )
  return tried.filter(one => one !== undefined)
}

/** What no server of them has is not offered; that lists change is told to nobody. */
function capabilitiesOf(connected: readonly Connected[], kinds: readonly string[]): JsonObject {
  const has = (kind: string): boolean =>
    kind === 'tools' || connected.some(({ link }) => link.know.capabilities[kind] !== undefined)
  return Object.fromEntries(kinds.filter(has).map(kind => [kind, {}]))
}

function instructionsOf({ only }: Visit, connected: readonly Connected[]): JsonObject {
  const said = connected.flatMap(({ usable, link }) => {
    const { instructions } = link.know
    if (!instructions) return []
    const name = usable.server.name
    return only === undefined ? `# ${name}\n${instructions.slice(0, LONGEST_INSTRUCTIONS)}` : instructions
  })
  return said.length > 0 ? { instructions: said.join('\n\n') } : {}
}

/** Every client gets one, though no server may have any: by it one that cancels a request is told from the others. */
function joinSessions({ parts, admitted }: Visit, connected: readonly Connected[]): string {
  const joined = connected.flatMap(({ usable, link }): Joined[] => {
    const { id: serverId, mark } = usable.server
    const { session, know } = link
    return session === undefined ? [] : [{ serverId, mark, session, version: know.version }]
  })
  const fitting = countFitting(joined)
  // Of the rest, each request has a session of its own.
  for (const { usable, link } of connected)
    if (joined.findIndex(({ serverId }) => serverId === usable.server.id) >= fitting)
      parts.upstreams.of(usable.server).end(link)
  return sealSession(parts.relay.store.cipher, admitted.caller.tokenId, joined.slice(0, fitting))
}
