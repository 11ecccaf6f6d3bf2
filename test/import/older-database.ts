import { Database } from 'bun:sqlite'
import { SQL } from 'bun'

type Kind = 'number' | 'text' | 'flag' | 'time' | 'fraction'
type Engine = 'sqlite' | 'postgres' | 'mariadb'
export type OlderRow = Readonly<Record<string, unknown>>
export interface OlderTables {
  readonly users?: readonly OlderRow[]
  readonly tokens?: readonly OlderRow[]
  readonly channels?: readonly OlderRow[]
  readonly redemptions?: readonly OlderRow[]
  readonly options?: readonly OlderRow[]
  readonly logs?: readonly OlderRow[]
  readonly two_fas?: readonly OlderRow[]
  readonly passkey_credentials?: readonly OlderRow[]
}
type Columns = Readonly<Record<string, Kind>>
/** What only the newer ones have. */
type Later = 'two_fas' | 'passkey_credentials'
export type Shape = Readonly<Record<Exclude<keyof OlderTables, Later>, Columns>> & {
  readonly [table in Later]?: Columns
}

const number: Kind = 'number'
const text: Kind = 'text'
const flag: Kind = 'flag'
const fraction: Kind = 'fraction'

const commonUser = {
  ...{ id: number, username: text, password: text, display_name: text, role: number, status: number },
  ...{ email: text, github_id: text, wechat_id: text, access_token: text, quota: number, used_quota: number },
  ...{ request_count: number, group: text, aff_code: text, inviter_id: number },
} as const
const commonToken = {
  ...{ id: number, user_id: number, key: text, status: number, name: text, created_time: number },
  ...{ accessed_time: number, expired_time: number, remain_quota: number, unlimited_quota: flag },
  used_quota: number,
} as const
const commonChannel = {
  ...{
    id: number,
    type: number,
    key: text,
    status: number,
    name: text,
    weight: number,
    created_time: number,
  },
  ...{ test_time: number, response_time: number, base_url: text, other: text, balance: fraction },
  ...{ balance_updated_time: number, models: text, group: text, used_quota: number, model_mapping: text },
  priority: number,
} as const
const redemptions = {
  ...{ id: number, user_id: number, key: text, status: number, name: text, quota: number },
  ...{ created_time: number, redeemed_time: number },
} as const
const options = { key: text, value: text } as const
const logs = {
  ...{ id: number, user_id: number, created_at: number, type: number, content: text, username: text },
  ...{ token_name: text, model_name: text, quota: number, prompt_tokens: number, completion_tokens: number },
  channel_id: number,
} as const

/** The tables of the first of the older tools, with the columns that matter. */
export const oneApi: Shape = {
  users: { ...commonUser, lark_id: text, oidc_id: text },
  tokens: { ...commonToken, models: text, subnet: text },
  channels: { ...commonChannel, config: text, system_prompt: text },
  redemptions,
  options,
  logs: { ...logs, request_id: text, elapsed_time: number, is_stream: flag },
}

/** And of those that came of it. */
export const newApi: Shape = {
  users: {
    ...{ ...commonUser, telegram_id: text, linux_do_id: text, aff_count: number, aff_quota: number },
    ...{ aff_history: number, oidc_id: text, discord_id: text, deleted_at: 'time' },
  },
  tokens: {
    ...{ ...commonToken, model_limits_enabled: flag, model_limits: text, allow_ips: text, group: text },
    deleted_at: 'time',
  },
  channels: {
    ...{ ...commonChannel, openai_organization: text, test_model: text, status_code_mapping: text },
    ...{ auto_ban: number, other_info: text, tag: text, setting: text, param_override: text },
    header_override: text,
  },
  redemptions: { ...redemptions, used_user_id: number, deleted_at: 'time' },
  options,
  logs: { ...logs, token_id: number, group: text, use_time: number, is_stream: flag, other: text },
  two_fas: { id: number, user_id: number, secret: text, is_enabled: flag, deleted_at: 'time' },
  passkey_credentials: { id: number, user_id: number, credential_id: text },
}

const columnTypes: Record<Engine, Record<Kind, string>> = {
  sqlite: { number: 'integer', text: 'text', flag: 'numeric', time: 'datetime', fraction: 'real' },
  postgres: { number: 'bigint', text: 'text', flag: 'boolean', time: 'timestamptz', fraction: 'numeric' },
  mariadb: {
    ...{ number: 'bigint', text: 'varchar(700)', flag: 'tinyint(1)', time: 'datetime(3)' },
    fraction: 'double',
  },
}

/** Makes a database as an older tool leaves it. `url` is a file for SQLite. */
export async function makeOlder(
  engine: Engine,
  url: string,
  shape: Shape,
  tables: OlderTables,
): Promise<void> {
  const quote = engine === 'mariadb' ? '`' : '"'
  const named = (names: readonly string[]): string => names.map(name => quote + name + quote).join(', ')
  const { run, close } = connect(engine, url)
  for (const [table, columns] of Object.entries(shape)) {
    const types = columnTypes[engine]
    const list = Object.entries(columns).map(([name, kind]) => `${named([name])} ${types[kind]}`)
    const key = table === 'options' ? 'key' : 'id'
    await run(`create table ${table} (${list.join(', ')}, primary key (${named([key])}))`, [])
    for (const row of tables[table as keyof OlderTables] ?? []) {
      const places = Object.keys(row).map((_, at) => (engine === 'postgres' ? `$${at + 1}` : '?'))
      const values = Object.values(row)
      await run(`insert into ${table} (${named(Object.keys(row))}) values (${places.join(', ')})`, values)
    }
  }
  await close()
}

function connect(engine: Engine, url: string) {
  if (engine === 'sqlite') {
    const file = new Database(url, { create: true })
    file.run('begin')
    return {
      run: async (statement: string, values: readonly unknown[]) =>
        void file.query(statement).run(...(values as string[])),
      close: async () => {
        file.run('commit')
        file.close()
      },
    }
  }
  const sql = new SQL(url, { max: 1 })
  return {
    run: async (statement: string, values: readonly unknown[]) =>
      void (await sql.unsafe(statement, [...values])),
    close: () => sql.close(),
  }
}
