import type { Transaction } from 'kysely'
import type { Store } from '../../../store/index.ts'
import type { Schema } from '../../../store/schema.ts'
import { writeServer } from '../../mcp/write-server.ts'
import type { ImportReport } from '../report.ts'
import { CannotCome, type Variable } from './place.ts'
import { type ForeignServer, type PlannedServer, planServer } from './plan-server.ts'

interface Parts {
  readonly store: Store
  /** Seconds since 1970. */
  now(): number
}

/** Makes MCP servers of LiteLLM's. One whose name is taken is left out: agents mean the one that is here. */
export async function takeServers(
  parts: Parts,
  transaction: Transaction<Schema>,
  servers: readonly ForeignServer[],
  variable: Variable,
  report: ImportReport,
): Promise<void> {
  const { settings } = parts.store
  const here = {
    variable,
    groups: new Set(Object.keys(settings.get('GroupRatio'))),
    unit: settings.get('QuotaPerUnit'),
  }
  const known = await transaction.selectFrom('mcp_servers').select(['name', 'url']).execute()
  const addresses = new Map(known.map(({ name, url }) => [name, url]))
  let came = 0
  for (const foreign of servers) {
    const told = (what: string): void => report.note(`MCP server ${foreign.name}: ${what}`)
    const planned = orLeftOut(told, () => planServer(foreign, here))
    if (!planned) continue
    const { server, odd } = planned
    const taken = addresses.get(server.name)
    if (taken === undefined) {
      await writeServer(parts, transaction, server)
      addresses.set(server.name, server.url)
      odd.forEach(told)
      came++
    } else if (taken !== server.url) told(`left out: another one here is called ${server.name}`)
  }
  if (servers.length > 0) report.add('MCP servers', came)
}

function orLeftOut(told: (what: string) => void, plan: () => PlannedServer): PlannedServer | undefined {
  try {
    return plan()
  } catch (error) {
    if (!(error instanceof CannotCome)) throw error
    told(`left out: ${error.message}`)
    return undefined
  }
}
