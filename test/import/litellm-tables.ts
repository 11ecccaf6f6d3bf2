import { createCipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { SQL } from 'bun'

// LiteLLM's database: its tables with the columns that matter, as its own migrations make them.

const text = 'text'
const list = 'text[]'
const dollars = 'double precision'
const time = 'timestamp(3)'
const json = `jsonb not null default '{}'`
const limits = { max_parallel_requests: 'integer', tpm_limit: 'bigint', rpm_limit: 'bigint' }
const renewed = { budget_duration: text, budget_reset_at: time }
const spending = { max_budget: dollars, spend: `${dollars} not null default 0.0` }
const made = { created_at: `${time} default current_timestamp` }

const shapes = {
  LiteLLM_BudgetTable: {
    ...{ budget_id: 'text primary key', max_budget: dollars, soft_budget: dollars, ...limits },
    ...{ model_max_budget: 'jsonb', ...renewed, ...made, created_by: text, updated_by: text },
  },
  LiteLLM_OrganizationTable: {
    ...{ organization_id: 'text primary key', organization_alias: text, budget_id: text, metadata: json },
    ...{ models: list, spend: dollars },
  },
  LiteLLM_TeamTable: {
    ...{ team_id: 'text primary key', team_alias: text, organization_id: text, admins: list, members: list },
    ...{ members_with_roles: json, metadata: json, ...spending, models: list, ...limits, ...renewed },
    ...{ blocked: 'boolean not null default false', ...made, model_id: 'integer' },
  },
  LiteLLM_UserTable: {
    ...{ user_id: 'text primary key', user_alias: text, team_id: text, sso_user_id: text, password: text },
    ...{ organization_id: text, teams: list, user_role: text, ...spending, user_email: text, models: list },
    ...{ metadata: json, ...limits, ...renewed, model_spend: json, model_max_budget: json, ...made },
  },
  LiteLLM_VerificationToken: {
    ...{ token: 'text primary key', key_name: text, key_alias: text, ...spending, expires: time },
    ...{ models: list, aliases: json, config: json, router_settings: 'jsonb', user_id: text, team_id: text },
    ...{ project_id: text, permissions: json, metadata: json, blocked: 'boolean', ...limits, ...renewed },
    ...{ allowed_cache_controls: list, allowed_routes: list, model_spend: json, model_max_budget: json },
    ...{ budget_id: text, organization_id: text, ...made, last_active: time, budget_limits: 'jsonb' },
  },
  LiteLLM_DeprecatedVerificationToken: {
    ...{ id: 'text primary key', token: text, active_token_id: text, revoke_at: time },
  },
  LiteLLM_TeamMembership: { user_id: text, team_id: text, spend: dollars, budget_id: text },
  LiteLLM_SpendLogs: { request_id: 'text primary key', api_key: text, spend: dollars, startTime: time },
  LiteLLM_Config: { param_name: 'text primary key', param_value: 'jsonb' },
  LiteLLM_ProxyModelTable: {
    ...{ model_id: 'text primary key', model_name: text, litellm_params: 'jsonb', model_info: 'jsonb' },
    ...{ blocked: 'boolean not null default false', ...made },
  },
  LiteLLM_SearchToolsTable: {
    ...{ search_tool_id: 'text primary key', search_tool_name: text, litellm_params: 'jsonb', ...made },
  },
  LiteLLM_MCPServerTable: {
    ...{ server_id: 'text primary key', server_name: text, alias: text, description: text, url: text },
    ...{ transport: `text not null default 'sse'`, auth_type: text, credentials: `jsonb default '{}'` },
    ...{ mcp_info: `jsonb default '{}'`, mcp_access_groups: list, allowed_tools: list, extra_headers: list },
    ...{ static_headers: `jsonb default '{}'`, command: text, args: list, env: `jsonb default '{}'` },
    ...{ allow_all_keys: 'boolean not null default false', ...made },
  },
} as const

type Rows = readonly Readonly<Record<string, unknown>>[]
export type LitellmTables = { readonly [Table in keyof typeof shapes]?: Rows }

/** What LiteLLM keeps of a key. */
export function digestOf(key: string): string {
  return new Bun.CryptoHasher('sha256').update(key).digest('hex')
}

export const SALT = 'sk-salt-of-theirs'

/** As LiteLLM seals what is secret, by the version of that. */
export function sealed(value: string, version: 'v2' | 'v3', salt = SALT): string {
  const key =
    version === 'v2'
      ? createHash('sha256').update(salt).digest()
      : new Uint8Array(hkdfSync('sha256', salt, '', 'litellm-at-rest-v3', 32))
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const bytes = Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()])
  return `${version}:gcm:${bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')}`
}

/** Before that it was done by NaCl's secretbox, with the same salt. */
export const boxed = {
  model: 'AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB43O2gH7L6arJ8fX8vYC_bzl5Rb5k7-MnXN6Bb03InH5ELQ==',
  key: 'AgICAgICAgICAgICAgICAgICAgICAgICPz6D2lDhbNUhBTccKkMYv1PIj8mWdekXFV6a',
}

export async function fillLitellm(url: string, tables: LitellmTables): Promise<void> {
  const sql = new SQL(url, { max: 1 })
  for (const [table, columns] of Object.entries(shapes)) {
    const lines = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`)
    await sql.unsafe(`create table "${table}" (${lines.join(', ')})`)
  }
  await sql.begin(transaction => addRows(transaction, tables))
  await sql.close()
}

/** What is written there later. */
export async function addToLitellm(url: string, tables: LitellmTables): Promise<void> {
  const sql = new SQL(url, { max: 1 })
  await sql.begin(transaction => addRows(transaction, tables))
  await sql.close()
}

async function addRows(sql: Pick<SQL, 'unsafe'>, tables: LitellmTables): Promise<void> {
  for (const [table, rows] of Object.entries(tables))
    for (const row of rows) {
      const columns = shapes[table as keyof LitellmTables] as Readonly<Record<string, string>>
      const names = Object.keys(row)
      // As text: the server reads each as what its column is, NaN and infinity too.
      const places = names.map(
        (name, at) => `$${at + 1}::text::${columns[name]?.split(/ (?:not|primary|default) /)[0]}`,
      )
      await sql.unsafe(
        `insert into "${table}" (${names.map(name => `"${name}"`).join(', ')}) values (${places.join(', ')})`,
        Object.values(row).map(literal),
      )
    }
}

function literal(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return `{${value.map(each => JSON.stringify(String(each))).join(',')}}`
  if (value instanceof Date) return value.toISOString().replace('Z', '')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
