import type { RelayParts } from '../relay/parts.ts'
import { McpGateway } from './gateway.ts'
import { Upstreams } from './parts.ts'
import { ServerSnapshot } from './server-snapshot.ts'

/** The gateway with its servers read. `cancelElsewhere` tells the other workers of this machine. */
export async function openMcp(
  relay: RelayParts,
  cancelElsewhere: (call: string) => void,
): Promise<McpGateway> {
  const servers = await ServerSnapshot.load(relay.store)
  const upstreams = new Upstreams(relay.outbound)
  return new McpGateway({ relay, servers, upstreams, cancelElsewhere })
}
