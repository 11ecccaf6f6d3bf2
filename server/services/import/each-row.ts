import type { ForeignDatabase, ForeignRow } from '../../store/foreign-database.ts'

/** All rows of a table, some at a time, in the order of a column whose values are all different; none where it is not there. */
export async function eachRow(
  source: ForeignDatabase,
  table: string,
  key: string,
  take: (rows: readonly ForeignRow[]) => Promise<void>,
): Promise<void> {
  if (!(await source.columns(table)).has(key)) return
  for await (const rows of source.rows(table, key)) await take(rows)
}
