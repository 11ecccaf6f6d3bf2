import type { ForeignDatabase, ForeignRow } from '../../../../store/foreign-database.ts'
import { eachRow } from '../../each-row.ts'
import { textOf } from '../../read-row.ts'
import type { ImportReport } from '../../report.ts'
import type { Variable } from '../place.ts'
import type { ForeignServer } from '../plan-server.ts'
import { hasSeal, looksSealed, openSecret } from './open-secret.ts'
import { asFields, CannotRead, openWith, saltOf } from './sealed-fields.ts'

/** The MCP servers that LiteLLM keeps in its database, as if they stood in its configuration. */
export async function readServers(
  source: ForeignDatabase,
  variable: Variable,
  report: ImportReport,
): Promise<readonly ForeignServer[]> {
  const key = saltOf(variable)
  const servers: ForeignServer[] = []
  await eachRow(source, 'LiteLLM_MCPServerTable', 'server_id', async rows => {
    for (const row of rows) {
      const name = textOf(row, 'alias') || textOf(row, 'server_name') || textOf(row, 'server_id')
      try {
        servers.push({ name, fields: readFields(row, key) })
      } catch (error) {
        if (!(error instanceof CannotRead)) throw error
        report.note(`MCP server ${name}: left out: ${error.message}`)
      }
    }
  })
  return servers
}

function readFields(row: ForeignRow, key: string | undefined): ForeignServer['fields'] {
  const given = textOf(asFields(row.credentials), 'auth_value')
  return {
    ...row,
    auth_value: looksSealed(given) ? openWith(key, given) : given,
    static_headers: openHeaders(asFields(row.static_headers), key),
    mcp_info: asFields(row.mcp_info),
  }
}

/** Some are sealed and some are not, and a long key without a sign looks like one that is: what does not open is none. */
function openHeaders(headers: ForeignServer['fields'], key: string | undefined): ForeignServer['fields'] {
  const opened = Object.entries(headers).map(([name, value]) => {
    if (typeof value !== 'string') return [name, value]
    if (hasSeal(value)) return [name, openWith(key, value)]
    return [name, (key === undefined ? undefined : openSecret(value, key)) ?? value]
  })
  return Object.fromEntries(opened)
}
