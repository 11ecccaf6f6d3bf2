import type { Engine } from '../engine.ts'
import type { Schema } from '../schema.ts'

/** Many rows in one statement, said once and compiled for each engine. */
export interface Column {
  readonly name: string
  readonly type: 'integer' | 'text'
}
export type Cell = string | number | null

export interface BulkRead {
  readonly table: keyof Schema
  readonly key: Column
  readonly columns: readonly string[]
  readonly values: readonly (string | number)[]
  /** Rows stay as they are until the batch commits. */
  readonly lock: boolean
}

export interface BulkWrite {
  /** `insert` rows; `add` to columns of the row with this key; `set` them; or add to a row that may not be there. */
  readonly kind: 'insert' | 'add' | 'set' | 'upsert-add'
  readonly table: keyof Schema
  /** How many of the columns, from the left, are the key. */
  readonly keys: number
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
}

export interface Compiled {
  readonly sql: string
  /** What is bound each time it is run. */
  readonly runs: readonly (readonly Cell[])[]
}

export const integer = (name: string): Column => ({ name, type: 'integer' })
export const text = (name: string): Column => ({ name, type: 'text' })

export function compileRead(engine: Engine, read: BulkRead): Compiled {
  const q = quoter(engine)
  const columns = read.columns.map(q).join(', ')
  const key = q(read.key.name)
  const cast = read.key.type === 'integer' ? 'bigint' : 'text'
  const wanted = {
    sqlite: 'select value from json_each(?)',
    postgres: `select value::${cast} from json_array_elements_text($1::text::json)`,
    mysql: `select d.v from json_table(?, '$[*]' columns(v ${mysqlType(read.key)} path '$')) d`,
  }[engine]
  const lock = read.lock && engine !== 'sqlite' ? ' for update' : ''
  const sql = `select ${columns} from ${q(read.table)} where ${key} in (${wanted}) order by ${key}${lock}`
  return { sql, runs: [[JSON.stringify([...new Set(read.values)])]] }
}

/** Writes without rows are left out. */
export function compileWrites(engine: Engine, writes: readonly BulkWrite[]): Compiled[] {
  const needed = writes.filter(({ rows }) => rows.length > 0)
  if (engine === 'postgres') return groupByTables(needed).map(compilePostgres)
  return needed.map(write =>
    engine === 'sqlite'
      ? {
          sql: remember(write, 'sqlite', () => composeSqlite(write)),
          runs: write.rows.map(row => bindSqlite(write, row)),
        }
      : { sql: mysqlWrite(write), runs: [[JSON.stringify(write.rows)]] },
  )
}

/** By the columns, which are constants of those who write, and what is done to them; no table is named by two. */
const texts = new WeakMap<readonly Column[], Map<string, string>>()

function remember(write: BulkWrite, way: string, compose: () => string): string {
  const known = texts.get(write.columns) ?? new Map<string, string>()
  const name = `${way} ${write.kind} ${write.table} ${write.keys}`
  let sql = known.get(name)
  if (sql === undefined) {
    sql = compose()
    texts.set(write.columns, known.set(name, sql))
  }
  return sql
}

function composeSqlite({ kind, table, keys, columns }: BulkWrite): string {
  const q = quoter('sqlite')
  const names = columns.map(column => q(column.name))
  const marks = columns.map(() => '?').join(', ')
  const keyNames = names.slice(0, keys)
  const rest = names.slice(keys)
  const insert = `insert into ${q(table)} (${names.join(', ')}) values (${marks})`
  if (kind === 'insert') return insert
  if (kind === 'upsert-add')
    return `${insert} on conflict (${keyNames.join(', ')}) do update set ${rest
      .map(name => `${name} = ${name} + excluded.${name}`)
      .join(', ')}`
  const set = rest.map(name => (kind === 'add' ? `${name} = ${name} + ?` : `${name} = ?`)).join(', ')
  return `update ${q(table)} set ${set} where ${keyNames.map(name => `${name} = ?`).join(' and ')}`
}

