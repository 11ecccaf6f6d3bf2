import type { Engine } from '../engine.ts'
import {
  type BulkRead,
  type BulkWrite,
  type Cell,
  type Column,
  type Compiled,
  remember,
  rememberText,
  within,
} from './bulk.ts'
import { readPostgres, writePostgres } from './compile-postgres.ts'

export function compileRead(engine: Engine, read: BulkRead): Compiled {
  if (engine === 'postgres') return readPostgres(read)
  const q = quoter(engine)
  const key = q(read.key.name)
  const compose = (wanted: string): string =>
    `select ${read.columns.map(q).join(', ')} from ${q(read.table)} where ${within(read, q)}${key} ${wanted}`
  if (engine === 'sqlite') {
    const sql = rememberText(
      read.columns,
      `read ${read.table} ${read.key.name} ${read.within?.value ?? ''}`,
      () => compose('= ?'),
    )
    return { sql, runs: [...new Set(read.values)].map(value => [value]) }
  }
  const list = `select d.v from json_table(?, '$[*]' columns(v ${mysqlType(read.key)} path '$')) d`
  const sql = compose(`in (${list}) order by ${key}${read.lock ? ' for update' : ''}`)
  return { sql, runs: [[JSON.stringify([...new Set(read.values)])]] }
}

/** Writes without rows are left out. */
export function compileWrites(engine: Engine, writes: readonly BulkWrite[]): Compiled[] {
  const needed = writes.filter(({ rows }) => rows.length > 0)
  if (engine === 'postgres') return writePostgres(needed)
  if (engine === 'mysql')
    return needed.map(write => ({ sql: mysqlWrite(write), runs: [[JSON.stringify(write.rows)]] }))
  return needed.map(write => ({
    sql: remember(write, 'sqlite', () => composeSqlite(write)),
    runs: write.rows.map(row => bindSqlite(write, row)),
  }))
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
  const match = keyNames.map(name => `${name} = ?`).join(' and ')
  if (kind === 'delete') return `delete from ${q(table)} where ${match}`
  const set = rest.map(name => (kind === 'add' ? `${name} = ${name} + ?` : `${name} = ?`)).join(', ')
  return `update ${q(table)} set ${set} where ${match}`
}

/** An update names its key last. */
function bindSqlite({ kind, keys }: BulkWrite, row: readonly Cell[]): readonly Cell[] {
  return kind === 'add' || kind === 'set' ? [...row.slice(keys), ...row.slice(0, keys)] : row
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
  const match = names.slice(0, keys).map(name => `t.${name} = d.${name}`)
  if (kind === 'delete') return `delete t from ${q(table)} t join ${rows} on ${match.join(' and ')}`
  const set = rest.map(name => `t.${name} = ${kind === 'add' ? `t.${name} + ` : ''}d.${name}`).join(', ')
  return `update ${q(table)} t join ${rows} on ${match.join(' and ')} set ${set}`
}

/** The table's collation, so that keys are compared as they are stored. */
function mysqlType(column: Column): string {
  return column.type === 'integer' ? 'bigint' : 'longtext character set utf8mb4 collate utf8mb4_bin'
}

function quoter(engine: 'sqlite' | 'mysql'): (name: string) => string {
  return engine === 'mysql' ? name => `\`${name}\`` : name => `"${name}"`
}
