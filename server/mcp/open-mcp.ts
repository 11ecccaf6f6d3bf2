import type { RelayParts } from '../relay/parts.ts'
import { McpGateway } from './gateway.ts'
import { Upstreams } from './parts.ts'
import { ServerSnapshot } from './server-snapshot.ts'

/** The gateway with its servers read. */
export async function openMcp(relay: RelayParts): Promise<McpGateway> {
  const servers = await ServerSnapshot.load(relay.store)
  return new McpGateway({ relay, servers, upstreams: new Upstreams(relay.outbound) })
}
