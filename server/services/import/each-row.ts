import type { ForeignDatabase, ForeignRow } from '../../store/foreign-database.ts'

/**
 * All rows of a table, some at a time, in the order of a column whose values are all different, or of two that are
 * together; none where it is not there.
 */
export async function eachRow(
  source: ForeignDatabase,
  table: string,
  key: string | readonly [string, string],
  take: (rows: readonly ForeignRow[]) => Promise<void>,
): Promise<void> {
  const [first, second] = typeof key === 'string' ? [key] : key
  if (!(await source.columns(table)).has(first)) return
  for await (const rows of source.rows(table, first, second)) await take(rows)
}
