import type { Row } from '../../server/store/batch/batch.ts'
import type { BulkRead, BulkWrite, Cell } from '../../server/store/batch/bulk.ts'
import { UniqueViolation } from '../../server/store/store-error.ts'

/** The unique key of each table that the ledger touches; none where rows only gather. */
const keyColumns = {
  users: ['id'],
  tokens: ['id'],
  channels: ['id'],
  holds: ['id'],
  nodes: ['id'],
  system: ['key'],
  closed_months: ['month'],
  spend_limits: ['id'],
  subscription_holds: ['hold_id', 'subscription_id'],
  ledger_entries: ['kind', 'ref'],
  usage_hourly: ['hour', 'user_id', 'token_id', 'channel_id', 'model_name', 'group'],
  usage_labels_hourly: ['hour', 'user_id', 'token_id', 'labels'],
  changed_days: ['day'],
  logs: [],
} as const
export type SimTable = keyof typeof keyColumns

export interface Change {
  readonly table: SimTable
  readonly before: Row | undefined
  readonly after: Row
}

/** What is to be written of each table; undefined for rows that are to go. */
type Staged = Map<SimTable, Map<string, Row | undefined>>

/** Committed rows, in memory. */
export class SimTables {
  readonly #tables: Record<SimTable, Map<string, Row>>
  #serial = 0

  constructor() {
    const names = Object.keys(keyColumns) as SimTable[]
    this.#tables = Object.fromEntries(names.map(name => [name, new Map()])) as Record<
      SimTable,
      Map<string, Row>
    >
  }

  rows(table: SimTable): Row[] {
    return [...this.#tables[table].values()]
  }

  get(table: SimTable, ...key: Cell[]): Row | undefined {
    return this.#tables[table].get(key.join('\0'))
  }

  remove(table: SimTable, ...key: Cell[]): void {
    this.#tables[table].delete(key.join('\0'))
  }

  /** As a select does: each row once, in the order of its key, only the columns asked for. */
  read({ table, within, columns, values }: BulkRead): Row[] {
    const known = this.#tables[simTable(table)]
    const keys = [...new Set(values)].sort((a, b) => (a < b ? -1 : 1))
    return keys.flatMap(key => {
      const row = known.get(within ? `${within.value}\0${key}` : String(key))
      return row ? [Object.fromEntries(columns.map(column => [column, row[column] ?? null]))] : []
    })
  }

  /** All of it, or, when a key is there already, nothing. */
  write(writes: readonly BulkWrite[]): Change[] {
    const staged: Staged = new Map()
    for (const write of writes) for (const cells of write.rows) this.#stage(staged, write, cells)
    const changes: Change[] = []
    for (const [table, rows] of staged)
      for (const [key, after] of rows) {
        if (!after) {
          this.#tables[table].delete(key)
          continue
        }
        changes.push({ table, before: this.#tables[table].get(key), after })
        this.#tables[table].set(key, after)
      }
    return changes
  }

  #stage(staged: Staged, write: BulkWrite, cells: readonly Cell[]): void {
    const table = simTable(write.table)
    const given: Record<string, Cell> = {}
    for (const [at, column] of write.columns.entries()) given[column.name] = cells[at] ?? null
    if (table === 'logs' && !Number.isSafeInteger(given.prompt_tokens)) throw new Error('out of range')
    const columns = keyColumns[table]
    const key =
      columns.length === 0 ? `row ${++this.#serial}` : columns.map(column => given[column]).join('\0')
    const rows = staged.get(table) ?? new Map<string, Row | undefined>()
    staged.set(table, rows)
    if (write.kind === 'delete') {
      for (const [found, row] of this.#tables[table])
        if (write.columns.every(({ name }) => row[name] === given[name])) rows.set(found, undefined)
      return
    }
    const there = rows.get(key) ?? this.#tables[table].get(key)
    // A key may be more than what is unique: where the rest of it is another by now, there is no such row.
    const named = write.columns.slice(0, write.keys)
    if (write.kind === 'add' && there && !named.every(({ name }) => there[name] === given[name])) return
    if (write.kind === 'insert' && there) throw new UniqueViolation(`${table} ${key.replace('\0', ' ')}`)
    if (write.kind === 'insert' || (write.kind === 'upsert-add' && !there)) rows.set(key, given)
    else if (there) rows.set(key, { ...there, ...(write.kind === 'set' ? given : sums(write, there, given)) })
  }
}

function sums(write: BulkWrite, there: Row, given: Row): Record<string, Cell> {
  const added: Record<string, Cell> = {}
  for (const { name } of write.columns.slice(write.keys))
    added[name] = Number(there[name]) + Number(given[name])
  return added
}

function simTable(name: string): SimTable {
  if (name in keyColumns) return name as SimTable
  throw new Error(`the simulated database has no table ${name}`)
}
