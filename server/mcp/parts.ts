import type { Outbound } from '../outbound/client.ts'
import type { RelayParts } from '../relay/parts.ts'
import type { McpServer } from './mcp-server.ts'
import type { ServerSnapshot } from './server-snapshot.ts'
import { Upstream } from './upstream/upstream.ts'

/** What the gateway works with. */
export interface McpParts {
  readonly relay: RelayParts
  readonly servers: ServerSnapshot
  readonly upstreams: Upstreams
  /** Another process of this machine may have the call under way. */
  cancelElsewhere(call: string): void
}

/** How each server is reached; what is known of one is forgotten with its row. */
export class Upstreams {
  readonly #outbound: Outbound
  readonly #known = new WeakMap<McpServer, Upstream>()

  constructor(outbound: Outbound) {
    this.#outbound = outbound
  }

  of(server: McpServer): Upstream {
    const upstream = this.#known.get(server) ?? new Upstream(this.#outbound, server)
    this.#known.set(server, upstream)
    return upstream
  }
}
