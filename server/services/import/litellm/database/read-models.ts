import type { ForeignDatabase, ForeignRow } from '../../../../store/foreign-database.ts'
import { eachRow } from '../../each-row.ts'
import { textOf } from '../../read-row.ts'
import type { ImportReport } from '../../report.ts'
import type { Variable } from '../place.ts'
import type { Config, Deployment } from '../read-config.ts'
import { looksSealed } from './open-secret.ts'
import { asFields, CannotRead, openWith, saltOf } from './sealed-fields.ts'

/** The models that LiteLLM keeps in its database, as if they stood in its configuration. */
export async function readModels(
  source: ForeignDatabase,
  variable: Variable,
  report: ImportReport,
): Promise<Config> {
  const key = saltOf(variable)
  const deployments: Deployment[] = []
  await eachRow(source, 'LiteLLM_ProxyModelTable', 'model_id', async rows => {
    for (const row of rows) {
      const name = textOf(row, 'model_name')
      try {
        deployments.push(readModel(row, name, key))
      } catch (error) {
        if (!(error instanceof CannotRead)) throw error
        report.note(`model ${name}: left out: ${error.message}`)
      }
    }
  })
  await eachRow(source, 'LiteLLM_SearchToolsTable', 'search_tool_id', async rows => {
    for (const row of rows)
      report.note(`search tool ${textOf(row, 'search_tool_name')}: left out: enter it as a channel`)
  })
  return {
    ...{ deployments, aliases: new Map(), fallbacks: [], servers: [], prompts: [], variables: {} },
    ...{ unread: [] },
    ...{ retries: undefined, choice: undefined },
  }
}

function readModel(row: ForeignRow, name: string, key: string | undefined): Deployment {
  const info = asFields(row.model_info)
  if (row.blocked === true) throw new CannotRead('it was blocked')
  if (textOf(info, 'team_id') !== '') throw new CannotRead('it was for one team only')
  const written = asFields(row.litellm_params)
  // All of them are, or none.
  const isSealed = looksSealed(textOf(written, 'model'))
  const params = Object.entries(written)
    // Those that are off are written down too.
    .filter(([, value]) => value !== null && value !== false)
    .map(([param, value]) => [param, isSealed && typeof value === 'string' ? openWith(key, value) : value])
  if (params.some(([param]) => param === 'litellm_credential_name'))
    throw new CannotRead("its key is among LiteLLM's credentials, which stay there")
  return { name, params: Object.fromEntries(params), info }
}
