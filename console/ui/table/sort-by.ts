import type { Column } from './column.ts'

/** Sorts by a column of figures: the most first, then the least, then as the list is of itself. */
export function sortBy<C extends string>(
  column: C,
  now: string | undefined,
  show: (sort: C | `-${C}` | undefined) => unknown,
): NonNullable<Column<unknown>['sort']> {
  if (now === `-${column}`) return { order: 'descending', act: () => void show(column) }
  if (now === column) return { order: 'ascending', act: () => void show(undefined) }
  return { act: () => void show(`-${column}`) }
}
