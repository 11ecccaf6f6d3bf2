import {
  type BulkRead,
  type BulkWrite,
  type Cell,
  type Column,
  type Compiled,
  remember,
  within,
} from './bulk.ts'

/**
 * One row is named by its key and its values, many by a list in JSON: to take a list apart costs as much as to write a
 * row, and a quiet gateway's batches are of one.
 */
export function readPostgres(read: BulkRead): Compiled {
  const values = [...new Set(read.values)]
  const key = quote(read.key.name)
  const from = `select ${read.columns.map(quote).join(', ')} from ${quote(read.table)}`
  const lock = read.lock ? ' for update' : ''
  const also = within(read, quote)
  if (values.length === 1)
    return { sql: `${from} where ${also}${key} = ${cell(read.key, 1)}${lock}`, runs: [[String(values[0])]] }
  const wanted = `select value::${typeOf(read.key)} from json_array_elements_text($1::text::json)`
  return {
    sql: `${from} where ${also}${key} in (${wanted}) order by ${key}${lock}`,
    runs: [[JSON.stringify(values)]],
    byList: true,
  }
}

/** As few statements as can be: each that is sent costs both sides as much again as a row. */
export function writePostgres(writes: readonly BulkWrite[]): Compiled[] {
  return groupByTables(writes).map(group =>
    group.every(({ rows }) => rows.length === 1) ? writeOnes(group) : writeLists(group),
  )
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

function writeOnes(writes: readonly BulkWrite[]): Compiled {
  let bound = 0
  const parts = writes.map(write => {
    const first = bound + 1
    bound += write.columns.length
    return remember(write, `one ${first}`, () => composeOne(write, first))
  })
  return { sql: asOneStatement(parts), runs: [writes.flatMap(({ rows }) => rows[0]?.map(asText) ?? [])] }
}

function writeLists(writes: readonly BulkWrite[]): Compiled {
  const parts = writes.map((write, at) => remember(write, `list ${at}`, () => composeList(write, at + 1)))
  return { sql: asOneStatement(parts), runs: [writes.map(rowsAsJson)], byList: true }
}

function asOneStatement(parts: readonly string[]): string {
  return `with ${parts.map((part, at) => `w${at} as (${part})`).join(', ')} select 1 as done`
}

function composeOne(write: BulkWrite, first: number): string {
  const { kind, table, keys, columns } = write
  const names = columns.map(({ name }) => quote(name))
  const cells = columns.map((column, at) => cell(column, first + at))
  if (kind === 'insert' || kind === 'upsert-add')
    return `insert into ${quote(table)} (${names.join(', ')}) values (${cells.join(', ')})${onConflict(write)}`
  const assign = (name: string, at: number): string =>
    `${name} = ${kind === 'add' ? `t.${name} + ` : ''}${cells[at]}`
  const match = names.map((name, at) => `t.${name} = ${cells[at]}`).slice(0, keys)
  if (kind === 'delete') return `delete from ${quote(table)} t where ${match.join(' and ')}`
  return `update ${quote(table)} t set ${names.map(assign).slice(keys).join(', ')} where ${match.join(' and ')}`
}

function composeList(write: BulkWrite, parameter: number): string {
  const { kind, table, keys, columns } = write
  const names = columns.map(({ name }) => quote(name))
  const types = columns.map(column => `${quote(column.name)} ${typeOf(column)}`)
  const rows = `json_to_recordset($${parameter}::text::json) as d(${types.join(', ')})`
  if (kind === 'insert' || kind === 'upsert-add')
    return `insert into ${quote(table)} (${names.join(', ')}) select * from ${rows}${onConflict(write)}`
  const assign = (name: string): string => `${name} = ${kind === 'add' ? `t.${name} + ` : ''}d.${name}`
  const match = names.slice(0, keys).map(name => `t.${name} = d.${name}`)
  if (kind === 'delete') return `delete from ${quote(table)} t using ${rows} where ${match.join(' and ')}`
  return `update ${quote(table)} t set ${names.slice(keys).map(assign).join(', ')} from ${rows} where ${match.join(' and ')}`
}

function onConflict({ kind, table, keys, columns }: BulkWrite): string {
  if (kind === 'insert') return ''
  const names = columns.map(({ name }) => quote(name))
  const add = names.slice(keys).map(name => `${name} = ${quote(table)}.${name} + excluded.${name}`)
  return ` on conflict (${names.slice(0, keys).join(', ')}) do update set ${add.join(', ')}`
}

/** Rows as objects: PostgreSQL takes those apart in one pass, where it would read an array once per column. */
function rowsAsJson({ columns, rows }: BulkWrite): string {
  const named = rows.map(row =>
    Object.fromEntries(columns.map((column, at) => [column.name, row[at] ?? null])),
  )
  return JSON.stringify(named)
}

/** Every value is bound as text: a number's own type would change with its size, and the statement with it. */
const asText = (value: Cell): Cell => (value === null ? null : String(value))
const cell = (column: Column, parameter: number): string => `$${parameter}::text::${typeOf(column)}`
const typeOf = (column: Column): string => (column.type === 'integer' ? 'bigint' : 'text')
const quote = (name: string): string => `"${name}"`
