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
  midjourneys: [],
  tasks: [],
  task_runs: [],
  files: [],
  batches: [],
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
  plans: [],
  subscriptions: [],
  subscription_periods: [],
  subscription_holds: [],
}

export type Snapshot = Readonly<Record<string, readonly string[]>>

/** All that a refused call has to leave as it was. Taken thousands of times, so it does no more than it must. */
export async function takeSnapshot({ db }: Pick<Store, 'db'>): Promise<Snapshot> {
  const taken = Object.entries(tables).map(async ([table, exempt]) => {
    if (exempt === 'moves') return [table, []] as const
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(`select * from ${table}`))
    return [
      table,
      rows
        .filter(row => !movesByItself(table, row))
        .map(row => write(row, exempt))
        .sort(),
    ] as const
  })
  return Object.fromEntries(await Promise.all(taken))
}

/** Failed logins stand in the record of changes, and its end is kept apart. */
function movesByItself(table: string, row: Row): boolean {
  if (table === 'audit_records') return row.action === 'login.failed'
  return table === 'system' && row.key === 'audit-head'
}

function write(row: Row, exempt: readonly string[]): string {
  const kept = { ...row }
  for (const name of exempt) delete kept[name]
  for (const name in kept) if (typeof kept[name] === 'bigint') kept[name] = String(kept[name])
  return JSON.stringify(kept)
}

/** Rows that are not in both; none when nothing was changed. */
export function differences(before: Snapshot, after: Snapshot): string[] {
  return Object.entries(after).flatMap(([table, rows]) => {
    const former = new Set(before[table])
    const present = new Set(rows)
    const gone = [...former].filter(row => !present.has(row)).map(row => `${table} − ${row.slice(0, 300)}`)
    return [...gone, ...rows.filter(row => !former.has(row)).map(row => `${table} + ${row.slice(0, 300)}`)]
  })
}