/** An update names its key last. */
function bindSqlite({ kind, keys }: BulkWrite, row: readonly Cell[]): readonly Cell[] {
  return kind === 'add' || kind === 'set' ? [...row.slice(keys), ...row.slice(0, keys)] : row
}

/** Parts of one statement do not see each other's changes, so each has only tables that no other part changes. */
function groupByTables(writes: readonly BulkWrite[]): BulkWrite[][] {
  const groups: BulkWrite[][] = []
  let tables = new Set<string>()
  for (const write of writes) {
    if (groups.length === 0 || tables.has(write.table)) {
      groups.push([])
      tables = new Set()
    }
    groups.at(-1)?.push(write)
    tables.add(write.table)
  }
  return groups
}

/** Several writes as one statement: each that is sent costs both sides as much again as a row. */
function compilePostgres(writes: readonly BulkWrite[]): Compiled {
  const parts = writes.map((write, at) =>
    remember(write, `w${at}`, () => `w${at} as (${composePostgres(write, at + 1)})`),
  )
  return { sql: `with ${parts.join(', ')} select 1 as done`, runs: [writes.map(postgresRows)] }
}

function composePostgres({ kind, table, keys, columns }: BulkWrite, parameter: number): string {
  const q = quoter('postgres')
  const names = columns.map(column => q(column.name))
  const types = columns.map(column => `${q(column.name)} ${column.type === 'integer' ? 'bigint' : 'text'}`)
  const rows = `json_to_recordset($${parameter}::text::json) as d(${types.join(', ')})`
  const keyNames = names.slice(0, keys)
  const rest = names.slice(keys)
  const insert = `insert into ${q(table)} (${names.join(', ')}) select * from ${rows}`
  if (kind === 'insert') return insert
  if (kind === 'upsert-add')
    return `${insert} on conflict (${keyNames.join(', ')}) do update set ${rest
      .map(name => `${name} = ${q(table)}.${name} + excluded.${name}`)
      .join(', ')}`
  const set = rest.map(name => `${name} = ${kind === 'add' ? `t.${name} + ` : ''}d.${name}`).join(', ')
  const match = keyNames.map(name => `t.${name} = d.${name}`).join(' and ')
  return `update ${q(table)} t set ${set} from ${rows} where ${match}`
}

/** Rows as objects: PostgreSQL takes those apart in one pass, where it would read an array once per column. */
function postgresRows({ columns, rows }: BulkWrite): string {
  const named = rows.map(row =>
    Object.fromEntries(columns.map((column, at) => [column.name, row[at] ?? null])),
  )
  return JSON.stringify(named)
}

function mysqlWrite({ kind, table, keys, columns }: BulkWrite): string {
  const q = quoter('mysql')
  const names = columns.map(column => q(column.name))
  const paths = columns.map((column, at) => `${q(column.name)} ${mysqlType(column)} path '$[${at}]'`)
  const rows = `json_table(?, '$[*]' columns(${paths.join(', ')})) d`
  const rest = names.slice(keys)
  const insert = `insert into ${q(table)} (${names.join(', ')}) select ${names.map(name => `d.${name}`).join(', ')} from ${rows}`
  if (kind === 'insert') return insert
  if (kind === 'upsert-add')
    return `${insert} on duplicate key update ${rest.map(name => `${name} = ${q(table)}.${name} + values(${name})`).join(', ')}`
  const set = rest.map(name => `t.${name} = ${kind === 'add' ? `t.${name} + ` : ''}d.${name}`).join(', ')
  const match = names.slice(0, keys).map(name => `t.${name} = d.${name}`)
  return `update ${q(table)} t join ${rows} on ${match.join(' and ')} set ${set}`
}

/** The table's collation, so that keys are compared as they are stored. */
function mysqlType(column: Column): string {
  return column.type === 'integer' ? 'bigint' : 'longtext character set utf8mb4 collate utf8mb4_bin'
}

function quoter(engine: Engine): (name: string) => string {
  return engine === 'mysql' ? name => `\`${name}\`` : name => `"${name}"`
}
