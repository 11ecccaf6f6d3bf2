import type { Database } from 'bun:sqlite'

export type Row = Record<string, string | number | null>

/** All rows have the columns of the first one. */
export function fillTable(database: Database, table: string, rows: readonly Row[]): void {
  const [first] = rows
  if (!first) return
  const names = Object.keys(first)
  const columns = names.map(name => `"${name}"`).join(', ')
  const places = names.map(() => '?').join(', ')
  const statement = database.query(`insert into ${table} (${columns}) values (${places})`)
  database.transaction(() => {
    for (const row of rows) statement.run(...names.map(name => row[name] ?? null))
  })()
}

export function changeRow(database: Database, table: string, id: number, change: Row): void {
  const names = Object.keys(change)
  database
    .query(`update ${table} set ${names.map(name => `"${name}" = ?`).join(', ')} where id = ?`)
    .run(...Object.values(change), id)
}
