import type { Store } from '../store/index.ts'
import { Readings } from '../store/readings.ts'
import { McpServer, type McpServerRow } from './mcp-server.ts'

type Source = Pick<Store, 'db' | 'cipher' | 'bus'>

/** All servers, in memory, by their names. */
export class ServerSnapshot {
  readonly #source: Source
  #servers = new Map<string, { readonly row: McpServerRow; readonly server: McpServer }>()
  readonly #readings = new Readings(() => this.#readAll())

  private constructor(source: Source) {
    this.#source = source
  }

  static async load(source: Source): Promise<ServerSnapshot> {
    const snapshot = new ServerSnapshot(source)
    source.bus.on('mcp-servers', () => snapshot.#readings.again())
    await snapshot.#readings.again()
    return snapshot
  }

  /** In the order of their names, whatever their state. */
  all(): McpServer[] {
    return Array.from(this.#servers.values(), ({ server }) => server)
  }

  find(name: string): McpServer | undefined {
    return this.#servers.get(name)?.server
  }

  async #readAll(): Promise<void> {
    const { db, cipher } = this.#source
    const rows = await db.selectFrom('mcp_servers').selectAll().orderBy('name').execute()
    const before = this.#servers
    this.#servers = new Map(
      rows.map(row => {
        const known = before.get(row.name)
        const isSame = known !== undefined && JSON.stringify(known.row) === JSON.stringify(row)
        return [row.name, isSame ? known : { row, server: new McpServer(row, cipher) }]
      }),
    )
  }
}
