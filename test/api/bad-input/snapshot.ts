import { Database } from 'bun:sqlite'
import { CompiledQuery } from 'kysely'
import type { Store } from '../../../server/store/index.ts'
import type { Schema } from '../../../server/store/schema.ts'

type Row = Record<string, unknown>
/** Columns that may move though nothing was done; `moves` for a table that must. */
type Exempt = 'moves' | readonly string[]

/** Every table is here, so that a new one is thought about. */
const tables: { readonly [T in keyof Schema]: Exempt } = {
  users: [],
  tokens: [],
  // A test that fails has still told how long the upstream took.
  channels: ['response_time', 'test_time'],
  abilities: [],
  redemptions: [],
  top_ups: [],
  logs: [],
  usage_hourly: [],
  usage_latency_hourly: [],
  usage_labels_hourly: [],
  changed_days: [],
  // Whoever looks at days for the first time leaves what they came to.
  kept_days: 'moves',
  midjourneys: [],
  tasks: [],
  task_runs: [],
  files: [],
  batches: [],
  background_responses: [],
  gemini_files: [],
  gemini_caches: [],
  openai_conversations: [],
  openai_containers: [],
  openai_container_windows: [],
  openai_files: [],
  anthropic_files: [],
  options: [],
  // Whoever calls is seen.
  sessions: ['seen_at'],
  // Refusals are what it counts.
  throttles: 'moves',
  revisions: [],
  system: [],
  // Processes say by it that they live.
  nodes: 'moves',
  holds: [],
  ledger_entries: [],
  closed_months: [],
  spend_limits: [],
  // A wrong guess is counted, and uses up what may be tried once.
  sign_in_flows: 'moves',
  two_factors: [],
  backup_codes: [],
  passkeys: [],
  background_work: 'moves',
  // As with sign_in_flows.
  proofs: 'moves',
  audit_records: [],
  kept_answers: [],
  user_notices: [],
  // Of SQLite alone, and only ever what `users` says.
  user_search: 'moves',
  log_contents: [],
  log_sinks: [],
  plans: [],
  subscriptions: [],
  subscription_periods: [],
  subscription_holds: [],
  team_members: [],
  team_invitations: [],
  mcp_servers: [],
  prompts: [],
  prompt_versions: [],
  prompt_labels: [],
  prompt_releases: [],
  prompt_usage_daily: [],
  prompt_usage_by_token: [],
}

export type Snapshot = Readonly<Record<string, readonly string[]>>

/** All that a refused call has to leave as it was. Taken thousands of times, so it does no more than it must. */
export interface Snapshots {
  take(): Promise<Snapshot>
  close(): void
}

export function openSnapshots({ db }: Pick<Store, 'db'>, databaseUrl: string): Snapshots {
  if (databaseUrl.startsWith('sqlite:')) return openSqliteSnapshots(databaseUrl.slice('sqlite:'.length))
  const read = async (table: string) =>
    (await db.executeQuery<Row>(CompiledQuery.raw(`select * from ${table}`))).rows
  const take = async () => {
    const taken = still.map(async ([table, exempt]) => [table, writeAll(table, exempt, await read(table))])
    return Object.fromEntries(await Promise.all(taken))
  }
  return { take, close: () => {} }
}

/** A connection of its own, for SQLite tells each whether others have written since: if nobody has, all is as it was. */
function openSqliteSnapshots(file: string): Snapshots {
  const database = new Database(file, { safeIntegers: true })
  database.exec('pragma busy_timeout = 60000')
  const version = database.query<{ data_version: bigint }, []>('pragma data_version')
  const reads = still.map(
    ([table, exempt]) => [table, exempt, database.query<Row, []>(`select * from ${table}`)] as const,
  )
  const readAll = database.transaction(() =>
    Object.fromEntries(reads.map(([table, exempt, rows]) => [table, writeAll(table, exempt, rows.all())])),
  )
  let taken: Snapshot = {}
  let at: bigint | undefined
  const take = async () => {
    const now = version.get()?.data_version
    if (now !== at) taken = readAll()
    at = now
    return taken
  }
  return { take, close: () => database.close() }
}

const still = Object.entries(tables).flatMap(([table, exempt]) =>
  exempt === 'moves' ? [] : [[table, exempt] as const],
)

function writeAll(table: string, exempt: readonly string[], rows: readonly Row[]): string[] {
  return rows
    .filter(row => !movesByItself(table, row))
    .map(row => write(row, exempt))
    .sort()
}

/** Failed logins stand in the record of changes, and its end is kept apart; the books are audited by the clock. */
function movesByItself(table: string, row: Row): boolean {
  if (table === 'audit_records') return row.action === 'login.failed'
  return table === 'system' && (row.key === 'audit-head' || row.key === 'last-audit')
}

function write(row: Row, exempt: readonly string[]): string {
  const kept = { ...row }
  for (const name of exempt) delete kept[name]
  for (const name in kept) if (typeof kept[name] === 'bigint') kept[name] = String(kept[name])
  return JSON.stringify(kept)
}

/** Rows that are not in both; none when nothing was changed. */
export function differences(before: Snapshot, after: Snapshot): string[] {
  if (before === after) return []
  return Object.entries(after).flatMap(([table, rows]) => {
    const former = new Set(before[table])
    const present = new Set(rows)
    const gone = [...former].filter(row => !present.has(row)).map(row => `${table} − ${row.slice(0, 300)}`)
    return [...gone, ...rows.filter(row => !former.has(row)).map(row => `${table} + ${row.slice(0, 300)}`)]
  })
}
