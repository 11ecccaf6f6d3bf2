import type { ForeignDatabase, ForeignRow } from '../../../../store/foreign-database.ts'
import { eachRow } from '../../each-row.ts'
import { textOf } from '../../read-row.ts'
import type { ImportReport } from '../../report.ts'
import type { Variable } from '../place.ts'
import type { Config, Deployment } from '../read-config.ts'
import { looksSealed, openSecret } from './open-secret.ts'

type Fields = Readonly<Record<string, unknown>>

/** Why a model of the database cannot come. */
class CannotRead extends Error {}

/** The models that LiteLLM keeps in its database, as if they stood in its configuration. */
export async function readModels(
  source: ForeignDatabase,
  variable: Variable,
  report: ImportReport,
): Promise<Config> {
  const key = variable('LITELLM_SALT_KEY') ?? variable('LITELLM_MASTER_KEY')
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
  return {
    ...{ deployments, aliases: new Map(), fallbacks: [], variables: {}, unread: [] },
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
    .map(([param, value]) => [param, isSealed && typeof value === 'string' ? open(value, key) : value])
  if (params.some(([param]) => param === 'litellm_credential_name'))
    throw new CannotRead("its key is among LiteLLM's credentials, which stay there")
  return { name, params: Object.fromEntries(params), info }
}

function open(value: string, key: string | undefined): string {
  const opened = key === undefined ? undefined : openSecret(value, key)
  if (opened !== undefined) return opened
  throw new CannotRead(
    key === undefined
      ? 'set LITELLM_SALT_KEY, or LITELLM_MASTER_KEY where there was none'
      : 'it was sealed with another LITELLM_SALT_KEY or LITELLM_MASTER_KEY',
  )
}

/** Some versions write it as text. */
function asFields(value: unknown): Fields {
  if (typeof value === 'object' && value !== null) return value as Fields
  if (typeof value !== 'string') return {}
  try {
    return asFields(JSON.parse(value))
  } catch {
    return {}
  }
}
